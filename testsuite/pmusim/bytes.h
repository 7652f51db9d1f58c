/*
 * bytes.h - binary data in the making.
 *
 *	struct bytes b = { 0 };
 *	bytes_u64(&b, 17);
 *	fwrite(b.data, b.size, 1, stream);
 *	free(b.data);
 *
 * Range      Numbers are in the machine's own byte order.
 * Ownership  The caller frees the data.
 */
#ifndef PMUSIM_BYTES_H
#define PMUSIM_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct bytes {
	unsigned char *data;
	size_t size, room;
};

void bytes_add(struct bytes *b, const void *data, size_t size);
void bytes_fill(struct bytes *b, size_t size); /* with zeros */
void bytes_u32(struct bytes *b, uint32_t value);
void bytes_u64(struct bytes *b, uint64_t value);

/* With its NUL, filled up to a multiple of eight bytes. */
void bytes_text(struct bytes *b, const char *text);
size_t bytes_text_size(const char *text);

/* The size that it takes, then the text. */
void bytes_counted_text(struct bytes *b, const char *text);

#endif
