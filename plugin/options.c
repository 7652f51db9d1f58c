/*
 * options.c - one row for each option.
 */
#include "plugin/options.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"

struct option {
	const char *name;
	const char *value; /* what it looks like; NULL: takes none */
	bool (*set)(struct options *o, const char *value);
};

static bool set_profile(struct options *o, const char *value)
{
	o->profile = value;
	return *value != '\0';
}

static bool set_dump(struct options *o, const char *value)
{
	o->dump = value;
	return *value != '\0';
}

/* Many compilations add to one file; standard output would have but one's. */
static bool set_compare(struct options *o, const char *value)
{
	o->compare = value;
	return *value != '\0' && strcmp(value, "-") != 0;
}

static bool set_vote(struct options *o, const char *value)
{
	return vote_by_name(value, &o->vote);
}

static bool set_model(struct options *o, const char *value)
{
	if (strcmp(value, "default") == 0) {
		o->model = MODEL_DEFAULT;
		return true;
	}
	if (strcmp(value, "cgo10") == 0) {
		o->model = MODEL_CGO10;
		o->vote = VOTE_AVERAGE;
		return true;
	}
	return false;
}

static bool set_min_samples(struct options *o, const char *value)
{
	return fdo_text_number(value, 10, &o->min_samples);
}

static bool set_verbose(struct options *o, const char *value)
{
	(void)value;
	o->verbose = true;
	return true;
}

static bool set_no_cold(struct options *o, const char *value)
{
	(void)value;
	o->cold = false;
	return true;
}

static bool set_inline(struct options *o, const char *value)
{
	(void)value;
	o->inlines = true;
	return true;
}

static bool set_only_inline(struct options *o, const char *value)
{
	(void)value;
	o->inlines = true;
	o->only_inlines = true;
	return true;
}

static bool set_no_warn(struct options *o, const char *value)
{
	(void)value;
	o->warn = false;
	return true;
}

static const struct option table[] = {
	{ "profile-file", "FILE", set_profile },
	{ "vote", "max|average|median|weighted", set_vote },
	{ "model", "default|cgo10", set_model },
	{ "min-samples", "NUMBER of 64 bits", set_min_samples },
	{ "dump", "FILE", set_dump },
	{ "compare", "FILE", set_compare },
	{ "no-cold", NULL, set_no_cold },
	{ "inline", NULL, set_inline },
	{ "only-inline", NULL, set_only_inline },
	{ "verbose", NULL, set_verbose },
	{ "no-warn", NULL, set_no_warn },
};

void options_default(struct options *o)
{
	*o = (struct options){
		.vote = VOTE_MEDIAN,
		.model = MODEL_DEFAULT,
		.min_samples = 3,
		.cold = true,
		.warn = true,
	};
}

bool options_set(struct options *o, const char *name, const char *value,
		 struct fdo_error *err)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		const struct option *option = &table[i];

		if (strcmp(option->name, name) != 0)
			continue;
		if (!option->value && value)
			return fdo_fail(err,
					"-fplugin-arg-samplefdo-%s takes "
					"no value",
					name);
		if (option->value && !value)
			return fdo_fail(err,
					"-fplugin-arg-samplefdo-%s needs "
					"a value: %s",
					name, option->value);
		if (!option->set(o, value))
			return fdo_fail(err,
					"-fplugin-arg-samplefdo-%s=%s: "
					"not of the form %s",
					name, value, option->value);
		return true;
	}
	return fdo_fail(err, "unknown option -fplugin-arg-samplefdo-%s", name);
}

const char *options_help(void)
{
	return "-fplugin-arg-samplefdo-profile-file=FILE  the profile\n"
	       "-fplugin-arg-samplefdo-vote=HOW           how the counts of a "
	       "block's statements become one: max, average, median or "
	       "weighted\n"
	       "-fplugin-arg-samplefdo-model=NAME         default, or cgo10\n"
	       "-fplugin-arg-samplefdo-min-samples=N      functions with fewer "
	       "keep GCC's guess\n"
	       "-fplugin-arg-samplefdo-dump=FILE          write the annotated "
	       "blocks\n"
	       "-fplugin-arg-samplefdo-compare=FILE       with -fprofile-use: "
	       "add both counts of each block to a file for 'samplefdo "
	       "compare', and compile with the exact ones\n"
	       "-fplugin-arg-samplefdo-no-cold            functions that were "
	       "never sampled keep GCC's guess, too\n"
	       "-fplugin-arg-samplefdo-inline             inline early, as in "
	       "the profiled program, where copies differ\n"
	       "-fplugin-arg-samplefdo-only-inline        with "
	       "-fprofile-generate: inline, and no more, for a later compare "
	       "with inline\n"
	       "-fplugin-arg-samplefdo-verbose            one line for each "
	       "compilation\n"
	       "-fplugin-arg-samplefdo-no-warn            be silent where the "
	       "profile does not fit, or is not used\n";
}
