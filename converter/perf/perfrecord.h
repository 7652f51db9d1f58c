/*
 * perfrecord.h - one record of the kernel: find its event and time, decode it.
 *
 * Inside perfdata.c and the files that it is cut into; others see perfdata.h.
 *
 * Range      A cursor on a record begins behind its header and ends with it.
 * Ownership  A decoded record points into the bytes of the cursor, and into
 *            struct perflists until the next record is decoded.
 * Errors     As cursors report them.
 */
#ifndef CONVERTER_PERFRECORD_H
#define CONVERTER_PERFRECORD_H

#include "base/cursor.h"
#include "converter/perf/perfdata.h"
#include "converter/perf/perfevents.h"

enum { PERFRECORD_HEADER = 8 };

/* perf's own records, as far as they are not only stepped over. */
enum perfrecord_own {
	PERFRECORD_OWN = 64, /* the first of them */
	PERFRECORD_ATTR = 64,
	PERFRECORD_TRACING_DATA = 66,
	PERFRECORD_BUILD_ID = 67,
	PERFRECORD_FINISHED_ROUND = 68,
	PERFRECORD_AUXTRACE = 71,
	PERFRECORD_STAT = 76,
	PERFRECORD_EVENT_UPDATE = 78,
	PERFRECORD_FEATURE = 80,
	PERFRECORD_COMPRESSED = 81,
	PERFRECORD_COMPRESSED2 = 83,
	PERFRECORD_LAST = 96, /* numbers in use at some time to come */
};

struct perfheader {
	uint32_t type;
	uint16_t misc;
	uint16_t size; /* with the header */
};

/* What a sample has many of; free() both. */
struct perflists {
	bool without_registers; /* but of samples that stand for nothing */
	size_t branches_room, chain_room;
	struct perfdata_branch *branches;
	uint64_t *chain;
};

/* False, after saying why it is none. */
bool perfrecord_header_fails(const struct cursor *c,
			     const struct perfheader *header,
			     struct fdo_error *err);

/* Twice for each record, so it is here. */
static inline bool perfrecord_header(struct cursor *c, struct perfheader *ret,
				     struct fdo_error *err)
{
	const unsigned char *bytes = c->data + c->at;

	if (cursor_left(c) < PERFRECORD_HEADER)
		return perfrecord_header_fails(c, ret, err);
	memcpy(&ret->type, bytes, sizeof(ret->type));
	memcpy(&ret->misc, bytes + 4, sizeof(ret->misc));
	memcpy(&ret->size, bytes + 6, sizeof(ret->size));
	ret->type = c->swap ? be32toh(ret->type) : le32toh(ret->type);
	ret->misc = c->swap ? be16toh(ret->misc) : le16toh(ret->misc);
	ret->size = c->swap ? be16toh(ret->size) : le16toh(ret->size);
	if (ret->size < PERFRECORD_HEADER)
		return perfrecord_header_fails(c, ret, err);
	c->at += PERFRECORD_HEADER;
	return true;
}

/* Is it one that perfrecord_decode() makes something of? */
bool perfrecord_is_wanted(const struct perfheader *header);

/*
 * The event and the time, 0 if unknown; c stays.  A sample of an event that
 * does not exist has PERFDATA_NO_EVENT.
 */
bool perfrecord_place(const struct perfevents *events,
		      const struct perfheader *header, const struct cursor *c,
		      uint32_t *event, uint64_t *time, struct fdo_error *err);

/* A wanted record of that event and time. */
bool perfrecord_decode(const struct perfevents *events,
		       const struct perfheader *header, struct cursor *c,
		       struct perflists *lists, struct perfdata_record *ret,
		       struct fdo_error *err);

#endif
