/*
 * scaling_again.c - a network whose prices have changed since it was solved.
 *
 * Its flow is one yet, unless bounds have changed, and mostly near the
 * cheapest.  Where prices have more ends of segments than before, fewer arcs
 * are within one, and those are a forest as they were; an arc that was two
 * side by side may be within a segment now where it was at rest, and closes a
 * cycle.
 */
#include <stdbool.h>

#include "mcf/network.h"
#include "mcf/scaling_work.h"

/* Where the flow of an arc is; false if that is out of its bounds. */
static bool find_spot(const struct mcf_network *net, const struct mcf_arc *arc,
		      struct scaling_spot *ret)
{
	const struct mcf_segment *segments = net->segments;
	uint32_t at = arc->first, end = arc->first + arc->n;
	int64_t left = arc->flow - arc->lower;

	while (at < end && left >= segments[at].width)
		left -= segments[at++].width;
	*ret = (struct scaling_spot){ .at = at };
	if (left == 0)
		return true;
	if (left < 0 || at == end)
		return false;
	ret->within = true;
	ret->below = left;
	ret->above = segments[at].width - left;
	return true;
}

struct scaling *scaling_again(const struct mcf_network *net, struct room *room,
			      size_t later)
{
	struct scaling *f = scaling_begin(net, room, later);
	bool fits = true;

	for (uint32_t a = 0; a < net->narcs; a++)
		fits &= find_spot(net, &net->arcs[a], &f->spots[a]);
	if (!fits)
		return NULL;
	scaling_find_halves(f);
	scaling_forest(f);
	scaling_settle(f);
	return f;
}
