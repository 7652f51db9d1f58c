/*
 * rounds.h - loops that the compiler knows to go round a certain number of
 * times.
 *
 *	struct rounds loop = { .header = 3, .rounds = 15, ... };
 *	evidence_judge(evidence, &shape, model);
 *	rounds_snap(&body, evidence, shape.class_of, &loop, 1, &how);
 *
 * Such a loop was often unrolled in the profiled program, or made of vectors.
 * What was executed sixteen times, one after the other, is one block then,
 * which was executed once; so the places in it have too small a count.  How
 * often the loop was entered, the code around it tells: what is in one class
 * with a block that leads into the loop or that it leads to.  If there are
 * other ways out of it, it went round so often at least for each time that it
 * was left where its rounds are counted, and what only some rounds do is as it
 * is.
 *
 * Where all such loops in each other are gone, with their tests, and nothing else in
 * them branches, all of their code runs equally often, once for each time that they are
 * entered: rounds_unroll() lets it vote for that.
 *
 * Of other loops no loop was left: a sum became a formula, and a copy a call of
 * memmove().  That code was executed once if there was a round at all.  Each
 * round is then as likely to be followed by another one as the loop was to be
 * begun, but not likelier than the compiler guesses.  Where all code that is
 * left is that of the test, as of a call of strlen(), so is the first one; and
 * where all is of one place, as in a macro, and has but bounds.
 *
 * Range      Only votes that are too small by a factor of 1.5 or more are
 *            raised, also if what the entries say is less by two of its
 *            standard errors, or if they are a half, a fourth, to a sixteenth
 *            exactly; where no loop is left, all.  In loops with other
 *            exits, such votes give way to one for the least that there is.
 * Units      As in evidence.h and counts.h.
 * Ownership  Nothing is kept.
 * Errors     None: without counts, nothing is changed.
 */
#ifndef PLUGIN_ROUNDS_H
#define PLUGIN_ROUNDS_H

#include "plugin/counts.h"
#include "plugin/evidence.h"
#include "plugin/vote.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a loop's counter is compared with its limit, to go on. */
enum rounds_while {
	WHILE_LESS,
	WHILE_LESS_OR_SAME,
	WHILE_MORE,
	WHILE_MORE_OR_SAME,
	WHILE_OTHER,
};

/*
 * How often that holds before it does not; -1: as long as the counter has not
 * gone round all numbers, or more often than INT64_MAX.
 */
int64_t rounds_while(enum rounds_while how, int64_t first, int64_t step,
		     int64_t limit);

/* A loop, and what is known of its rounds. */
struct rounds {
	uint32_t header;
	uint64_t rounds; /* times it goes round, for each that it is entered */
	uint32_t *blocks;
	bool *behind; /* of each block: it comes after the exit that counts */
	bool *always; /* likewise: each round leads over it */
	uint32_t nblocks;
	bool tests_first; /* may be left from the header */
	bool is_known;	  /* rounds is set; never of one that is gone */
	/*
	 * The profiled program may have had no loop here, and rounds is not
	 * known: votes are raised as if after each pass another one followed,
	 * with a probability of at most guessed, which is the compiler's.
	 */
	bool is_gone;
	double guessed;
	/*
	 * It is gone, and may have become a call like that of strlen(): votes
	 * are raised only if no block behind the exit has any.
	 */
	bool is_string;
	bool has_others;   /* it has exits besides this one: */
	uint32_t from, to; /* that which counts rounds, or the only one */
};

/* How often a loop begins, and how often it goes round; scaled. */
struct rounds_passes {
	double entered, again;
};

struct rounds_passes rounds_passes(const struct rounds *loop,
				   const struct body *body,
				   const struct counts *c);

/*
 * Before rounds_snap(), once: loops in each other that were unrolled as a whole, by their
 * own code.  Returns whether there are any.
 */
bool rounds_unroll(const struct body *body, struct evidence *e,
		   const uint32_t *class_of, const struct rounds *loops,
		   size_t n, enum vote vote);

/* Raise the votes in loops that lack rounds; a loop may be in another one. */
void rounds_snap(const struct body *body, struct evidence *e,
		 const uint32_t *class_of, const struct rounds *loops, size_t n,
		 const struct counts_how *how);

#ifdef __cplusplus
}
#endif
#endif
