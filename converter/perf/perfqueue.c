/*
 * perfqueue.c - an array of what waits, sorted when a round ends.
 *
 * Each CPU's records come in order, so the array is a handful of ascending
 * runs: merging neighbouring runs sorts it in few passes, and keeps records
 * of one time in the order of the file.  What is left after a round moves to
 * the front, bytes and all; that is at most the one round that was just read.
 */
#include "converter/perf/perfqueue.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct item {
	uint64_t time;
	uint64_t place;
	size_t at; /* in bytes */
	uint32_t event;
	uint32_t size;
};

struct bytes {
	unsigned char *data;
	size_t used, room;
};

struct perfqueue {
	size_t limit;
	struct item *items, *spare;
	size_t nitems, room, spare_room;
	size_t ready, popped; /* the first of the items */
	struct bytes bytes, spare_bytes;
	uint64_t latest;       /* time that was pushed */
	uint64_t round_latest; /* the same, when the last round ended */
	uint64_t handed_out;   /* latest time that was popped */
	uint64_t late;
};

struct perfqueue *perfqueue_new(size_t limit)
{
	struct perfqueue *queue = fdo_alloc(1, sizeof(*queue));

	queue->limit = limit;
	return queue;
}

void perfqueue_free(struct perfqueue *queue)
{
	if (!queue)
		return;
	free(queue->items);
	free(queue->spare);
	free(queue->bytes.data);
	free(queue->spare_bytes.data);
	free(queue);
}

uint64_t perfqueue_late(const struct perfqueue *queue)
{
	return queue->late;
}

static size_t add_bytes(struct bytes *bytes, const void *data, size_t size)
{
	size_t at = bytes->used;

	if (bytes->room - at < size) {
		size_t room = 2 * bytes->room + size + 4096;
		unsigned char *grown = realloc(bytes->data, room);

		if (!grown)
			abort();
		bytes->data = grown;
		bytes->room = room;
	}
	memcpy(bytes->data + at, data, size);
	bytes->used += size;
	return at;
}

/* Merge the ascending runs [at, middle) and [middle, end) into to. */
static void merge(const struct item *items, size_t at, size_t middle,
		  size_t end, struct item *to)
{
	size_t left = at, right = middle;

	for (size_t i = at; i < end; i++) {
		bool from_left =
			right == end || (left < middle &&
					 items[left].time <= items[right].time);

		to[i] = items[from_left ? left++ : right++];
	}
}

static size_t end_of_run(const struct item *items, size_t at, size_t n)
{
	while (++at < n && items[at - 1].time <= items[at].time)
		;
	return at;
}

/* Merge each two neighbouring runs; returns how many there were before. */
static size_t merge_pairs(struct perfqueue *queue)
{
	size_t runs = 0, n = queue->nitems, at = 0;

	while (at < n) {
		size_t middle = end_of_run(queue->items, at, n);
		size_t end = middle;

		runs++;
		if (middle < n) {
			end = end_of_run(queue->items, middle, n);
			runs++;
		}
		if (runs == 1 && end == n)
			break;
		merge(queue->items, at, middle, end, queue->spare);
		at = end;
	}
	return runs;
}

static void sort(struct perfqueue *queue)
{
	if (queue->spare_room < queue->room) {
		free(queue->spare);
		queue->spare = fdo_alloc(queue->room, sizeof(*queue->spare));
		queue->spare_room = queue->room;
	}
	while (queue->nitems && merge_pairs(queue) > 1) {
		struct item *items = queue->items;
		size_t room = queue->room;

		queue->items = queue->spare;
		queue->room = queue->spare_room;
		queue->spare = items;
		queue->spare_room = room;
	}
}

/* Drop what was popped, and move the rest to the front. */
static void compact(struct perfqueue *queue)
{
	struct bytes old = queue->bytes;
	size_t kept = 0;

	if (!queue->popped)
		return;
	queue->bytes = queue->spare_bytes;
	queue->bytes.used = 0;
	for (size_t i = queue->popped; i < queue->nitems; i++) {
		struct item item = queue->items[i];

		item.at =
			add_bytes(&queue->bytes, old.data + item.at, item.size);
		queue->items[kept++] = item;
	}
	queue->spare_bytes = old;
	queue->nitems = kept;
	queue->ready = queue->popped = 0;
}

static void make_ready(struct perfqueue *queue, uint64_t until)
{
	compact(queue);
	sort(queue);
	while (queue->ready < queue->nitems &&
	       queue->items[queue->ready].time <= until)
		queue->ready++;
	if (queue->ready &&
	    queue->items[queue->ready - 1].time > queue->handed_out)
		queue->handed_out = queue->items[queue->ready - 1].time;
}

void perfqueue_push(struct perfqueue *queue, uint64_t time, uint32_t event,
		    uint64_t place, const void *bytes, size_t size)
{
	compact(queue);
	queue->items = fdo_grow(queue->items, queue->nitems, &queue->room,
				sizeof(*queue->items));
	queue->items[queue->nitems++] = (struct item){
		.time = time,
		.place = place,
		.at = add_bytes(&queue->bytes, bytes, size),
		.event = event,
		.size = size,
	};
	if (time < queue->handed_out)
		queue->late++;
	if (time > queue->latest)
		queue->latest = time;
	if (queue->bytes.used > queue->limit) {
		sort(queue);
		make_ready(queue, queue->items[queue->nitems / 2].time);
	}
}

void perfqueue_round(struct perfqueue *queue)
{
	uint64_t until = queue->round_latest;

	queue->round_latest = queue->latest;
	if (until)
		make_ready(queue, until);
}

void perfqueue_end(struct perfqueue *queue)
{
	make_ready(queue, UINT64_MAX);
}

bool perfqueue_pop(struct perfqueue *queue, struct perfqueued *ret)
{
	const struct item *item;

	if (queue->popped == queue->ready)
		return false;
	item = &queue->items[queue->popped++];
	*ret = (struct perfqueued){
		.time = item->time,
		.place = item->place,
		.bytes = queue->bytes.data + item->at,
		.event = item->event,
		.size = item->size,
	};
	return true;
}
