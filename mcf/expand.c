/*
 * expand.c - the core of a reduction, and the way back from its flow.
 *
 * What the steps left is numbered anew in its order; it shares the segments of
 * the pool, and has those that have to be turned or shifted behind them.  Each
 * step put a bundle away; taken from the last to the first, each says what
 * flows there, given what flows in the bundle that it was put into.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "mcf/reduction.h"

static bool is_left(const struct reduction *r, uint32_t a)
{
	return r->node[2 * a] != NONE;
}

/* Whether the segments of a bundle are its cost as they are. */
static bool is_plain(const struct bundle *b)
{
	return !b->backward && b->shift == 0;
}

/* Room for what is left: nodes get their numbers in r->mark. */
static void size_core(struct reduction *r)
{
	struct mcf_network *core = &r->core;

	core->nodes = core->narcs = core->nsegments = 0;
	for (uint32_t u = 0; u < r->nodes; u++)
		if (r->degree[u])
			r->mark[u] = core->nodes++;
	for (uint32_t a = 0; core->nodes && a < r->narcs; a++)
		if (is_left(r, a)) {
			core->narcs++;
			if (!is_plain(&r->bundles[a]))
				core->nsegments += r->bundles[a].n;
		}
	if (core->narcs > core->arc_room) {
		core->arc_room = core->arc_room ? core->narcs + core->narcs / 8
						: core->narcs;
		free(core->arcs);
		core->arcs = fdo_alloc(core->arc_room, sizeof(*core->arcs));
	}
}

void reduction_core(struct reduction *r, const struct mcf_network *net)
{
	struct mcf_network *core = &r->core;
	struct mcf_arc *arc;
	uint32_t end;

	size_core(r);
	core->path_price = net->path_price;
	if (core->narcs == 0)
		return;
	reduction_reserve(r, core->nsegments);
	core->segments = r->pool.segments;
	end = r->pool.n;
	arc = core->arcs;
	for (uint32_t a = 0; a < r->narcs; a++) {
		const struct bundle *b = &r->bundles[a];

		if (!is_left(r, a))
			continue;
		*arc = (struct mcf_arc){
			.tail = r->mark[r->node[2 * a]],
			.head = r->mark[r->node[2 * a + 1]],
			.first = is_plain(b) ? b->first : end,
			.n = b->n,
			.lower = b->low,
			.flow = arc->flow,
		};
		arc++;
		if (is_plain(b))
			continue;
		bundle_copy(&r->pool, b, core->segments + end);
		end += b->n;
	}
}

/* Undo a step: tell the flow of what was joined. */
static void undo(const struct reduction *r, struct mcf_network *net,
		 const struct step *step)
{
	struct mcf_arc *first = &net->arcs[step->first];
	int64_t flow = first->flow;

	switch ((enum step_kind)step->kind) {
	case LOOPS:
		first->flow =
			bundle_cheapest(&r->pool, &r->bundles[step->first]);
		return;
	case ENDS:
		first->flow = 0;
		return;
	case SPLITS:
		first->flow = bundle_split(&r->pool, &r->before[step->before],
					   &r->bundles[step->second],
					   step->turned, flow);
		flow -= first->flow;
		break;
	case FOLLOWS:
		break;
	}
	net->arcs[step->second].flow = step->turned ? -flow : flow;
}

void expand(struct reduction *r, struct mcf_network *net)
{
	size_t narcs = 0;

	for (uint32_t a = 0; r->core.narcs && a < r->narcs; a++)
		if (is_left(r, a))
			net->arcs[a].flow = r->core.arcs[narcs++].flow;
	for (uint32_t i = r->nsteps; i-- > 0;)
		undo(r, net, &r->steps[i]);
}
