#include "plugin/rounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "mcf/smooth.h"
#include "plugin/vote.h"

/*
 * Less than by this factor may be chance, of samples in the loop or around it;
 * vectors and loops without rounds have more.
 */
static const double FAR = 1.5;

/* More rounds than entries, by which they may differ by chance. */
static const double FEW = 0.05;

/* Of how often it was entered, in which a loop may be wrong by chance. */
enum { ERRORS = 2 };

static int64_t in_range(__int128 steps)
{
	return steps < 0 || steps > INT64_MAX ? -1 : (int64_t)steps;
}

/* Until nothing of a distance is left. */
static int64_t steps_past(__int128 distance, __int128 step)
{
	if (distance <= 0)
		return 0;
	return step <= 0 ? -1 : in_range((distance + step - 1) / step);
}

static int64_t steps_to(__int128 distance, __int128 step)
{
	if (distance == 0)
		return 0;
	return step == 0 || distance % step != 0 ? -1
						 : in_range(distance / step);
}

int64_t rounds_while(enum rounds_while how, int64_t first, int64_t step,
		     int64_t limit)
{
	__int128 distance = (__int128)limit - first;

	switch (how) {
	case WHILE_LESS:
		return steps_past(distance, step);
	case WHILE_LESS_OR_SAME:
		return steps_past(distance + 1, step);
	case WHILE_MORE:
		return steps_past(-distance, -(__int128)step);
	case WHILE_MORE_OR_SAME:
		return steps_past(-distance + 1, -(__int128)step);
	case WHILE_OTHER:
		break;
	}
	return steps_to(distance, step);
}

static bool *members(const struct rounds *loop, uint32_t nblocks)
{
	bool *is_in = fdo_alloc(nblocks, sizeof(*is_in));

	for (uint32_t i = 0; i < loop->nblocks; i++)
		is_in[loop->blocks[i]] = true;
	return is_in;
}

/* How far what is said of a block may be wrong, as a part of it; at most 1. */
static double doubt_of(struct ballot *ballot, enum vote how)
{
	uint64_t count = ballot->n ? ballot_count(ballot, how) : 0;
	uint64_t error = ballot_error(ballot, count);

	return error < count ? (double)error / (double)count : 1;
}

/*
 * The same of each class, by the best of its blocks.  None of these is in a
 * loop that another is not in.
 */
static double *find_doubts(const struct body *body, struct evidence *e,
			   const uint32_t *class_of, enum vote how)
{
	double *doubts = fdo_alloc(body->nblocks, sizeof(*doubts));

	for (uint32_t b = 0; b < body->nblocks; b++)
		doubts[b] = 1;
	for (uint32_t b = 0; b < body->nblocks; b++)
		doubts[class_of[b]] =
			fmin(doubts[class_of[b]],
			     doubt_of(evidence_ballot(e, b), how));
	return doubts;
}

struct passes {
	double entered, again;
	double doubt; /* of how often it was entered */
};

/* Of a block beside a loop: is it executed as often as that is entered? */
static bool is_as_often(const struct counts *c, uint32_t block, double entered)
{
	double count = block == FLOW_OUTSIDE ? 0 : (double)c->block[block];

	return count < FAR * entered && entered < FAR * count;
}

static void count_passes(const struct rounds *loop, const struct body *body,
			 const struct counts *c, const bool *is_in,
			 struct passes *ret)
{
	for (uint32_t l = 0; l < body->nlinks; l++) {
		const struct flow_link *link = &body->links[l];

		if (link->to != loop->header)
			continue;
		if (link->from != FLOW_OUTSIDE && is_in[link->from])
			ret->again += (double)c->link[l];
		else
			ret->entered += (double)c->link[l];
	}
}

static struct passes passes_of(const struct rounds *loop,
			       const struct body *body, const struct counts *c,
			       const uint32_t *class_of, const double *doubts)
{
	bool *is_in = members(loop, body->nblocks);
	struct passes ret = { .doubt = 1 };

	count_passes(loop, body, c, is_in, &ret);
	for (uint32_t l = 0; l < body->nlinks; l++) {
		uint32_t from = body->links[l].from, to = body->links[l].to;
		bool from_in = from != FLOW_OUTSIDE && is_in[from];
		bool to_in = to != FLOW_OUTSIDE && is_in[to];
		uint32_t beside = from_in ? to : from;

		if (from_in != to_in && is_as_often(c, beside, ret.entered))
			ret.doubt = fmin(ret.doubt, doubts[class_of[beside]]);
	}
	free(is_in);
	return ret;
}

/*
 * Of a loop that is gone, the code says how often there was a round at all.  As
 * if each round were followed by another one as often as it was begun.
 */
static double rounds_of(const struct rounds *loop, const struct passes *passes)
{
	double goes = passes->again / passes->entered;

	if (!loop->is_gone)
		return (double)loop->rounds;
	if (goes > 1 + FEW)
		return 0;
	goes = fmin(goes, loop->guessed);
	return goes < 1 ? goes / (1 - goes) : 0;
}

/* Is there more of a loop than can be by chance, if it is known how often? */
static bool is_raised(const struct rounds *loop, const struct passes *passes,
		      double factor)
{
	if (loop->is_gone)
		return factor > 1;
	return factor * (1 - ERRORS * passes->doubt) >= FAR;
}

/* Into the factor of each block. */
static void raise_loop(const struct rounds *loop, const struct passes *passes,
		       double *factors)
{
	double again = rounds_of(loop, passes) * passes->entered;
	double before =
		(again + passes->entered) / (passes->again + passes->entered);
	double behind = passes->again > 0 ? again / passes->again : before;

	if (!is_raised(loop, passes, fmax(before, behind)))
		return;
	for (uint32_t i = 0; i < loop->nblocks; i++)
		factors[loop->blocks[i]] *= loop->behind[i] ? behind : before;
}

/*
 * By a factor, or, of the test that a loop begins with, more: of its votes it is
 * not sure whether they are of the first time as well.
 */
static void raise_votes(struct ballot *ballot, int64_t count, double factor,
			const struct counts_how *how)
{
	double own = 0;

	if (ballot->n)
		own = ldexp((double)ballot_count(ballot, how->vote),
			    how->shift);
	if (own > 0 && (double)count > own)
		factor *= (double)count / own;
	ballot_scale(ballot, factor);
}

/* Of each block, by all loops that it is in. */
static double *find_factors(const struct body *body, struct evidence *e,
			    const uint32_t *class_of,
			    const struct rounds *loops, size_t n, enum vote how,
			    const struct counts *c)
{
	double *factors = fdo_alloc(body->nblocks, sizeof(*factors));
	double *doubts = find_doubts(body, e, class_of, how);

	for (uint32_t b = 0; b < body->nblocks; b++)
		factors[b] = 1;
	for (size_t i = 0; i < n; i++) {
		struct passes passes =
			passes_of(&loops[i], body, c, class_of, doubts);

		if (passes.entered > 0)
			raise_loop(&loops[i], &passes, factors);
	}
	free(doubts);
	return factors;
}

void snap_rounds(const struct body *body, struct evidence *e,
		 const uint32_t *class_of, const struct rounds *loops, size_t n,
		 const struct counts_how *how)
{
	struct fdo_error err;
	struct counts *c = n ? counts_new(body, e, how, &err) : NULL;
	double *factors;

	if (!c)
		return;
	factors = find_factors(body, e, class_of, loops, n, how->vote, c);
	for (uint32_t b = 0; b < body->nblocks; b++)
		if (factors[b] > 1)
			raise_votes(evidence_ballot(e, b), c->block[b],
				    factors[b], how);
	free(factors);
	counts_free(c);
}
