/*
 * unsampled.c - all code of the binaries is walked by its places, and each
 * function listed with how far down it has code; profile_sort() takes out
 * what was sampled.  What sampled code calls may have run, and may run often
 * with another input: where samples tell how often it calls, what hardly gets
 * called is listed, and otherwise none of it.
 */
#include "converter/keys/unsampled.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/binary/lines.h"
#include "converter/binary/object.h"
#include "converter/count/program.h"
#include "profile/profile.h"

/* In samples. */
static const double RAN = PROFILE_RAN / 1000.0;

/*
 * The share of time in functions that were not sampled, by Good and Turing's
 * estimate, with which it matters what of them ran.
 */
static const double SHARE_THAT_MATTERS = .005;

struct found {
	const struct lines_frame *frame;
	uint32_t limit; /* where the next function of the file is declared */
	uint32_t lines;
	double called; /* samples that calls of it are worth */
};

struct finder {
	struct fdo_map *external; /* name's hash: likewise, in thousandths */
	struct fdo_map *at;	  /* key_of(): its place in found, from 1 */
	struct found *found;
	size_t n, room;
};

/* Parts of a function, its .cold one say, have frames of their own. */
static uint64_t key_of(const struct lines_frame *frame)
{
	uint64_t key = (uintptr_t)frame->name;

	key = key * 0x9e3779b97f4a7c15ULL ^ (uintptr_t)frame->file;
	return key * 0x9e3779b97f4a7c15ULL ^ frame->decl_line;
}

/* A function's frame, if the compiler will know it again. */
static const struct lines_frame *function_at(const struct lines_place *place)
{
	const struct lines_frame *frame = lines_outermost(place->frame);

	return frame && frame->name[0] && frame->file && frame->decl_line
		       ? frame
		       : NULL;
}

/*
 * Not one of which no code has a line: it may be no more than a jump to another one,
 * and has no time for samples.
 */
static void add(struct finder *f, const struct lines_place *place)
{
	const struct lines_frame *frame =
		place->line ? function_at(place) : NULL;
	uint64_t *at = frame ? fdo_map_at(f->at, key_of(frame)) : NULL;

	if (!at || *at)
		return;
	f->found = fdo_grow(f->found, f->n, &f->room, sizeof(*f->found));
	f->found[f->n++] = (struct found){ frame, UINT32_MAX, 0, 0 };
	*at = f->n;
}

/*
 * How far down it has code of its own, which code of others that the debug
 * information gives it is not.
 */
static void measure(struct finder *f, const struct lines_place *place)
{
	const struct lines_frame *frame =
		place->line ? function_at(place) : NULL;
	struct found *found;

	if (!frame || place->frame->parent || place->file != frame->file)
		return;
	found = &f->found[*fdo_map_get(f->at, key_of(frame)) - 1];
	if (place->line < found->limit &&
	    place->line > frame->decl_line + found->lines)
		found->lines = place->line - frame->decl_line;
}

static void call_place(struct finder *f, const struct lines_place *place,
		       double samples)
{
	const struct lines_frame *frame = function_at(place);
	const uint64_t *at = frame ? fdo_map_get(f->at, key_of(frame)) : NULL;

	if (at)
		f->found[*at - 1].called += samples;
}

static void walk(struct finder *f, const struct program_binary *binary,
		 void (*see)(struct finder *f, const struct lines_place *place))
{
	const struct lines *lines = binary->lines;

	for (size_t i = 0; i < binary->object->nfunctions; i++) {
		const struct object_function *function =
			&binary->object->functions[i];
		uint64_t at = function->address, end = at + function->size;

		while (at && at < end) {
			struct lines_place place;

			if (lines_at(lines, at, &place))
				see(f, &place);
			at = lines_next(lines, at);
		}
	}
}

/* Texts are interned: any order of files will do. */
static int by_file_and_line(const void *a, const void *b)
{
	const struct lines_frame *x = ((const struct found *)a)->frame;
	const struct lines_frame *y = ((const struct found *)b)->frame;

	if (x->file != y->file)
		return (uintptr_t)x->file < (uintptr_t)y->file ? -1 : 1;
	return (x->decl_line > y->decl_line) - (x->decl_line < y->decl_line);
}

static void limit(struct finder *f)
{
	if (f->n)
		qsort(f->found, f->n, sizeof(*f->found), by_file_and_line);
	for (size_t i = f->n; i-- > 0;) {
		struct found *found = &f->found[i], *next = found + 1;

		*fdo_map_at(f->at, key_of(found->frame)) = i + 1;
		if (i + 1 == f->n || next->frame->file != found->frame->file)
			continue;
		found->limit = next->frame->decl_line > found->frame->decl_line
				       ? next->frame->decl_line
				       : next->limit;
	}
}

/* Samples of the event that has the most: each is one of some time. */
static uint32_t samples_in(const struct program *p,
			   const struct samples_object *from)
{
	uint64_t most = 0;

	for (size_t e = 0; from && e < p->samples->nevents; e++) {
		uint64_t sum = 0;

		for (size_t i = 0; i < from->naddresses; i++)
			sum += samples_count(p->samples, from, i, e)->samples;
		if (sum > most)
			most = sum;
	}
	return most < UINT32_MAX ? most : UINT32_MAX;
}

/* Of all events. */
static uint64_t functions_seen_once(const struct program *p, size_t binary)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->nfunctions; i++)
		n += p->functions[i].binary == binary &&
		     p->functions[i].samples == 1;
	return n;
}

static bool tells_calls(const struct program *p, size_t binary)
{
	const struct samples_object *from = p->binaries[binary].samples;

	return from && (double)functions_seen_once(p, binary) <=
			       SHARE_THAT_MATTERS * (double)from->samples;
}

/* Executions of a block that one sample stands for. */
static double executions_of_sample(const struct program_function *f)
{
	double total = 0;

	for (size_t b = 0; b < f->cfg.nblocks; b++)
		total += (double)f->blocks[b].count *
			 f->cfg.blocks[b].ninstructions;
	return f->samples ? total / (double)f->samples / PROFILE_BLOCK_SIZE : 0;
}

/*
 * Calls within a binary are known by where they go, since static functions may
 * have one name; those between binaries by name.
 */
static void see_call(const struct program *p, size_t binary, struct finder *f,
		     const struct program_function *caller,
		     const struct cfg_call *call, double samples)
{
	struct lines_place place;

	if (call->external && call->name)
		*fdo_map_at(f->external, profile_hash_name(call->name)) +=
			(uint64_t)(samples * 1000);
	else if (caller->binary == binary && call->target &&
		 lines_at(p->binaries[binary].lines, call->target, &place))
		call_place(f, &place, samples);
}

static void see_calls(const struct program *p, size_t binary, struct finder *f)
{
	bool tell = tells_calls(p, binary);

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *caller = &p->functions[i];
		double one = tell ? executions_of_sample(caller) : 0;

		for (size_t c = 0; c < caller->cfg.ncalls; c++) {
			const struct cfg_call *call = &caller->cfg.calls[c];
			double count =
				(double)caller->blocks[call->block].count;

			see_call(p, binary, f, caller, call,
				 one > 0 ? count / one : RAN);
		}
	}
}

/* Samples that all calls of a function are worth. */
static double called(const struct finder *f, const struct found *found,
		     uint32_t name)
{
	const uint64_t *external = fdo_map_get(f->external, name);

	return found->called + (external ? (double)*external / 1000 : 0);
}

static void list(struct profile *profile, const struct finder *f,
		 uint32_t samples)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct lines_frame *frame = f->found[i].frame;
		struct profile_unsampled u = {
			.name = profile_hash_name(frame->name),
			.file = profile_hash_file(frame->file),
			.line = frame->decl_line,
			.lines = f->found[i].lines,
			.samples = samples,
		};

		if (called(f, &f->found[i], u.name) < RAN)
			profile_add_unsampled(profile, &u);
	}
}

static void add_binary(const struct program *p, size_t number,
		       struct profile *profile)
{
	const struct program_binary *binary = &p->binaries[number];
	struct finder f = { .at = fdo_map_new(), .external = fdo_map_new() };

	walk(&f, binary, add);
	limit(&f);
	walk(&f, binary, measure);
	see_calls(p, number, &f);
	list(profile, &f, samples_in(p, binary->samples));
	fdo_map_free(f.external);
	fdo_map_free(f.at);
	free(f.found);
}

/*
 * Of a library that was not used at all, nothing is known; and of Linux, a timer does not
 * see what runs with interrupts masked.
 */
static bool is_seen(const struct program *p, size_t binary)
{
	return (p->samples->nobjects == 0 || p->binaries[binary].samples) &&
	       !p->binaries[binary].masked;
}

void unsampled(const struct program *p, struct profile *profile)
{
	for (size_t i = 0; i < p->nbinaries; i++)
		if (is_seen(p, i))
			add_binary(p, i, profile);
}
