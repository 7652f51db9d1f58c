/*
 * addrmap.c - a sorted array of ranges for each address space.
 *
 * A forked child shares its parent's array until one of them maps something,
 * so that a shell's thousand short-lived children cost nothing.  Processes
 * are found by pid; the last one that was asked for is kept at hand, since
 * samples of one process come in long rows.
 */
#include "converter/perf/addrmap.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"

/* Ended processes that are kept. */
enum { KEPT = 1024 };

struct space {
	uint32_t users; /* processes that have it */
	size_t nranges, room;
	size_t last; /* that was found */
	struct addrmap_range *ranges;
};

struct process {
	int32_t pid;
	int32_t threads; /* besides the first, as far as they were seen */
	bool first_ended;
	bool ended;
	uint64_t life;	/* tells apart processes that had the same slot */
	uint64_t begun; /* its program */
	struct space *space;
};

struct addrmap {
	struct fdo_map *by_pid; /* to 1 + an index of processes */
	size_t nprocesses, room;
	struct process *processes;
	size_t nunused, unused_room;
	size_t *unused; /* indices of processes */
	size_t last;	/* index of the last one found */
	uint64_t lives;
	uint64_t remembered;
	uint64_t nended; /* ever; the last KEPT are in the ring */
	struct {
		size_t index;
		uint64_t life;
	} ended[KEPT];
};

struct addrmap *addrmap_new(void)
{
	struct addrmap *maps = fdo_alloc(1, sizeof(*maps));

	maps->by_pid = fdo_map_new();
	return maps;
}

static void drop_space(struct space *space)
{
	if (!space || --space->users)
		return;
	free(space->ranges);
	free(space);
}

void addrmap_free(struct addrmap *maps)
{
	if (!maps)
		return;
	for (size_t i = 0; i < maps->nprocesses; i++)
		drop_space(maps->processes[i].space);
	fdo_map_free(maps->by_pid);
	free(maps->processes);
	free(maps->unused);
	free(maps);
}

uint64_t addrmap_processes(const struct addrmap *maps)
{
	return maps->remembered;
}

static inline struct process *find(struct addrmap *maps, int32_t pid)
{
	const uint64_t *at;

	if (maps->last < maps->nprocesses &&
	    maps->processes[maps->last].pid == pid &&
	    maps->processes[maps->last].life)
		return &maps->processes[maps->last];
	at = fdo_map_get(maps->by_pid, (uint32_t)pid);
	if (!at || !*at)
		return NULL;
	maps->last = *at - 1;
	return &maps->processes[maps->last];
}

static struct process *begin(struct addrmap *maps, int32_t pid)
{
	size_t index;

	if (maps->nunused) {
		index = maps->unused[--maps->nunused];
	} else {
		maps->processes =
			fdo_grow(maps->processes, maps->nprocesses, &maps->room,
				 sizeof(*maps->processes));
		index = maps->nprocesses++;
	}
	maps->processes[index] = (struct process){
		.pid = pid,
		.life = ++maps->lives,
	};
	*fdo_map_at(maps->by_pid, (uint32_t)pid) = index + 1;
	maps->remembered++;
	return &maps->processes[index];
}

static struct process *find_or_begin(struct addrmap *maps, int32_t pid)
{
	struct process *process = find(maps, pid);

	return process ? process : begin(maps, pid);
}

static void forget(struct addrmap *maps, size_t index)
{
	struct process *process = &maps->processes[index];

	drop_space(process->space);
	*fdo_map_at(maps->by_pid, (uint32_t)process->pid) = 0;
	*process = (struct process){ .pid = -1 };
	maps->unused = fdo_grow(maps->unused, maps->nunused, &maps->unused_room,
				sizeof(*maps->unused));
	maps->unused[maps->nunused++] = index;
	maps->remembered--;
}

/* A space of the process's own, to change. */
static struct space *own_space(struct process *process)
{
	struct space *old = process->space, *space;

	if (old && old->users == 1)
		return old;
	space = fdo_alloc(1, sizeof(*space));
	space->users = 1;
	if (old) {
		space->nranges = space->room = old->nranges;
		space->ranges =
			fdo_alloc(old->nranges + 1, sizeof(*space->ranges));
		memcpy(space->ranges, old->ranges,
		       old->nranges * sizeof(*space->ranges));
		drop_space(old);
	}
	process->space = space;
	return space;
}

/* The first range that ends behind the address. */
static size_t search(const struct space *space, uint64_t address)
{
	size_t low = 0, high = space->nranges;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (space->ranges[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert(struct space *space, size_t at,
		   const struct addrmap_range *range)
{
	space->ranges = fdo_grow(space->ranges, space->nranges, &space->room,
				 sizeof(*space->ranges));
	memmove(space->ranges + at + 1, space->ranges + at,
		(space->nranges - at) * sizeof(*range));
	space->ranges[at] = *range;
	space->nranges++;
}

/* Cut off what is before the address. */
static void move_start(struct addrmap_range *range, uint64_t start)
{
	range->offset += start - range->start;
	range->start = start;
}

/* Take away all that is within; returns where the hole is. */
static size_t punch(struct space *space, uint64_t start, uint64_t end)
{
	size_t at = search(space, start), last = at;

	if (at < space->nranges && space->ranges[at].start < start) {
		struct addrmap_range left = space->ranges[at];

		left.end = start;
		move_start(&space->ranges[at], start);
		insert(space, at, &left);
		last = ++at;
	}
	while (last < space->nranges && space->ranges[last].end <= end)
		last++;
	if (last > at)
		memmove(space->ranges + at, space->ranges + last,
			(space->nranges - last) * sizeof(*space->ranges));
	space->nranges -= last - at;
	if (at < space->nranges && space->ranges[at].start < end)
		move_start(&space->ranges[at], end);
	return at;
}

void addrmap_map(struct addrmap *maps, int32_t pid,
		 const struct addrmap_range *range)
{
	struct space *space;

	if (range->start >= range->end)
		return;
	space = own_space(find_or_begin(maps, pid));
	insert(space, punch(space, range->start, range->end), range);
	space->last = 0;
}

void addrmap_begin(struct addrmap *maps, int32_t pid, uint64_t time)
{
	struct process *process = find_or_begin(maps, pid);

	drop_space(process->space);
	process->space = NULL;
	process->threads = 0;
	process->first_ended = process->ended = false;
	process->life = ++maps->lives;
	process->begun = time;
}

uint64_t addrmap_begun(struct addrmap *maps, int32_t pid)
{
	const struct process *process = find(maps, pid);

	return process ? process->begun : 0;
}

void addrmap_fork(struct addrmap *maps, int32_t pid, int32_t parent)
{
	struct space *space;

	if (pid == parent) {
		find_or_begin(maps, pid)->threads++;
		return;
	}
	space = find_or_begin(maps, parent)->space;
	if (space)
		space->users++;
	addrmap_begin(maps, pid, addrmap_begun(maps, parent));
	find(maps, pid)->space = space;
}

void addrmap_exit(struct addrmap *maps, int32_t pid, int32_t tid)
{
	struct process *process = find(maps, pid);
	size_t slot = maps->nended % KEPT, old = maps->ended[slot].index;

	if (!process)
		return;
	if (pid == tid)
		process->first_ended = true;
	else
		process->threads--;
	if (!process->first_ended || process->threads > 0 || process->ended)
		return;

	process->ended = true;
	if (maps->nended++ >= KEPT &&
	    maps->processes[old].life == maps->ended[slot].life)
		forget(maps, old);
	maps->ended[slot].index = process - maps->processes;
	maps->ended[slot].life = process->life;
}

const struct addrmap_range *addrmap_find(struct addrmap *maps, int32_t pid,
					 uint64_t address)
{
	struct process *process = find(maps, pid);
	struct space *space = process ? process->space : NULL;
	const struct addrmap_range *range;

	if (!space || !space->nranges)
		return NULL;
	range = &space->ranges[space->last];
	if (address < range->start || address >= range->end) {
		size_t at = search(space, address);

		if (at == space->nranges || space->ranges[at].start > address)
			return NULL;
		space->last = at;
		range = &space->ranges[at];
	}
	return range;
}
