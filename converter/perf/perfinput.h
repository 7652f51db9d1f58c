/*
 * perfinput.h - the bytes of a perf.data: a file, or a stream without seeking.
 *
 *	struct perfinput *in = perfinput_open("-", err);
 *	const unsigned char *bytes;
 *	size_t got;
 *	if (!perfinput_peek(in, 16, &bytes, &got, err))
 *		...
 *	perfinput_skip(in, got, err);
 *
 * Units      Positions are bytes from the beginning of the input.
 * Ownership  Peeked bytes are valid until the next call.
 * Errors     Reading fails with the file's name; the end of the input is no
 *            error for perfinput_peek().
 */
#ifndef CONVERTER_PERFINPUT_H
#define CONVERTER_PERFINPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fdo_error;
struct perfinput;

/* The most that can be peeked at once; no record is longer than 65535 bytes. */
enum { PERFINPUT_PEEK_MAX = 1 << 17, PERFINPUT_PART_PEEK_MAX = 1 << 16 };

struct perfinput *perfinput_open(const char *path, struct fdo_error *err);

/* The last part of the name is a file in an open folder. */
struct perfinput *perfinput_open_in(int folder, const char *name,
				    struct fdo_error *err);

/*
 * Likewise, for one of very many: a regular file that is only peeked and
 * skipped, and is open only for the moments in which bytes are read.  The
 * folder has to stay open.
 */
struct perfinput *perfinput_open_part(int folder, const char *name,
				      struct fdo_error *err);

void perfinput_close(struct perfinput *in);

/* For messages; "standard input" for "-". */
const char *perfinput_name(const struct perfinput *in);

uint64_t perfinput_position(const struct perfinput *in);

/*
 * Look at the next bytes.  *got is what there is of them: less than wanted
 * only at the end.
 */
bool perfinput_peek(struct perfinput *in, size_t wanted,
		    const unsigned char **ret, size_t *got,
		    struct fdo_error *err);

/* What of the next bytes has been read already; returns how many. */
size_t perfinput_ready(const struct perfinput *in, const unsigned char **ret);

/* Step over bytes; false if the input ends before. */
bool perfinput_skip(struct perfinput *in, uint64_t size, struct fdo_error *err);

/*
 * From now on the input can be read in any order.  A stream is copied to a
 * temporary file for that.
 */
bool perfinput_make_seekable(struct perfinput *in, struct fdo_error *err);

/* Of a file; 0: it is none. */
uint64_t perfinput_size(const struct perfinput *in);
bool perfinput_seek(struct perfinput *in, uint64_t position,
		    struct fdo_error *err);

/*
 * A part of a seekable input as memory that the caller frees; the position
 * stays.  NULL if it is not within the input.
 */
unsigned char *perfinput_part(struct perfinput *in, uint64_t position,
			      uint64_t size, struct fdo_error *err);

#endif
