/*
 * attribute_calls.c - who calls whom, by name or by a pointer.
 */
#include "converter/keys/attribute_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "converter/binary/lines.h"
#include "converter/binary/object.h"
#include "converter/count/anchors.h"
#include "converter/count/outcomes.h"
#include "converter/count/program.h"
#include "converter/perf/branches.h"
#include "converter/perf/samples.h"

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
	name = fdo_copy_part(symbol, dot - symbol);
	symbol = profile_text(a->profile, name);
	free(name);
	return symbol;
}

/* So many calls of a function from a place. */
static void add_call(struct attribution *a, const struct lines_place *place,
		     const char *name, double calls)
{
	struct profile_key key = attribute_key(a, place);

	key.discriminator = PROFILE_ANY;
	profile_add_target(a->profile,
			   profile_count_at(a->profile,
					    attribute_body(a, place->frame),
					    key),
			   name, calls);
}

/* A call by a pointer, at its place. */
struct site {
	struct attribution *a;
	const struct program_function *f;
	const struct cfg_call *call;
	uint64_t address;
	struct lines_place place;
};

/* The function that begins at an address is called so often of all times. */
static void add_target(struct site *site, uint64_t target, double share)
{
	struct attribution *a = site->a;
	const struct object_function *f = object_function_at(
		a->program->binaries[site->f->binary].object, target);
	const char *name =
		f && f->address == target ? function_name(a, f->name) : NULL;

	if (name)
		add_call(a, &site->place, name,
			 site->f->blocks[site->call->block].count * share);
}

/* By branch records; false: there are none. */
static bool add_jumps(struct site *site)
{
	const struct program_binary *binary =
		&site->a->program->binaries[site->f->binary];
	double all = 0;
	size_t n, first = anchors_jumps_from(site->a->program, site->f->binary,
					     site->address, &n);

	for (size_t i = first; i < first + n; i++)
		all += binary->jumps->ways[i].records;
	for (size_t i = first; i < first + n; i++) {
		const struct branches_way *way = &binary->jumps->ways[i];
		uint64_t target;

		if (object_address(binary->object, way->to, &target))
			add_target(site, target, way->records / all);
	}
	return n > 0;
}

/* What a few samples say of a call is not the whole truth. */
#define FEW_TOLD 2

/* By what was in registers. */
static void add_told(struct site *site)
{
	struct outcomes_called called =
		outcomes_called(site->a->program, site->f, site->call->insn);
	uint64_t target;

	for (size_t i = 0; i < called.n; i++)
		if (outcomes_callee(&called.values[i], &target))
			add_target(site, target,
				   called.values[i].samples /
					   (called.samples + FEW_TOLD));
}

/* Who is called by a pointer. */
static void add_indirect_calls(struct attribution *a,
			       const struct program_function *f,
			       const struct cfg_call *call)
{
	struct site site = { a, f, call,
			     .address = f->cfg.insns[call->insn].address };

	if (!lines_at(a->program->binaries[f->binary].lines, site.address,
		      &site.place) ||
	    !attribute_has_place(&site.place))
		return;
	if (!add_jumps(&site))
		add_told(&site);
}

/*
 * Who is called: by that, the compiler knows the places of a function again
 * that has changed.
 */
void attribute_calls(struct attribution *a, const struct program_function *f)
{
	const struct lines *lines = a->program->binaries[f->binary].lines;

	for (size_t i = 0; i < f->cfg.ncalls; i++) {
		const struct cfg_call *call = &f->cfg.calls[i];
		const char *name =
			call->name ? function_name(a, call->name) : NULL;
		struct lines_place place;

		if (call->indirect)
			add_indirect_calls(a, f, call);
		if (!name ||
		    !lines_at(lines, f->cfg.insns[call->insn].address,
			      &place) ||
		    !attribute_has_place(&place))
			continue;
		add_call(a, &place, name, f->blocks[call->block].count);
	}
}
