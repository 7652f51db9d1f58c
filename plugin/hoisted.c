#include "plugin/hoisted.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "mcf/smooth.h"
#include "plugin/vote.h"

/* Less than by this factor may be chance. */
static const double FAR = 1.5;

/* More often by this factor, statements cannot begin whose code is where they were. */
static const double FAR_BEGUN = 4;

/* By so many of its errors, a count may be wrong. */
enum { ERRORS = 2 };

/* What is said of a block, scaled, and how far that may be wrong. */
struct said {
	double count, error;
};

static struct said said_of(struct evidence *e, uint32_t block,
			   const struct counts_how *how)
{
	struct ballot *ballot = evidence_ballot(e, block);
	uint64_t count = ballot->n ? ballot_count(ballot, how->vote) : 0;

	return (struct said){
		ldexp((double)count, how->shift),
		ldexp((double)ballot_error(ballot, count), how->shift),
	};
}

/* What a loop does, at least, by its test; scaled. */
struct passes {
	double entered, rounds;
};

/* About as often as the loop is entered, and far less than it goes round. */
static bool is_from_before(const struct said *said, const struct passes *passes)
{
	return said->count < FAR * passes->entered &&
	       passes->entered < FAR * said->count &&
	       FAR * (said->count + ERRORS * said->error) < passes->rounds;
}

/* Is all that is said of a block, over which each round leads, from before? */
static bool is_hoisted(const struct rounds *loop, uint32_t i,
		       struct evidence *e, const struct passes *passes,
		       const struct counts_how *how)
{
	uint32_t block = loop->blocks[i];
	struct said said = said_of(e, block, how);

	return loop->always[i] && block != loop->header &&
	       is_from_before(&said, passes);
}

static struct passes passes_of(const struct rounds *loop,
			       const struct body *body, struct evidence *e,
			       const struct counts *c,
			       const struct counts_how *how)
{
	struct said test = said_of(e, loop->header, how);
	double entered = rounds_passes(loop, body, c).entered;

	return (struct passes){
		entered,
		test.count - ERRORS * test.error - entered,
	};
}

static void forget(const struct rounds *loop, const struct body *body,
		   struct evidence *e, const struct counts *c,
		   const struct counts_how *how)
{
	struct passes passes = passes_of(loop, body, e, c, how);

	for (uint32_t i = 0; i < loop->nblocks; i++)
		if (is_hoisted(loop, i, e, &passes, how))
			ballot_clear(evidence_ballot(e, loop->blocks[i]));
}

/* May that be such a block, however often the loop was entered? */
static bool is_suspect(const struct rounds *loop, uint32_t i,
		       struct evidence *e, const struct counts_how *how)
{
	struct said test = said_of(e, loop->header, how);
	struct said said = said_of(e, loop->blocks[i], how);

	return loop->tests_first && loop->always[i] && said.count > 0 &&
	       (FAR + 1 / FAR) * said.count < test.count;
}

/* By block; NULL: none is. */
static bool *find_suspects(const struct body *body, struct evidence *e,
			   const struct rounds *loops, size_t n,
			   const struct counts_how *how)
{
	bool *suspects = fdo_alloc(body->nblocks + 1, sizeof(*suspects));
	bool any = false;

	for (size_t l = 0; l < n; l++)
		for (uint32_t i = 0; i < loops[l].nblocks; i++)
			if (is_suspect(&loops[l], i, e, how))
				any = suspects[loops[l].blocks[i]] = true;
	if (any)
		return suspects;
	free(suspects);
	return NULL;
}

/* As if nothing had been said of some blocks, which is said again afterwards. */
static struct counts *count_without(const struct body *body, struct evidence *e,
				    const bool *suspects,
				    const struct counts_how *how)
{
	size_t *votes = fdo_alloc(body->nblocks + 1, sizeof(*votes));
	struct fdo_error err;
	struct counts *c;

	for (uint32_t b = 0; b < body->nblocks; b++) {
		votes[b] = evidence_ballot(e, b)->n;
		if (suspects[b])
			evidence_ballot(e, b)->n = 0;
	}
	c = counts_new(body, e, how, &err);
	for (uint32_t b = 0; b < body->nblocks; b++)
		evidence_ballot(e, b)->n = votes[b];
	free(votes);
	return c;
}

/*
 * How often loops are entered by all that is said, and without what may be from
 * before: if more was moved than was left, the flow goes round elsewhere instead.
 */
static void forget_suspects(const struct body *body, struct evidence *e,
			    const bool *suspects, const struct rounds *loops,
			    size_t n, const struct counts_how *how)
{
	struct fdo_error err;
	struct counts *with = counts_new(body, e, how, &err);
	struct counts *without = count_without(body, e, suspects, how);

	for (size_t i = 0; with && without && i < n; i++)
		if (loops[i].tests_first) {
			forget(&loops[i], body, e, with, how);
			forget(&loops[i], body, e, without, how);
		}
	counts_free(with);
	counts_free(without);
}

/* Did statements of a block begin far more often than all that is left of it ran? */
static bool is_moved(struct evidence *e, uint32_t block,
		     const struct counts_how *how)
{
	struct said said = said_of(e, block, how);
	double begun =
		ldexp((double)evidence_ballot(e, block)->least, how->shift);

	return said.count > 0 &&
	       begun > FAR_BEGUN * (said.count + ERRORS * said.error);
}

void hoisted_doubt(const struct body *body, struct evidence *e,
		   const struct rounds *loops, size_t n,
		   const struct counts_how *how)
{
	bool *suspects;

	for (uint32_t b = 0; b < body->nblocks; b++)
		if (is_moved(e, b, how))
			ballot_clear(evidence_ballot(e, b));
	suspects = find_suspects(body, e, loops, n, how);
	if (suspects)
		forget_suspects(body, e, suspects, loops, n, how);
	free(suspects);
}
