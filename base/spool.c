#include "base/spool.h"

#include <errno.h>
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

/* All but the bytes in memory is in the file. */
static void flush(struct spool *s)
{
	const unsigned char *data = s->memory.data;
	size_t size = s->memory.size;

	if (s->fd < 0 && !s->reason) {
		s->fd = fdo_file_temporary(&s->folder);
		s->reason = s->fd < 0 ? errno : 0;
	}
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
