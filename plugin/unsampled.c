/*
 * unsampled.c - a function is known by name and file, as in names.h, and
 * unchanged if it goes as far down as it did: more is not in the profile of
 * what never ran.
 */
#include "plugin/unsampled.h"

#include <stdlib.h>

#include "plugin/sources.h"

static bool is_name_of(const struct function_id *f, size_t name,
		       const struct profile_unsampled *u)
{
	if (f->file && profile_hash_file(f->file) == u->file)
		return true;
	return f->is_public && name == 0;
}

static bool is_well_sampled(const struct profile_unsampled *u, bool has_samples)
{
	return !has_samples || u->samples >= WELL_SAMPLED;
}

/* What was merged into it, or has its name and samples, ran. */
static bool has_run(const struct instance *in)
{
	return in->samples || in->merged || in->total || in->entry;
}

bool unsampled_find(const struct profile *p, const struct instance *in,
		    bool has_samples, bool seen, bool *ret,
		    struct fdo_error *err)
{
	const struct function_id *f = &in->function;
	uint32_t lines = source_last_line(in->source);

	*ret = false;
	if (p->nunsampled == 0 || has_run(in))
		return true;
	for (size_t k = 0; k < FUNCTION_NAMES && !*ret; k++) {
		struct profile_unsampled *all;
		size_t n;

		if (!f->names[k])
			continue;
		if (!profile_load_unsampled(p, f->names[k], &all, &n, err))
			return false;
		for (size_t i = 0; i < n && !*ret; i++)
			*ret = is_name_of(f, k, &all[i]) &&
			       is_well_sampled(&all[i], has_samples) &&
			       (!seen || all[i].lines == lines);
		free(all);
	}
	return true;
}
