/*
 * attribute.c - walk all instructions, collect for each key the code that has
 * it, and let pieces.c settle what each key comes to.
 *
 * Two records of a key are kept, with its discriminator and without, and
 * settled apart: see profile.h.
 */
#include "converter/keys/attribute.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/count/anchors.h"
#include "converter/perf/branches.h"
#include "converter/binary/lines.h"
#include "converter/binary/object.h"
#include "converter/graph/dominators.h"
#include "converter/keys/pieces.h"
#include "converter/count/program.h"
#include "converter/count/usual.h"
#include "converter/keys/steps.h"
#include "converter/keys/tails.h"
#include "profile/profile.h"

struct attribution {
	const struct program *program;
	struct profile *profile;
	uint32_t *binaries;	/* the program's, in the profile */
	struct fdo_map *bodies; /* struct lines_frame to profile_body */
	struct pieces *pieces;
	struct attribute_result result;
};

static const char *other_file(const char *file, const char *own)
{
	return file && own && strcmp(file, own) == 0 ? NULL : file;
}

static const struct lines_frame *outermost(const struct lines_frame *frame)
{
	while (frame->parent)
		frame = frame->parent;
	return frame;
}

static struct profile_function *function_of(struct attribution *a,
					    const struct lines_frame *frame)
{
	return profile_add_function(a->profile, frame->name, frame->file,
				    frame->decl_line);
}

static struct profile_body *body_of(struct attribution *a,
				    const struct lines_frame *frame)
{
	uint64_t *known = fdo_map_get(a->bodies, (uintptr_t)frame);
	struct profile_body *body;

	if (known)
		return (void *)(uintptr_t)*known;
	if (!frame->parent) {
		body = &function_of(a, frame)->body;
	} else {
		const struct lines_frame *parent = frame->parent;
		struct profile_key call = {
			.file = other_file(frame->call_file, parent->file),
			.line = (int32_t)(frame->call_line - parent->decl_line),
			.column = frame->call_column,
			.discriminator = frame->call_discriminator,
		};

		body = profile_add_inlined(a->profile, body_of(a, parent), call,
					   frame->name, frame->file,
					   frame->decl_line);
	}
	*fdo_map_at(a->bodies, (uintptr_t)frame) = (uintptr_t)body;
	return body;
}

/*
 * Code that the compiler gave no line is shown with that of the code before
 * it, which may be of a function that the copy is inlined into: a call of
 * f.part.0 in a copy of f, say.  That line is no place of f.
 */
static bool is_of_host(const struct lines_place *place)
{
	const struct lines_frame *frame = place->frame, *host = frame->parent;

	while (host && (host->file != place->file || host->decl_line == 0 ||
			host->decl_line > place->line))
		host = host->parent;
	return host &&
	       (frame->file != place->file || frame->decl_line > place->line ||
		frame->decl_line < host->decl_line);
}

static bool has_place(const struct lines_place *place)
{
	return place->frame && place->frame->name[0] && place->line != 0 &&
	       !is_of_host(place);
}

static struct profile_key key_of(struct attribution *a,
				 const struct lines_place *place)
{
	return (struct profile_key){
		.file = other_file(profile_text(a->profile, place->file),
				   place->frame->file),
		.line = (int32_t)(place->line - place->frame->decl_line),
		.column = place->column,
		.discriminator = place->discriminator,
	};
}

/* Instructions of a block that are of one key are together after this. */
struct located {
	struct profile_body *body;
	struct profile_key key;
	const struct insn *insn;
};

static int compare_located(const void *a, const void *b)
{
	const struct located *x = a, *y = b;
	int order = pieces_compare_keys(x->body, &x->key, y->body, &y->key);

	if (order)
		return order;
	return (x->insn->opcode > y->insn->opcode) -
	       (x->insn->opcode < y->insn->opcode);
}

/* What one instruction adds to the functions that it is in. */
static void add_totals(const struct lines_frame *frame, struct attribution *a,
		       uint64_t count)
{
	for (; frame; frame = frame->parent) {
		struct profile_body *body = body_of(a, frame);

		body->total = profile_sum(body->total, count);
	}
}

/* The two records of each instruction of a block that has a place. */
static size_t locate(struct attribution *a, const struct program_function *f,
		     size_t b, struct located *code)
{
	const struct lines *lines = a->program->binaries[f->binary].lines;
	const struct cfg_block *block = &f->cfg.blocks[b];
	size_t n = 0;

	for (uint32_t i = 0; i < block->ninsns; i++) {
		const struct insn *insn = &f->cfg.insns[block->first_insn + i];
		struct lines_place place;
		struct located *here = &code[n];

		if (insn->class == INSN_NOP)
			continue;
		a->result.executed += f->blocks[b].count;
		if (!lines_at(lines, insn->address, &place) ||
		    !has_place(&place))
			continue;
		a->result.placed += f->blocks[b].count;
		add_totals(place.frame, a, f->blocks[b].count);
		here->insn = insn;
		here->body = body_of(a, place.frame);
		here->key = key_of(a, &place);
		here[1] = here[0];
		here[1].key.discriminator = PROFILE_ANY;
		n += 2;
	}
	return n;
}

/* Copies of code have the same constants; addresses may differ. */
static uint16_t what_it_does(const struct insn *insn)
{
	uint32_t hash = (uint32_t)insn->immediate * 2654435761u;

	return insn->opcode ^ hash >> 16;
}

/* One key's code in a block; opcodes has room for it. */
static void add_piece(struct attribution *a, const struct located *code,
		      size_t n, struct piece piece, uint16_t *opcodes)
{
	piece.body = code->body;
	piece.key = code->key;
	piece.movable = true;
	for (size_t i = 0; i < n; i++) {
		opcodes[i] = what_it_does(code[i].insn);
		piece.assigns |= code[i].insn->assigns;
		piece.movable &= code[i].insn->class == INSN_OTHER &&
				 !code[i].insn->assigns;
		piece.conditional |= code[i].insn->conditional;
		if (code[i].insn->element &&
		    (!piece.element || code[i].insn->element < piece.element))
			piece.element = code[i].insn->element;
		if (code[i].insn->moved > piece.moved)
			piece.moved = code[i].insn->moved;
	}
	pieces_add(a->pieces, &piece, opcodes, n);
}

static void add_block(struct attribution *a, size_t function, size_t b,
		      bool merged, unsigned steps)
{
	const struct program_function *f = &a->program->functions[function];
	size_t most = 2 * (f->cfg.blocks[b].ninsns + 1);
	struct located *code = fdo_alloc(most, sizeof(*code));
	uint16_t *opcodes = fdo_alloc(most, sizeof(*opcodes));
	size_t n = locate(a, f, b, code);
	struct piece piece = {
		.function = function,
		.class = f->blocks[b].group,
		.block = b,
		.count = f->blocks[b].count,
		.error = f->blocks[b].error,
		.merged = merged,
	};

	qsort(code, n, sizeof(*code), compare_located);
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n; next++)
			if (pieces_compare_keys(code[i].body, &code[i].key,
						code[next].body,
						&code[next].key) != 0)
				break;
		piece.goes_on =
			steps &
			(code[i].key.discriminator == PROFILE_ANY ? STEPS_PLACE
								  : STEPS_KEY);
		add_piece(a, &code[i], next - i, piece, opcodes);
	}
	free(opcodes);
	free(code);
}

static void add_blocks(struct attribution *a, size_t function)
{
	const struct program_function *f = &a->program->functions[function];
	const struct lines *lines = a->program->binaries[f->binary].lines;
	struct dominators *dominators = dominators_new(&f->cfg);
	bool *merged = tails_find(lines, f, dominators);
	uint8_t *steps = steps_find(lines, f, dominators);

	for (size_t b = 0; b < f->cfg.nblocks; b++)
		add_block(a, function, b, merged && merged[b], steps[b]);
	free(steps);
	free(merged);
	dominators_free(dominators);
}

static bool same_function(const struct lines_frame *x,
			  const struct lines_frame *y)
{
	return x->name == y->name && x->file == y->file &&
	       x->decl_line == y->decl_line;
}

/*
 * A sample of an instruction is one of each function that the instruction is
 * in, wherever that is inlined; once, also where it is inlined into itself.
 */
static void add_samples(struct attribution *a, size_t binary,
			const struct lines_frame *innermost, uint64_t samples)
{
	for (const struct lines_frame *f = innermost; f; f = f->parent) {
		const struct lines_frame *inner = innermost;
		struct profile_function *function;

		while (!same_function(inner, f))
			inner = inner->parent;
		if (inner != f)
			continue;
		function = function_of(a, f);
		function->samples = profile_sum(function->samples, samples);
		profile_add_source(function, a->binaries[binary]);
	}
}

static void count_samples(struct attribution *a, size_t number)
{
	const struct program_binary *binary = &a->program->binaries[number];
	const struct samples_object *from = binary->samples;
	size_t nevents = a->program->samples->nevents;

	for (size_t i = 0; from && i < from->naddresses; i++) {
		struct lines_place place;
		uint64_t address, samples = 0;

		if (!object_address(binary->object, from->offsets[i],
				    &address) ||
		    !lines_at(binary->lines, address, &place) || !place.frame ||
		    !place.frame->name[0])
			continue;
		for (size_t e = 0; e < nevents; e++)
			samples +=
				samples_count(a->program->samples, from, i, e)
					->samples;
		add_samples(a, number, place.frame, samples);
	}
}

/*
 * Code that is inlined is used as its host is: here the compiler may inline
 * otherwise, and then both are.
 */
static void find_first_uses(struct attribution *a, size_t number)
{
	const struct program_binary *binary = &a->program->binaries[number];
	const struct samples_object *from = binary->samples;

	for (size_t i = 0; from && i < from->nfirsts; i++) {
		const struct samples_first *first = &from->firsts[i];
		struct lines_place place;
		uint64_t address;

		if (!object_address(binary->object, first->offset, &address) ||
		    !lines_at(binary->lines, address, &place))
			continue;
		for (const struct lines_frame *f = place.frame;
		     f && place.frame->name[0]; f = f->parent)
			profile_use(function_of(a, f), first->time);
	}
}

/*
 * How often a function was called.  NAME.part.0 is entered from the middle
 * of NAME, and NAME's own entry has been counted.
 */
static void add_entry(struct attribution *a, const struct program_function *f)
{
	const struct lines *lines = a->program->binaries[f->binary].lines;
	struct profile_function *function;
	struct lines_place place;

	if (strstr(f->cfg.name, ".part.") ||
	    !lines_at(lines, f->cfg.parts[0].address, &place) || !place.frame ||
	    !place.frame->name[0])
		return;
	function = function_of(a, outermost(place.frame));
	function->entry = profile_sum(function->entry, f->entry);
	profile_add_source(function, a->binaries[f->binary]);
}

/*
 * The function that a symbol is code of; NULL: a part of the one that calls
 * it, most likely.
 */
static const char *function_name(struct attribution *a, const char *symbol)
{
	const char *dot = strchr(symbol, '.');
	char *name;

	if (!dot || dot == symbol)
		return profile_text(a->profile, symbol);
	if (strstr(dot, ".part."))
		return NULL;
	name = strndup(symbol, dot - symbol);
	symbol = profile_text(a->profile, name);
	free(name);
	return symbol;
}

/* The function that begins where a jump went, or NULL. */
static const char *target_name(struct attribution *a, size_t binary,
			       const struct branches_way *way)
{
	const struct object *object = a->program->binaries[binary].object;
	const struct object_function *f;
	uint64_t address;

	if (!object_address(object, way->to, &address))
		return NULL;
	f = object_function_at(object, address);
	return f && f->address == address ? function_name(a, f->name) : NULL;
}

/* Who is called by a pointer: only branch records say that. */
static void add_indirect_calls(struct attribution *a,
			       const struct program_function *f,
			       const struct cfg_call *call)
{
	const struct program_binary *binary = &a->program->binaries[f->binary];
	uint64_t address = f->cfg.insns[call->insn].address;
	struct lines_place place;
	struct profile_key key;
	double all = 0;
	size_t n, first;

	first = anchors_jumps_from(a->program, f->binary, address, &n);
	if (!n || !lines_at(binary->lines, address, &place) ||
	    !has_place(&place))
		return;
	key = key_of(a, &place);
	key.discriminator = PROFILE_ANY;
	for (size_t i = first; i < first + n; i++)
		all += binary->jumps->ways[i].records;
	for (size_t i = first; i < first + n; i++) {
		const struct branches_way *way = &binary->jumps->ways[i];
		const char *name = target_name(a, f->binary, way);

		if (name)
			profile_add_target(
				a->profile,
				profile_count_at(a->profile,
						 body_of(a, place.frame), key),
				name,
				f->blocks[call->block].count * way->records /
					all);
	}
}

/*
 * Who is called: by that, the compiler knows the places of a function again
 * that has changed.
 */
static void add_calls(struct attribution *a, const struct program_function *f)
{
	const struct lines *lines = a->program->binaries[f->binary].lines;

	for (size_t i = 0; i < f->cfg.ncalls; i++) {
		const struct cfg_call *call = &f->cfg.calls[i];
		const char *name =
			call->name ? function_name(a, call->name) : NULL;
		struct lines_place place;
		struct profile_key key;

		if (call->indirect)
			add_indirect_calls(a, f, call);
		if (!name ||
		    !lines_at(lines, f->cfg.insns[call->insn].address,
			      &place) ||
		    !has_place(&place))
			continue;
		key = key_of(a, &place);
		key.discriminator = PROFILE_ANY;
		profile_add_target(a->profile,
				   profile_count_at(a->profile,
						    body_of(a, place.frame),
						    key),
				   name, f->blocks[call->block].count);
	}
}

/* Of all executions of an instruction, by those of which it is known. */
static void add_value(struct attribution *a, const struct program_function *f,
		      const struct usual_value *usual)
{
	static const enum profile_kind kinds[] = {
		[SITE_DIVISOR] = PROFILE_DIVISOR,
		[SITE_QUOTIENT] = PROFILE_QUOTIENT,
		[SITE_SIZE] = PROFILE_SIZE,
	};
	const struct lines *lines = a->program->binaries[f->binary].lines;
	struct profile_value value = {
		.value = usual->value,
		.count = (double)f->blocks[usual->block].count *
			 usual->samples / usual->all,
		.kind = kinds[usual->kind],
		.other = usual->other,
	};
	struct lines_place place;
	struct profile_key key;

	if (!lines_at(lines, f->cfg.insns[usual->insn].address, &place) ||
	    !has_place(&place))
		return;
	key = key_of(a, &place);
	key.discriminator = PROFILE_ANY;
	profile_add_value(profile_count_at(a->profile, body_of(a, place.frame),
					   key),
			  &value);
}

static void add_values(struct attribution *a, const struct usual *usual,
		       const struct program_function *f)
{
	struct usual_value *values;
	size_t n;

	usual_find(usual, f, &values, &n);
	for (size_t i = 0; i < n; i++)
		if (f->blocks[values[i].block].count)
			add_value(a, f, &values[i]);
	free(values);
}

static struct profile_binary origin(const struct program_binary *from)
{
	const struct object *object = from->object;
	const struct lines_stats *stats = lines_stats(from->lines);
	const char *name = strrchr(object->path, '/');
	struct profile_binary binary = {
		.name = name ? name + 1 : object->path,
		.build_id_size = object->build_id.size,
		.no_frontiers = stats->no_frontiers > stats->frontiers,
	};

	memcpy(binary.build_id, object->build_id.bytes, object->build_id.size);
	return binary;
}

/* Of one event, those in code of the binaries. */
static uint64_t samples_of(const struct program *p, size_t event)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->nbinaries; i++) {
		const struct samples_object *from = p->binaries[i].samples;

		for (size_t j = 0; from && j < from->naddresses; j++)
			sum += samples_count(p->samples, from, j, event)
				       ->samples;
	}
	return sum;
}

static void add_origins(struct attribution *a)
{
	const struct program *p = a->program;

	a->binaries = fdo_alloc(p->nbinaries, sizeof(*a->binaries));
	for (size_t i = 0; i < p->nbinaries; i++) {
		struct profile_binary binary = origin(&p->binaries[i]);

		a->binaries[i] = profile_add_binary(a->profile, &binary);
	}
	for (size_t e = 0; e < p->samples->nevents; e++) {
		const struct samples_event *from = &p->samples->events[e];
		struct profile_event *event =
			profile_add_event(a->profile, from->name, from->role);

		event->period =
			from->samples ? from->period / from->samples : 0;
		event->samples = from->samples;
		event->mapped = samples_of(p, e);
	}
}

/* The shares that other profile formats have, too. */
static const uint32_t shares[] = {
	10000,	100000, 200000, 300000, 400000, 500000, 600000, 700000,
	800000, 900000, 950000, 990000, 999000, 999900, 999990, 999999,
};
enum { SHARES = sizeof(shares) / sizeof(shares[0]) };

struct weighted {
	uint64_t count;
	double weight; /* instructions executed */
};

static int compare_weighted(const void *a, const void *b)
{
	const struct weighted *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return (x->weight < y->weight) - (x->weight > y->weight);
}

/* All blocks that ran, the hottest first. */
static struct weighted *weigh(const struct program *p, size_t *n_ret,
			      double *total_ret)
{
	struct weighted *blocks = NULL;
	size_t n = 0, room = 0;

	*total_ret = 0;
	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			uint64_t count = f->blocks[b].count;
			double weight =
				(double)count * f->cfg.blocks[b].ninstructions;

			if (count == 0)
				continue;
			blocks = fdo_grow(blocks, n, &room, sizeof(*blocks));
			blocks[n++] = (struct weighted){ count, weight };
			*total_ret += weight;
		}
	}
	qsort(blocks, n, blocks ? sizeof(*blocks) : 1, compare_weighted);
	*n_ret = n;
	return blocks;
}

static void summarize(const struct program *p, struct profile *profile)
{
	double total, sum = 0;
	size_t n, i = 0;
	struct weighted *blocks = weigh(p, &n, &total);

	profile->max_count = n ? blocks[0].count : 0;
	profile->ncutoffs = n ? SHARES : 0;
	profile->cutoffs = fdo_alloc(SHARES, sizeof(*profile->cutoffs));
	for (size_t s = 0; s < profile->ncutoffs; s++) {
		while (i < n && (i == 0 || sum < total * shares[s] / 1e6))
			sum += blocks[i++].weight;
		profile->cutoffs[s] = (struct profile_cutoff){
			.share = shares[s],
			.min_count = blocks[i - 1].count,
			.blocks = i,
		};
	}
	free(blocks);
}

void attribute(const struct program *p, const struct usual *usual,
	       struct profile *profile, struct attribute_result *ret)
{
	struct attribution a = {
		.program = p,
		.profile = profile,
		.bodies = fdo_map_new(),
		.pieces = pieces_new(),
	};

	add_origins(&a);
	for (size_t f = 0; f < p->nfunctions; f++) {
		add_entry(&a, &p->functions[f]);
		add_blocks(&a, f);
	}
	for (size_t i = 0; i < p->nbinaries; i++) {
		count_samples(&a, i);
		find_first_uses(&a, i);
	}
	a.result.keys = pieces_settle(a.pieces, profile);
	for (size_t f = 0; f < p->nfunctions; f++)
		add_calls(&a, &p->functions[f]);
	for (size_t f = 0; usual && f < p->nfunctions; f++)
		add_values(&a, usual, &p->functions[f]);
	summarize(p, profile);
	*ret = a.result;
	free(a.binaries);
	pieces_free(a.pieces);
	fdo_map_free(a.bodies);
}
