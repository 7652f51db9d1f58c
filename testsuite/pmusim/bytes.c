#include "testsuite/pmusim/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static void make_room(struct bytes *b, size_t size)
{
	unsigned char *grown;

	if (b->size + size <= b->room)
		return;
	b->room = 2 * (b->size + size);
	grown = fdo_alloc(b->room, 1);
	if (b->size)
		memcpy(grown, b->data, b->size);
	free(b->data);
	b->data = grown;
}

void bytes_add(struct bytes *b, const void *data, size_t size)
{
	if (!size)
		return;
	make_room(b, size);
	memcpy(b->data + b->size, data, size);
	b->size += size;
}

void bytes_fill(struct bytes *b, size_t size)
{
	make_room(b, size);
	memset(b->data + b->size, 0, size);
	b->size += size;
}

void bytes_u32(struct bytes *b, uint32_t value)
{
	bytes_add(b, &value, sizeof(value));
}

void bytes_u64(struct bytes *b, uint64_t value)
{
	bytes_add(b, &value, sizeof(value));
}

size_t bytes_text_size(const char *text)
{
	return (strlen(text) + 8) / 8 * 8;
}

void bytes_text(struct bytes *b, const char *text)
{
	size_t length = strlen(text);

	bytes_add(b, text, length);
	bytes_fill(b, bytes_text_size(text) - length);
}

void bytes_counted_text(struct bytes *b, const char *text)
{
	bytes_u32(b, bytes_text_size(text));
	bytes_text(b, text);
}
