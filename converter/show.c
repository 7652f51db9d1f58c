/* show.c - the command line of "samplefdo show". */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "converter/arguments.h"
#include "converter/command.h"
#include "converter/print/functions.h"
#include "profile/profile.h"
#include "profile/stream.h"

static const char help[] =
	"Usage: samplefdo show [OPTION]... PROFILE\n"
	"\n"
	"Print a profile in its text form, from which 'samplefdo merge' makes\n"
	"the same profile again.  '-' is standard input.\n"
	"\n"
	"Options:\n"
	"  -f, --function=NAME  print only the functions of that linkage name; "
	"may\n"
	"                       be given more than once\n"
	"      --most=N         list the N functions that execute most, 0 for "
	"all\n"
	"  -s, --summary        print what it was made of, and how much is in "
	"it\n"
	"      --json           print the summary, or the list, as JSON\n"
	"  -h, --help           print this and exit\n"
	"      --version        print the version and exit\n";

enum { MOST = 0x2000 };

/* Of functions that are wanted. */
struct name {
	const char *text;
	uint32_t hash;
	bool found;
};

struct options {
	struct name *names;
	size_t nnames, room;
	uint64_t most;
	bool list;
	bool summary;
	bool json;
};

/* How much there is of everything. */
struct sizes {
	uint64_t functions;
	uint64_t sampled; /* functions with samples */
	uint64_t timed;	  /* with a first use */
	uint64_t inlined; /* bodies */
	uint64_t keys;
	uint64_t total;
};

static void add_body(struct sizes *sizes, const struct profile_body *body)
{
	sizes->keys += body->ncounts;
	sizes->inlined += body->ninlined;
	for (size_t i = 0; i < body->ninlined; i++)
		add_body(sizes, body->inlined[i]);
}

static bool measure(struct profile_reader *r, struct sizes *sizes,
		    struct fdo_error *err)
{
	struct profile_function *f;
	bool good;

	while ((good = profile_reader_next(r, &f, err)) && f) {
		sizes->functions++;
		sizes->sampled += f->samples > 0;
		sizes->timed += f->first_use > 0;
		sizes->total = profile_sum(sizes->total, f->body.total);
		add_body(sizes, &f->body);
	}
	return good;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * part / whole : 0;
}

static void print_build_id(const struct profile_binary *binary)
{
	for (uint32_t i = 0; i < binary->build_id_size; i++)
		printf("%02x", binary->build_id[i]);
}

static void print_named(const char *what, const char *name)
{
	printf("%-12s", what);
	fdo_text_name(name, stdout);
}

static void print_summary(const struct profile *p, const struct sizes *sizes)
{
	print_named("tool", p->tool ? p->tool : "unknown");
	putchar('\n');
	print_named("model", p->model ? p->model : "unknown");
	putchar('\n');
	for (size_t i = 0; i < p->nevents; i++) {
		const struct profile_event *event = &p->events[i];

		print_named("event", event->name);
		fputs(" (", stdout);
		fdo_text_name(event->role, stdout);
		printf("), %" PRIu64 " samples, %" PRIu64
		       " mapped (%.1f %%), mean period %" PRIu64 "\n",
		       event->samples, event->mapped,
		       percent(event->mapped, event->samples), event->period);
	}
	for (size_t i = 0; i < p->nbinaries; i++) {
		print_named("binary", p->binaries[i].name);
		if (p->binaries[i].build_id_size)
			putchar(' ');
		print_build_id(&p->binaries[i]);
		puts(p->binaries[i].no_frontiers
			     ? ", without statement frontiers"
			     : "");
	}
	printf("functions   %" PRIu64 ", %" PRIu64 " with samples, %" PRIu64
	       " with a first use\n",
	       sizes->functions, sizes->sampled, sizes->timed);
	printf("unsampled   %zu functions\n", p->nunsampled);
	printf("inlined     %" PRIu64 " copies of functions\n", sizes->inlined);
	printf("counts      %" PRIu64 ", largest of a block %" PRIu64 "\n",
	       sizes->keys, p->max_count);
	printf("total       %" PRIu64 "\n", sizes->total);
	for (size_t i = 0; i < p->ncutoffs; i++)
		printf("hottest     %.4f %% in %" PRIu64
		       " blocks of at least %" PRIu64 "\n",
		       p->cutoffs[i].share / 1e4, p->cutoffs[i].blocks,
		       p->cutoffs[i].min_count);
}

static void print_string(const char *text)
{
	if (text)
		json_text(text, stdout);
	else
		fputs("null", stdout);
}

static void print_events(const struct profile *p)
{
	fputs("  \"events\": [", stdout);
	for (size_t i = 0; i < p->nevents; i++) {
		const struct profile_event *event = &p->events[i];

		fputs(i ? ",\n    {\"name\": " : "\n    {\"name\": ", stdout);
		print_string(event->name);
		fputs(", \"role\": ", stdout);
		print_string(event->role);
		printf(", \"period\": %" PRIu64 ", \"samples\": %" PRIu64
		       ", \"mapped\": %" PRIu64 "}",
		       event->period, event->samples, event->mapped);
	}
	fputs("],\n", stdout);
}

static void print_binaries(const struct profile *p)
{
	fputs("  \"binaries\": [", stdout);
	for (size_t i = 0; i < p->nbinaries; i++) {
		fputs(i ? ",\n    {\"name\": " : "\n    {\"name\": ", stdout);
		print_string(p->binaries[i].name);
		fputs(", \"build_id\": \"", stdout);
		print_build_id(&p->binaries[i]);
		printf("\", \"statement_frontiers\": %s}",
		       p->binaries[i].no_frontiers ? "false" : "true");
	}
	fputs("],\n", stdout);
}

static void print_json(const struct profile *p, const struct sizes *sizes)
{
	fputs("{\n  \"tool\": ", stdout);
	print_string(p->tool);
	fputs(",\n  \"model\": ", stdout);
	print_string(p->model);
	fputs(",\n", stdout);
	print_events(p);
	print_binaries(p);
	printf("  \"functions\": %" PRIu64
	       ",\n  \"functions_sampled\": %" PRIu64
	       ",\n  \"functions_first_use\": %" PRIu64
	       ",\n  \"functions_unsampled\": %zu"
	       ",\n  \"inlined\": %" PRIu64 ",\n  \"counts\": %" PRIu64
	       ",\n  \"max_count\": %" PRIu64 ",\n  \"total\": %" PRIu64
	       ",\n  \"cutoffs\": [",
	       sizes->functions, sizes->sampled, sizes->timed, p->nunsampled,
	       sizes->inlined, sizes->keys, p->max_count, sizes->total);
	for (size_t i = 0; i < p->ncutoffs; i++)
		printf("%s\n    {\"share\": %" PRIu32
		       ", \"min_count\": %" PRIu64 ", \"blocks\": %" PRIu64 "}",
		       i ? "," : "", p->cutoffs[i].share,
		       p->cutoffs[i].min_count, p->cutoffs[i].blocks);
	puts("]\n}");
}

/* A hash is all that is known of those that were never sampled. */
static bool is_unsampled(const struct name *name, const void *unsampled)
{
	const struct profile_unsampled *u = unsampled;

	return name->hash == u->name;
}

static bool is_sampled(const struct name *name, const void *function)
{
	const struct profile_function *f = function;

	return strcmp(name->text, f->body.name) == 0;
}

/* A name may be given twice. */
static bool find(const struct options *options,
		 bool is(const struct name *name, const void *what),
		 const void *what)
{
	bool found = false;

	for (size_t i = 0; i < options->nnames; i++)
		if (is(&options->names[i], what))
			found = options->names[i].found = true;
	return found;
}

static bool all_found(const struct options *options, const char *path,
		      struct fdo_error *err)
{
	for (size_t i = 0; i < options->nnames; i++)
		if (!options->names[i].found)
			return fdo_fail(err, "%s: no function '%s'", path,
					options->names[i].text);
	return true;
}

/* All of those names, sampled or not. */
static bool print_functions(struct profile_reader *r, const char *path,
			    const struct options *options,
			    struct fdo_error *err)
{
	const struct profile *p = profile_reader_whole(r);
	struct profile_function *f;
	bool good;

	while ((good = profile_reader_next(r, &f, err)) && f)
		if (find(options, is_sampled, f))
			profile_print_function(f, stdout);
	if (!good)
		return false;
	for (size_t i = 0; i < p->nunsampled; i++)
		if (find(options, is_unsampled, &p->unsampled[i]))
			profile_print_unsampled(&p->unsampled[i], stdout);
	return all_found(options, path, err);
}

static bool print_part(struct profile_reader *r, const char *path,
		       const struct options *options, struct fdo_error *err)
{
	struct sizes sizes = { 0 };

	if (options->nnames)
		return print_functions(r, path, options, err);
	if (options->list)
		return functions_print(r, options->most, options->json, err);
	if (!measure(r, &sizes, err))
		return false;
	if (options->json)
		print_json(profile_reader_whole(r), &sizes);
	else
		print_summary(profile_reader_whole(r), &sizes);
	return true;
}

static bool show_part(const char *path, const struct options *options,
		      struct fdo_error *err)
{
	struct profile_reader *r = profile_reader_open(path, err);
	bool good = r && print_part(r, path, options, err);

	profile_reader_close(r);
	return good;
}

/* Text is in the order of names, so it needs all of them. */
static bool show_all(const char *path, struct fdo_error *err)
{
	struct profile *p = profile_read_any(path, err);

	if (!p)
		return false;
	profile_print(p, stdout);
	profile_free(p);
	return true;
}

static int show(const char *path, const struct options *options,
		struct fdo_error *err)
{
	bool all = !options->nnames && !options->summary && !options->list &&
		   !options->json;

	return (all ? show_all(path, err) : show_part(path, options, err))
		       ? COMMAND_DONE
		       : COMMAND_FAILED;
}

static void add_name(struct options *options, const char *name)
{
	options->names = fdo_grow(options->names, options->nnames,
				  &options->room, sizeof(*options->names));
	options->names[options->nnames++] = (struct name){
		.text = name,
		.hash = profile_hash_name(name),
	};
}

static bool set_option(struct options *options, int option,
		       struct fdo_error *err)
{
	switch (option) {
	case 'f':
		add_name(options, optarg);
		return true;
	case MOST:
		options->list = true;
		return argument_number("most", optarg, &options->most, err);
	case 's':
		return options->summary = true;
	case 'j':
		return options->json = true;
	default:
		return false;
	}
}

static bool check(const struct options *options, int nprofiles,
		  struct fdo_error *err)
{
	if (nprofiles != 1)
		return fdo_fail(err, "one profile is needed");
	if (options->nnames && (options->summary || options->json))
		return fdo_fail(err, "a summary is of all functions");
	return !options->list || !(options->summary || options->nnames) ||
	       fdo_fail(err, "a list of functions is without %s",
			options->summary ? "a summary" : "a name");
}

static int run(int argc, char **argv, struct fdo_error *err)
{
	static const struct option long_options[] = {
		{ "function", required_argument, NULL, 'f' },
		{ "most", required_argument, NULL, MOST },
		{ "summary", no_argument, NULL, 's' },
		{ "json", no_argument, NULL, 'j' },
		COMMAND_OPTIONS,
	};
	struct options options = { 0 };
	int status = -1, option;

	while (status < 0 && (option = getopt_long(argc, argv, "f:sh",
						   long_options, NULL)) != -1) {
		if (option == COMMAND_HELP || option == COMMAND_VERSION)
			status = option;
		else if (!set_option(&options, option, err))
			status = COMMAND_USAGE;
	}
	if (status < 0 && !check(&options, argc - optind, err))
		status = COMMAND_USAGE;
	if (status < 0)
		status = show(argv[optind], &options, err);
	free(options.names);
	return status;
}

const struct command command_show = {
	.name = "show",
	.summary = "print a profile as text",
	.help = help,
	.run = run,
};
