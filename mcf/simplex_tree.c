/*
 * simplex_tree.c - the tree of the network simplex in preorder.
 *
 * All nodes are in one list, each before what hangs on it; so a part of the
 * tree is a run of the list, from its top to its "last".  Potentials of a
 * part are changed along the list, and to hang it elsewhere moves the run.
 *
 * In a large network the list soon leads all over the memory, and to go along
 * it is most of what there is to do.  Then nodes get the numbers that they
 * have in the list.  Which arcs enter and leave does not depend on numbers.
 */
#include "mcf/simplex.h"

void simplex_link(struct simplex *s, uint32_t u, uint32_t parent)
{
	struct node *tree = s->tree;
	struct rung *up = s->up;
	struct rank *line = s->line;
	uint32_t last = line[u].last, next = line[parent].next;

	line[parent].next = u;
	tree[u].previous = parent;
	up[u].parent = parent;
	line[last].next = next;
	if (next != NONE)
		tree[next].previous = last;
	for (uint32_t v = parent; v != NONE && line[v].last == parent;
	     v = up[v].parent)
		line[v].last = last;
}

void simplex_unlink(struct simplex *s, uint32_t top)
{
	struct node *tree = s->tree;
	struct rung *up = s->up;
	struct rank *line = s->line;
	uint32_t last = line[top].last, before = tree[top].previous;
	uint32_t after = line[last].next;

	line[before].next = after;
	if (after != NONE)
		tree[after].previous = before;
	line[last].next = NONE;
	for (uint32_t v = up[top].parent; v != NONE && line[v].last == last;
	     v = up[v].parent)
		line[v].last = before;
}

static void join(struct simplex *s, uint32_t u, uint32_t next)
{
	s->line[u].next = next;
	s->tree[next].previous = u;
}

void simplex_turn(struct simplex *s, uint32_t u, uint32_t top)
{
	const struct node *tree = s->tree;
	const struct rung *up = s->up;
	struct rank *line = s->line;
	uint32_t tail = line[u].last; /* of what is in order */
	uint32_t after = line[tail].next, before = tree[u].previous;
	uint32_t last = tail; /* of the node below, as it was */

	for (uint32_t v = u; v != top;) {
		uint32_t previous;

		v = up[v].parent;
		previous = tree[v].previous;
		join(s, tail, v);
		tail = before;
		before = previous;
		if (line[v].last != last) {
			join(s, tail, after);
			tail = last = line[v].last;
			after = line[tail].next;
		}
	}
	line[tail].next = NONE;
	for (uint32_t v = u;; v = up[v].parent) {
		line[v].last = tail;
		if (v == top)
			break;
	}
}

static void swap_nodes(struct simplex *s, uint32_t u, uint32_t v)
{
	struct node node = s->tree[u];
	struct rung rung = s->up[u];
	struct rank rank = s->line[u];
	int64_t number = s->excess[u];

	s->tree[u] = s->tree[v];
	s->tree[v] = node;
	s->up[u] = s->up[v];
	s->up[v] = rung;
	s->line[u] = s->line[v];
	s->line[v] = rank;
	s->excess[u] = s->excess[v];
	s->excess[v] = number;
}

/*
 * Number the nodes in preorder, the largest part that hangs on a node first:
 * then most of the way up from any node is from one number to the one before.
 * "last" and "previous" are free for a node's largest part and for the next
 * number that is left for others; both are made anew.
 */
static void number_nodes(struct simplex *s)
{
	struct node *tree = s->tree;
	struct rung *up = s->up;
	struct rank *line = s->line;
	int64_t *number = s->excess;
	uint32_t u, parent;

	for (u = 0; u <= s->root; u++)
		line[u].last = NONE;
	for (u = line[s->root].next; u != NONE; u = line[u].next) {
		uint32_t *largest = &line[up[u].parent].last;

		if (*largest == NONE || up[*largest].size < up[u].size)
			*largest = u;
	}
	number[s->root] = -1;
	for (u = s->root; u != NONE; u = line[u].next) {
		parent = up[u].parent;
		if (u != s->root && line[parent].last == u) {
			number[u] = number[parent] + 1;
		} else if (u != s->root) {
			number[u] = tree[parent].previous;
			tree[parent].previous += up[u].size;
		}
		tree[u].previous = number[u] + 1;
		if (line[u].last != NONE)
			tree[u].previous += up[line[u].last].size;
	}
	number[s->root] = s->root;
}

void simplex_sort(struct simplex *s)
{
	struct node *tree = s->tree;
	struct rung *up = s->up;
	struct rank *line = s->line;
	int64_t *number = s->excess;
	uint32_t n = s->root;

	number_nodes(s);
	for (uint32_t a = 0; a < s->narcs; a++) {
		s->offers[a].tail = number[s->offers[a].tail];
		s->offers[a].head = number[s->offers[a].head];
	}
	for (uint32_t u = 0; u < n; u++)
		up[u].parent = number[up[u].parent];
	for (uint32_t u = 0; u < n; u++)
		while (number[u] != u)
			swap_nodes(s, u, number[u]);
	for (uint32_t u = 0; u < n; u++) {
		number[u] = 0;
		tree[u].previous = u ? u - 1 : s->root;
		line[u].next = u + 1 < n ? u + 1 : NONE;
		line[u].last = u + up[u].size - 1;
	}
	line[s->root].next = 0;
	line[s->root].last = n - 1;
}
