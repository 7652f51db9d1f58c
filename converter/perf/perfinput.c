/*
 * perfinput.c - one buffer over a file.
 *
 * perf.data is not mapped into memory: a file that is cut while it is read
 * would be a signal instead of an error.  A part of a directory has no
 * descriptor, since there are as many as CPUs: each time that the buffer is
 * filled it is opened and closed, which takes less time than to read.
 */
#include "converter/perf/perfinput.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"

enum { BUFFER = 2 * PERFINPUT_PEEK_MAX };

struct perfinput {
	int fd;	    /* -1: of a part */
	int folder; /* of a part, where it is */
	bool seekable;
	char *name;
	uint64_t begin;	   /* where the input begins in the descriptor */
	uint64_t size;	   /* if it is a file */
	uint64_t position; /* of buffer[at], in the input */
	size_t at, end, room;
	unsigned char *buffer;
};

static bool look_at_file(struct perfinput *in, struct fdo_error *err)
{
	struct stat status;

	if (in->fd < 0 || fstat(in->fd, &status) < 0)
		return fdo_fail(err, "%s: %s", in->name, strerror(errno));
	if (S_ISDIR(status.st_mode))
		return fdo_fail(err, "%s: is a directory", in->name);
	if (S_ISREG(status.st_mode)) {
		off_t begin = lseek(in->fd, 0, SEEK_CUR);

		in->seekable = begin >= 0 && begin <= status.st_size;
		if (in->seekable) {
			in->begin = begin;
			in->size = status.st_size - begin;
		}
	}
	return true;
}

static struct perfinput *open_fd(int fd, const char *name,
				 struct fdo_error *err)
{
	struct perfinput *in = fdo_alloc(1, sizeof(*in));

	in->fd = fd;
	in->name = fdo_copy(name);
	if (look_at_file(in, err)) {
		in->room = BUFFER;
		in->buffer = fdo_alloc(in->room, 1);
		return in;
	}
	perfinput_close(in);
	return NULL;
}

struct perfinput *perfinput_open(const char *path, struct fdo_error *err)
{
	int fd = strcmp(path, "-") == 0 ? STDIN_FILENO
					: open(path, O_RDONLY | O_CLOEXEC);

	return open_fd(fd, fdo_file_input_name(path), err);
}

struct perfinput *perfinput_open_in(int folder, const char *name,
				    struct fdo_error *err)
{
	return open_fd(openat(folder, fdo_file_base(name),
			      O_RDONLY | O_CLOEXEC),
		       name, err);
}

struct perfinput *perfinput_open_part(int folder, const char *name,
				      struct fdo_error *err)
{
	struct perfinput *in;
	struct stat status;

	if (fstatat(folder, fdo_file_base(name), &status, 0) < 0) {
		fdo_fail(err, "%s: %s", name, strerror(errno));
		return NULL;
	}
	if (!S_ISREG(status.st_mode)) {
		fdo_fail(err, "%s: not a regular file", name);
		return NULL;
	}
	in = fdo_alloc(1, sizeof(*in));
	in->fd = -1;
	in->folder = folder;
	in->name = fdo_copy(name);
	in->size = status.st_size;
	in->room = in->size < PERFINPUT_PART_PEEK_MAX ? in->size
						      : PERFINPUT_PART_PEEK_MAX;
	in->buffer = fdo_alloc(in->room, 1);
	return in;
}

void perfinput_close(struct perfinput *in)
{
	if (!in)
		return;
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	free(in->buffer);
	free(in->name);
	free(in);
}

const char *perfinput_name(const struct perfinput *in)
{
	return in->name;
}

uint64_t perfinput_position(const struct perfinput *in)
{
	return in->position;
}

uint64_t perfinput_size(const struct perfinput *in)
{
	return in->size;
}

static ssize_t read_part_of(const struct perfinput *in, void *to, size_t size)
{
	uint64_t position = in->position + (in->end - in->at);
	int fd = openat(in->folder, fdo_file_base(in->name),
			O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : pread(fd, to, size, position);
	int why = errno;

	if (fd >= 0)
		close(fd);
	errno = why;
	return got;
}

static ssize_t read_bytes(const struct perfinput *in, void *to, size_t size)
{
	return in->fd < 0 ? read_part_of(in, to, size) : read(in->fd, to, size);
}

/* Read more behind what the buffer has; *more is false at the end. */
static bool fill(struct perfinput *in, bool *more, struct fdo_error *err)
{
	ssize_t got;

	do
		got = read_bytes(in, in->buffer + in->end, in->room - in->end);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return fdo_fail(err, "%s: %s", in->name, strerror(errno));
	in->end += got;
	*more = got > 0;
	return true;
}

bool perfinput_peek(struct perfinput *in, size_t wanted,
		    const unsigned char **ret, size_t *got,
		    struct fdo_error *err)
{
	bool more = true;

	if (in->room - in->at < wanted) {
		memmove(in->buffer, in->buffer + in->at, in->end - in->at);
		in->end -= in->at;
		in->at = 0;
	}
	while (more && in->end - in->at < wanted)
		if (!fill(in, &more, err))
			return false;
	*ret = in->buffer + in->at;
	*got = in->end - in->at < wanted ? in->end - in->at : wanted;
	return true;
}

size_t perfinput_ready(const struct perfinput *in, const unsigned char **ret)
{
	*ret = in->buffer + in->at;
	return in->end - in->at;
}

/* Beyond what the buffer has. */
static bool skip_far(struct perfinput *in, uint64_t size, struct fdo_error *err)
{
	bool more = true;

	while (size > in->end - in->at) {
		size -= in->end - in->at;
		in->position += in->end - in->at;
		in->at = in->end = 0;
		if (!fill(in, &more, err))
			return false;
		if (!more)
			return fdo_fail(err,
					"%s: byte %llu: the data ends "
					"too early",
					in->name,
					(unsigned long long)in->position);
	}
	return perfinput_skip(in, size, err);
}

bool perfinput_skip(struct perfinput *in, uint64_t size, struct fdo_error *err)
{
	if (size > in->end - in->at)
		return skip_far(in, size, err);
	in->at += size;
	in->position += size;
	return true;
}

bool perfinput_seek(struct perfinput *in, uint64_t position,
		    struct fdo_error *err)
{
	if (position > in->size)
		return fdo_fail(err,
				"%s: byte %llu: is beyond the end of the "
				"file",
				in->name, (unsigned long long)position);
	if (lseek(in->fd, in->begin + position, SEEK_SET) < 0)
		return fdo_fail(err, "%s: %s", in->name, strerror(errno));
	in->position = position;
	in->at = in->end = 0;
	return true;
}

/* Copy all that is left of the input. */
static bool copy(struct perfinput *in, FILE *to, struct fdo_error *err)
{
	bool more = true;

	while (more) {
		size_t size = in->end - in->at;

		if (fwrite(in->buffer + in->at, 1, size, to) != size)
			return fdo_fail(err, "a temporary file for %s: %s",
					in->name, strerror(errno));
		in->size += size;
		in->at = in->end = 0;
		if (!fill(in, &more, err))
			return false;
	}
	if (fflush(to) != 0)
		return fdo_fail(err, "a temporary file for %s: %s", in->name,
				strerror(errno));
	return true;
}

bool perfinput_make_seekable(struct perfinput *in, struct fdo_error *err)
{
	uint64_t position = in->position;
	const char *folder;
	FILE *file;
	int fd;

	if (in->seekable)
		return true;
	fd = fdo_file_temporary(&folder);
	if (fd < 0)
		return fdo_fail(err, "a temporary file in %s for %s: %s",
				folder, in->name, strerror(errno));
	file = fdopen(fd, "w+");
	if (!file)
		abort();
	in->size = position;
	if (fseeko(file, position, SEEK_SET) != 0 || !copy(in, file, err)) {
		fclose(file);
		return false;
	}
	fd = fcntl(fileno(file), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	fclose(file);
	if (fd < 0)
		return fdo_fail(err, "%s: %s", in->name, strerror(errno));
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	in->fd = fd;
	in->begin = 0;
	in->seekable = true;
	return perfinput_seek(in, position, err);
}

static bool read_part(struct perfinput *in, uint64_t position, uint64_t size,
		      unsigned char *to, struct fdo_error *err)
{
	while (size) {
		ssize_t got = pread(in->fd, to, size, in->begin + position);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fdo_fail(err, "%s: %s", in->name,
					strerror(errno));
		if (got == 0)
			return fdo_fail(err,
					"%s: byte %llu: the data ends "
					"too early",
					in->name, (unsigned long long)position);
		to += got;
		position += got;
		size -= got;
	}
	return true;
}

unsigned char *perfinput_part(struct perfinput *in, uint64_t position,
			      uint64_t size, struct fdo_error *err)
{
	unsigned char *part;

	if (position > in->size || size > in->size - position) {
		fdo_fail(err,
			 "%s: byte %llu: %llu bytes from here on are not "
			 "in the file",
			 in->name, (unsigned long long)position,
			 (unsigned long long)size);
		return NULL;
	}
	part = fdo_alloc(size + 1, 1);
	if (read_part(in, position, size, part, err))
		return part;
	free(part);
	return NULL;
}
