/*
 * room.h - one block of memory for arrays that are of use in turn.  Private to
 * mcf/.
 *
 * What is needed for long is at the back; what is not, before it, and others
 * come there later.  A block that stays is cheaper than arrays that come and
 * go, which the system takes back and clears each time.
 *
 *	struct room plan = { 0 }, room = { 0 };
 *	lay_out(&plan);			// room_take() and room_keep()
 *	room_open(&room, plan.front + plan.back);
 *	lay_out(&room);			// the same, and now it is there
 *
 * Units      Bytes.
 * Ownership  The one who has the room frees it; nobody frees what is in it.
 */
#ifndef MCF_ROOM_H
#define MCF_ROOM_H

#include <stddef.h>

struct room {
	char *memory;	    /* NULL: this only counts */
	void *block;	    /* that it is in, from the start of a line on */
	size_t size;	    /* in bytes, as all of these */
	size_t front, back; /* in use */
};

/* So many bytes at least, and nothing in them that is of use any more. */
void room_open(struct room *r, size_t bytes);

/* An array at the front or at the back, with anything in it. */
void *room_take(struct room *r, size_t n, size_t size);
void *room_keep(struct room *r, size_t n, size_t size);

void room_free(struct room *r);

#endif
