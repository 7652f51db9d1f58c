#include "plugin/hoisted.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "mcf/smooth.h"
#include "plugin/vote.h"

/* Less than by this factor may be chance. */
static const double FAR = 1.5;

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

/* May there be such votes, however often the loop was entered? */
static bool is_suspect(const struct rounds *loop, struct evidence *e,
		       const struct counts_how *how)
{
	struct said test = said_of(e, loop->header, how);

	for (uint32_t i = 0; loop->tests_first && i < loop->nblocks; i++) {
		struct said said = said_of(e, loop->blocks[i], how);

		if (loop->always[i] && said.count > 0 &&
		    (FAR + 1 / FAR) * said.count < test.count)
			return true;
	}
	return false;
}

void hoisted_doubt(const struct body *body, struct evidence *e,
		   const struct rounds *loops, size_t n,
		   const struct counts_how *how)
{
	struct counts *c = NULL;
	struct fdo_error err;

	for (size_t i = 0; i < n; i++) {
		if (!is_suspect(&loops[i], e, how))
			continue;
		if (!c)
			c = counts_new(body, e, how, &err);
		if (!c)
			return;
		forget(&loops[i], body, e, c, how);
	}
	counts_free(c);
}
