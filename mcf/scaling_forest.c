/*
 * scaling_forest.c - a forest of all arcs that are within a segment.
 *
 * Each arc that the forest lacks closes a cycle with it.  To push around a
 * cycle costs nothing or less in one of the two directions, and goes on until
 * some arc is at an end of its segment, which is no longer within it then.
 * All this takes are the ways up from the two ends of the arc; neither what
 * hangs where nor potentials matter until the forest is complete.  Arcs within
 * a segment are right to epsilon either way, and where one comes to rest the
 * other segment next to it makes it no worse.
 */
#include <string.h>

#include "mcf/network.h"
#include "mcf/scaling_work.h"

/* All that arcs within a segment join with a node, behind it in the order. */
static uint32_t spread(struct scaling *f, uint32_t top, uint32_t n)
{
	const struct scaling_work *w = f->work;

	f->order[n++] = top;
	for (uint32_t place = n - 1; place < n; place++) {
		uint32_t u = f->order[place];

		for (uint32_t i = f->nodes[u].start; i < f->nodes[u + 1].start;
		     i++) {
			uint32_t v = w->halves[i].other, end = w->end_of[i];

			if (f->above[v] != NO_ARC || v == top ||
			    !f->spots[end / 2].within)
				continue;
			f->above[v] = end ^ 1;
			f->order[n++] = v;
		}
	}
	return n;
}

uint32_t scaling_forest(struct scaling *f)
{
	const struct scaling_work *w = f->work;
	uint32_t nodes = w->net->nodes, n = 0, parts = 0, within = 0;

	memset(f->above, -1, nodes * sizeof(*f->above));
	for (uint32_t u = 0; u < nodes; u++)
		if (f->above[u] == NO_ARC) {
			n = spread(f, u, n);
			parts++;
		}
	for (uint32_t a = 0; a < w->net->narcs; a++)
		within += f->spots[a].within;
	return within - (nodes - parts);
}

/* A cycle of the forest and one more arc, from and to the apex. */
struct cycle {
	uint32_t from[2]; /* the ends of the arc */
	uint32_t apex;
	int64_t price; /* of one more over the arc from the first end */
	int64_t room[2];
};

struct forest {
	struct branch *branches;
	struct stem *stems;
	uint32_t cycles;
};

static struct branch branch_of(const struct scaling *f, uint32_t end)
{
	const struct scaling_spot *spot = &f->spots[end / 2];
	int64_t price = f->work->net->segments[spot->at].price;

	if (end % 2)
		return (struct branch){ spot->below, spot->above, -price, end };
	return (struct branch){ spot->above, spot->below, price, end };
}

/* Write down where the flow of an arc is. */
static void put_back(struct scaling *f, const struct branch *branch)
{
	bool turned = branch->end % 2;
	struct scaling_spot *spot = &f->spots[branch->end / 2];

	spot->above = turned ? branch->back : branch->room;
	spot->below = turned ? branch->room : branch->back;
	spot->within = spot->above && spot->below;
	spot->at += spot->above == 0;
}

/* The first node that is on both ways up. */
static uint32_t find_apex(struct forest *t, uint32_t u, uint32_t v)
{
	uint32_t turn = ++t->cycles;

	while (u != v) {
		uint32_t next;

		if (u != NONE) {
			if (t->stems[u].seen == turn)
				return u;
			t->stems[u].seen = turn;
			u = t->stems[u].parent;
		}
		next = u;
		u = v;
		v = next;
	}
	return u;
}

static int64_t min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* What a push takes, and how far it can go, either way. */
static void measure(const struct forest *t, struct cycle *c)
{
	for (int side = 0; side < 2; side++) {
		for (uint32_t u = c->from[side]; u != c->apex;
		     u = t->stems[u].parent) {
			const struct branch *branch = &t->branches[u];

			c->price += side ? branch->price : -branch->price;
			c->room[!side] = min(c->room[!side], branch->room);
			c->room[side] = min(c->room[side], branch->back);
		}
	}
}

/* Change the flow on one side of a cycle; true if that took arcs out. */
static bool push_side(struct scaling *f, struct forest *t, uint32_t u,
		      uint32_t apex, int64_t up)
{
	bool cut = false;
	uint32_t next;

	for (; u != apex; u = next) {
		struct branch *branch = &t->branches[u];

		next = t->stems[u].parent;
		branch->room -= up;
		branch->back += up;
		if (branch->room && branch->back)
			continue;
		put_back(f, branch);
		t->stems[u].parent = NONE;
		cut = true;
	}
	return cut;
}

/* Make a node the top of its part. */
static void turn(struct forest *t, uint32_t u)
{
	struct branch above = t->branches[u];
	uint32_t parent = t->stems[u].parent;

	while (parent != NONE) {
		struct branch next = t->branches[parent];
		uint32_t over = t->stems[parent].parent;

		t->branches[parent] =
			(struct branch){ above.back, above.room, -above.price,
					 above.end ^ 1 };
		t->stems[parent].parent = u;
		u = parent;
		parent = over;
		above = next;
	}
}

/* Push around a cycle, until an arc of it is not within a segment. */
static void close_cycle(struct scaling *f, struct forest *t, uint32_t a)
{
	const struct mcf_arc *arc = &f->work->net->arcs[a];
	struct branch own = branch_of(f, 2 * a);
	bool cut[2] = { true };
	struct cycle c = {
		.from = { arc->tail, arc->head },
		.apex = find_apex(t, arc->tail, arc->head),
		.price = own.price,
		.room = { own.room, own.back },
	};
	int side;

	if (c.apex != NONE) {
		int64_t amount;

		measure(t, &c);
		amount = c.price > 0 ? -c.room[1] : c.room[0];
		for (side = 0; side < 2; side++)
			cut[side] = push_side(f, t, c.from[side], c.apex,
					      side ? amount : -amount);
		own.room -= amount;
		own.back += amount;
		put_back(f, &own);
		if (!f->spots[a].within)
			return;
	}
	side = cut[0] ? 0 : 1;
	turn(t, c.from[side]);
	t->branches[c.from[side]] = branch_of(f, 2 * a + side);
	t->stems[c.from[side]].parent = c.from[!side];
}

static struct forest begin(const struct scaling *f)
{
	const struct mcf_network *net = f->work->net;
	struct forest t = {
		.branches = f->work->branches,
		.stems = f->work->stems,
	};

	for (uint32_t u = 0; u < net->nodes; u++) {
		uint32_t end = f->above[u];

		t.stems[u] = (struct stem){ .parent = NONE };
		if (end == NO_ARC)
			continue;
		t.branches[u] = branch_of(f, end);
		t.stems[u].parent = end % 2 ? net->arcs[end / 2].tail
					    : net->arcs[end / 2].head;
	}
	return t;
}

/* Write down the forest, each node behind the one above it. */
static void end(struct scaling *f, struct forest *t)
{
	uint32_t nodes = f->work->net->nodes, done = ++t->cycles;
	uint32_t *order = f->order, n = 0, low = nodes;

	for (uint32_t u = 0; u < nodes; u++) {
		for (uint32_t v = u; v != NONE && t->stems[v].seen != done;
		     v = t->stems[v].parent) {
			t->stems[v].seen = done;
			order[--low] = v;
		}
		while (low < nodes)
			order[n++] = order[low++];
	}
	for (uint32_t u = 0; u < nodes; u++) {
		f->above[u] = NO_ARC;
		if (t->stems[u].parent == NONE)
			continue;
		f->above[u] = t->branches[u].end;
		put_back(f, &t->branches[u]);
	}
}

void scaling_settle(struct scaling *f)
{
	const struct mcf_network *net = f->work->net;
	struct forest t = begin(f);

	for (uint32_t a = 0; a < net->narcs; a++)
		if (f->spots[a].within &&
		    f->above[net->arcs[a].tail] != 2 * a &&
		    f->above[net->arcs[a].head] != 2 * a + 1)
			close_cycle(f, &t, a);
	end(f, &t);
}
