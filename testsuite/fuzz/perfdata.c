/* Every prefix of a small perf.data, and every byte of it changed. */
#include "base/error.h"
#include "converter/samples.h"
#include "testsuite/fuzz/damage.h"
#include "testsuite/lib/perf_story.h"

static bool reader(const char *path, struct fdo_error *err)
{
	struct samples *samples = samples_new(NULL, 0);
	bool done = samples_read(samples, path, err);

	if (done)
		samples_finish(samples);
	samples_free(samples);
	return done;
}

static void test_form(bool stream, bool big_endian, bool compressed)
{
	struct perf_writer w = { .stream = stream,
				 .big_endian = big_endian,
				 .compressed = compressed };
	char what[64];

	snprintf(what, sizeof(what), "%s, %s-endian%s",
		 stream ? "stream" : "file", big_endian ? "big" : "little",
		 compressed ? ", compressed" : "");
	perf_story(&w);
	damage_prefixes(what, w.data, w.size, !stream, reader);
	damage_bytes(what, w.data, w.size, w.header_size, reader);
	perf_free(&w);
}

int main(void)
{
	test_form(false, false, false);
	test_form(false, true, false);
	test_form(false, false, true);
	test_form(true, false, false);
	test_form(true, true, true);
	return done();
}
