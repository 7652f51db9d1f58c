/*
 * What base/ promises: cursors stay in bounds, tables find what was put in, and
 * what is no line or number of a text is refused.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cursor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "base/output.h"
#include "base/spool.h"
#include "base/text.h"
#include "testsuite/lib/tap.h"

static const unsigned char bytes[] = { 0x01, 0x02, 0x03, 0x04, 0x80,
				       0x01, 'h',  'i',	 0,    'x' };

static void test_cursor_reads_both_orders(void)
{
	struct cursor c = cursor_new("data", bytes, sizeof(bytes));
	struct fdo_error err;
	uint32_t number;
	uint64_t leb;
	const char *text;

	check(cursor_u32(&c, &number, &err), "reads a number");
	check_int(number, 0x04030201, "little-endian unless told");
	check(cursor_uleb(&c, &leb, &err), "reads a LEB128");
	check_int(leb, 128, "of two bytes");
	check(cursor_string(&c, &text, &err), "reads a string");
	check(strcmp(text, "hi") == 0, "up to its NUL");

	c.at = 0;
	c.swap = true;
	cursor_u32(&c, &number, &err);
	check_int(number, 0x01020304, "the other byte order");
}

static void test_cursor_stops_at_the_end(void)
{
	struct cursor c = cursor_new("data", bytes, sizeof(bytes));
	struct fdo_error err;
	uint64_t number;
	const char *text;

	c.at = 4;
	c.base = 100;
	check(!cursor_u64(&c, &number, &err), "a number past the end fails");
	check_int(c.at, 4, "and does not move");
	check(strcmp(err.text, "data: byte 104: the data ends too early") == 0,
	      "and says where");
	c.at = 9;
	check(!cursor_string(&c, &text, &err), "a string without end fails");
	c.at = sizeof(bytes);
	check(!cursor_uleb(&c, &number, &err), "nothing follows the end");
}

static void test_leb128_has_one_form(void)
{
	static const unsigned char padded[] = { 0x81, 0x00 };
	static const unsigned char huge[] = { 0xff, 0xff, 0xff, 0xff, 0xff,
					      0xff, 0xff, 0xff, 0xff, 0x02 };
	static const unsigned char most[] = { 0xff, 0xff, 0xff, 0xff, 0xff,
					      0xff, 0xff, 0xff, 0xff, 0x01 };
	struct cursor c = cursor_new("data", padded, sizeof(padded));
	struct fdo_error err;
	uint64_t number;

	check(!cursor_uleb(&c, &number, &err), "a padded number is refused");
	c = cursor_new("data", huge, sizeof(huge));
	check(!cursor_uleb(&c, &number, &err), "and one over 64 bits");
	c = cursor_new("data", most, sizeof(most));
	check(cursor_uleb(&c, &number, &err) && number == UINT64_MAX,
	      "the largest is read");
}

static void test_map_keeps_all(void)
{
	enum { N = 10000 };
	struct fdo_map *map = fdo_map_new();
	uint64_t *keys;
	int wrong = 0;

	for (uint64_t i = 0; i < N; i++)
		*fdo_map_at(map, i * i * 7919) += i + 1;
	for (uint64_t i = 0; i < N; i++) {
		uint64_t *value = fdo_map_get(map, i * i * 7919);

		wrong += !value || *value != i + 1;
	}
	check_int(wrong, 0, "every value is found again");
	check_int(fdo_map_size(map), N, "none is counted twice");
	check(!fdo_map_get(map, 3), "what is not there is not found");

	keys = fdo_map_keys(map);
	for (int i = 1; i < N; i++)
		wrong += keys[i - 1] >= keys[i];
	check_int(wrong, 0, "keys come in order");
	free(keys);
	fdo_map_free(map);
}

static void test_strings_are_shared(void)
{
	struct fdo_strings *strings = fdo_strings_new();
	char text[] = "main";
	const char *first = fdo_intern(strings, text);

	check(first != text && first == fdo_intern(strings, "main"),
	      "equal texts are one");
	check(first != fdo_intern(strings, "mail"), "others are not");
	check(!fdo_intern(strings, NULL), "NULL stays NULL");
	fdo_strings_free(strings);
}

static void test_pipe_is_no_file(void)
{
	struct fdo_file file;
	struct fdo_error err;

	/* Who waits for a writer ends by this. */
	alarm(20);
	check(mkfifo("base.pipe", 0600) == 0 &&
		      !fdo_file_open(&file, "base.pipe", &err) &&
		      strcmp(err.text, "base.pipe: not a regular file") == 0,
	      "a pipe without a writer is refused at once");
	alarm(0);
	unlink("base.pipe");
}

static void test_output_is_whole_or_not_there(void)
{
	struct fdo_output out;
	struct fdo_file file;
	struct fdo_error err;

	check(fdo_output_open(&out, "base.out", &err), "a file opens");
	fputs("new", out.stream);
	check(access("base.out", F_OK) != 0, "it is not there while written");
	check(fdo_output_close(&out, &err), "it closes");
	check(fdo_file_open(&file, "base.out", &err) && file.size == 3 &&
		      memcmp(file.data, "new", 3) == 0,
	      "then it is there");
	fdo_file_close(&file);

	check(fdo_output_open(&out, "base.out", &err), "again");
	fputs("newer", out.stream);
	fdo_output_abandon(&out);
	check(fdo_file_open(&file, "base.out", &err) && file.size == 3,
	      "given up, the old one stays");
	fdo_file_close(&file);

	check(fdo_output_open(&out, "/dev/full", &err), "a device opens");
	fputs("x", out.stream);
	check(!fdo_output_close(&out, &err) &&
		      strncmp(err.text, "/dev/full: ", 11) == 0,
	      "a full one fails by name");
	check(fdo_output_open(&out, "/dev/full", &err), "again");
	for (int i = 0; i < 100000; i++)
		fputc('x', out.stream);
	errno = EINTR;
	check(!fdo_output_close(&out, &err) &&
		      strstr(err.text, strerror(ENOSPC)),
	      "the first failure is told, not what came later");
	check(!fdo_output_open(&out, "no/such/folder", &err),
	      "a folder must be there");
}

/* Every text is the one of writing. */
static bool is_refused(const char *path, int reason)
{
	struct fdo_output out;
	struct fdo_error err, later;
	char text[80];

	snprintf(text, sizeof(text), "%s: %s", path, strerror(reason));
	return !fdo_output_check(path, &err) &&
	       !fdo_output_open(&out, path, &later) &&
	       strcmp(err.text, text) == 0 && strcmp(later.text, text) == 0;
}

static void test_output_can_be_asked_for_before(void)
{
	struct fdo_error err;

	check(mkdir("base.dir", 0700) == 0 &&
		      symlink("gone/x", "base.link") == 0,
	      "a folder, and a link to nowhere");
	check(fdo_output_check("-", &err) &&
		      fdo_output_check("/dev/full", &err),
	      "what is written in place can be");
	check(fdo_output_check("base.dir/x", &err) && rmdir("base.dir") == 0 &&
		      mkdir("base.dir", 0700) == 0,
	      "a new file can be, and nothing is left of trying");
	check(is_refused("no/such/folder", ENOENT) &&
		      is_refused("nosuch/", ENOENT) &&
		      is_refused("base.link", ENOENT) &&
		      is_refused("base.dir", EISDIR) &&
		      is_refused("/dev/null/x", ENOTDIR),
	      "what can be none is refused as it would be later");
	rmdir("base.dir");
	unlink("base.link");
}

static bool has(const char *path, const char *text)
{
	struct fdo_file file = { 0 };
	struct fdo_error err;
	bool same = fdo_file_open(&file, path, &err) &&
		    file.size == strlen(text) &&
		    memcmp(file.data, text, file.size) == 0;

	fdo_file_close(&file);
	return same;
}

static bool write_to(const char *path, const char *text)
{
	struct fdo_output out;
	struct fdo_error err;

	return fdo_output_open(&out, path, &err) &&
	       fputs(text, out.stream) >= 0 && fdo_output_close(&out, &err);
}

/* How many files of the folder have names that begin so. */
static int names_like(const char *folder, const char *begin)
{
	DIR *d = opendir(folder);
	struct dirent *entry;
	int n = 0;

	while (d && (entry = readdir(d)))
		n += strncmp(entry->d_name, begin, strlen(begin)) == 0;
	if (d)
		closedir(d);
	return n;
}

/* Killed in the middle of it. */
static void test_output_leaves_nothing_behind(void)
{
	int fd = open(".", O_TMPFILE | O_RDWR, 0600), status;
	pid_t pid;

	unlink("base.out");
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		struct fdo_output out;
		struct fdo_error err;

		if (fdo_output_open(&out, "base.out", &err)) {
			fputs("half", out.stream);
			fflush(out.stream);
		}
		raise(SIGTERM);
	}
	check(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status),
	      "a process ends while it writes");
	check(fd < 0 || names_like(".", "base.out") == 0, "nothing is left");
	if (fd >= 0)
		close(fd);
	check(write_to("base.out", "whole") && write_to("base.out", "again") &&
		      has("base.out", "again") &&
		      names_like(".", "base.out") == 1,
	      "one that ends as it should leaves one file");
	unlink("base.out");
}

static int mode_of(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? (int)(status.st_mode & 07777) : -1;
}

static void test_output_is_as_private_as_before(void)
{
	mode_t mask = umask(022);
	struct fdo_output out;
	struct fdo_error err;

	unlink("base.out");
	check(write_to("base.out", "new") && mode_of("base.out") == 0644,
	      "a new file has the mode of all new files");
	chmod("base.out", 0600);
	check(write_to("base.out", "newer") && mode_of("base.out") == 0600,
	      "what nobody else could read stays so");
	chmod("base.out", 0664);
	check(write_to("base.out", "newest") && mode_of("base.out") == 0664,
	      "and what others could write, too");
	check(fdo_output_open_private(&out, "base.out", &err) &&
		      fdo_output_close(&out, &err) &&
		      mode_of("base.out") == 0664,
	      "also where a new file is to be private");
	unlink("base.out");
	check(fdo_output_open_private(&out, "base.out", &err) &&
		      fdo_output_close(&out, &err) &&
		      mode_of("base.out") == 0600,
	      "which is its owner's alone then");
	unlink("base.out");
	umask(mask);
}

static void test_output_through_links(void)
{
	struct fdo_output out;
	struct fdo_error err;
	struct stat before, after;
	char path[32];
	int fd;

	mkdir("base.folder", 0777);
	check(symlink("base.folder/second", "base.link") == 0 &&
		      symlink("../base.out", "base.folder/second") == 0 &&
		      write_to("base.link", "through"),
	      "what links lead to is written, though it is not there");
	check(has("base.out", "through"), "and the links stay");
	check(fdo_output_open(&out, "base.link", &err), "again");
	fputs("half", out.stream);
	fflush(out.stream);
	check(has("base.out", "through"), "what was there is, until the end");
	fdo_output_abandon(&out);
	check(has("base.out", "through"), "and if that does not come");

	fd = open("base.out", O_RDWR | O_TRUNC);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	check(fd >= 0 && fstat(fd, &before) == 0 && write_to(path, "open") &&
		      stat("base.out", &after) == 0 &&
		      before.st_ino == after.st_ino && has("base.out", "open"),
	      "what somebody has open is written in place");
	close(fd);
	unlink("base.link");
	check(symlink("base.link", "base.link") == 0 &&
		      !fdo_output_open(&out, "base.link", &err) &&
		      strstr(err.text, strerror(ELOOP)),
	      "links in a circle are refused");
	check(fdo_output_open(&out, "base.out", &err), "a file again");
	fputs("xxxx, then", out.stream);
	check(fseek(out.stream, 0, SEEK_SET) == 0 &&
		      fputs("head", out.stream) >= 0 &&
		      fdo_output_close(&out, &err) &&
		      has("base.out", "head, then"),
	      "its beginning may be written last");
	unlink("base.out");
	unlink("base.link");
	unlink("base.folder/second");
	rmdir("base.folder");
}

static volatile sig_atomic_t ticks;

static void tick(int number)
{
	(void)number;
	ticks++;
}

/* So much is written to a pipe whose reader begins after some ticks. */
static void test_output_is_not_interrupted(void)
{
	enum { SIZE = 200000 };
	struct sigaction action = { .sa_handler = tick };
	struct itimerval often = { { 0, 10000 }, { 0, 10000 } }, never = { 0 };
	struct fdo_output out;
	struct fdo_error err;
	char path[32], buffer[4096];
	int pipes[2], status;
	ssize_t got, sum = 0;

	check(pipe(pipes) == 0, "a pipe");
	if (fork() == 0) {
		close(pipes[1]);
		usleep(300000);
		while ((got = read(pipes[0], buffer, sizeof(buffer))) > 0)
			sum += got;
		_exit(sum != SIZE);
	}
	close(pipes[0]);
	sigaction(SIGALRM, &action, NULL);
	snprintf(path, sizeof(path), "/dev/fd/%d", pipes[1]);
	check(fdo_output_open(&out, path, &err), "it opens by name");
	close(pipes[1]);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < SIZE; i++)
		fputc('x', out.stream);
	check(fdo_output_close(&out, &err) && ticks > 0,
	      "signals do not end a write that waits");
	setitimer(ITIMER_REAL, &never, NULL);
	check(wait(&status) > 0 && status == 0, "and all of it arrives");
}

static void test_append_keeps_whole_pieces(void)
{
	struct fdo_file file;
	struct fdo_error err;

	check(fdo_output_append("base.pieces", "piece", "piece 1\n", 8, &err) &&
		      fdo_output_append("base.pieces", "piece", "piece 2\n", 8,
					&err) &&
		      fdo_file_open(&file, "base.pieces", &err) &&
		      file.size == 16 &&
		      memcmp(file.data, "piece 1\npiece 2\n", 16) == 0,
	      "pieces come one after the other");
	fdo_file_close(&file);
	check(!fdo_output_append("base.pieces", "other", "x", 1, &err) &&
		      strstr(err.text, "base.pieces: is another kind"),
	      "another's file is not added to");
	check(fdo_file_open(&file, "base.pieces", &err) && file.size == 16,
	      "and stays as it was");
	fdo_file_close(&file);
	unlink("base.pieces");
	check(!fdo_output_append("/dev/full", "", "x", 1, &err) &&
		      strncmp(err.text, "/dev/full: ", 11) == 0,
	      "a full disk is said by name");
	check(!fdo_output_append("no/such/folder", "", "x", 1, &err),
	      "a folder must be there");
}

/* So many numbers come back, and again after they were forgotten. */
static bool spools(uint32_t count)
{
	struct spool *s = spool_new();
	struct fdo_file all;
	struct fdo_error err;
	bool same;

	for (uint32_t i = 0; i < count; i++)
		spool_add(s, &i, sizeof(i));
	same = spool_size(s) == count * sizeof(count) &&
	       spool_view(s, &all, &err) && all.size == spool_size(s);
	for (uint32_t i = 0, found; same && i < count; i++) {
		memcpy(&found, all.data + i * sizeof(i), sizeof(found));
		same = found == i;
		if (i % 3000 == 0)
			fdo_file_forget(&all, all.data, i * sizeof(i));
	}
	same = same && spool_view(s, &all, &err) && all.data[4] == 1;
	spool_free(s);
	return same;
}

static void test_spool_keeps_all(void)
{
	struct spool *s = spool_new();
	struct fdo_file all;
	struct fdo_error err;

	check(spool_view(s, &all, &err) && all.data && all.size == 0,
	      "nothing is an empty file");
	spool_free(s);
	check(spools(1000), "a few bytes are kept");
	check(spools(5000000), "and many");
	setenv("TMPDIR", "", 1);
	check(spools(5000000), "no folder is none");
	setenv("TMPDIR", "/no/such/folder", 1);
	check(spools(1000), "a few need no file");
	s = spool_new();
	for (int i = 0; i < 3000000; i++)
		spool_add(s, &i, sizeof(i));
	check(!spool_view(s, &all, &err) &&
		      strstr(err.text, "temporary file in /no/such/folder: No"),
	      "where there can be none, it is told");
	spool_free(s);
	unsetenv("TMPDIR");
}

static void put_text(const char *data, size_t size)
{
	FILE *stream = fopen("base.text", "w");

	fwrite(data, 1, size, stream);
	fclose(stream);
}

static void test_text_has_lines(void)
{
	static const char data[] = "one\n\nthree\n";
	struct fdo_text text;
	struct fdo_error err;
	bool good = true;

	put_text(data, strlen(data));
	check(fdo_text_open(&text, "base.text", &err) && text.number == 0,
	      "a text opens");
	check(fdo_text_next(&text, &good, &err) &&
		      strcmp(text.line, "one") == 0 && text.number == 1,
	      "a line is without its newline");
	check(fdo_text_next(&text, &good, &err) && !*text.line,
	      "there are empty ones");
	check(fdo_text_next(&text, &good, &err) &&
		      strcmp(text.line, "three") == 0,
	      "and more behind them");
	check(!fdo_text_fail(&text, &err, "%d is %s", 3, "odd") &&
		      strcmp(err.text, "base.text: line 3: 3 is odd") == 0,
	      "complaints have the place");
	check(!fdo_text_next(&text, &good, &err) && good, "the end is good");
	fdo_text_close(&text);
	check(fdo_text_begins("base.text", "one\n\nth") &&
		      fdo_text_begins("base.text", data) &&
		      !fdo_text_begins("base.text", "one\n\nTh") &&
		      !fdo_text_begins("base.text", "one\n\nthree\n4") &&
		      !fdo_text_begins("no/such/file", ""),
	      "it is told by its beginning");
	unlink("base.text");
}

/* So many lines are read, and then it says that. */
static void check_bad_text(const char *path, unsigned lines,
			   const char *message)
{
	struct fdo_text text;
	struct fdo_error err = { "" };
	bool good = fdo_text_open(&text, path, &err);
	unsigned n = 0;

	while (good && fdo_text_next(&text, &good, &err))
		n++;
	fdo_text_close(&text);
	if (!check(!good && n == lines && strcmp(err.text, message) == 0,
		   message))
		printf("# %u lines, '%s'\n", n, err.text);
}

static void test_text_is_whole(void)
{
	put_text("one\ntwo", 7);
	check_bad_text("base.text", 1,
		       "base.text: line 2: the line is cut off");
	put_text("one\nt\0o\n", 8);
	check_bad_text("base.text", 1, "base.text: line 2: not a text");
	unlink("base.text");
	check_bad_text("base.text", 0, "base.text: No such file or directory");
	check_bad_text(".", 0, ".: Is a directory");
}

static void test_numbers_are_digits(void)
{
	static const char *const none[] = {
		"", "-5", "+5", " 5", "5 ", "5a", "18446744073709551616"
	};
	static const char *const no_address[] = { "",	"-5",
						  " 5", "0x5",
						  "5g", "10000000000000000" };
	uint64_t number;

	check(fdo_text_number("0070", 10, &number) && number == 70,
	      "zeros are digits");
	check(fdo_text_number("18446744073709551615", 10, &number) &&
		      number == UINT64_MAX,
	      "a number has 64 bits");
	check(fdo_text_number("fFa0", 16, &number) && number == 0xffa0,
	      "or other digits");
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		check(!fdo_text_number(none[i], 10, &number), none[i]);
	for (size_t i = 0; i < sizeof(no_address) / sizeof(*no_address); i++)
		check(!fdo_text_number(no_address[i], 16, &number),
		      no_address[i]);
}

static void test_reals_are_finite(void)
{
	static const char *const none[] = { "",	   "-1",    "+1",   " 1",
					    "1 ",  "nan",   "inf",  "1e999",
					    "0x1", "1e5e5", "1,500" };
	double real;

	check(fdo_text_real("1.5e+03", &real) && real == 1500,
	      "a real number is read");
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		check(!fdo_text_real(none[i], &real), none[i]);
}

int main(void)
{
	test_cursor_reads_both_orders();
	test_cursor_stops_at_the_end();
	test_leb128_has_one_form();
	test_map_keeps_all();
	test_strings_are_shared();
	test_pipe_is_no_file();
	test_output_is_whole_or_not_there();
	test_output_can_be_asked_for_before();
	test_output_leaves_nothing_behind();
	test_output_is_as_private_as_before();
	test_output_through_links();
	test_output_is_not_interrupted();
	test_append_keeps_whole_pieces();
	test_spool_keeps_all();
	test_text_has_lines();
	test_text_is_whole();
	test_numbers_are_digits();
	test_reals_are_finite();
	return done();
}
