/*
 * doubt.c - votes that other blocks' votes speak against.
 */
#include "plugin/doubt.h"

#include <stdlib.h>

#include "base/alloc.h"

enum {
	ONE_IN = 100,	    /* runs of what comes before it, an arm by chance */
	MAY_BE_ONE_IN = 10, /* where that is all that its error allows */
	PART_OF_CHANCE = 64,   /* of its count, it gets one part in so many */
	SAMPLES_OF_CHANCE = 3, /* and so many, at least, are no chance */
};

static struct outcome outcome(struct ballot *b)
{
	struct outcome o = { .is_known = b->n > 0 };

	if (!o.is_known)
		return o;
	o.count = ballot_count(b, VOTE_MEDIAN);
	o.error = ballot_error(b, o.count);
	o.is_doubtful = o.error >= o.count;
	return o;
}

struct outcome *doubt_outcomes(struct ballot *ballots, uint32_t nblocks)
{
	struct outcome *outcomes = fdo_alloc(nblocks, sizeof(*outcomes));

	for (uint32_t b = 0; b < nblocks; b++)
		outcomes[b] = outcome(&ballots[b]);
	return outcomes;
}

struct placed {
	uint32_t block, depth; /* blocks above it */
};

static int by_depth(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return (x->block > y->block) - (x->block < y->block);
}

/* All blocks, each after its dominators; the caller's. */
static struct placed *in_order(const uint32_t *above, uint32_t n)
{
	struct placed *order = fdo_alloc(n, sizeof(*order));

	for (uint32_t b = 0; b < n; b++)
		order[b].block = b;
	for (uint32_t b = 0; b < n; b++) {
		uint32_t at = b, depth = 0;

		/* Up to where it is known, and once more to say it. */
		while (!order[at].depth && above[at] != at) {
			at = above[at];
			depth++;
		}
		depth += order[at].depth;
		for (at = b; !order[at].depth && above[at] != at;
		     at = above[at])
			order[at].depth = depth--;
	}
	if (n)
		qsort(order, n, sizeof(*order), by_depth);
	return order;
}

/* Is one less than another by more than what both may be wrong? */
static bool is_less(const struct outcome *x, const struct outcome *y)
{
	return x->count + x->error < y->count &&
	       y->count - x->count - x->error > y->error;
}

/*
 * What is entered and left together runs equally often, and it is at its end
 * that compilers merge code with other code that ends alike.  So of a block
 * before it, of which more places speak, less is believed.  Nor is more of that one, if
 * no fewer places speak of it: all that is left of the end's code may be a copy of it on
 * a way that hardly ran.
 */
static void doubt_end(struct ballot *end, struct ballot *before)
{
	struct outcome last = outcome(end), first = outcome(before);

	if (end->n <= before->n && is_less(&last, &first)) {
		ballot_clear(end);
	} else if (end->n < before->n && is_less(&first, &last)) {
		ballot_clear(end);
		ballot_add(end, first.count, first.error);
	}
}

/* A block without a count may have lost its code to another one. */
void doubt_ends(struct ballot *ballots, uint32_t nblocks,
		const struct evidence_shape *shape)
{
	struct placed *order = in_order(shape->dominator, nblocks);
	struct ballot **best = fdo_alloc(nblocks, sizeof(*best));

	for (uint32_t i = 0; i < nblocks; i++) {
		uint32_t b = order[i].block;
		struct ballot *here = &ballots[b],
			      **known = &best[shape->class_of[b]];

		if (!here->n || !ballot_count(here, VOTE_MEDIAN))
			continue;
		if (*known)
			doubt_end(here, *known);
		if (!*known || here->n > (*known)->n)
			*known = here;
	}
	free(best);
	free(order);
}

static bool runs(struct ballot *ballot)
{
	return ballot->n && ballot_count(ballot, VOTE_MEDIAN);
}

/*
 * Blocks that are entered and left together run if one before and one after them
 * does.  Where jumps were threaded, all code of a place may be on a way that never
 * ran, as that for the case that a test before it came out the other way.
 */
void doubt_between(struct ballot *ballots, uint32_t nblocks,
		   const struct evidence_shape *shape)
{
	struct placed *order = in_order(shape->dominator, nblocks);
	bool *before = fdo_alloc(nblocks, sizeof(*before));
	uint32_t *last = fdo_alloc(nblocks, sizeof(*last));

	/* Of each class, 1 + the place in the order of the last that runs. */
	for (uint32_t i = 0; i < nblocks; i++)
		if (runs(&ballots[order[i].block]))
			last[shape->class_of[order[i].block]] = i + 1;
	for (uint32_t i = 0; i < nblocks; i++) {
		uint32_t b = order[i].block, class_ = shape->class_of[b];

		if (runs(&ballots[b]))
			before[class_] = true;
		else if (before[class_] && last[class_] > i && ballots[b].n)
			ballot_clear(&ballots[b]);
	}
	free(last);
	free(before);
	free(order);
}

/*
 * Of each block, the nearest block around it with a firm outcome; or itself.  What
 * went round in a loop before it is no measure.
 */
static uint32_t *firm_around(const struct evidence_shape *shape,
			     const struct outcome *outcomes, uint32_t n)
{
	enum { UNKNOWN = 0xffffffffu };
	uint32_t *firm = fdo_alloc(n, sizeof(*firm));

	for (uint32_t b = 0; b < n; b++)
		firm[b] = UNKNOWN;
	for (uint32_t b = 0; b < n; b++) {
		uint32_t at = b, up;

		/* Up to where it is known, and once more to say it. */
		while (firm[at] == UNKNOWN) {
			up = shape->around[at];
			if (up == at || (outcomes[up].is_known &&
					 !outcomes[up].is_doubtful))
				firm[at] = up;
			else
				at = up;
		}
		up = firm[at];
		for (uint32_t i = b; i != at; i = shape->around[i])
			firm[i] = up == at ? i : up;
	}
	return firm;
}

/* The nearest of another class; or itself. */
static uint32_t firm_before(const struct evidence_shape *shape,
			    const uint32_t *firm, uint32_t block)
{
	for (uint32_t b = block; firm[b] != b; b = firm[b])
		if (shape->class_of[firm[b]] != shape->class_of[block])
			return firm[b];
	return block;
}

/*
 * What arms by chance have too much, the way that was nearly always taken lacks, of as
 * many executions of what is before it.
 */
static void give_back(struct ballot *ballots, uint32_t nblocks,
		      const struct evidence_shape *shape,
		      const struct outcome *outcomes, const uint32_t *firm,
		      const uint64_t *lost)
{
	struct placed *order = in_order(shape->around, nblocks);
	double *factors = fdo_alloc(nblocks, sizeof(*factors));

	for (uint32_t i = 0; i < nblocks; i++) {
		uint32_t b = order[i].block;
		uint32_t before = firm_before(shape, firm, b);
		uint64_t count = outcomes[b].count;
		uint64_t all = outcomes[before].count;

		factors[b] = 1;
		if (before == b || !outcomes[b].is_known ||
		    outcomes[b].is_doubtful || count > all ||
		    all - count > lost[before])
			continue;
		factors[b] = factors[before] * ((double)all / (double)count);
		ballot_scale(&ballots[b], factors[b]);
	}
	free(factors);
	free(order);
}

/*
 * How many samples blocks and all arms of them have, as their counts have it and if
 * each vote is of an instruction, and what was inlined there: an arm with several did
 * run, however uncertain it is how often.
 */
static void believe_sampled(struct outcome *outcomes,
			    const struct ballot *ballots, uint32_t nblocks,
			    const struct evidence_shape *shape)
{
	struct placed *order = in_order(shape->around, nblocks);
	double *executed = fdo_alloc(nblocks, sizeof(*executed));

	for (uint32_t i = nblocks; i-- > 0;) {
		uint32_t b = order[i].block, up = shape->around[b];

		executed[b] +=
			(double)outcomes[b].count * (double)ballots[b].n +
			(double)ballots[b].behind;
		if (executed[b] >= SAMPLES_OF_CHANCE * shape->per_sample)
			outcomes[b].is_doubtful = false;
		if (up != b)
			executed[up] += executed[b];
	}
	free(executed);
	free(order);
}

/* What is doubted gets a part, as flow_doubt() gives what was not seen. */
void doubt_chance(struct ballot *ballots, uint32_t nblocks,
		  const struct evidence_shape *shape)
{
	struct outcome *outcomes = doubt_outcomes(ballots, nblocks);
	uint64_t *lost = fdo_alloc(nblocks, sizeof(*lost));
	uint32_t *firm;

	if (shape->per_sample > 0)
		believe_sampled(outcomes, ballots, nblocks, shape);
	firm = firm_around(shape, outcomes, nblocks);
	for (uint32_t b = 0; b < nblocks; b++) {
		const struct outcome *o = &outcomes[b];
		uint32_t before = firm_before(shape, firm, b);

		if (!o->is_doubtful || o->count == 0 || before == b ||
		    o->count > outcomes[before].count / ONE_IN ||
		    o->error > outcomes[before].count / MAY_BE_ONE_IN)
			continue;
		lost[before] += o->count;
		ballot_clear(&ballots[b]);
		ballot_add(&ballots[b], o->count / PART_OF_CHANCE + 1,
			   o->count);
	}
	give_back(ballots, nblocks, shape, outcomes, firm, lost);
	free(firm);
	free(lost);
	free(outcomes);
}
