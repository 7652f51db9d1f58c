#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"

/* What may be in memory. */
enum { SPOOL_ROOM = 4 << 20 };

struct spool {
	struct bytes memory; /* the last of it */
	int fd;		     /* what was before that; -1: nothing */
	size_t size;
	const char *folder;
	int reason;		/* that of what went wrong, or 0 */
	struct fdo_file mapped; /* once viewed, of a file */
};

struct spool *spool_new(void)
{
	struct spool *s = fdo_alloc(1, sizeof(*s));

	s->fd = -1;
	return s;
}

void spool_free(struct spool *s)
{
	if (!s)
		return;
	fdo_file_close(&s->mapped);
	if (s->fd >= 0)
		close(s->fd);
	free(s->memory.data);
	free(s);
}

size_t spool_size(const struct spool *s)
{
	return s->size;
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

static void open_file(struct spool *s)
{
	const char *folders[] = { getenv("TMPDIR"), "/var/tmp", "/tmp" };
	size_t n = folders[0] ? 1 : 3;

	for (size_t i = !folders[0]; i < n && s->fd < 0; i++) {
		s->folder = folders[i];
		s->fd = open_in(s->folder);
	}
	if (s->fd < 0)
		s->reason = errno;
}

/* All but the bytes in memory is in the file. */
static void flush(struct spool *s)
{
	const unsigned char *data = s->memory.data;
	size_t size = s->memory.size;

	if (s->fd < 0 && !s->reason)
		open_file(s);
	while (size && !s->reason) {
		ssize_t written = write(s->fd, data, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			s->reason = errno;
			break;
		}
		data += written;
		size -= written;
	}
	s->memory.size = 0;
}

void spool_add(struct spool *s, const void *data, size_t size)
{
	bytes_add(&s->memory, data, size);
	s->size += size;
	if (s->memory.size >= SPOOL_ROOM)
		flush(s);
}

bool spool_view(struct spool *s, struct fdo_file *ret, struct fdo_error *err)
{
	if (s->fd < 0 && !s->reason) {
		*ret = (struct fdo_file){
			.data = s->size ? s->memory.data
					: (const unsigned char *)"",
			.size = s->size,
		};
		return true;
	}
	flush(s);
	if (s->reason)
		return fdo_fail(err, "a temporary file in %s: %s", s->folder,
				strerror(s->reason));
	if (!s->mapped.data && !fdo_file_map(&s->mapped, s->fd, s->size, err))
		return fdo_fail(err, "a temporary file in %s: %s", s->folder,
				err->text);
	*ret = s->mapped;
	return true;
}
