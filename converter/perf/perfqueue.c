/*
 * perfqueue.c - an array of what waits, sorted when some of it can go.
 *
 * Each CPU's records come in order, so the array is a handful of ascending
 * runs: merging neighbouring runs sorts it in few passes, and keeps records
 * of one time in the order of the file.  What is left after a round moves to
 * the front of the array; that is at most the one round that was just read.
 *
 * The bytes stay where they were copied to: in pages, one of which is used
 * again when all of its records were popped.
 */
#include "converter/perf/perfqueue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cursor.h"

/* As large as the largest record of the kernel, and for many of most. */
enum { PAGE = 1 << 16 };

/* Of what waits, one in so many must be new for it to be sorted. */
enum { WORTH = 4 };

struct page {
	struct page *next;	/* of all pages */
	struct page *next_free; /* if this is free */
	size_t used;		/* bytes */
	size_t waiting;		/* records */
	unsigned char bytes[PAGE];
};

struct item {
	struct perfqueued record;
	struct page *page;
};

struct perfqueue {
	size_t limit;
	struct item *items, *spare;
	size_t nitems, room, spare_room;
	size_t ready, popped; /* the first of the items */
	size_t sorted;	      /* likewise, ready or not */
	size_t waiting;	      /* bytes of all items but those popped */
	struct page *page;    /* that is written; NULL: none yet */
	struct page *pages, *free;
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
	while (queue->pages) {
		struct page *page = queue->pages;

		queue->pages = page->next;
		free(page);
	}
	free(queue->items);
	free(queue->spare);
	free(queue);
}

uint64_t perfqueue_late(const struct perfqueue *queue)
{
	return queue->late;
}

/* One that has no records yet or no more, to write. */
static struct page *new_page(struct perfqueue *queue)
{
	struct page *page = queue->page;

	if (page && !page->waiting) {
		page->used = 0;
		return page;
	}
	page = queue->free;
	if (page) {
		queue->free = page->next_free;
	} else {
		page = fdo_alloc(1, sizeof(*page));
		page->next = queue->pages;
		queue->pages = page;
	}
	page->used = 0;
	return page;
}

/* Copied into the page that is written. */
static const unsigned char *add_bytes(struct perfqueue *queue,
				      const void *bytes, size_t size)
{
	struct page *page = queue->page;
	unsigned char *to;

	if (!page || PAGE - page->used < size)
		page = queue->page = new_page(queue);
	to = page->bytes + page->used;
	memcpy(to, bytes, size);
	page->used += size;
	page->waiting++;
	queue->waiting += size;
	return to;
}

/* Its bytes stay as they are until the page is written again. */
static void drop_bytes(struct perfqueue *queue, const struct item *item)
{
	struct page *page = item->page;

	queue->waiting -= item->record.size;
	if (--page->waiting || page == queue->page)
		return;
	page->next_free = queue->free;
	queue->free = page;
}

/* Merge the ascending runs [at, middle) and [middle, end) into to. */
static void merge(const struct item *items, size_t at, size_t middle,
		  size_t end, struct item *to)
{
	size_t left = at, right = middle;

	for (size_t i = at; i < end; i++) {
		bool from_left =
			right == end ||
			(left < middle &&
			 items[left].record.time <= items[right].record.time);

		to[i] = items[from_left ? left++ : right++];
	}
}

static size_t end_of_run(const struct item *items, size_t at, size_t n)
{
	while (++at < n && items[at - 1].record.time <= items[at].record.time)
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
	queue->nitems -= queue->popped;
	queue->sorted -= queue->popped;
	memmove(queue->items, queue->items + queue->popped,
		queue->nitems * sizeof(*queue->items));
	queue->ready = queue->popped = 0;
}

static void make_ready(struct perfqueue *queue, uint64_t until)
{
	if (queue->popped)
		compact(queue);
	sort(queue);
	queue->sorted = queue->nitems;
	while (queue->ready < queue->nitems &&
	       queue->items[queue->ready].record.time <= until)
		queue->ready++;
	if (queue->ready &&
	    queue->items[queue->ready - 1].record.time > queue->handed_out)
		queue->handed_out = queue->items[queue->ready - 1].record.time;
}

void perfqueue_push(struct perfqueue *queue, uint64_t time, uint32_t event,
		    uint16_t part, const struct cursor *bytes)
{
	struct item *item;

	assert(bytes->size <= UINT16_MAX);
	if (queue->popped)
		compact(queue);
	if (queue->nitems == queue->room)
		queue->items = fdo_grow(queue->items, queue->nitems,
					&queue->room, sizeof(*queue->items));
	item = &queue->items[queue->nitems++];
	item->record.time = time;
	item->record.place = bytes->base;
	item->record.bytes = add_bytes(queue, bytes->data, bytes->size);
	item->record.event = event;
	item->record.size = bytes->size;
	item->record.part = part;
	item->page = queue->page;
	if (time < queue->handed_out)
		queue->late++;
	if (time > queue->latest)
		queue->latest = time;
	if (queue->waiting > queue->limit) {
		sort(queue);
		make_ready(queue, queue->items[queue->nitems / 2].record.time);
	}
}

void perfqueue_until(struct perfqueue *queue, uint64_t time)
{
	if (queue->nitems - queue->sorted >= queue->nitems / WORTH)
		make_ready(queue, time);
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
	drop_bytes(queue, item);
	*ret = item->record;
	return true;
}
