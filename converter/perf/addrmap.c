/*
 * addrmap.c - a balanced tree of ranges for each address space.
 *
 * A forked child has its parent's tree.  What several trees have is not changed
 * but copied, which a new range needs for the way from the root to it, so that
 * a shell's thousand short-lived children cost next to nothing, whatever they
 * map.  The heights of both sides of a node differ by one at most.
 *
 * Processes are found by pid; the last one that was asked for is kept at hand,
 * since samples of one process come in long rows.
 */
#include "converter/perf/addrmap.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"

/* Ended processes that are kept. */
enum { KEPT = 1024 };

/* As perf has it for what no process maps. */
enum { KERNEL = -1 };

enum side { BELOW, ABOVE };

/* A tree is its root; NULL: it is empty. */
struct node {
	uint32_t users; /* processes and nodes that have it */
	uint32_t height;
	struct node *sides[2];
	struct addrmap_range range;
};

struct process {
	int32_t pid;
	int32_t threads; /* besides the first, as far as they were seen */
	bool first_ended;
	bool ended;
	uint64_t life;	/* tells apart processes that had the same slot */
	uint64_t begun; /* its program */
	struct node *tree;
	const struct node *last; /* that was found in it; NULL: none */
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

static void drop(struct node *tree)
{
	if (!tree || --tree->users)
		return;
	drop(tree->sides[BELOW]);
	drop(tree->sides[ABOVE]);
	free(tree);
}

void addrmap_free(struct addrmap *maps)
{
	if (!maps)
		return;
	for (size_t i = 0; i < maps->nprocesses; i++)
		drop(maps->processes[i].tree);
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

	drop(process->tree);
	*fdo_map_at(maps->by_pid, (uint32_t)process->pid) = 0;
	*process = (struct process){ .pid = -1 };
	maps->unused = fdo_grow(maps->unused, maps->nunused, &maps->unused_room,
				sizeof(*maps->unused));
	maps->unused[maps->nunused++] = index;
	maps->remembered--;
}

static struct node *keep(struct node *tree)
{
	if (tree)
		tree->users++;
	return tree;
}

static struct node *new_node(const struct addrmap_range *range)
{
	struct node *node = fdo_alloc(1, sizeof(*node));

	node->users = 1;
	node->range = *range;
	return node;
}

/* The same node, but no other tree's, to change. */
static struct node *own(struct node *node)
{
	struct node *copy;

	if (node->users == 1)
		return node;
	copy = new_node(&node->range);
	copy->height = node->height;
	copy->sides[BELOW] = keep(node->sides[BELOW]);
	copy->sides[ABOVE] = keep(node->sides[ABOVE]);
	drop(node);
	return copy;
}

static uint32_t height(const struct node *tree)
{
	return tree ? tree->height : 0;
}

static void measure(struct node *node)
{
	uint32_t below = height(node->sides[BELOW]);
	uint32_t above = height(node->sides[ABOVE]);

	node->height = 1 + (below > above ? below : above);
}

/* The node on that side becomes the root. */
static struct node *rotate(struct node *node, enum side side)
{
	struct node *root = own(node->sides[side]);

	node->sides[side] = root->sides[!side];
	root->sides[!side] = node;
	measure(node);
	measure(root);
	return root;
}

/* That side may be higher than the other by two. */
static struct node *balance(struct node *node, enum side side)
{
	struct node *high = node->sides[side];

	measure(node);
	if (height(high) <= height(node->sides[!side]) + 1)
		return node;
	if (height(high->sides[!side]) > height(high->sides[side]))
		node->sides[side] = rotate(own(high), !side);
	return rotate(node, side);
}

/* A tree of two, and of one node between them, all of which it takes over. */
static struct node *join(struct node *below, struct node *node,
			 struct node *above)
{
	if (height(below) > height(above) + 1) {
		below = own(below);
		below->sides[ABOVE] = join(below->sides[ABOVE], node, above);
		return balance(below, ABOVE);
	}
	if (height(above) > height(below) + 1) {
		above = own(above);
		above->sides[BELOW] = join(below, node, above->sides[BELOW]);
		return balance(above, BELOW);
	}
	node->sides[BELOW] = below;
	node->sides[ABOVE] = above;
	measure(node);
	return node;
}

/* Cut a range in two: returns the second. */
static struct node *cut(struct addrmap_range *range, uint64_t address)
{
	struct node *rest = new_node(range);

	rest->range.offset += address - range->start;
	rest->range.start = address;
	range->end = address;
	return rest;
}

/* Take a tree apart, into what is before an address and what is not. */
static void split(struct node *tree, uint64_t address, struct node **below,
		  struct node **above)
{
	struct node *left, *right;

	*below = *above = NULL;
	if (!tree)
		return;
	tree = own(tree);
	left = tree->sides[BELOW];
	right = tree->sides[ABOVE];
	if (tree->range.end <= address) {
		split(right, address, &right, above);
		*below = join(left, tree, right);
	} else if (tree->range.start >= address) {
		split(left, address, below, &left);
		*above = join(left, tree, right);
	} else {
		*above = join(NULL, cut(&tree->range, address), right);
		*below = join(left, tree, NULL);
	}
}

static int32_t owner(int32_t pid, uint64_t address)
{
	return addrmap_is_kernel(address) ? KERNEL : pid;
}

void addrmap_map(struct addrmap *maps, int32_t pid,
		 const struct addrmap_range *range)
{
	struct node *below, *covered, *above;
	struct process *process;

	if (range->start >= range->end)
		return;
	process = find_or_begin(maps, owner(pid, range->start));
	split(process->tree, range->start, &below, &above);
	split(above, range->end, &covered, &above);
	drop(covered);
	process->tree = join(below, new_node(range), above);
	process->last = NULL;
}

void addrmap_begin(struct addrmap *maps, int32_t pid, uint64_t time)
{
	struct process *process = find_or_begin(maps, pid);

	drop(process->tree);
	process->tree = NULL;
	process->last = NULL;
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
	struct node *tree;

	if (pid == parent) {
		find_or_begin(maps, pid)->threads++;
		return;
	}
	tree = keep(find_or_begin(maps, parent)->tree);
	addrmap_begin(maps, pid, addrmap_begun(maps, parent));
	find(maps, pid)->tree = tree;
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

static bool is_in(const struct node *node, uint64_t address)
{
	return address >= node->range.start && address < node->range.end;
}

const struct addrmap_range *addrmap_find(struct addrmap *maps, int32_t pid,
					 uint64_t address)
{
	struct process *process = find(maps, owner(pid, address));
	const struct node *node;

	if (!process)
		return NULL;
	if (process->last && is_in(process->last, address))
		return &process->last->range;
	node = process->tree;
	while (node && !is_in(node, address))
		node = node->sides[address < node->range.start ? BELOW : ABOVE];
	if (!node)
		return NULL;
	process->last = node;
	return &node->range;
}
