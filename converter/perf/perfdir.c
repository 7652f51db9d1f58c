/*
 * perfdir.c - which files there are, in the order of their numbers.
 *
 * They are opened by the directory's descriptor: perf record renames an old
 * directory of the name that it writes, maybe while that is read.
 */
#include "converter/perf/perfdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "converter/perf/perfinput.h"

/* Of the parts, as readdir() gives them. */
struct numbers {
	size_t n, room;
	uint32_t *of;
};

/* Only "data.N", as perf prints the number. */
static bool is_part(const char *name, uint32_t *ret)
{
	enum { DIGITS_MOST = 9 };
	static const char before[] = "data.";
	const char *digits = name + strlen(before);
	size_t n;

	if (strncmp(name, before, strlen(before)) != 0)
		return false;
	n = strspn(digits, "0123456789");
	if (n == 0 || n > DIGITS_MOST || digits[n] ||
	    (n > 1 && digits[0] == '0'))
		return false;
	*ret = strtoul(digits, NULL, 10);
	return true;
}

static bool read_numbers(DIR *folder, const char *path, struct numbers *ret,
			 struct fdo_error *err)
{
	const struct dirent *entry;
	uint32_t number;

	while (errno = 0, entry = readdir(folder)) {
		if (!is_part(entry->d_name, &number))
			continue;
		if (ret->n == PERFDIR_PARTS_MOST)
			return fdo_fail(err,
					"%s: more than %d parts are not "
					"supported",
					path, PERFDIR_PARTS_MOST);
		ret->of =
			fdo_grow(ret->of, ret->n, &ret->room, sizeof(*ret->of));
		ret->of[ret->n++] = number;
	}
	return !errno || fdo_fail(err, "%s: %s", path, strerror(errno));
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static bool list(int fd, const char *path, struct numbers *ret,
		 struct fdo_error *err)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	DIR *folder = copy < 0 ? NULL : fdopendir(copy);
	bool done;

	if (!folder) {
		fdo_fail(err, "%s: %s", path, strerror(errno));
		if (copy >= 0)
			close(copy);
		return false;
	}
	done = read_numbers(folder, path, ret, err);
	closedir(folder);
	qsort(ret->of, ret->n, sizeof(*ret->of), compare);
	return done;
}

static char *name_in(const char *path, const char *file)
{
	size_t length = strlen(path), size = length + 1 + strlen(file) + 1;
	const char *slash = length && path[length - 1] == '/' ? "" : "/";
	char *name = fdo_alloc(size, 1);

	snprintf(name, size, "%s%s%s", path, slash, file);
	return name;
}

static void name_all(struct perfdir *dir, const char *path,
		     const struct numbers *parts)
{
	char file[sizeof("data.4294967295")];

	dir->names = fdo_alloc(1 + parts->n, sizeof(*dir->names));
	dir->names[dir->n++] = name_in(path, "data");
	for (size_t i = 0; i < parts->n; i++) {
		snprintf(file, sizeof(file), "data.%u", parts->of[i]);
		dir->names[dir->n++] = name_in(path, file);
	}
}

static bool open_folder(struct perfdir *dir, const char *path,
			struct fdo_error *err)
{
	struct numbers parts = { 0 };
	struct stat status;
	bool done;

	if (fstatat(dir->folder, "data", &status, 0) != 0)
		return errno == ENOENT
			       ? fdo_fail(err,
					  "%s: is a directory without the file "
					  "data, which perf record --threads "
					  "and --kcore write",
					  path)
			       : fdo_fail(err, "%s/data: %s", path,
					  strerror(errno));
	done = list(dir->folder, path, &parts, err);
	if (done)
		name_all(dir, path, &parts);
	free(parts.of);
	return done;
}

bool perfdir_open(struct perfdir *dir, const char *path, struct fdo_error *err)
{
	*dir = (struct perfdir){ .folder = -1 };
	if (strcmp(path, "-") != 0)
		dir->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir->folder >= 0)
		return open_folder(dir, path, err);
	/* No directory, or perfinput_open() says what is wrong with it. */
	dir->names = fdo_alloc(1, sizeof(*dir->names));
	dir->names[dir->n++] = fdo_copy(path);
	return true;
}

void perfdir_close(struct perfdir *dir)
{
	for (size_t i = 0; i < dir->n; i++)
		free(dir->names[i]);
	free(dir->names);
	if (dir->folder >= 0)
		close(dir->folder);
}

struct perfinput *perfdir_input(const struct perfdir *dir, size_t i,
				struct fdo_error *err)
{
	if (dir->folder < 0)
		return perfinput_open(dir->names[i], err);
	return i ? perfinput_open_part(dir->folder, dir->names[i], err)
		 : perfinput_open_in(dir->folder, dir->names[i], err);
}
