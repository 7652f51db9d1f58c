/*
 * unit_twins.c - functions of which the profiled program had but one.
 *
 * Instances of a template that come to the same code are made one (-fipa-icf):
 * what was called or inlined bears the name of the one that was kept, where the
 * source calls the other.  That begins in the same line of it.
 */
#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "plugin/names.h"
#include "plugin/unit_private.h"

struct instance *unit_called(const struct unit *u, const char *name)
{
	const uint64_t *last = fdo_map_get(u->by_name, unit_key(name));

	for (size_t at = last ? *last : 0; at; at = u->previous[at - 1]) {
		struct instance *in = u->functions[(at - 1) / FUNCTION_NAMES];

		if (in->function.names[0] == name)
			return in;
	}
	return NULL;
}

static bool begins_in(const struct function_id *f, const char *file,
		      uint32_t line)
{
	return line && f->start_line == line && f->file && file &&
	       strcmp(fdo_file_base(f->file), fdo_file_base(file)) == 0;
}

struct instance *unit_twin(const struct unit *u, const struct instance *in,
			   const struct profile_key *call, const char *name,
			   const char *file, uint32_t line)
{
	const uint64_t *last = fdo_map_get(
		u->last_callee, unit_place(in, call->file, call->line,
					   call->column, PROFILE_ANY));
	const char *twin = NULL;

	for (size_t at = last ? *last : 0; at;
	     at = u->callees[at - 1].previous) {
		const struct function_id *f = &u->callees[at - 1].function;

		if (names_has(f, name))
			return NULL;
		if (begins_in(f, file, line))
			twin = f->names[0];
	}
	return twin ? unit_called(u, twin) : NULL;
}
