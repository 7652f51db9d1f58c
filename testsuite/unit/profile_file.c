/* Profiles to files and back, in whole and in part. */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cursor.h"
#include "base/error.h"
#include "profile/format.h"
#include "profile/private.h"
#include "profile/profile.h"
#include "profile/record.h"
#include "testsuite/lib/profiles.h"
#include "testsuite/lib/tap.h"

static void test_round_trips(void)
{
	int binary = 0, text = 0, both = 0;
	struct fdo_error err;

	for (unsigned int seed = 1; seed <= 60; seed++) {
		struct profile *p = random_profile(seed, 6 * seed, false), *q;
		struct bytes file = binary_form(p), words = text_form(p), got;

		q = profile_of(&file, &err);
		got = q ? text_form(q) : (struct bytes){ 0 };
		both += !same_bytes(&words, &got);
		free(got.data);
		got = q ? binary_form(q) : (struct bytes){ 0 };
		binary += !same_bytes(&file, &got);
		free(got.data);
		profile_free(q);

		q = profile_of(&words, &err);
		if (!q)
			printf("# %s\n", err.text);
		got = q ? binary_form(q) : (struct bytes){ 0 };
		text += !same_bytes(&file, &got);
		free(got.data);
		profile_free(q);
		profile_free(p);
		free(file.data);
		free(words.data);
	}
	check_int(binary, 0, "binary to binary is the identity");
	check_int(both, 0, "binary to text loses nothing");
	check_int(text, 0, "text to binary loses nothing");
}

/* Neighbours that differ in one of the three parts that are said once. */
static void test_neighbours(void)
{
	static const struct profile_count numbers[] = {
		{ .count = 9, .error = 3, .error_rest = 2 },
		{ .count = 9, .error = 3, .error_rest = 1 },
		{ .count = 9, .error = 2, .error_rest = 1 },
		{ .count = 8, .error = 2, .error_rest = 1 },
		{ .count = 8, .error = 2, .error_rest = 1 },
	};
	struct profile *p = profile_new(), *q;
	struct profile_function *f = profile_add_function(p, "f", NULL, 0);
	struct bytes file;
	struct fdo_error err;
	int wrong = 0;

	for (int i = 0; i < 5; i++) {
		*profile_count_at(p, &f->body,
				  (struct profile_key){ .line = i }) =
			numbers[i];
		f->body.counts[i].key.line = i;
	}
	file = binary_form(p);
	q = profile_of(&file, &err);
	for (int i = 0; i < 5; i++) {
		const struct profile_count *c =
			&q->functions[0]->body.counts[i];

		wrong += c->count != numbers[i].count ||
			 c->error != numbers[i].error ||
			 c->error_rest != numbers[i].error_rest;
	}
	check_int(wrong, 0, "neighbours keep their numbers");
	profile_free(p);
	profile_free(q);
	free(file.data);
}

static struct bytes function_form(const struct profile_function *f)
{
	struct bytes bytes = { 0 };
	char *text = NULL;
	FILE *stream = open_memstream(&text, &bytes.size);

	profile_print_function(f, stream);
	for (size_t i = 0; i < f->nhosts; i++)
		fprintf(stream, "# host %s\n", f->hosts[i]);
	fclose(stream);
	bytes.data = (unsigned char *)text;
	return bytes;
}

/* Number of functions of the whole that are not the same in the part. */
static int differences(struct profile *whole, struct profile *part)
{
	struct profile_function **f, **again;
	struct fdo_error err;
	size_t n, i = 0;
	int wrong = 0;

	while (i < whole->nfunctions) {
		const char *name = whole->functions[i]->body.name;

		if (!profile_load(part, name, &f, &n, &err) || n == 0)
			return -1;
		for (size_t j = 0; j < n; j++) {
			struct bytes a = function_form(f[j]);
			struct bytes b = function_form(whole->functions[i++]);

			wrong += !same_bytes(&a, &b);
			free(a.data);
			free(b.data);
		}
		profile_load(part, name, &again, &n, &err);
		wrong += again != f;
	}
	return wrong;
}

static void test_parts(void)
{
	int wrong = 0, missing = 0, meta = 0;
	struct profile_function **f;
	struct fdo_error err;
	char path[32];
	size_t n;

	for (unsigned int seed = 1; seed <= 30; seed++) {
		struct profile *p = random_profile(seed, 20 * seed, false);
		struct bytes file = binary_form(p);
		struct profile *part;

		temporary_file(path, &file);
		part = profile_open(path, &err);
		unlink(path);
		meta += part->nfunctions || part->nevents != p->nevents ||
			part->nbinaries != p->nbinaries;
		wrong += differences(p, part) != 0;
		missing += !profile_load(part, "is not there", &f, &n, &err) ||
			   n != 0;
		wrong += part->nfunctions != p->nfunctions;
		profile_free(part);
		profile_free(p);
		free(file.data);
	}
	check_int(meta, 0, "an opened profile has no functions, but the rest");
	check_int(wrong, 0, "all loaded functions are those of the whole");
	check_int(missing, 0, "a name that is not there is no failure");
}

/* Of the only function, past the test of the writer. */
static bool decodes(struct profile *p)
{
	struct bytes record = { 0 };
	struct profile_function *f;
	struct fdo_error err;
	struct cursor c;

	profile_sort(p);
	record_encode(p->functions[0], &record);
	c = cursor_new("record", record.data, record.size);
	f = record_decode(p, &c, &err);
	profile_function_free(f);
	free(record.data);
	return f;
}

static bool writes_depth(int depth)
{
	struct profile *p = profile_new(), *q;
	struct profile_key key = { .line = 1 };
	struct profile_body *body =
		&profile_add_function(p, "f", NULL, 0)->body;
	struct fdo_error err;
	struct bytes text;
	char path[32];
	bool written;

	for (int i = 0; i < depth; i++)
		body = profile_add_inlined(p, body, key, "f", NULL, 0);
	text = text_form(p);
	temporary_file(path, &text);
	q = profile_read_any(path, &err);
	written = profile_write(p, path, &err);
	check(decodes(p) == written, "a record that is too deep is refused");
	profile_free(p);
	p = profile_read(path, &err);
	check(written == !!p && written == !!q,
	      "all forms agree on what is too deep");
	profile_free(p);
	profile_free(q);
	unlink(path);
	free(text.data);
	return written;
}

static void test_damage(void)
{
	struct profile *p = random_profile(7, 400, false), *part;
	struct bytes file = binary_form(p);
	struct profile_function **f;
	int found = 0, clean = 0;
	struct fdo_error err;
	char path[32];
	size_t n;

	file.data[file.size - 1] ^= 1; /* of the last record */
	temporary_file(path, &file);
	part = profile_open(path, &err);
	check(part, "a damaged record does not keep others from being read");
	for (size_t i = 0; i < p->nfunctions; i++) {
		if (profile_load(part, p->functions[i]->body.name, &f, &n,
				 &err))
			clean++;
		else
			found += strstr(err.text, "checksum of a record") &&
				 strstr(err.text, path);
	}
	check(clean > 0 && found > 0, "but is told when it is wanted");
	check(!profile_read(path, &err) &&
		      strstr(err.text, "checksum of the records"),
	      "and when all are");
	profile_free(part);
	unlink(path);

	file.data[file.size - 1] ^= 1;
	file.data[FORMAT_MAGIC_SIZE]++;
	check(!profile_of(&file, &err) &&
		      strstr(err.text, "byte 8: format version 2"),
	      "a later version is named");
	profile_free(p);
	free(file.data);
}

/*
 * Pages of a mapped file that are read: all are closed, and the first access
 * to each opens it and is counted.
 */
static volatile size_t pages_read;

static void count_page(int signal, siginfo_t *info, void *context)
{
	uintptr_t page = sysconf(_SC_PAGESIZE);

	(void)signal;
	(void)context;
	pages_read++;
	if (mprotect((void *)((uintptr_t)info->si_addr & -page), page,
		     PROT_READ) != 0)
		abort();
}

static void count_pages_of(const char *path)
{
	struct sigaction action = { .sa_sigaction = count_page,
				    .sa_flags = SA_SIGINFO | SA_NODEFER };
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long start, end;
	char line[512];

	pages_read = 0;
	sigaction(SIGSEGV, &action, NULL);
	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, path) &&
		    sscanf(line, "%lx-%lx", &start, &end) == 2)
			mprotect((void *)start, end - start, PROT_NONE);
	if (maps)
		fclose(maps);
}

static struct profile *large_profile(void)
{
	struct profile *p = profile_new();

	for (int i = 0; i < 20000; i++) {
		struct profile_function *f;
		char name[64];

		snprintf(name, sizeof(name), "_ZN7project6module%dEPKcz", i);
		f = profile_add_function(p, name, "source/module.cc", i);
		for (int j = 0; j < 40; j++) {
			struct profile_count *count = profile_count_at(
				p, &f->body, (struct profile_key){ .line = j });

			count->count = (uint64_t)i * j * 1000003;
			count->error = count->count / 17;
		}
	}
	return p;
}

static void test_few_pages(void)
{
	struct profile *p = large_profile(), *part;
	struct bytes file = binary_form(p);
	struct profile_function **f;
	struct fdo_error err;
	size_t n, loaded = 0;
	char path[32];

	temporary_file(path, &file);
	part = profile_open(path, &err);
	count_pages_of(path);
	for (int i = 0; i < 12; i++) {
		const char *name = p->functions[i * 1663]->body.name;

		if (profile_load(part, name, &f, &n, &err))
			loaded += n;
	}
	signal(SIGSEGV, SIG_DFL);
	check_int(loaded, 12, "twelve functions are loaded");
	check_int(part->nfunctions, 12, "and no others");
	printf("# %zu of %zu pages\n", pages_read, file.size / 4096);
	/* Of the index 1 or 2 pieces in each look-up; halving takes 67. */
	check(pages_read >= 12 && pages_read < 45,
	      "few pages of the file are read");
	profile_free(part);
	profile_free(p);
	unlink(path);
	free(file.data);
}

int main(void)
{
	test_round_trips();
	test_neighbours();
	test_parts();
	check(writes_depth(512), "bodies may be nested 512 deep");
	check(!writes_depth(513), "and no deeper");
	test_damage();
	test_few_pages();
	return done();
}
