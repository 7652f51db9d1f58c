/* Recordings in a directory: which files, in which order, and what is wrong. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "converter/perf/perfdata.h"
#include "testsuite/lib/perf_writer.h"
#include "testsuite/lib/tap.h"

static char top[] = "perfdir-XXXXXX";

/* Of files in the directory that is tested; in it the tests run. */
static const char dir[] = "x.data";

static void write_file(const char *name, const void *bytes, size_t size)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	close(fd);
}

/* Begin with no file. */
static void clear(void)
{
	DIR *folder = opendir(dir);
	const struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		unlinkat(dirfd(folder), entry->d_name,
			 strncmp(entry->d_name, "kcore", 5) == 0 ? AT_REMOVEDIR
								 : 0);
	if (folder)
		closedir(folder);
	else if (mkdir(dir, 0700) != 0)
		abort();
}

/* What all files of a test have in common. */
static struct perf_writer begin(const struct perf_writer *form)
{
	struct perf_writer w = *form;

	perf_event(&w, &(struct perf_event){ .name = "x", .id = 1 });
	perf_begin(&w);
	return w;
}

static void put(struct perf_writer *w, uint64_t time, uint64_t ip)
{
	perf_sample(w, &(struct perf_sample){
			       .pid = 1, .tid = 1, .time = time, .ip = ip });
}

static void end_part(struct perf_writer *w, int number)
{
	char name[32];

	snprintf(name, sizeof(name), "data.%d", number);
	perf_end_part(w);
	write_file(name, w->data, w->size);
	perf_free(w);
}

static void end_data(struct perf_writer *w)
{
	perf_end(w);
	write_file("data", w->data, w->size);
	perf_free(w);
}

/* The file data with a program and, if there is a time, a sample. */
static void write_data(const struct perf_writer *form, uint64_t time)
{
	struct perf_writer w = begin(form);

	perf_comm(&w, (struct perf_who){ 1, 1, 0 }, "app", true);
	if (time)
		put(&w, time, 1000000);
	perf_round(&w);
	perf_round(&w);
	end_data(&w);
}

static const struct perf_writer little = { .directory = 1 };
static const struct perf_writer big = { .directory = 1, .big_endian = true };
static const struct perf_writer packed = { .directory = 1, .compressed = true };
static const struct perf_writer alone = { 0 };

/* What reading all of it gives. */
struct result {
	int samples, wrong; /* wrong: earlier than one before */
	int before_comm;
	uint64_t late, size, sum;
	char error[256];
};

static struct result read_all(const char *path)
{
	struct fdo_error err = { "" };
	struct perfdata *data = perfdata_open(path, &err);
	struct perfdata_record r = { .kind = PERFDATA_COMM };
	struct result result = { 0 };
	uint64_t last = 0;
	bool comm = false;

	while (data && r.kind != PERFDATA_END &&
	       perfdata_next(data, &r, &err)) {
		comm |= r.kind == PERFDATA_COMM;
		if (r.kind != PERFDATA_SAMPLE)
			continue;
		result.samples++;
		result.sum += r.sample.ip;
		result.before_comm += !comm;
		result.wrong += r.time < last;
		last = r.time;
	}
	if (data) {
		result.late = perfdata_trouble(data).late;
		result.size = perfdata_size(data);
	}
	perfdata_close(data);
	snprintf(result.error, sizeof(result.error), "%s", err.text);
	return result;
}

static void refuses(const char *path, const char *want)
{
	struct result result = read_all(path);

	if (!check(strcmp(result.error, want) == 0, want))
		printf("# '%s'\n", result.error);
}

/* All are read, in order; returns what else there is to say. */
static struct result reads(int samples, const char *what)
{
	struct result result = read_all(dir);

	if (!check(!result.error[0] && result.samples == samples &&
			   !result.wrong && !result.late && !result.before_comm,
		   what))
		printf("# %d samples, %d wrong, %llu late, %d before: %s\n",
		       result.samples, result.wrong,
		       (unsigned long long)result.late, result.before_comm,
		       result.error);
	return result;
}

/*
 * Enough for many turns: PARTS that take turns in time, part 0 being rare, so
 * that it is far ahead wherever it was read.
 */
enum { PARTS = 3, SAMPLES = 20000, RARE = 50 };

static int write_parts(const struct perf_writer *form, bool damaged)
{
	int n = 0;

	clear();
	write_data(form, SAMPLES);
	for (int part = 0; part < PARTS; part++) {
		struct perf_writer w = begin(form);

		for (int i = 1; i <= SAMPLES; i++) {
			if (i % PARTS != part || (part == 0 && i % RARE != 0))
				continue;
			put(&w, 2 * i, i);
			n++;
		}
		if (damaged && part == PARTS - 1)
			perf_raw(&w, 0, 0, NULL, 0);
		end_part(&w, part);
	}
	return n + 1;
}

static void test_order(const struct perf_writer *form, const char *what)
{
	uint64_t size = 0;
	struct stat status;
	struct result result;

	result = reads(write_parts(form, false), what);
	for (int part = -1; part < PARTS; part++) {
		char path[32];

		snprintf(path, sizeof(path),
			 part < 0 ? "%s/data" : "%s/data.%d", dir, part);
		if (stat(path, &status) != 0)
			abort();
		size += status.st_size;
	}
	check_int(result.size, size, "as large as all files together");
}

/* What is known to be in order comes out before all is read. */
static void test_memory(void)
{
	int n = write_parts(&little, true);
	struct result result = read_all(dir);

	check(strstr(result.error, "a record has no type"),
	      "damage at the end");
	if (!check(result.samples > n / 4 * 3, "comes behind most samples"))
		printf("# %d of %d\n", result.samples, n);
}

/* Each two records of a part have changed places, wherever its turns end. */
static void test_interrupted(void)
{
	int n = 1;

	clear();
	write_data(&little, 1);
	for (int part = 0; part < PARTS; part++) {
		struct perf_writer w = begin(&little);

		for (int i = 0; i < part; i++, n++)
			put(&w, 10 + i, i);
		for (int i = part; i < SAMPLES; i += PARTS, n += 2) {
			put(&w, 1000 + i, i);
			put(&w, 999 + i, i);
		}
		end_part(&w, part);
	}
	reads(n, "records that interrupt each other");
}

/* Parts of nothing, of what has no time, and of one late record. */
static void test_odd_parts(void)
{
	int n = write_parts(&little, false);
	struct perf_writer w;

	w = begin(&little);
	end_part(&w, PARTS);
	w = begin(&little);
	for (int i = 0; i < SAMPLES; i++)
		perf_comm(&w, (struct perf_who){ 1, 1, 0 }, "app", false);
	end_part(&w, PARTS + 1);
	w = begin(&little);
	put(&w, 10 * SAMPLES, 5);
	end_part(&w, PARTS + 2);
	w = begin(&little);
	perf_round(&w);
	put(&w, 1, 5);
	perf_round(&w);
	put(&w, 10 * SAMPLES, 5);
	end_part(&w, PARTS + 3);
	reads(n + 3, "parts of all kinds");
}

/* Of each part a sample without a time: they come as the parts do. */
static void test_numbers(void)
{
	struct fdo_error err = { "" };
	struct perfdata_record r;
	struct perfdata *data;
	int n = 0, wrong = 0;

	clear();
	write_data(&little, 0);
	for (int part = 11; part >= 0; part--) {
		struct perf_writer w = begin(&little);

		put(&w, 0, part);
		end_part(&w, part);
	}
	write_file("data.old", "no part", 7);
	write_file("data.1x", "no part", 7);
	write_file("data.01", "no part", 7);
	write_file("data.", "no part", 7);
	write_file("data.12345678901", "no part", 7);
	write_file("xdata.1", "no part", 7);
	data = perfdata_open(dir, &err);
	while (data && perfdata_next(data, &r, &err) && r.kind != PERFDATA_END)
		if (r.kind == PERFDATA_SAMPLE)
			wrong += r.sample.ip != (uint64_t)n++;
	perfdata_close(data);
	check(!err.text[0], "only parts are read");
	check_int(n, 12, "all of them");
	check_int(wrong, 0, "in order of their numbers");
}

/* As many files as there are CPUs, and few descriptors. */
static void test_many(void)
{
	enum { MANY = 300, EACH = 40 };
	struct rlimit old, few = { 16, 16 };

	clear();
	write_data(&packed, 7);
	for (int part = 0; part < MANY; part++) {
		struct perf_writer w = begin(&packed);

		for (int i = 0; i < EACH; i++)
			put(&w, 1 + i * MANY + part, part);
		end_part(&w, part);
	}
	getrlimit(RLIMIT_NOFILE, &old);
	few.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_NOFILE, &few);
	reads(MANY * EACH + 1, "hundreds of parts");
	setrlimit(RLIMIT_NOFILE, &old);
}

static void test_too_many(void)
{
	enum { MOST = 1 << 14 };
	char name[32];

	clear();
	write_data(&little, 1);
	for (int part = 0; part <= MOST; part++) {
		snprintf(name, sizeof(name), "data.%d", part);
		write_file(name, "", 0);
	}
	refuses(dir, "x.data: more than 16384 parts are not supported");
	unlink("x.data/data.0");
	reads(1, "as many as are supported");
}

/* Damage is said with the part and the byte. */
static void test_places(const struct perf_writer *form, const char *want)
{
	static const struct perf_event event = {
		.name = "x",
		.id = 1,
		.sample_type = PERF_USUAL | PERF_SAMPLE_CALLCHAIN
	};
	struct perf_writer w = *form;
	struct perf_bytes body = { 0 };

	clear();
	perf_event(&w, &event);
	perf_begin(&w);
	perf_comm(&w, (struct perf_who){ 1, 1, 0 }, "app", true);
	end_data(&w);
	for (int part = 0; part < PARTS; part++) {
		w = *form;
		perf_event(&w, &event);
		perf_begin(&w);
		perf_sample(&w, &(struct perf_sample){ .time = 5 });
		if (part == 1) {
			for (int i = 0; i < 6; i++)
				perf_put(&body, &w, i == 0 ? 1 : 7, 8);
			perf_put(&body, &w, 1000, 8);
			perf_raw(&w, PERF_RECORD_SAMPLE, 0, body.data,
				 body.size);
		}
		perf_sample(&w, &(struct perf_sample){ .time = 9 });
		end_part(&w, part);
	}
	free(body.data);
	refuses(dir, want);
}

/* The last record of a part is not all there. */
static void test_cut(void)
{
	write_parts(&little, false);
	if (truncate("x.data/data.1", 100) != 0)
		abort();
	refuses(dir, "x.data/data.1: byte 56: the last record is cut");
	write_parts(&packed, false);
	if (truncate("x.data/data.2", 20) != 0)
		abort();
	check(strncmp(read_all(dir).error, "x.data/data.2: byte 0: ", 23) == 0,
	      "a compressed one, too");
}

/* The first compressed record ends within a record, and is the last. */
static void test_pending(void)
{
	unsigned char header[8];
	int fd;

	write_parts(&packed, false);
	fd = open("x.data/data.2", O_RDWR);
	if (read(fd, header, sizeof(header)) != sizeof(header) ||
	    ftruncate(fd, header[6] | header[7] << 8) != 0)
		abort();
	close(fd);
	check(strstr(read_all(dir).error, "the last compressed record is cut"),
	      "what was begun in a compressed record is not ended");
}

static void test_single(void)
{
	clear();
	write_data(&alone, 5);
	if (mkdir("x.data/kcore_dir", 0700) != 0)
		abort();
	reads(1, "a directory with one file, and a copy of the kernel");
	check_int(read_all("x.data/").samples, 1, "with a slash behind it");
	check_int(read_all("x.data/data").samples, 1, "the file itself");
}

static void test_refused(void)
{
	static const struct perf_writer newer = { .directory = 2 };
	int input = dup(STDIN_FILENO);

	clear();
	refuses(dir, "x.data: is a directory without the file data, which perf "
		     "record --threads and --kcore write");
	write_file("data", "", 0);
	refuses(dir, "x.data/data: byte 0: is no perf.data: it is too short");
	write_data(&little, 1);
	refuses(dir, "x.data/data: is a part of a directory that perf record "
		     "--threads wrote, but the others, data.0 and so on, are "
		     "not there");
	refuses("x.data/data",
		"x.data/data: is a part of a directory that perf record "
		"--threads wrote, which is to be named instead");
	write_data(&newer, 1);
	check(strstr(read_all(dir).error,
		     ": a directory of version 2 is not supported"),
	      "another version");
	write_data(&little, 1);
	if (mkdir("x.data/data.7", 0700) != 0)
		abort();
	refuses(dir, "x.data/data.7: not a regular file");
	rmdir("x.data/data.7");
	unlink("x.data/data");
	if (mkdir("x.data/data", 0700) != 0)
		abort();
	refuses(dir, "x.data/data: is a directory");
	rmdir("x.data/data");
	if (dup2(open(dir, O_RDONLY), STDIN_FILENO) < 0)
		abort();
	refuses("-", "standard input: is a directory");
	dup2(input, STDIN_FILENO);
	close(input);
}

int main(void)
{
	if (!mkdtemp(top) || chdir(top) != 0)
		abort();
	test_order(&little, "in order of time");
	test_order(&big, "big-endian ones");
	test_order(&packed, "compressed ones, each by itself");
	test_memory();
	test_interrupted();
	test_odd_parts();
	test_numbers();
	test_many();
	test_too_many();
	test_places(&little,
		    "x.data/data.1: byte 176: 1000 items do not fit in "
		    "the record");
	test_places(&packed,
		    "x.data/data.1: byte 137: 1000 items do not fit in "
		    "the record");
	test_cut();
	test_pending();
	test_single();
	test_refused();
	clear();
	rmdir(dir);
	if (chdir("..") == 0)
		rmdir(top);
	return done();
}
