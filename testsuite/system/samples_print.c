/*
 * samples_print FILE... - what the converter makes of them, as text;
 * of all samples, also of those that do not count.
 */
#include <stdio.h>

#include "base/error.h"
#include "converter/perf/samples.h"
#include "testsuite/lib/samples_print.h"

int main(int argc, char **argv)
{
	struct samples *samples = samples_new(NULL, 0);
	struct fdo_error err;
	int failed = 0;

	samples_keep_all(samples);
	for (int i = 1; i < argc && !failed; i++)
		failed = !samples_read(samples, argv[i], &err);
	if (failed) {
		fprintf(stderr, "%s\n", err.text);
	} else {
		samples_finish(samples);
		samples_print(samples, stdout);
	}
	samples_free(samples);
	return failed;
}
