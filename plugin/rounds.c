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

/* The largest part of rounds that vectors may have left, and how exactly it is one. */
enum { LARGEST_VECTOR = 16 };
static const double EXACT = 0.005;

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

/* FLOW_OUTSIDE is in none. */
static bool has_block(const struct rounds *loop, uint32_t block)
{
	for (uint32_t i = 0; i < loop->nblocks; i++)
		if (loop->blocks[i] == block)
			return true;
	return false;
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
	double whole; /* entered, and left after all its rounds */
	double doubt; /* of that */
	bool told;    /* something was, of what goes round */
	bool bounded; /* nothing was of any of it but bounds that allow that
			 it went round each time */
};

/* Of a block beside a loop: is it executed as often as that is entered? */
static bool is_as_often(const struct counts *c, uint32_t block, double entered)
{
	double count = block == FLOW_OUTSIDE ? 0 : (double)c->block[block];

	return count < FAR * entered && entered < FAR * count;
}

struct rounds_passes rounds_passes(const struct rounds *loop,
				   const struct body *body,
				   const struct counts *c)
{
	struct rounds_passes ret = { 0 };

	for (uint32_t l = 0; l < body->nlinks; l++) {
		const struct flow_link *link = &body->links[l];

		if (link->to != loop->header)
			continue;
		if (has_block(loop, link->from))
			ret.again += (double)c->link[l];
		else
			ret.entered += (double)c->link[l];
	}
	return ret;
}

static void count_whole(const struct rounds *loop, const struct body *body,
			const struct counts *c, struct passes *ret)
{
	ret->whole = 0;
	for (uint32_t l = 0; l < body->nlinks; l++)
		if (body->links[l].from == loop->from &&
		    body->links[l].to == loop->to)
			ret->whole += (double)c->link[l];
}

/* Was anything said of what only those that go round get to? */
static bool is_told(const struct rounds *loop, struct evidence *e)
{
	for (uint32_t i = 0; i < loop->nblocks; i++)
		if (loop->behind[i] && evidence_ballot(e, loop->blocks[i])->n)
			return true;
	return false;
}

/*
 * A macro is one place, whatever it does, and of all its blocks there are but
 * bounds: where no loop is left of one, what stands for it was executed no more
 * often than all else.
 */
static bool is_bounded(const struct rounds *loop, struct evidence *e,
		       double entered, int shift)
{
	bool any = false;

	for (uint32_t i = 0; i < loop->nblocks; i++) {
		const struct ballot *b = evidence_ballot(e, loop->blocks[i]);

		if (b->n || (b->bounded &&
			     FAR * ldexp((double)b->bound, shift) < entered))
			return false;
		any |= loop->behind[i] && b->bounded;
	}
	return any;
}

static struct passes passes_of(const struct rounds *loop,
			       const struct body *body, const struct counts *c,
			       const uint32_t *class_of, const double *doubts)
{
	bool *is_in = members(loop, body->nblocks);
	struct rounds_passes plain = rounds_passes(loop, body, c);
	struct passes ret = { plain.entered, plain.again, plain.entered, 1 };

	if (loop->has_others)
		count_whole(loop, body, c, &ret);
	for (uint32_t l = 0; l < body->nlinks; l++) {
		uint32_t from = body->links[l].from, to = body->links[l].to;
		bool from_in = from != FLOW_OUTSIDE && is_in[from];
		bool to_in = to != FLOW_OUTSIDE && is_in[to];
		uint32_t beside = from_in ? to : from;

		if (from_in != to_in && is_as_often(c, beside, ret.whole))
			ret.doubt = fmin(ret.doubt, doubts[class_of[beside]]);
	}
	free(is_in);
	return ret;
}

/*
 * Of a loop that is gone, the code says how often there was a round at all.  As
 * if each round were followed by another one as often as it was begun.  Of a
 * string, it says how often it was asked for.
 */
static double rounds_of(const struct rounds *loop, const struct passes *passes)
{
	double goes = passes->again / passes->entered;

	if (!loop->is_gone)
		return (double)loop->rounds;
	if (goes > 1 + FEW || (loop->is_string && passes->told))
		return 0;
	if (passes->bounded)
		goes = 1;
	goes = loop->is_string ? loop->guessed : fmin(goes, loop->guessed);
	return goes < 1 ? goes / (1 - goes) : 0;
}

/*
 * Does it go round, and a half as often as it should, or a fourth and so on?  That is
 * by vectors: where the profiled program's code says how often a loop goes round, its
 * counts agree exactly, and are as wrong as those around it.
 */
static bool is_by_vectors(const struct passes *passes, double factor)
{
	if (passes->again <= passes->entered * (1 + FEW))
		return false;
	for (int part = 2; part <= LARGEST_VECTOR; part *= 2)
		if (fabs(factor / part - 1) < EXACT)
			return true;
	return false;
}

/*
 * Does it go round exactly once?  Then it was unrolled as a whole: all its rounds are
 * one after the other, by what was executed with what is around it.
 */
static bool is_unrolled(const struct rounds *loop, const struct passes *passes)
{
	return !loop->has_others &&
	       fabs(passes->again / passes->entered - 1) < EXACT;
}

/* Is there more of a loop than can be by chance, if it is known how often? */
static bool is_raised(const struct rounds *loop, const struct passes *passes,
		      double factor)
{
	if (loop->is_gone)
		return factor > 1;
	return factor * (1 - ERRORS * passes->doubt) >= FAR ||
	       (factor >= FAR && is_unrolled(loop, passes)) ||
	       is_by_vectors(passes, factor);
}

/* What a block lacks. */
struct raise {
	double factor;
	double least, doubt; /* executions, scaled; 0: any */
};

/* What each round leads over runs in each, whatever was said of it. */
static void raise_least(const struct rounds *loop, const struct passes *passes,
			double again, struct raise *raises)
{
	for (uint32_t i = 0; i < loop->nblocks; i++) {
		struct raise *r = &raises[loop->blocks[i]];
		double least = again;

		if (!loop->always[i])
			continue;
		if (!loop->behind[i])
			least += passes->whole;
		if (least <= r->least)
			continue;
		r->least = least;
		r->doubt = passes->doubt;
	}
}

static void raise_loop(const struct rounds *loop, const struct passes *passes,
		       struct raise *raises)
{
	double again = rounds_of(loop, passes) * passes->whole;
	double before =
		(again + passes->entered) / (passes->again + passes->entered);
	double behind = passes->again > 0 ? again / passes->again : before;

	if (!is_raised(loop, passes, fmax(before, behind)))
		return;
	if (loop->has_others || passes->bounded) {
		raise_least(loop, passes, again, raises);
		return;
	}
	for (uint32_t i = 0; i < loop->nblocks; i++)
		raises[loop->blocks[i]].factor *=
			loop->behind[i] ? behind : before;
}

static double own_count(struct ballot *ballot, const struct counts_how *how)
{
	return ballot->n ? ldexp((double)ballot_count(ballot, how->vote),
				 how->shift)
			 : 0;
}

/*
 * By a factor, or, of the test that a loop begins with, more: of its votes it
 * is not sure whether they are of the first time as well.
 */
static void raise_votes(struct ballot *ballot, int64_t count, double factor,
			const struct counts_how *how)
{
	double own = own_count(ballot, how);

	if (own > 0 && (double)count > own)
		factor *= (double)count / own;
	ballot_scale(ballot, factor);
}

/* One vote for the least instead of all others, if these are for far less. */
static void replace_votes(struct ballot *ballot, const struct raise *r,
			  const struct counts_how *how)
{
	double least = r->least * r->factor;
	uint64_t count =
		counts_unscale((int64_t)fmin(least, 0x1p60), how->shift);

	if (least <= FAR * own_count(ballot, how))
		return;
	ballot_clear(ballot);
	ballot_add(ballot, count, (uint64_t)(r->doubt * (double)count));
}

/* Of each block, by all loops that it is in. */
static struct raise *find_raises(const struct body *body, struct evidence *e,
				 const uint32_t *class_of,
				 const struct rounds *loops, size_t n,
				 const struct counts_how *how,
				 const struct counts *c)
{
	struct raise *raises = fdo_alloc(body->nblocks, sizeof(*raises));
	double *doubts = find_doubts(body, e, class_of, how->vote);

	for (uint32_t b = 0; b < body->nblocks; b++)
		raises[b].factor = 1;
	for (size_t i = 0; i < n; i++) {
		struct passes passes =
			passes_of(&loops[i], body, c, class_of, doubts);

		passes.told = is_told(&loops[i], e);
		passes.bounded =
			loops[i].is_gone && !loops[i].is_string &&
			is_bounded(&loops[i], e, passes.entered, how->shift);
		if (passes.entered > 0 &&
		    (loops[i].is_known || loops[i].is_gone))
			raise_loop(&loops[i], &passes, raises);
	}
	free(doubts);
	return raises;
}

static bool any_known(const struct rounds *loops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (loops[i].is_known || loops[i].is_gone)
			return true;
	return false;
}

void rounds_snap(const struct body *body, struct evidence *e,
		 const uint32_t *class_of, const struct rounds *loops, size_t n,
		 const struct counts_how *how)
{
	struct fdo_error err;
	struct counts *c =
		any_known(loops, n) ? counts_new(body, e, how, &err) : NULL;
	struct raise *raises;

	if (!c)
		return;
	raises = find_raises(body, e, class_of, loops, n, how, c);
	for (uint32_t b = 0; b < body->nblocks; b++) {
		struct ballot *ballot = evidence_ballot(e, b);

		if (raises[b].factor > 1)
			raise_votes(ballot, c->block[b], raises[b].factor, how);
		if (raises[b].least > 0)
			replace_votes(ballot, &raises[b], how);
	}
	free(raises);
	counts_free(c);
}

/* The loop that a block heads; NULL: none that is known. */
static const struct rounds *headed_by(const struct rounds *loops, size_t n,
				      uint32_t block)
{
	for (size_t i = 0; i < n; i++)
		if (loops[i].header == block)
			return loops[i].is_known ? &loops[i] : NULL;
	return NULL;
}

static bool is_untold(struct evidence *e, uint32_t block)
{
	const struct ballot *b = evidence_ballot(e, block);

	return !b->n && !b->bounded && !b->least;
}

/* How many links leave each block; the caller's. */
static uint32_t *count_ways(const struct body *body)
{
	uint32_t *ways = fdo_alloc(body->nblocks, sizeof(*ways));

	for (uint32_t l = 0; l < body->nlinks; l++)
		if (body->links[l].from != FLOW_OUTSIDE)
			ways[body->links[l].from]++;
	return ways;
}

/*
 * Does nothing branch but tests of loops in each other whose rounds are known, and has
 * none of these any code?
 */
static bool is_straight(const struct rounds *loop, const uint32_t *ways,
			struct evidence *e, const struct rounds *loops,
			size_t n)
{
	unsigned nloops = 0;
	bool ret = true;

	for (uint32_t i = 0; i < loop->nblocks && ret; i++) {
		uint32_t b = loop->blocks[i];
		const struct rounds *inner = headed_by(loops, n, b);

		nloops += inner != NULL;
		if (inner)
			ret = !inner->has_others && inner->rounds > 1 &&
			      inner->from == b && is_untold(e, b);
		else
			ret = ways[b] == 1;
	}
	return ret && nloops > 1;
}

/* How often a block runs for each time that a loop is entered that it is in. */
static double times_in(const struct rounds *outer, uint32_t block,
		       const struct rounds *loops, size_t n)
{
	double times = 1;

	for (size_t i = 0; i < n; i++)
		if (has_block(&loops[i], block) &&
		    has_block(outer, loops[i].header))
			times *= (double)loops[i].rounds +
				 (loops[i].header == block);
	return times;
}

/* The block from which a loop is entered; FLOW_OUTSIDE: there are several. */
static uint32_t enters(const struct rounds *loop, const struct body *body)
{
	uint32_t ret = FLOW_OUTSIDE;

	for (uint32_t l = 0; l < body->nlinks; l++) {
		const struct flow_link *link = &body->links[l];

		if (link->to != loop->header || has_block(loop, link->from))
			continue;
		if (ret != FLOW_OUTSIDE)
			return FLOW_OUTSIDE;
		ret = link->from;
	}
	return ret;
}

/* Is a loop in another one of which that is so? */
static bool is_inside(const struct rounds *loop, const uint32_t *ways,
		      struct evidence *e, const struct rounds *loops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (&loops[i] != loop && loops[i].is_known &&
		    has_block(&loops[i], loop->header) &&
		    is_straight(&loops[i], ways, e, loops, n))
			return true;
	return false;
}

static bool unroll(const struct rounds *loop, const struct body *body,
		   struct evidence *e, const uint32_t *class_of,
		   const struct rounds *loops, size_t n, enum vote vote)
{
	uint32_t from = enters(loop, body), best = FLOW_OUTSIDE;
	uint64_t count = 0, error;

	if (from == FLOW_OUTSIDE)
		return false;
	for (uint32_t b = 0; b < body->nblocks; b++)
		if (class_of[b] == class_of[from] && evidence_ballot(e, b)->n)
			return false;
	for (uint32_t i = 0; i < loop->nblocks; i++) {
		struct ballot *ballot = evidence_ballot(e, loop->blocks[i]);

		if (ballot->n && ballot_count(ballot, vote) > count) {
			count = ballot_count(ballot, vote);
			best = loop->blocks[i];
		}
	}
	if (best == FLOW_OUTSIDE)
		return false;
	error = ballot_error(evidence_ballot(e, best), count);
	ballot_add(evidence_ballot(e, from), count, error);
	for (uint32_t i = 0; i < loop->nblocks; i++) {
		struct ballot *ballot = evidence_ballot(e, loop->blocks[i]);

		if (!ballot->n)
			ballot_add(ballot, count, error);
		ballot_scale(ballot, times_in(loop, loop->blocks[i], loops, n));
	}
	return true;
}

bool rounds_unroll(const struct body *body, struct evidence *e,
		   const uint32_t *class_of, const struct rounds *loops,
		   size_t n, enum vote vote)
{
	bool *whole = fdo_alloc(n + 1, sizeof(*whole));
	uint32_t *ways = count_ways(body);
	bool any = false;

	for (size_t i = 0; i < n; i++)
		whole[i] = loops[i].is_known &&
			   is_straight(&loops[i], ways, e, loops, n) &&
			   !is_inside(&loops[i], ways, e, loops, n);
	for (size_t i = 0; i < n; i++)
		if (whole[i])
			any |= unroll(&loops[i], body, e, class_of, loops, n,
				      vote);
	free(ways);
	free(whole);
	return any;
}
