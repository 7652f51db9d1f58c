/*
 * attribute_calls.c - who calls whom, by name or by a pointer.
 */
#include "converter/keys/attribute_private.h"

#include <stdlib.h>
#include <string.h>

#include "converter/binary/lines.h"
#include "converter/binary/object.h"
#include "converter/count/anchors.h"
#include "converter/count/program.h"
#include "converter/perf/branches.h"

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
	    !attribute_has_place(&place))
		return;
	key = attribute_key(a, &place);
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
						 attribute_body(a, place.frame),
						 key),
				name,
				f->blocks[call->block].count * way->records /
					all);
	}
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
		struct profile_key key;

		if (call->indirect)
			add_indirect_calls(a, f, call);
		if (!name ||
		    !lines_at(lines, f->cfg.insns[call->insn].address,
			      &place) ||
		    !attribute_has_place(&place))
			continue;
		key = attribute_key(a, &place);
		key.discriminator = PROFILE_ANY;
		profile_add_target(
			a->profile,
			profile_count_at(a->profile,
					 attribute_body(a, place.frame), key),
			name, f->blocks[call->block].count);
	}
}
