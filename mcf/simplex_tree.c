/*
 * simplex_tree.c - the tree of the network simplex in preorder.
 *
 * All nodes are in one list, each before what hangs on it; so a part of the
 * tree is a run of the list, from its top to its "last".  Potentials of a
 * part are changed along the list, and to hang it elsewhere moves the run.
 */
#include "mcf/simplex.h"

void simplex_link(struct simplex *s, uint32_t u, uint32_t parent)
{
	struct node *tree = s->tree;
	uint32_t last = tree[u].last, next = tree[parent].next;

	tree[parent].next = u;
	tree[u].previous = parent;
	tree[u].parent = parent;
	tree[last].next = next;
	if (next != NONE)
		tree[next].previous = last;
	for (uint32_t v = parent; v != NONE && tree[v].last == parent;
	     v = tree[v].parent)
		tree[v].last = last;
}

void simplex_unlink(struct simplex *s, uint32_t top)
{
	struct node *tree = s->tree;
	uint32_t last = tree[top].last, before = tree[top].previous;
	uint32_t after = tree[last].next;

	tree[before].next = after;
	if (after != NONE)
		tree[after].previous = before;
	tree[last].next = NONE;
	for (uint32_t v = tree[top].parent; v != NONE && tree[v].last == last;
	     v = tree[v].parent)
		tree[v].last = before;
}

static void join(struct node *tree, uint32_t u, uint32_t next)
{
	tree[u].next = next;
	tree[next].previous = u;
}

void simplex_turn(struct simplex *s, uint32_t u, uint32_t top)
{
	struct node *tree = s->tree;
	uint32_t tail = tree[u].last; /* of what is in order */
	uint32_t after = tree[tail].next, before = tree[u].previous;
	uint32_t last = tail; /* of the node below, as it was */

	for (uint32_t v = u; v != top;) {
		uint32_t previous;

		v = tree[v].parent;
		previous = tree[v].previous;
		join(tree, tail, v);
		tail = before;
		before = previous;
		if (tree[v].last != last) {
			join(tree, tail, after);
			tail = last = tree[v].last;
			after = tree[tail].next;
		}
	}
	tree[tail].next = NONE;
	for (uint32_t v = u;; v = tree[v].parent) {
		tree[v].last = tail;
		if (v == top)
			break;
	}
}
