/*
 * scaling_update.c - potentials by the distance from where flow lacks.
 *
 * Dijkstra's method with a bucket for each distance, from all nodes that lack
 * something at once, against the arcs.  An arc that is wrong has no length,
 * others one and their error in whole epsilons.
 *
 * NEVER makes a distance above that of any node: at most 2^30 is taken from
 * it, and the number of nodes times epsilon is below 2^25.
 */
#include <string.h>

#include "mcf/network.h"
#include "mcf/scaling_work.h"

/* One in so many nodes with an excess may be farther away than all others. */
enum { FEW = 4 };

static void bucket_add(struct scaling_work *w, uint32_t u, int32_t distance)
{
	uint32_t *bucket = &w->bucket[distance];

	w->distance[u] = distance;
	w->next[u] = *bucket;
	w->previous[u] = NONE;
	if (*bucket != NONE)
		w->previous[*bucket] = u;
	*bucket = u;
}

static void bucket_remove(struct scaling_work *w, uint32_t u)
{
	uint32_t next = w->next[u], previous = w->previous[u];

	if (next != NONE)
		w->previous[next] = previous;
	if (previous != NONE)
		w->next[previous] = next;
	else
		w->bucket[w->distance[u]] = next;
}

/* Who can send to a node may be nearer by that. */
static void come_near(struct scaling *f, uint32_t v, int32_t distance)
{
	struct scaling_work *w = f->work;
	const struct scaling_node *nodes = f->nodes;

	for (uint32_t i = f->nodes[v].start; i < f->nodes[v + 1].start; i++) {
		const struct half *half = &w->halves[i];
		uint32_t u = half->other;
		int64_t slack = (int64_t)w->in[i] - nodes[v].potential +
				nodes[u].potential;
		int64_t there = distance + 1 + (slack >> w->log_epsilon);

		if (there >= w->distance[u])
			continue;
		if (w->distance[u] < (int32_t)w->net->nodes)
			bucket_remove(w, u);
		bucket_add(w, u, (int32_t)there);
	}
}

void scaling_update(struct scaling *f)
{
	struct scaling_work *w = f->work;
	int32_t most = (int32_t)w->net->nodes, at = 0;
	uint32_t left = 0, few;

	memset(w->bucket, -1, w->net->nodes * sizeof(*w->bucket));
	for (uint32_t u = 0; u < w->net->nodes; u++) {
		w->distance[u] = most;
		if (w->excess[u] < 0)
			bucket_add(w, u, 0);
		left += w->excess[u] > 0;
	}
	few = left / FEW;
	for (; at < most && left > few; at++) {
		uint32_t u;

		while ((u = w->bucket[at]) != NONE) {
			bucket_remove(w, u);
			left -= w->excess[u] > 0;
			come_near(f, u, at);
		}
	}
	for (uint32_t u = 0; u < w->net->nodes; u++) {
		int64_t fall = w->distance[u] < at ? w->distance[u] : at;

		fall = f->nodes[u].potential - fall * f->epsilon;
		w->failed |= fall < LOWEST;
		f->nodes[u].potential = fall < LOWEST ? LOWEST : (int32_t)fall;
	}
}

void scaling_mirror(struct scaling *f)
{
	struct scaling_work *w = f->work;
	uint32_t nodes = w->net->nodes;
	int32_t lowest = 0;

	w->mirrored ^= 1;
	for (uint32_t u = 0; u < nodes; u++)
		if (f->nodes[u].potential < lowest)
			lowest = f->nodes[u].potential;
	for (uint32_t u = 0; u < nodes; u++) {
		f->nodes[u].potential = lowest - f->nodes[u].potential;
		w->excess[u] = -w->excess[u];
	}
	for (uint32_t i = 0; i < f->nodes[nodes].start; i++) {
		int32_t out = w->halves[i].out;

		w->halves[i].out = w->in[i];
		w->in[i] = out;
	}
}
