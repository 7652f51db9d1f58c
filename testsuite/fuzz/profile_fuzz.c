/*
 * Damaged profiles: each ends in a clear message or in a profile, and never in
 * a crash, a leak or a wrong number.  Built with AddressSanitizer and UBSan.
 */
#include <string.h>
#include <sys/mman.h>

#include "profile/format.h"
#include "testsuite/lib/profiles.h"
#include "testsuite/lib/tap.h"

/* A file in memory, since there are many thousands. */
static int memory = -1;
static char path[32];

/* Counters over one kind of damage. */
struct outcome {
	int read; /* it is a profile all the same */
	int refused;
	int unclear;  /* refused without the file's name in the message */
	int unstable; /* reads, but what is then written is something else */
};

static void put_file(const void *data, size_t size)
{
	if (ftruncate(memory, 0) != 0 ||
	    pwrite(memory, data, size, 0) != (ssize_t)size) {
		perror(path);
		exit(99);
	}
}

/* What was accepted is a profile like any other. */
static bool is_stable(struct profile *p)
{
	struct bytes first = binary_form(p), second = { 0 };
	struct fdo_error err;
	struct profile *q;
	bool stable;

	put_file(first.data, first.size);
	q = profile_read_any(path, &err);
	if (q)
		second = binary_form(q);
	stable = q && same_bytes(&first, &second);
	profile_free(q);
	free(first.data);
	free(second.data);
	return stable;
}

static void try_bytes(const void *data, size_t size, struct outcome *outcome)
{
	struct fdo_error err = { "" };
	struct profile *p;

	put_file(data, size);
	p = profile_read_any(path, &err);
	if (p) {
		outcome->read++;
		if (outcome->read % 8 == 0) /* it takes a while */
			outcome->unstable += !is_stable(p);
		profile_free(p);
		return;
	}
	outcome->refused++;
	if (strncmp(err.text, path, strlen(path)) != 0) {
		if (outcome->unclear++ < 5)
			printf("# %s\n", err.text);
	}
}

static void test_prefixes(const struct bytes *file)
{
	struct outcome outcome = { 0 };

	for (size_t size = 0; size < file->size; size++)
		try_bytes(file->data, size, &outcome);
	check_int(outcome.refused, file->size, "no prefix is a profile");
	check_int(outcome.unclear, 0, "and the message names the file");
}

static void test_bits(const struct bytes *file)
{
	struct outcome outcome = { 0 };

	for (size_t bit = 0; bit < 8 * file->size; bit++) {
		file->data[bit / 8] ^= 1 << bit % 8;
		try_bytes(file->data, file->size, &outcome);
		file->data[bit / 8] ^= 1 << bit % 8;
	}
	check_int(outcome.refused, 8 * file->size,
		  "each flipped bit is noticed");
	check_int(outcome.unclear, 0, "and the message names the file");
}

static struct bytes function_text(struct profile_function *f)
{
	struct bytes bytes = { 0 };
	char *text = NULL;
	FILE *stream = open_memstream(&text, &bytes.size);

	profile_print_function(f, stream);
	fclose(stream);
	bytes.data = (unsigned char *)text;
	return bytes;
}

static bool same_function(struct profile_function *a,
			  struct profile_function *b)
{
	struct bytes x = function_text(a), y = function_text(b);
	bool same = same_bytes(&x, &y);

	free(x.data);
	free(y.data);
	return same;
}

/* And how many unsampled ones. */
static int load_wrong_unsampled(const struct profile *p, struct profile *part)
{
	struct profile_unsampled *all;
	struct fdo_error err;
	int wrong = 0;
	size_t n;

	for (size_t i = 0; i < p->nfunctions; i++) {
		const char *name = p->functions[i]->body.name;

		if (!profile_load_unsampled(part, name, &all, &n, &err))
			continue;
		for (size_t j = 0; j < n; j++) {
			size_t k = 0;

			while (k < p->nunsampled &&
			       memcmp(&p->unsampled[k], &all[j],
				      sizeof(*all)) != 0)
				k++;
			wrong += k == p->nunsampled;
		}
		free(all);
	}
	return wrong;
}

/* How many of the functions load as something else than they were. */
static int load_wrong(struct profile *p, struct profile *part)
{
	struct profile_function **f;
	struct fdo_error err;
	int wrong = 0;
	size_t n;

	for (size_t i = 0; i < p->nfunctions; i += n) {
		const char *name = p->functions[i]->body.name;
		bool loaded = profile_load(part, name, &f, &n, &err);

		if (!loaded || n == 0) {
			wrong += loaded;
			n = 1;
			continue;
		}
		for (size_t j = 0; j < n && i + j < p->nfunctions; j++)
			wrong += !same_function(f[j], p->functions[i + j]);
	}
	return wrong;
}

static void test_parts(struct profile *p, const struct bytes *file)
{
	struct profile *part;
	struct fdo_error err;
	int wrong = 0, opened = 0;

	for (size_t at = 0; at < file->size; at++) {
		file->data[at] ^= 0x10;
		put_file(file->data, file->size);
		file->data[at] ^= 0x10;
		part = profile_open(path, &err);
		if (!part)
			continue;
		opened++;
		wrong += load_wrong(p, part);
		wrong += load_wrong_unsampled(p, part);
		profile_free(part);
	}
	check(opened > 0, "a profile with a damaged record can be opened");
	check_int(wrong, 0, "but no damaged record is taken for a good one");
}

static uint64_t get_number(const unsigned char *at, int size)
{
	uint64_t value = 0;

	for (int i = 0; i < size; i++)
		value |= (uint64_t)at[i] << 8 * i;
	return value;
}

static void put_crc(unsigned char *at, const void *data, size_t size)
{
	uint32_t crc = profile_crc(data, size);

	for (int i = 0; i < 4; i++)
		at[i] = crc >> 8 * i;
}

static bool get_section(const struct bytes *file, int number, size_t *offset,
			size_t *size)
{
	const unsigned char *entry =
		file->data + 24 + number * FORMAT_SECTION_SIZE;

	*offset = get_number(entry + 8, 8);
	*size = get_number(entry + 16, 8);
	return *offset <= file->size && *size <= file->size - *offset;
}

/* Of a table of one piece, which is all there is here. */
static void repair_checks(struct bytes *file, const size_t *offset,
			  const size_t *size, int checks, int table)
{
	if (size[checks] >= 4)
		put_crc(file->data + offset[checks], file->data + offset[table],
			size[table]);
}

static void repair_index(struct bytes *file, size_t index, size_t index_size,
			 size_t records, size_t records_size)
{
	for (size_t at = 0; at + FORMAT_ENTRY_SIZE <= index_size;
	     at += FORMAT_ENTRY_SIZE) {
		unsigned char *entry = file->data + index + at;
		size_t offset = get_number(entry + 8, 8);
		size_t size = get_number(entry + 16, 4);

		if (offset <= records_size && size <= records_size - offset)
			put_crc(entry + 20, file->data + records + offset,
				size);
	}
}

/* Make all checksums right, so that damage gets past them. */
static void repair(struct bytes *file)
{
	size_t offset[SECTIONS], size[SECTIONS];
	size_t header = format_header_size(SECTIONS);

	for (int i = 0; i < SECTIONS; i++)
		if (!get_section(file, i, &offset[i], &size[i]))
			return;
	repair_index(file, offset[SECTION_INDEX], size[SECTION_INDEX],
		     offset[SECTION_RECORDS], size[SECTION_RECORDS]);
	repair_checks(file, offset, size, SECTION_CHECKS, SECTION_INDEX);
	repair_checks(file, offset, size, SECTION_UNSAMPLED_CHECKS,
		      SECTION_UNSAMPLED);
	for (int i = 0; i < SECTIONS; i++)
		put_crc(file->data + 24 + i * FORMAT_SECTION_SIZE + 4,
			file->data + offset[i], size[i]);
	put_crc(file->data + header - 4, file->data, header - 4);
}

static void try_repaired(const struct bytes *file, size_t at,
			 unsigned char value, struct outcome *outcome)
{
	struct bytes copy = { malloc(file->size), file->size, file->size };

	memcpy(copy.data, file->data, file->size);
	copy.data[at] = value;
	repair(&copy);
	try_bytes(copy.data, copy.size, outcome);
	free(copy.data);
}

static void test_repaired(const struct bytes *file)
{
	struct outcome outcome = { 0 };

	for (size_t at = 0; at < file->size; at++) {
		unsigned char was = file->data[at];
		const unsigned char values[] = { 0, was ^ 1, was ^ 8, was + 2,
						 was ^ 128 };

		for (size_t i = 0; i < sizeof(values); i++)
			try_repaired(file, at, values[i], &outcome);
	}
	printf("# %d read, %d refused\n", outcome.read, outcome.refused);
	check(outcome.read > 0 && outcome.refused > 0,
	      "with right checksums some damage is not seen");
	check_int(outcome.unclear, 0, "what is refused names the file");
	check_int(outcome.unstable, 0, "what is read is a profile");
}

/* Behind the first use come two numbers: no binaries, and no hosts. */
static void test_without_use(void)
{
	struct profile *p = profile_new();
	struct outcome outcome = { 0 };
	struct bytes file;
	size_t records, size;

	profile_use(profile_add_function(p, "f", NULL, 1), 7);
	file = binary_form(p);
	get_section(&file, SECTION_RECORDS, &records, &size);
	try_repaired(&file, records + size - 3, 8, &outcome);
	check(file.data[records + size - 3] == 7 && outcome.read == 1,
	      "another first use is none the worse");
	try_repaired(&file, records + size - 3, 0, &outcome);
	check_int(outcome.refused, 1,
		  "version 3 is for files that have a first use");
	profile_free(p);
	free(file.data);
}

/* Do all functions load, once some bytes are others? */
static bool loads_with(const struct bytes *file, size_t at, const void *data,
		       size_t size, struct fdo_error *err)
{
	struct bytes copy = { malloc(file->size), file->size, file->size };
	struct profile_function **f;
	struct profile *part;
	size_t n = 0;
	bool loaded;

	memcpy(copy.data, file->data, file->size);
	memcpy(copy.data + at, data, size);
	repair(&copy);
	put_file(copy.data, copy.size);
	free(copy.data);
	part = profile_open(path, err);
	loaded = part && profile_load(part, "f", &f, &n, err) && n == 3;
	profile_free(part);
	return loaded;
}

/*
 * Three functions of one name: records of one size, and entries of one hash.
 * With a first use, all sections are there.
 */
static void test_order_of_entries(void)
{
	struct profile *p = profile_new();
	struct fdo_error err = { "" };
	size_t index, records, size;
	unsigned char *first;
	struct bytes file;

	profile_use(profile_add_function(p, "f", "a.c", 1), 7);
	profile_use(profile_add_function(p, "f", "b.c", 1), 7);
	profile_use(profile_add_function(p, "f", "c.c", 1), 7);
	file = binary_form(p);
	get_section(&file, SECTION_INDEX, &index, &size);
	first = file.data + index;
	check(loads_with(&file, index, first, size, &err), "all are loaded");
	check(!loads_with(&file, index + FORMAT_ENTRY_SIZE,
			  first + 2 * FORMAT_ENTRY_SIZE, FORMAT_ENTRY_SIZE,
			  &err) &&
		      strstr(err.text, "entry 1 is out of order"),
	      "two entries do not mean one record");
	get_section(&file, SECTION_RECORDS, &records, &size);
	check(!loads_with(&file, records + size / 3, file.data + records,
			  size / 3, &err) &&
		      strstr(err.text, "entry 1 is out of order"),
	      "nor is the same recorded twice");
	profile_free(p);
	free(file.data);
}

static void test_text(const struct bytes *text)
{
	static const char replacements[] = { 0,	  ' ', '\n',  '"', '\\',
					     '0', '9', '-',   '.', ':',
					     '#', 'x', '\xff' };
	struct outcome outcome = { 0 };

	for (size_t size = 0; size < text->size; size++)
		try_bytes(text->data, size, &outcome);
	for (size_t at = 0; at < text->size; at++) {
		unsigned char was = text->data[at];

		for (size_t i = at % 3; i < sizeof(replacements); i += 3) {
			text->data[at] = replacements[i];
			try_bytes(text->data, text->size, &outcome);
		}
		text->data[at] = was;
	}
	printf("# %d read, %d refused\n", outcome.read, outcome.refused);
	check(outcome.read > 0 && outcome.refused > 0,
	      "some damage to the text form is seen");
	check_int(outcome.unclear, 0, "what is refused names the file");
	check_int(outcome.unstable, 0, "what is read is a profile");
}

int main(void)
{
	struct profile *p = random_profile(3, 7, false);
	struct bytes file = binary_form(p), text = text_form(p);

	memory = memfd_create("fuzz", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", memory);
	printf("# %zu bytes, %zu bytes of text, %zu functions, %zu unsampled\n",
	       file.size, text.size, p->nfunctions, p->nunsampled);
	check(p->nunsampled > 0, "some functions are unsampled");
	test_prefixes(&file);
	test_bits(&file);
	test_parts(p, &file);
	test_repaired(&file);
	test_without_use();
	test_order_of_entries();
	test_text(&text);
	profile_free(p);
	free(file.data);
	free(text.data);
	return done();
}
