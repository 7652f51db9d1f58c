#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"

/* As many as the kernel follows. */
enum { LINKS_MAX = 40 };

static bool write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t written = write(fd, data, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return false;
		data += written;
		size -= written;
	}
	return true;
}

/*
 * Below an output's stream, for two things that stdio does not do: a write that
 * a signal interrupts is made again, and why the first one failed is known when
 * it is asked.
 */
struct fdo_sink {
	int fd;
	int reason; /* what went wrong, or 0 */
};

static ssize_t sink_write(void *data, const char *bytes, size_t size)
{
	struct fdo_sink *sink = data;

	if (!sink->reason && !write_all(sink->fd, bytes, size))
		sink->reason = errno;
	return sink->reason ? 0 : size;
}

/* What has to write a header last goes back. */
static int sink_seek(void *data, off64_t *position, int from)
{
	struct fdo_sink *sink = data;
	off64_t now = lseek64(sink->fd, *position, from);

	if (now < 0)
		return -1;
	*position = now;
	return 0;
}

static int sink_close(void *data)
{
	struct fdo_sink *sink = data;

	if (sink->fd == STDOUT_FILENO || close(sink->fd) == 0)
		return 0;
	if (!sink->reason)
		sink->reason = errno;
	return EOF;
}

static void open_stream(struct fdo_output *out, int fd)
{
	static const cookie_io_functions_t functions = {
		.write = sink_write,
		.seek = sink_seek,
		.close = sink_close,
	};

	out->sink = fdo_alloc(1, sizeof(*out->sink));
	out->sink->fd = fd;
	out->stream = fopencookie(out->sink, "w", functions);
	if (!out->stream)
		abort();
}

/*
 * A file in the folder of another, without a name until it is done: so nothing
 * is left of it if that never comes.  -1: not here; it gets its name by /proc.
 */
static int open_unnamed(const char *target)
{
	/* dirname() would take "nosuch/" for a file of this folder. */
	size_t length = fdo_file_base(target) - target;
	char *folder = fdo_copy_part(target, length);
	int fd = -1;

	if (access("/proc/self/fd", X_OK) == 0)
		fd = open(length ? folder : ".",
			  O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	free(folder);
	return fd;
}

/* As private as what is replaced, or else as new files are to be. */
static void set_mode(int fd, const char *target, mode_t fresh)
{
	struct stat status;
	mode_t mask = umask(0), mode = fresh & ~mask;

	umask(mask);
	if (stat(target, &status) == 0) {
		mode = status.st_mode & 0777;
		/* Another group may do what all may. */
		if (fchown(fd, -1, status.st_gid) != 0)
			mode = (mode & 0707) | (mode & 07) << 3;
	}
	fchmod(fd, mode);
}

/* A stream on a new file beside the final one. */
static bool open_beside(struct fdo_output *out, const char *path,
			const char *target, mode_t fresh, struct fdo_error *err)
{
	size_t size = strlen(target) + sizeof(".samplefdo.XXXXXX");
	int folder = fdo_file_base(target) - target;
	int fd = open_unnamed(target);

	out->unnamed = fd >= 0;
	out->temporary = fdo_alloc(1, size);
	/* The name may be as long as names can be. */
	snprintf(out->temporary, size, "%.*s.samplefdo.XXXXXX", folder, target);
	if (fd < 0)
		fd = mkostemp(out->temporary, O_CLOEXEC);
	if (fd < 0) {
		fdo_fail(err, "%s: %s", path, strerror(errno));
		free(out->temporary);
		return false;
	}
	set_mode(fd, target, fresh);
	open_stream(out, fd);
	out->path = fdo_copy(path);
	out->target = fdo_copy(target);
	return true;
}

static bool is_same(const char *path, int fd)
{
	struct stat wanted, have;

	return stat(path, &wanted) == 0 && fstat(fd, &have) == 0 &&
	       have.st_dev == wanted.st_dev && have.st_ino == wanted.st_ino;
}

bool fdo_output_is_standard(const char *path)
{
	return strcmp(path, "-") == 0 || (is_same(path, STDOUT_FILENO) &&
					  !is_same("/dev/null", STDOUT_FILENO));
}

/* Standard output or error, if that is what it is; or else -1. */
static int open_standard(const char *path)
{
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (is_same(path, fd))
			return fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return -1;
}

static bool open_in_place(struct fdo_output *out, const char *path,
			  struct fdo_error *err)
{
	/* Opened anew it would begin again, over what is there by >>. */
	int fd = open_standard(path);

	if (fd < 0)
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return fdo_fail(err, "%s: %s", path, strerror(errno));
	open_stream(out, fd);
	out->path = fdo_copy(path);
	return true;
}

/* Links there are descriptors (/dev/stdout), which somebody has open. */
static bool is_of_kernel(const char *folder)
{
	return strncmp(folder, "/proc/", 6) == 0 ||
	       strncmp(folder, "/dev/", 5) == 0 || strcmp(folder, "/dev") == 0;
}

/* What a link is to; NULL: nothing that could be replaced. */
static char *follow(const char *link)
{
	char text[PATH_MAX], *name = fdo_copy(link), *next = NULL;
	char *folder = realpath(dirname(name), NULL);
	ssize_t size = readlink(link, text, sizeof(text));

	if (folder && size > 0 && !is_of_kernel(folder)) {
		bool whole = text[0] == '/';

		if (asprintf(&next, "%s%s%.*s", whole ? "" : folder,
			     whole ? "" : "/", (int)size, text) < 0)
			abort();
	}
	free(folder);
	free(name);
	return next;
}

/* The file that is to be replaced, behind all links.  NULL: it is none. */
static char *target_of(const char *path)
{
	char *target = fdo_copy(path), *next;
	struct stat status;

	for (int links = 0; links < LINKS_MAX; links++) {
		if (lstat(target, &status) != 0 || S_ISREG(status.st_mode))
			return target;
		next = S_ISLNK(status.st_mode) ? follow(target) : NULL;
		free(target);
		if (!next)
			return NULL;
		target = next;
	}
	free(target);
	return NULL;
}

static bool open_output(struct fdo_output *out, const char *path, mode_t fresh,
			struct fdo_error *err)
{
	char *target;
	bool opened;

	*out = (struct fdo_output){ 0 };
	if (strcmp(path, "-") == 0) {
		out->path = fdo_copy("standard output");
		open_stream(out, STDOUT_FILENO);
		return true;
	}
	target = target_of(path);
	opened = target ? open_beside(out, path, target, fresh, err)
			: open_in_place(out, path, err);
	free(target);
	return opened;
}

/* What is written in place is not opened: the reader of a pipe may wait. */
static bool check_in_place(const char *path, struct fdo_error *err)
{
	struct stat status;

	return stat(path, &status) != 0 || !S_ISDIR(status.st_mode) ||
	       fdo_fail(err, "%s: %s", path, strerror(EISDIR));
}

bool fdo_output_check(const char *path, struct fdo_error *err)
{
	struct fdo_output out = { 0 };
	char *target;
	bool good;

	if (strcmp(path, "-") == 0)
		return true;
	target = target_of(path);
	good = target ? open_beside(&out, path, target, 0600, err)
		      : check_in_place(path, err);
	free(target);
	if (good)
		fdo_output_abandon(&out);
	return good;
}

static void go_on(int number)
{
	(void)number;
}

/* A handler ends where another program begins; that it is ignored would not. */
void fdo_output_survive_limit(void)
{
	struct sigaction action = { .sa_handler = go_on };
	struct sigaction before;

	if (sigaction(SIGXFSZ, NULL, &before) == 0 &&
	    before.sa_handler != SIG_IGN)
		sigaction(SIGXFSZ, &action, NULL);
}

bool fdo_output_open(struct fdo_output *out, const char *path,
		     struct fdo_error *err)
{
	return open_output(out, path, 0666, err);
}

bool fdo_output_open_private(struct fdo_output *out, const char *path,
			     struct fdo_error *err)
{
	return open_output(out, path, 0600, err);
}

static void release(struct fdo_output *out)
{
	free(out->path);
	free(out->target);
	free(out->temporary);
	free(out->sink);
	*out = (struct fdo_output){ 0 };
}

/* Give the file a name that nothing has, as mkostemp() would; 0, or why not. */
static int name_it(struct fdo_output *out, int fd)
{
	enum { TRIES = 100, NUMBERS = 1000000 };
	char *end = out->temporary + strlen(out->temporary) - strlen("XXXXXX");
	unsigned number = getpid();
	char from[32];

	snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
	for (int i = 0; i < TRIES; i++) {
		snprintf(end, sizeof("XXXXXX"), "%06u", number++ % NUMBERS);
		if (linkat(AT_FDCWD, from, AT_FDCWD, out->temporary,
			   AT_SYMLINK_FOLLOW) == 0) {
			out->unnamed = false;
			return 0;
		}
		if (errno != EEXIST)
			break;
	}
	return errno;
}

static void discard(const struct fdo_output *out)
{
	if (out->temporary && !out->unnamed)
		unlink(out->temporary);
}

/* A file without a name is gone with its last descriptor: keep one. */
static int finish(struct fdo_output *out)
{
	int fd = out->unnamed ? dup(out->sink->fd) : -1;
	int reason = out->unnamed && fd < 0 ? errno : 0;

	fclose(out->stream);
	if (out->sink->reason)
		reason = out->sink->reason;
	if (!reason && out->unnamed)
		reason = name_it(out, fd);
	if (fd >= 0)
		close(fd);
	if (!reason && out->temporary &&
	    rename(out->temporary, out->target) != 0)
		reason = errno;
	return reason;
}

bool fdo_output_close(struct fdo_output *out, struct fdo_error *err)
{
	int reason = finish(out);

	if (reason) {
		fdo_fail(err, "%s: cannot write: %s", out->path,
			 strerror(reason));
		discard(out);
	}
	release(out);
	return !reason;
}

void fdo_output_abandon(struct fdo_output *out)
{
	if (out->stream) {
		/* What is still in the stream is not wanted any more. */
		out->sink->reason = ECANCELED;
		fclose(out->stream);
	}
	discard(out);
	release(out);
}

static bool begins_with(int fd, const char *begin)
{
	size_t size = strlen(begin);
	char *start = fdo_alloc(1, size);
	bool does = pread(fd, start, size, 0) == (ssize_t)size &&
		    memcmp(start, begin, size) == 0;

	free(start);
	return does;
}

/* With the file locked; the lock goes when it is closed. */
static bool append(int fd, const char *path, const char *begin,
		   const void *data, size_t size, struct fdo_error *err)
{
	struct stat status;
	int reason;

	if (fstat(fd, &status) != 0)
		return fdo_fail(err, "%s: %s", path, strerror(errno));
	if (S_ISREG(status.st_mode) && status.st_size &&
	    !begins_with(fd, begin))
		return fdo_fail(err,
				"%s: is another kind of file, and not "
				"added to",
				path);
	if (write_all(fd, data, size))
		return true;
	reason = errno;
	if (S_ISREG(status.st_mode) && ftruncate(fd, status.st_size) != 0)
		reason = errno;
	return fdo_fail(err, "%s: cannot write: %s", path, strerror(reason));
}

bool fdo_output_append(const char *path, const char *begin, const void *data,
		       size_t size, struct fdo_error *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	bool done;

	if (fd < 0)
		return fdo_fail(err, "%s: %s", path, strerror(errno));
	while (flock(fd, LOCK_EX) != 0) {
		if (errno == EINTR)
			continue;
		close(fd);
		return fdo_fail(err, "%s: cannot lock: %s", path,
				strerror(errno));
	}
	done = append(fd, path, begin, data, size, err);
	if (close(fd) != 0 && done)
		done = fdo_fail(err, "%s: cannot write: %s", path,
				strerror(errno));
	return done;
}
