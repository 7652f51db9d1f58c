/*
 * options.c - the plugin's options and what is wrong with them.
 */
#include "plugin/options.h"

#include <string.h>

#include "base/error.h"
#include "testsuite/lib/tap.h"

static bool refused(const char *name, const char *value, const char *why)
{
	struct options o;
	struct fdo_error err;

	options_default(&o);
	if (options_set(&o, name, value, &err))
		return false;
	if (strstr(err.text, why) && strstr(err.text, name))
		return true;
	printf("# %s\n", err.text);
	return false;
}

static void test_all_are_taken(void)
{
	struct options o;
	struct fdo_error err;

	options_default(&o);
	check(!o.profile && !o.dump && o.vote == VOTE_MEDIAN &&
		      o.model == MODEL_DEFAULT && !o.verbose && o.warn &&
		      !o.inlines && !o.only_inlines,
	      "the defaults");
	check(options_set(&o, "profile-file", "p", &err) &&
		      strcmp(o.profile, "p") == 0,
	      "profile-file");
	check(options_set(&o, "dump", "d", &err) && strcmp(o.dump, "d") == 0,
	      "dump");
	check(!o.compare && options_set(&o, "compare", "c", &err) &&
		      strcmp(o.compare, "c") == 0,
	      "compare");
	check(options_set(&o, "vote", "max", &err) && o.vote == VOTE_MAX,
	      "vote");
	check(options_set(&o, "model", "cgo10", &err) &&
		      o.model == MODEL_CGO10 && o.vote == VOTE_AVERAGE,
	      "model, with its vote");
	check(options_set(&o, "min-samples", "0", &err) && o.min_samples == 0,
	      "min-samples");
	check(options_set(&o, "verbose", NULL, &err) && o.verbose, "verbose");
	check(o.cold && options_set(&o, "no-cold", NULL, &err) && !o.cold,
	      "no-cold");
	check(options_set(&o, "inline", NULL, &err) && o.inlines &&
		      !o.only_inlines,
	      "inline");
	check(options_set(&o, "only-inline", NULL, &err) && o.only_inlines,
	      "only-inline");
	check(options_set(&o, "no-warn", NULL, &err) && !o.warn, "no-warn");
}

static void test_all_are_explained(void)
{
	static const char *const names[] = {
		"profile-file", "dump",	   "vote",	  "model",
		"min-samples",	"verbose", "no-warn",	  "compare",
		"no-cold",	"inline",  "only-inline",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		check(strstr(options_help(), names[i]) != NULL, names[i]);
}

static void test_what_is_wrong_is_said(void)
{
	check(refused("speed", "9", "unknown option"), "unknown");
	check(refused("", NULL, "unknown option"), "without a name");
	check(refused("vote", NULL, "needs a value"), "a missing value");
	check(refused("verbose", "", "takes no value"), "a value too many");
	check(refused("vote", "most", "not of the form"), "a wrong value");
	check(refused("profile-file", "", "not of the form"), "an empty one");
	check(refused("compare", "-", "not of the form"), "no file");
	check(refused("min-samples", "9x", "not of the form"), "half a number");
	check(refused("min-samples", " 9", "not of the form"), "a blank");
	check(refused("min-samples", "18446744073709551616",
		      "not of the form NUMBER of 64 bits"),
	      "too large a number");
}

int main(void)
{
	test_all_are_taken();
	test_all_are_explained();
	test_what_is_wrong_is_said();
	return done();
}
