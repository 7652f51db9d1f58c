/*
 * perfqueue.h - put records in order of time that come in rounds.
 *
 * perf empties one CPU's buffer after the other, and says so when it has been
 * at all of them.  What comes after such a round was written after the
 * round before it: so up to the latest time of the round before the last, all
 * records are there and can be handed out.  Or else the caller knows up to what
 * time they are.
 *
 *	perfqueue_push(queue, time, event, part, &bytes);
 *	...
 *	perfqueue_round(queue);
 *	while (perfqueue_pop(queue, &record))
 *		...
 *
 * Units      Times are perf's nanoseconds.
 * Range      A record has at most 65535 bytes.  Memory is for two rounds, but
 *            at most about the limit: beyond it the older half is handed out
 *            without waiting for the round.  A record that waits for long
 *            keeps the 65536 bytes around it.
 * Ownership  The queue copies the bytes.  A popped record's are valid until
 *            the next push.
 */
#ifndef CONVERTER_PERFQUEUE_H
#define CONVERTER_PERFQUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cursor;
struct perfqueue;

struct perfqueued {
	uint64_t time;
	uint64_t place; /* in its part of the recording, for messages */
	const unsigned char *bytes;
	uint32_t event;
	uint16_t size, part;
};

/* The limit is in bytes of records. */
struct perfqueue *perfqueue_new(size_t limit);
void perfqueue_free(struct perfqueue *queue);

/* All that the cursor is on.  Pop all that can be popped before. */
void perfqueue_push(struct perfqueue *queue, uint64_t time, uint32_t event,
		    uint16_t part, const struct cursor *bytes);

/*
 * All up to that time are there.  They are handed out now, or with later ones:
 * to put a few in order among many that go on waiting would not pay.
 */
void perfqueue_until(struct perfqueue *queue, uint64_t time);

void perfqueue_round(struct perfqueue *queue);

/* Nothing more comes: all can be popped. */
void perfqueue_end(struct perfqueue *queue);

/* The earliest record, or false if it has to wait. */
bool perfqueue_pop(struct perfqueue *queue, struct perfqueued *ret);

/* Records with an earlier time than one that was popped before them. */
uint64_t perfqueue_late(const struct perfqueue *queue);

#endif
