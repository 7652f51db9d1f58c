/*
 * plugin.cc - how samplefdo.so begins and ends within GCC.
 *
 * Sample-based profile feedback for an unpatched GCC:
 *
 *	gcc -O2 -fplugin=.../samplefdo.so \
 *		-fplugin-arg-samplefdo-profile-file=prof.afdo app.c
 *
 * To look at what it does: -fplugin-arg-samplefdo-dump=FILE, and GCC's own
 * -fdump-ipa-all-blocks.  After a change, compile with -fchecking.
 */
#include "plugin/samplefdo.h"

#include "mcf/mcf.h"

extern "C" {
__attribute__((__visibility__("default"))) int plugin_is_GPL_compatible;

__attribute__((__visibility__("default"))) int
plugin_init(struct plugin_name_args *info, struct plugin_gcc_version *version);

/*
 * The other solver stays out of the compiler, with its library: it prints
 * and aborts on its own.  This definition is found before that of mcf/.
 */
bool mcf_glpk(struct mcf_network *, struct fdo_error *err)
{
	return fdo_fail(err, "GLPK is not for use in a compiler");
}
}

static void fail(const char *text)
{
	fatal_error(UNKNOWN_LOCATION, "samplefdo: %s", text);
}

/* GCC would only say that the plugin failed. */
static void refuse_other_build(const struct plugin_gcc_version *version)
{
	fatal_error(UNKNOWN_LOCATION,
		    "samplefdo: the plugin was built for GCC %s, and not for "
		    "this build of GCC %s: build and install it again",
		    gcc_version.basever, version->basever);
}

static void read_options(struct samplefdo *s,
			 const struct plugin_name_args *info)
{
	struct fdo_error err;

	options_default(&s->options);
	for (int i = 0; i < info->argc; i++)
		if (!options_set(&s->options, info->argv[i].key,
				 info->argv[i].value, &err))
			fail(err.text);
	if (!s->options.profile)
		fail("no profile: -fplugin-arg-samplefdo-profile-file=FILE");
}

/* The linker's stages find the counts in the object files. */
static bool is_link(void)
{
	return strcmp(lang_hooks.name, "GNU GIMPLE") == 0;
}

/*
 * Without optimization nobody wants any counts, but functions that are linked
 * have options of their own; with -E, -M or -fsyntax-only there is no code.
 */
static bool has_work(void)
{
	return (is_link() || optimize > 0) && !flag_syntax_only &&
	       !flag_preprocess_only;
}

static void open_profile(struct samplefdo *s)
{
	const char *conflict = flags_conflict(&s->options);
	struct fdo_error err;

	if (conflict)
		fatal_error(UNKNOWN_LOCATION,
			    "samplefdo: a sampled profile does not go together "
			    "with %qs",
			    conflict);
	if (s->options.compare && !flag_branch_probabilities)
		fail("-fplugin-arg-samplefdo-compare=FILE needs -fprofile-use");
	if (s->options.only_inlines && !profile_arc_flag && s->options.warn)
		warning_at(UNKNOWN_LOCATION, 0,
			   "no counts of the profile %qs are used: "
			   "%<-fplugin-arg-samplefdo-only-inline%> is for "
			   "%<-fprofile-generate%>",
			   s->options.profile);
	s->profile = profile_open(s->options.profile, &err);
	if (!s->profile)
		fail(err.text);
	s->shift = counts_shift(s->profile->max_count);
	for (size_t i = 0; i < s->profile->nevents; i++)
		s->has_samples |= s->profile->events[i].samples > 0;
}

static void close_profile(void *gcc_data, void *samplefdo)
{
	struct samplefdo *s = (struct samplefdo *)samplefdo;

	(void)gcc_data;
	inliner_free(s->inliner);
	declared_free(s->declared);
	profile_free(s->profile);
	free(s);
}

static void register_pass(const char *name, opt_pass *pass, const char *beside,
			  enum pass_positioning_ops how)
{
	struct register_pass_info info = { pass, beside, 1, how };

	register_callback(name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

static void register_repairs(const struct samplefdo *s, const char *name)
{
	if (is_link())
		register_pass(name, hot_pass_new(), "profile_estimate",
			      PASS_POS_INSERT_AFTER);
	register_pass(name, clones_pass_new(s), "cp", PASS_POS_INSERT_AFTER);
	register_pass(name, zeros_pass_new(s), "vect", PASS_POS_INSERT_BEFORE);
	register_pass(name, minmax_pass_new(s), "tracer",
		      PASS_POS_INSERT_BEFORE);
	register_pass(name, repair_pass_new(s), "optimized",
		      PASS_POS_INSERT_AFTER);
}

static void register_all(struct samplefdo *s, const char *name)
{
	const struct options *o = &s->options;

	register_callback(name, PLUGIN_ALL_IPA_PASSES_START,
			  o->compare || o->only_inlines ? flags_look_up
							: flags_decide,
			  s);
	register_pass(name, inline_pass_new(s), "einline",
		      PASS_POS_INSERT_AFTER);
	if (!o->only_inlines)
		register_pass(name,
			      o->compare ? compare_pass_new(s) : pass_new(s),
			      "profile", PASS_POS_REPLACE);
}

/* Are there to be counts? */
static bool begin(struct samplefdo *s, const char *name)
{
	open_profile(s);
	/* Without them no count may be written, so the user wants none. */
	if (flags_refuse_counts())
		return false;
	frontiers_as_profiled(s->profile);
	register_all(s, name);
	return true;
}

int plugin_init(struct plugin_name_args *info,
		struct plugin_gcc_version *version)
{
	static struct plugin_info about = { PACKAGE_VERSION, NULL };
	struct samplefdo *s;

	if (!plugin_default_version_check(version, &gcc_version))
		refuse_other_build(version);
	about.help = options_help();
	register_callback(info->base_name, PLUGIN_INFO, NULL, &about);
	s = XCNEW(struct samplefdo);
	read_options(s, info);
	if (!has_work()) {
		if (s->options.verbose && !optimize)
			inform(UNKNOWN_LOCATION,
			       "samplefdo: nothing is done without %<-O%>");
		free(s);
		return 0;
	}
	register_callback(info->base_name, PLUGIN_FINISH, close_profile, s);
	if (!is_link() && !begin(s, info->base_name))
		return 0;
	if (!s->options.compare && !s->options.only_inlines)
		register_repairs(s, info->base_name);
	return 0;
}
