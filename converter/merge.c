/* merge.c - the command line of "samplefdo merge". */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/output.h"
#include "converter/command.h"
#include "converter/output.h"
#include "profile/profile.h"
#include "profile/stream.h"

static const char help[] =
	"Usage: samplefdo merge [OPTION]... PROFILE[:WEIGHT]... -o PROFILE\n"
	"\n"
	"Add up profiles.  Counts are multiplied by the whole number WEIGHT\n"
	"(1 unless given); numbers of samples are not.  A profile may be in\n"
	"binary or in text form; '-' is standard input or output, and with a\n"
	"weight it comes last: -o PROFILE -- -:WEIGHT.  In whatever order "
	"they\n"
	"are given, the result is the same bytes.\n"
	"\n"
	"A single profile is written as it is, which turns the text form into\n"
	"the binary form.\n"
	"\n"
	"Options:\n" OUTPUT_HELP
	"  -h, --help               print this and exit\n"
	"      --version            print the version and exit\n"
	"\n"
	"Example:\n"
	"  samplefdo merge monday.afdo tuesday.afdo:2 -o week.afdo\n";

/*
 * Cut ":WEIGHT" off; without one, or where a file has the whole as its name,
 * the weight is 1.  0 is returned for a weight that is none: a number that is
 * too large, or anything behind the name of a file.
 */
static uint64_t cut_weight(char *argument)
{
	char *colon = strrchr(argument, ':'), *end;
	unsigned long long weight;

	if (!colon || access(argument, F_OK) == 0)
		return 1;
	*colon = '\0';
	weight = strtoull(colon + 1, &end, 10);
	if (isdigit((unsigned char)colon[1]) && !*end)
		return weight > PROFILE_MAX ? 0 : weight;
	if (access(argument, F_OK) == 0)
		return 0;
	*colon = ':';
	return 1;
}

static bool add(struct profile **sum, const char *path, uint64_t weight,
		bool alone, struct fdo_error *err)
{
	struct profile *p = profile_read_any(path, err);

	if (!p)
		return false;
	if (alone && weight == 1) {
		*sum = p;
		return true;
	}
	if (!*sum)
		*sum = profile_new();
	profile_merge(*sum, p, weight);
	profile_free(p);
	return true;
}

/* Other forms than ours need all functions at once. */
static bool merge_whole(char *const *inputs, const uint64_t *weights, size_t n,
			const struct output *output, struct fdo_error *err)
{
	struct profile *sum = NULL;
	bool good = true;

	for (size_t i = 0; good && i < n; i++)
		good = add(&sum, inputs[i], weights[i], n == 1, err);
	if (good) {
		if (sum->ncutoffs == 0)
			profile_summarize(sum);
		good = output_write(output, sum, err);
	}
	profile_free(sum);
	return good;
}

static bool merge(char *const *inputs, const uint64_t *weights, size_t n,
		  const struct output *output, struct fdo_error *err)
{
	if (!fdo_output_check(output->path, err))
		return false;
	if (output->format == OUTPUT_IS_SAMPLEFDO)
		return profile_merge_files(inputs, weights, n, output->path,
					   err);
	return merge_whole(inputs, weights, n, output, err);
}

static int run_merge(char **inputs, int n, const struct output *output,
		     struct fdo_error *err)
{
	uint64_t *weights = fdo_alloc(n, sizeof(*weights));
	int status = COMMAND_DONE;

	for (int i = 0; i < n; i++) {
		weights[i] = cut_weight(inputs[i]);
		if (!weights[i]) {
			fdo_fail(err,
				 "%s: a weight is a whole number from 1 to "
				 "%llu",
				 inputs[i], (unsigned long long)PROFILE_MAX);
			status = COMMAND_USAGE;
		}
	}
	if (status == COMMAND_DONE &&
	    !fdo_file_stdin_once((const char *const *)inputs, n, err))
		status = COMMAND_USAGE;
	if (status == COMMAND_DONE && !merge(inputs, weights, n, output, err))
		status = COMMAND_FAILED;
	free(weights);
	return status;
}

static int run(int argc, char **argv, struct fdo_error *err)
{
	static const struct option long_options[] = {
		OUTPUT_OPTIONS,
		COMMAND_OPTIONS,
	};
	struct output output = { .path = NULL };
	int option;

	while ((option = getopt_long(argc, argv, "o:h", long_options, NULL)) !=
	       -1) {
		if (option == COMMAND_HELP || option == COMMAND_VERSION)
			return option;
		if (option == '?' && optopt == ':')
			return fdo_fail(err, "standard input with a weight "
					     "comes behind all options and "
					     "'--': -o PROFILE -- -:WEIGHT"),
			       COMMAND_USAGE;
		if (!output_set(&output, option, optarg, err))
			return COMMAND_USAGE;
	}
	if (optind == argc)
		return fdo_fail(err, "no profile given"), COMMAND_USAGE;
	if (!output_check(&output, err))
		return COMMAND_USAGE;
	return run_merge(argv + optind, argc - optind, &output, err);
}

const struct command command_merge = {
	.name = "merge",
	.summary = "add up profiles",
	.help = help,
	.run = run,
};
