/*
 * attribute_runs.c - which functions ran: their samples, entries and first
 * uses.
 */
#include "converter/keys/attribute_private.h"

#include <string.h>

#include "converter/binary/lines.h"
#include "converter/binary/object.h"
#include "converter/count/program.h"

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
		function = attribute_function(a, f);
		function->samples = profile_sum(function->samples, samples);
		profile_add_source(function, a->binaries[binary]);
	}
}

void attribute_samples(struct attribution *a, size_t number)
{
	const struct program_binary *binary = &a->program->binaries[number];
	const struct samples_object *from = binary->samples;
	size_t nevents = a->program->samples->nevents;

	for (size_t i = 0; from && i < from->naddresses; i++) {
		const struct lines_frame *frame;
		struct lines_place place;
		uint64_t address, samples = 0;

		if (!object_address(binary->object, from->offsets[i],
				    &address) ||
		    !lines_at(binary->lines, address, &place))
			continue;
		frame = attribute_frame(&place);
		if (!frame)
			continue;
		for (size_t e = 0; e < nevents; e++)
			samples +=
				samples_count(a->program->samples, from, i, e)
					->samples;
		add_samples(a, number, frame, samples);
	}
}

/*
 * Code that is inlined is used as its host is: here the compiler may inline
 * otherwise, and then both are.
 */
void attribute_first_uses(struct attribution *a, size_t number)
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
		for (const struct lines_frame *f = attribute_frame(&place); f;
		     f = f->parent)
			profile_use(attribute_function(a, f), first->time);
	}
}

/* It goes on with code of the same function that is entered elsewhere, too. */
static bool goes_on(const struct program_function *f, const struct lines *lines,
		    const struct lines_frame *function)
{
	for (size_t i = 0; i < f->cfg.ncalls; i++) {
		const struct cfg_call *call = &f->cfg.calls[i];
		struct lines_place place;

		if (call->tail && !call->indirect && call->target &&
		    lines_at(lines, call->target, &place) && place.frame &&
		    lines_outermost(place.frame) == function)
			return true;
	}
	return false;
}

/*
 * How often a function was called.  NAME.part.0 is entered from the middle
 * of NAME, and NAME's own entry has been counted.  So is what a thunk of no code
 * but its own jumps to.
 */
void attribute_entry(struct attribution *a, const struct program_function *f)
{
	const struct lines *lines = a->program->binaries[f->binary].lines;
	struct profile_function *function;
	struct lines_place place;

	if (strstr(f->cfg.name, ".part.") ||
	    !lines_at(lines, f->cfg.parts[0].address, &place) || !place.frame ||
	    !place.frame->name[0] ||
	    (place.line == 0 &&
	     goes_on(f, lines, lines_outermost(place.frame))))
		return;
	function = attribute_function(a, lines_outermost(place.frame));
	function->entry = profile_sum(function->entry, f->entry);
	profile_add_source(function, a->binaries[f->binary]);
}
