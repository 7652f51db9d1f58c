#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

bool fdo_file_map(struct fdo_file *file, int fd, size_t size,
		  struct fdo_error *err)
{
	void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

	if (data == MAP_FAILED)
		return fdo_fail(err, "%s", strerror(errno));
	*file = (struct fdo_file){ data, size, true };
	return true;
}

bool fdo_file_open(struct fdo_file *file, const char *path,
		   struct fdo_error *err)
{
	struct stat status;
	/* A pipe without a writer is not waited for. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct fdo_error reason;
	bool mapped;

	if (fd < 0)
		return fdo_fail(err, "%s: %s", path, strerror(errno));
	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
		close(fd);
		return fdo_fail(err, "%s: not a regular file", path);
	}
	if (status.st_size == 0) {
		close(fd);
		*file = (struct fdo_file){ .data = (const void *)"" };
		return true;
	}
	mapped = fdo_file_map(file, fd, status.st_size, &reason);
	close(fd);
	return mapped || fdo_fail(err, "%s: %s", path, reason.text);
}

void fdo_file_close(struct fdo_file *file)
{
	if (file->mapped)
		munmap((void *)file->data, file->size);
	*file = (struct fdo_file){ 0 };
}

void fdo_file_forget(const struct fdo_file *file, const void *data, size_t size)
{
	uintptr_t page = sysconf(_SC_PAGESIZE);
	uintptr_t from = ((uintptr_t)data + page - 1) & -page;
	uintptr_t to = ((uintptr_t)data + size) & -page;

	if (file->mapped && from < to)
		madvise((void *)from, to - from, MADV_DONTNEED);
}

const char *fdo_file_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_stdin(const char *input)
{
	return strcmp(input, "-") == 0;
}

static bool is_there(const char *input, struct stat *ret)
{
	return (is_stdin(input) ? fstat(STDIN_FILENO, ret)
				: stat(input, ret)) == 0;
}

/* What can be read again. */
static bool stays(const char *input, struct stat *ret)
{
	return is_there(input, ret) &&
	       (S_ISREG(ret->st_mode) || S_ISDIR(ret->st_mode));
}

bool fdo_file_same(const char *input, const char *output)
{
	struct stat in, out;

	return is_there(input, &in) && S_ISREG(in.st_mode) &&
	       strcmp(output, "-") != 0 && stat(output, &out) == 0 &&
	       in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

bool fdo_file_spares(const char *output, const char *const *inputs, size_t n,
		     struct fdo_error *err)
{
	for (size_t i = 0; i < n; i++)
		if (inputs[i] && fdo_file_same(inputs[i], output))
			return fdo_fail(err,
					"-o %s: is an input, and would be "
					"overwritten",
					output);
	return true;
}

const char *fdo_file_input_name(const char *input)
{
	return is_stdin(input) ? "standard input" : input;
}

bool fdo_file_stdin_once(const char *const *inputs, size_t n,
			 struct fdo_error *err)
{
	size_t standard = 0;

	for (size_t i = 0; i < n; i++)
		standard += is_stdin(inputs[i]);
	return standard < 2 ||
	       fdo_fail(err, "standard input can be read only once");
}

/* A file or folder, and the number of the input that it is. */
struct identity {
	dev_t dev;
	ino_t ino;
	size_t input;
};

static int compare_identities(const void *a, const void *b)
{
	const struct identity *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	if (x->ino != y->ino)
		return x->ino < y->ino ? -1 : 1;
	return x->input < y->input ? -1 : x->input > y->input;
}

/* The first input that an earlier one is, which is *of; n: there is none. */
static size_t find_again(const struct identity *files, size_t nfiles, size_t n,
			 size_t *of)
{
	size_t first = n;

	for (size_t i = 1; i < nfiles; i++) {
		if (files[i].dev != files[i - 1].dev ||
		    files[i].ino != files[i - 1].ino || files[i].input >= first)
			continue;
		first = files[i].input;
		*of = files[i - 1].input;
	}
	return first;
}

bool fdo_file_all_differ(const char *const *inputs, size_t n,
			 struct fdo_error *err)
{
	struct identity *files;
	size_t nfiles = 0, again, of = 0;
	struct stat status;

	if (n < 2)
		return true;
	if (!fdo_file_stdin_once(inputs, n, err))
		return false;
	files = fdo_alloc(n, sizeof(*files));
	for (size_t i = 0; i < n; i++)
		if (stays(inputs[i], &status))
			files[nfiles++] = (struct identity){ status.st_dev,
							     status.st_ino, i };
	qsort(files, nfiles, sizeof(*files), compare_identities);
	again = find_again(files, nfiles, n, &of);
	free(files);
	return again == n ||
	       fdo_fail(err, "%s: is %s again, and would count twice",
			fdo_file_input_name(inputs[again]),
			fdo_file_input_name(inputs[of]));
}

bool fdo_file_close_stdout(const char *program)
{
	bool failed = ferror(stdout);

	errno = 0;
	/* Why a write failed is not kept, but the next one fails likewise. */
	if (failed)
		putchar('\n');
	if (fclose(stdout) == 0 && !failed)
		return true;
	fprintf(stderr, "%s: standard output: cannot write%s%s\n", program,
		errno ? ": " : "", errno ? strerror(errno) : "");
	return false;
}

void fdo_file_hold_streams(void)
{
	/* The lowest number is taken, which is the one that is free. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null",
			     fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Not every file system has files without names. */
static int open_in(const char *folder)
{
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	size_t size = strlen(folder) + sizeof("/samplefdo.XXXXXX");
	char *path;

	if (fd >= 0)
		return fd;
	path = fdo_alloc(1, size);
	snprintf(path, size, "%s/samplefdo.XXXXXX", folder);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}

int fdo_file_temporary(const char **folder_ret)
{
	const char *wanted = getenv("TMPDIR");
	int fd;

	if (wanted && *wanted) {
		*folder_ret = wanted;
		return open_in(wanted);
	}
	*folder_ret = "/var/tmp";
	fd = open_in(*folder_ret);
	if (fd >= 0)
		return fd;
	*folder_ret = "/tmp";
	return open_in(*folder_ret);
}
