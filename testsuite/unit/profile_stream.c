/* Profiles function by function: read, written and added up as whole ones. */
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "profile/stream.h"
#include "testsuite/lib/profiles.h"
#include "testsuite/lib/tap.h"

enum { MOST = 4 };

static struct bytes file_bytes(const char *path)
{
	return stream_bytes(fopen(path, "r"));
}

/* Some profiles, in files of either form, with weights. */
struct inputs {
	struct profile *profiles[MOST];
	char names[MOST][32];
	char *paths[MOST];
	uint64_t weights[MOST];
	size_t n;
};

static void random_inputs(struct inputs *in, unsigned int seed)
{
	uint64_t state = seed;

	in->n = seed % MOST + 1;
	for (size_t i = 0; i < in->n; i++) {
		struct profile *p =
			random_profile(10 * seed + seed / MOST + i,
				       random_below(&state, 250), false);
		struct bytes bytes;

		if (random_below(&state, 2))
			profile_summarize(p);
		bytes = random_below(&state, 4) ? binary_form(p) : text_form(p);
		temporary_file(in->names[i], &bytes);
		free(bytes.data);
		in->profiles[i] = p;
		in->paths[i] = in->names[i];
		in->weights[i] =
			random_below(&state, 3) ? 1 : random_count(&state) + 1;
	}
}

static void release_inputs(struct inputs *in)
{
	for (size_t i = 0; i < in->n; i++) {
		unlink(in->paths[i]);
		profile_free(in->profiles[i]);
	}
}

/* By trees of all. */
static struct bytes whole_sum(const struct inputs *in)
{
	struct profile *sum = profile_new();
	struct bytes bytes;

	if (in->n == 1 && in->weights[0] == 1) {
		if (in->profiles[0]->ncutoffs == 0)
			profile_summarize(in->profiles[0]);
		profile_free(sum);
		return binary_form(in->profiles[0]);
	}
	for (size_t i = 0; i < in->n; i++)
		profile_merge(sum, in->profiles[i], in->weights[i]);
	profile_summarize(sum);
	bytes = binary_form(sum);
	profile_free(sum);
	return bytes;
}

static struct bytes stream_sum(const struct inputs *in)
{
	struct bytes bytes;
	struct fdo_error err;

	if (!profile_merge_files(in->paths, in->weights, in->n, "stream-sum",
				 &err)) {
		printf("# %s\n", err.text);
		return (struct bytes){ 0 };
	}
	bytes = file_bytes("stream-sum");
	unlink("stream-sum");
	return bytes;
}

static void turn_round(struct inputs *in)
{
	for (size_t i = 0, j = in->n - 1; i < j; i++, j--) {
		char *path = in->paths[i];
		uint64_t weight = in->weights[i];

		in->paths[i] = in->paths[j];
		in->paths[j] = path;
		in->weights[i] = in->weights[j];
		in->weights[j] = weight;
	}
}

static void test_sums(void)
{
	int wrong = 0, wrong_order = 0;

	for (unsigned int seed = 1; seed <= 100; seed++) {
		struct bytes want, got;
		struct inputs in;

		random_inputs(&in, seed);
		want = whole_sum(&in);
		got = stream_sum(&in);
		wrong += !same_bytes(&want, &got);
		free(got.data);
		turn_round(&in);
		got = stream_sum(&in);
		wrong_order += !same_bytes(&want, &got);
		free(got.data);
		free(want.data);
		release_inputs(&in);
	}
	check_int(wrong, 0, "files add up as whole profiles do");
	check_int(wrong_order, 0, "in any order");
}

/* A profile of one function, sampled, and another that was not. */
static struct profile *contradiction(void)
{
	struct profile *p = profile_new();
	struct profile_unsampled u = {
		.name = profile_hash_name("f"),
		.file = profile_hash_file("f.c"),
		.line = 1,
	};

	profile_add_function(p, "f", "f.c", 1)->samples = 7;
	profile_sort(p);
	profile_add_unsampled(p, &u);
	return p;
}

static void test_contradiction(void)
{
	struct profile *p = contradiction();
	struct profile_writer *w =
		profile_writer_new("stream-contradiction", false);
	char *paths[] = { "stream-contradiction" };
	uint64_t weights[] = { 1 };
	struct fdo_error err;

	check(profile_writer_add(w, p->functions[0], &err) &&
		      profile_writer_finish(w, p, &err),
	      "a file contradicts itself");
	profile_writer_free(w);
	profile_free(p);
	check(!profile_read_any(paths[0], &err), "it is refused as a whole");
	check(!profile_merge_files(paths, weights, 1, "stream-sum", &err) &&
		      strstr(err.text, "stream-contradiction: f or what"),
	      "and function by function");
	check(access("stream-sum", F_OK) != 0, "nothing is written");
	unlink(paths[0]);
}

static void test_damage(void)
{
	struct profile *p = random_profile(3, 300, false);
	struct bytes file = binary_form(p);
	struct fdo_error err;
	int taken = 0, unclear = 0;
	char path[32];
	char *paths[] = { path, path };
	uint64_t weights[] = { 1, 1 };

	for (size_t at = 0; at < file.size; at += 7) {
		file.data[at] ^= 0x20;
		temporary_file(path, &file);
		file.data[at] ^= 0x20;
		if (profile_merge_files(paths, weights, 2, "stream-sum", &err))
			taken++;
		else
			unclear += strncmp(err.text, path, strlen(path)) != 0;
		unlink(path);
	}
	check_int(taken, 0, "a damaged file is refused");
	check_int(unclear, 0, "by its name");
	check(access("stream-sum", F_OK) != 0, "and nothing is written");
	free(file.data);
	profile_free(p);
}

static void test_full(void)
{
	struct profile *p = random_profile(3, 300, false);
	struct bytes file = binary_form(p);
	struct fdo_error err;
	char path[32];
	char *paths[] = { path };
	uint64_t weights[] = { 2 };

	temporary_file(path, &file);
	check(!profile_merge_files(paths, weights, 1, "/dev/full", &err) &&
		      strstr(err.text, "/dev/full: cannot write"),
	      "a full disk is told");
	unlink(path);
	free(file.data);
	profile_free(p);
}

static int by_falling(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x < y) - (x > y);
}

/* What the page says of cutoffs, one count after the other. */
static bool is_cutoff(const uint64_t *counts, size_t n,
		      const struct profile_cutoff *cutoff)
{
	unsigned __int128 total = 0, sum = 0;
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
		total += counts[i];
	while (at == 0 || sum * 1000000 < total * cutoff->share)
		sum += counts[at++];
	return cutoff->min_count == counts[at - 1] && cutoff->blocks == at;
}

/* bits: how different counts are; then many are the same. */
static int wrong_cutoffs(uint64_t *state, int bits)
{
	enum { COUNTS = 3000 };
	struct profile *p = profile_new();
	struct profile_function *f = profile_add_function(p, "f", "f.c", 1);
	static uint64_t counts[COUNTS];
	uint64_t base = random_below(state, 2) ? PROFILE_MAX >> bits : 0;
	int wrong = 0;

	for (int i = 0; i < COUNTS; i++) {
		counts[i] =
			base + 1 +
			random_below(state,
				     (uint64_t)1 << random_below(state, bits));
		profile_count_at(p, &f->body,
				 (struct profile_key){ .line = i,
						       .discriminator =
							       PROFILE_ANY })
			->count = counts[i];
	}
	profile_summarize(p);
	qsort(counts, COUNTS, sizeof(*counts), by_falling);
	for (size_t i = 0; i < p->ncutoffs; i++)
		wrong += !is_cutoff(counts, COUNTS, &p->cutoffs[i]);
	wrong += p->ncutoffs != 16 || p->max_count != counts[0];
	profile_free(p);
	return wrong;
}

static void test_cutoffs(void)
{
	uint64_t state = 1;
	int wrong = 0;

	for (int i = 0; i < 100; i++)
		wrong += wrong_cutoffs(&state, i % 50 + 1);
	check_int(wrong, 0, "cutoffs are those of all counts, one by one");
}

/* Some functions with counts that are long numbers. */
static struct bytes piece(int number)
{
	struct profile *p = profile_new();
	struct bytes bytes;
	char name[64];

	for (int i = 0; i < 1000; i++) {
		struct profile_function *f;

		snprintf(name, sizeof(name), "_ZN7project6module%dEPKcz",
			 1000 * number + i);
		f = profile_add_function(p, name, "source/module.cc", i);
		for (int j = 0; j < 40; j++) {
			struct profile_count *count = profile_count_at(
				p, &f->body, (struct profile_key){ .line = j });

			count->count = (uint64_t)i * j * 1000003;
			count->error = count->count / 17;
		}
	}
	bytes = binary_form(p);
	profile_free(p);
	return bytes;
}

enum { PIECES = 40 };

static bool make_large(const char *path)
{
	static char names[PIECES][32];
	uint64_t weights[PIECES];
	char *paths[PIECES];
	struct fdo_error err;
	bool made;

	for (int i = 0; i < PIECES; i++) {
		struct bytes bytes = piece(i);

		temporary_file(names[i], &bytes);
		free(bytes.data);
		paths[i] = names[i];
		weights[i] = 1;
	}
	made = profile_merge_files(paths, weights, PIECES, path, &err);
	if (!made)
		printf("# %s\n", err.text);
	for (int i = 0; i < PIECES; i++)
		unlink(names[i]);
	return made;
}

static long most_kilobytes(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* Without memory, the program ends, and so does the test. */
static void test_memory(void)
{
	const struct rlimit limit = { 32 << 20, 32 << 20 };
	char *paths[] = { "stream-large", "stream-large" };
	uint64_t weights[] = { 1, 3 };
	struct stat large = { 0 }, sum = { 0 };
	long before;
	struct fdo_error err;

	setrlimit(RLIMIT_DATA, &limit);
	check(make_large(paths[0]), "many files are added up");
	stat(paths[0], &large);
	printf("# %ld bytes\n", (long)large.st_size);
	check(large.st_size > 12 << 20, "to a large one");
	before = most_kilobytes();
	check(profile_merge_files(paths, weights, 2, "stream-sum", &err),
	      "which needs little memory");
	stat("stream-sum", &sum);
	check(sum.st_size > large.st_size, "to be added to itself");
	printf("# %ld KB more\n", most_kilobytes() - before);
	check(most_kilobytes() - before < large.st_size >> 11,
	      "nor is more of the files there at a time");
	unlink("stream-large");
	unlink("stream-sum");
}

int main(void)
{
	test_sums();
	test_contradiction();
	test_damage();
	test_full();
	test_cutoffs();
	test_memory();
	return done();
}
