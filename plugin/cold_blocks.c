/*
 * cold_blocks.c - ways are searched from outside, over links with counts, so that
 * as few blocks as can be are kept for them: a block that is kept anyway costs
 * nothing.
 */
#include "plugin/cold_blocks.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "mcf/smooth.h"

struct search {
	const struct counts *c;
	const struct body *body;
	bool *kept;
	bool backward; /* from where it is left, against the links */
	bool returns;  /* only where the function returns, of such ways */
	/* Links with counts from node i, nblocks for outside: link[start[i]] .. */
	uint32_t *start, *link;
	uint32_t *over; /* the link by which a block was reached */
	bool *reached;
};

enum { NONE = UINT32_MAX };

/* Executions of a block that go one way, for that to be kept with it. */
enum { ONE_IN = 16 };

/* The end of a link that is nearer to where the search began. */
static uint32_t near_end(const struct search *s, uint32_t l)
{
	uint32_t node =
		s->backward ? s->body->links[l].to : s->body->links[l].from;

	return node == FLOW_OUTSIDE ? s->body->nblocks : node;
}

static uint32_t far_end(const struct search *s, uint32_t l)
{
	uint32_t node =
		s->backward ? s->body->links[l].from : s->body->links[l].to;

	return node == FLOW_OUTSIDE ? s->body->nblocks : node;
}

/* It ran, and not to an end of the program where only a return is wanted. */
static bool is_way(const struct search *s, uint32_t l)
{
	const struct flow_link *link = &s->body->links[l];

	if (s->c->link[l] <= 0)
		return false;
	return !s->returns || !s->body->ends || link->to != FLOW_OUTSIDE ||
	       link->from == FLOW_OUTSIDE || !s->body->ends[link->from];
}

static void list_links(struct search *s)
{
	uint32_t n = s->body->nblocks + 1;

	s->start = fdo_alloc(n + 1, sizeof(*s->start));
	s->link = fdo_alloc(s->body->nlinks + 1, sizeof(*s->link));
	for (uint32_t l = 0; l < s->body->nlinks; l++)
		if (is_way(s, l))
			s->start[near_end(s, l)]++;
	for (uint32_t i = 0, sum = 0; i <= n; i++) {
		sum += s->start[i];
		s->start[i] = sum;
	}
	for (uint32_t l = s->body->nlinks; l-- > 0;)
		if (is_way(s, l))
			s->link[--s->start[near_end(s, l)]] = l;
}

/* Blocks to go on from: those that cost as many others, and those for one more. */
struct front {
	uint32_t *now, *next;
	size_t n, nnext;
};

static void reach(struct search *s, struct front *front, uint32_t l)
{
	uint32_t block = far_end(s, l);

	if (block == s->body->nblocks || s->reached[block])
		return;
	if (!s->kept[block]) {
		/* Once more at most, by each block that is reached. */
		front->next[front->nnext++] = l;
		return;
	}
	s->reached[block] = true;
	s->over[block] = l;
	front->now[front->n++] = block;
}

static void go_on(struct search *s, struct front *front, uint32_t node)
{
	for (uint32_t i = s->start[node]; i < s->start[node + 1]; i++)
		reach(s, front, s->link[i]);
}

/* The blocks that cost one more, unless they were reached for less. */
static void pay(struct search *s, struct front *front)
{
	size_t n = front->nnext;

	front->nnext = 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t l = front->next[i], block = far_end(s, l);

		if (s->reached[block])
			continue;
		s->reached[block] = true;
		s->over[block] = l;
		front->now[front->n++] = block;
	}
}

static void search(struct search *s)
{
	struct front front = {
		fdo_alloc(s->body->nblocks + 1, sizeof(*front.now)),
		fdo_alloc(s->body->nlinks + 1, sizeof(*front.next)), 0, 0
	};

	go_on(s, &front, s->body->nblocks);
	do {
		pay(s, &front);
		while (front.n)
			go_on(s, &front, front.now[--front.n]);
	} while (front.nnext);
	free(front.now);
	free(front.next);
}

static void keep_way(struct search *s, uint32_t block)
{
	while (block != s->body->nblocks && s->over[block] != NONE) {
		uint32_t before = near_end(s, s->over[block]);

		s->over[block] = NONE; /* kept up to here */
		s->kept[block] = true;
		block = before;
	}
}

/* What has such a way is hot no more. */
static void keep_ways(struct search s, bool *hot)
{
	const struct body *body = s.body;

	s.over = fdo_alloc(body->nblocks + 1, sizeof(*s.over));
	s.reached = fdo_alloc(body->nblocks + 1, sizeof(*s.reached));
	for (uint32_t b = 0; b < body->nblocks; b++)
		s.over[b] = NONE;
	list_links(&s);
	search(&s);
	for (uint32_t b = 0; b < body->nblocks; b++)
		if (hot[b] && s.reached[b]) {
			keep_way(&s, b);
			hot[b] = false;
		}
	free(s.start);
	free(s.link);
	free(s.over);
	free(s.reached);
}

/* Of the links of a block to or from others, those that have a share of it. */
static void reach_sharers(struct search *s, uint32_t block, uint32_t *stack,
			  size_t *depth)
{
	for (uint32_t i = s->start[block]; i < s->start[block + 1]; i++) {
		uint32_t l = s->link[i], other = far_end(s, l);

		if (other == s->body->nblocks || s->kept[other] ||
		    s->c->link[l] < s->c->block[block] / ONE_IN)
			continue;
		s->kept[other] = true;
		stack[(*depth)++] = other;
	}
}

/*
 * What is left or come to over a link so often runs with the block there: were it
 * dropped, the compiler would take all for cold that it copies for this way.
 */
static void keep_sharers(const struct counts *c, const struct body *body,
			 bool *kept)
{
	struct search out = { .c = c, .body = body, .kept = kept };
	struct search in = out;
	uint32_t *stack = fdo_alloc(body->nblocks + 1, sizeof(*stack));
	size_t depth = 0;

	in.backward = true;
	list_links(&out);
	list_links(&in);
	for (uint32_t b = 0; b < body->nblocks; b++)
		if (kept[b])
			stack[depth++] = b;
	while (depth) {
		uint32_t block = stack[--depth];

		reach_sharers(&out, block, stack, &depth);
		reach_sharers(&in, block, stack, &depth);
	}
	free(out.start);
	free(out.link);
	free(in.start);
	free(in.link);
	free(stack);
}

static bool is_dropped(const bool *kept, uint32_t block)
{
	return block != FLOW_OUTSIDE && !kept[block];
}

static void drop(struct counts *c, const struct body *body, const bool *kept)
{
	for (uint32_t b = 0; b < body->nblocks; b++)
		if (!kept[b])
			c->block[b] = 0;
	for (uint32_t l = 0; l < body->nlinks; l++) {
		const struct flow_link *link = &body->links[l];

		if (!is_dropped(kept, link->from) &&
		    !is_dropped(kept, link->to))
			continue;
		if (link->from == FLOW_OUTSIDE)
			c->entered -= c->link[l];
		c->link[l] = 0;
	}
}

/*
 * A program ends once: where a function returns as well, that is the way out, or the
 * compiler would take for cold what comes behind its calls.
 */
static void keep_ways_of(const struct counts *c, const struct body *body,
			 bool *kept)
{
	struct search s = { .c = c, .body = body, .kept = kept };
	bool *in = fdo_alloc(body->nblocks + 1, sizeof(*in));
	bool *out = fdo_alloc(body->nblocks + 1, sizeof(*out));

	for (uint32_t b = 0; b < body->nblocks; b++)
		in[b] = out[b] = kept[b];
	keep_ways(s, in);
	s.backward = s.returns = true;
	keep_ways(s, out);
	s.returns = false;
	keep_ways(s, out);
	free(in);
	free(out);
}

void cold_blocks(struct counts *c, const struct body *body, const double *heat,
		 double least)
{
	bool *kept = fdo_alloc(body->nblocks + 1, sizeof(*kept));

	for (uint32_t b = 0; b < body->nblocks; b++)
		kept[b] = heat[b] >= least && c->block[b] > 0;
	keep_ways_of(c, body, kept);
	keep_sharers(c, body, kept);
	drop(c, body, kept);
	free(kept);
}
