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

/* Of the only function of a sorted profile, past the test of the writer. */
static bool decodes(struct profile *p, struct fdo_error *err)
{
	struct bytes record = { 0 };
	struct profile_function *f;
	struct cursor c;

	record_encode(p->functions[0], profile_version(p), &record);
	c = cursor_new("record", record.data, record.size);
	f = record_decode(p->private_->strings, p->nbinaries,
			  profile_version(p), &c, err);
	profile_function_free(f);
	free(record.data);
	return f;
}

/* In their order, but with another count. */
static void test_twice(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = profile_add_function(p, "f", NULL, 0);
	struct profile_count *c = profile_count_at(
		p, &f->body, (struct profile_key){ .line = 1 });
	struct fdo_error err;

	profile_add_target(p, c, "g", 3);
	profile_add_target(p, c, "h", 2);
	profile_add_target(p, c, "i", 1);
	for (int i = 0; i < 3; i++)
		profile_add_value(c, &(struct profile_value){ .value = i,
							      .count = 9 - i });
	profile_sort(p);
	check(decodes(p, &err), "each call target and value once");
	c->targets[2].name = "g";
	check(!decodes(p, &err) && strstr(err.text, "called twice"),
	      "no function is called twice");
	c->targets[2].name = "i";
	c->values[2].value = 0;
	check(!decodes(p, &err) && strstr(err.text, "a value is there twice"),
	      "nor is a value there twice");
	profile_free(p);
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
	check(decodes(p, &err) == written,
	      "a record that is too deep is refused");
	profile_free(p);
	p = profile_read_any(path, &err);
	check(written == !!p && written == !!q,
	      "all forms agree on what is too deep");
	profile_free(p);
	profile_free(q);
	unlink(path);
	free(text.data);
	return written;
}

/* The last byte of a section. */
static unsigned char *end_of(const struct bytes *file, int section)
{
	const unsigned char *entry =
		file->data + 24 + section * FORMAT_SECTION_SIZE;
	uint64_t offset, size;

	memcpy(&offset, entry + 8, 8);
	memcpy(&size, entry + 16, 8);
	return file->data + offset + size - 1;
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

	*end_of(&file, SECTION_RECORDS) ^= 1;
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
	check(!profile_read_any(path, &err) &&
		      strstr(err.text, "checksum of the records"),
	      "and when all are");
	profile_free(part);
	unlink(path);

	*end_of(&file, SECTION_RECORDS) ^= 1;
	file.data[FORMAT_MAGIC_SIZE]++;
	check(!profile_of(&file, &err) &&
		      strstr(err.text, "byte 8: format version 4, this program "
				       "reads 1 to 3"),
	      "a later version is named");
	profile_free(p);
	free(file.data);
}

static struct profile_unsampled an_unsampled(const char *name, const char *file)
{
	return (struct profile_unsampled){
		.name = profile_hash_name(name),
		.file = profile_hash_file(file),
		.line = 10,
		.lines = 5,
		.samples = 9000,
	};
}

/* How many of that name are there; -1: an error, which is in err. */
static int load_unsampled(struct profile *part, const char *name,
			  struct fdo_error *err)
{
	struct profile_unsampled *all;
	size_t n;

	if (!profile_load_unsampled(part, name, &all, &n, err))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (all[i].name != profile_hash_name(name))
			n = 1000;
	free(all);
	return n;
}

static struct profile *two_unsampled(void)
{
	struct profile *p = profile_new();
	struct profile_unsampled u = an_unsampled("f", "a/one.c");

	profile_add_function(p, "g", "g.c", 3)->samples = 7;
	profile_add_unsampled(p, &u);
	u = an_unsampled("f", "two.c");
	profile_add_unsampled(p, &u);
	return p;
}

static void test_versions(void)
{
	struct profile *p = two_unsampled(), *part;
	struct bytes file = binary_form(p), text = text_form(p);
	struct fdo_error err;
	char path[32];

	check_int(file.data[FORMAT_MAGIC_SIZE], 2,
		  "with unsampled functions it is version 2");
	check(strncmp((char *)text.data, "samplefdo profile 2\n", 20) == 0,
	      "and so is the text");
	temporary_file(path, &file);
	part = profile_open(path, &err);
	check_int(part->nunsampled, 2, "their number is known at once");
	check_int(load_unsampled(part, "f", &err), 2, "both are found");
	check_int(load_unsampled(part, "g", &err), 0, "and no others");
	profile_free(part);

	*end_of(&file, SECTION_UNSAMPLED) ^= 1;
	unlink(path);
	temporary_file(path, &file);
	part = profile_open(path, &err);
	check(part && load_unsampled(part, "f", &err) == -1 &&
		      strstr(err.text, path) && strstr(err.text, "checksum"),
	      "damage is told when it is met");
	profile_free(part);
	unlink(path);
	free(file.data);
	free(text.data);

	p->nunsampled = 0;
	file = binary_form(p);
	text = text_form(p);
	check_int(file.data[FORMAT_MAGIC_SIZE], 1,
		  "without, older readers can read it");
	check(strncmp((char *)text.data, "samplefdo profile 1\n", 20) == 0,
	      "and its text");
	temporary_file(path, &file);
	part = profile_open(path, &err);
	check_int(load_unsampled(part, "f", &err), 0, "and nothing is found");
	profile_free(part);
	unlink(path);
	profile_free(p);
	free(file.data);
	free(text.data);
}

static void test_first_use(void)
{
	struct profile *p = profile_new(), *q;
	struct profile_function **f;
	struct bytes file, text;
	struct fdo_error err;
	char path[32];
	size_t n = 0;

	profile_use(profile_add_function(p, "f", "f.c", 1), 77);
	profile_add_function(p, "g", "f.c", 9)->samples = 5;
	file = binary_form(p);
	text = text_form(p);
	check_int(file.data[FORMAT_MAGIC_SIZE], 3,
		  "with a first use it is version 3");
	check(strncmp((char *)text.data, "samplefdo profile 3\n", 20) == 0 &&
		      strstr((char *)text.data, "f.c line 1 first-use 77\n"),
	      "and so is the text");
	temporary_file(path, &file);
	q = profile_open(path, &err);
	check(q && profile_load(q, "f", &f, &n, &err) && n == 1 &&
		      f[0]->first_use == 77,
	      "a record by itself has it");
	check(q && profile_load(q, "g", &f, &n, &err) && n == 1 &&
		      f[0]->first_use == 0,
	      "or has none");
	profile_free(q);
	unlink(path);
	free(file.data);
	free(text.data);
	profile_free(p);
}

static void test_what_was_sampled(void)
{
	static const char twice[] =
		"samplefdo profile 2\n"
		"unsampled 00000001 in 00000002 line 3 samples 1\n"
		"unsampled 00000001 in 00000002 line 3 samples 2\n";
	struct bytes text = { (unsigned char *)twice, sizeof(twice) - 1, 0 };
	struct profile *p = two_unsampled();
	struct profile_unsampled u = an_unsampled("f", "elsewhere/one.c");
	struct fdo_error err;

	u.samples = UINT32_MAX;
	profile_add_unsampled(p, &u);
	profile_sort(p);
	check_int(p->nunsampled, 2, "what is there twice is one");
	check(p->unsampled[0].samples == UINT32_MAX ||
		      p->unsampled[1].samples == UINT32_MAX,
	      "its samples are added");
	profile_add_function(p, "f", "one.c", 4)->entry = 1;
	profile_sort(p);
	check(p->nunsampled == 1 &&
		      p->unsampled[0].file == profile_hash_file("two.c"),
	      "what was entered is none of them");
	profile_add_inlined(p, &p->functions[0]->body,
			    (struct profile_key){ .line = 1 }, "f", "two.c", 4)
		->total = 1;
	profile_sort(p);
	check_int(p->nunsampled, 0, "nor what ran inlined");
	check(!profile_of(&text, &err) && strstr(err.text, "there twice"),
	      "a text does not say it twice");
	profile_free(p);
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
		struct profile_unsampled u;
		char name[64];

		snprintf(name, sizeof(name), "_ZN7project6module%dEPKcz", i);
		f = profile_add_function(p, name, "source/module.cc", i);
		for (int j = 0; j < 40; j++) {
			struct profile_count *count = profile_count_at(
				p, &f->body, (struct profile_key){ .line = j });

			count->count = (uint64_t)i * j * 1000003;
			count->error = count->count / 17;
		}
		snprintf(name, sizeof(name), "_ZN7project6module%dE", i);
		u = an_unsampled(name, "source/module.cc");
		profile_add_unsampled(p, &u);
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

	part = profile_open(path, &err);
	count_pages_of(path);
	loaded = 0;
	for (int i = 0; i < 12; i++) {
		char name[64];

		snprintf(name, sizeof(name), "_ZN7project6module%dE", 1663 * i);
		loaded += load_unsampled(part, name, &err) == 1;
	}
	signal(SIGSEGV, SIG_DFL);
	printf("# %zu pages\n", pages_read);
	check(loaded == 12 && pages_read >= 6 && pages_read < 45,
	      "nor for unsampled functions");
	profile_free(part);
	profile_free(p);
	unlink(path);
	free(file.data);
}

/* The text of a count with these values: why it is refused, or NULL. */
static const char *refused(const char *values)
{
	static struct fdo_error err;
	struct profile *p;
	char text[256];
	FILE *stream;

	snprintf(text, sizeof(text),
		 "samplefdo profile 1\nfunction f\n at 1:2 count 9 %s\n",
		 values);
	stream = fmemopen(text, strlen(text), "r");
	p = profile_parse(stream, "text", &err);
	fclose(stream);
	if (!p)
		return err.text;
	profile_free(p);
	return NULL;
}

static void refuses(const char *values, const char *why)
{
	const char *said = refused(values);

	check(said && strstr(said, why), values);
}

static void test_values(void)
{
	check(!refused("divisor 8 5 divisor other 4 size -3 7 call f 2"),
	      "values in any order");
	refuses("divisor 8 5 divisor 8 4", "a value is there twice");
	refuses("size other 5 size other 5", "a value is there twice");
	refuses("divisor 8", "a value's count is missing");
	refuses("divisor", "a value is missing");
	refuses("call f 2 call g 3 call f 1", "a function is called twice");
	refuses("divisor x 3", "x");
	refuses("divisor -0 3", "'-0' is not a number");
	refuses("size 9223372036854775808 1", "9223372036854775808");
	check(!refused("size -9223372036854775808 1"), "the least number");
	refuses("dividend 8 5", "what is 'dividend'?");
}

int main(void)
{
	test_round_trips();
	test_neighbours();
	test_parts();
	check(writes_depth(512), "bodies may be nested 512 deep");
	check(!writes_depth(513), "and no deeper");
	test_twice();
	test_damage();
	test_versions();
	test_first_use();
	test_what_was_sampled();
	test_few_pages();
	test_values();
	return done();
}
