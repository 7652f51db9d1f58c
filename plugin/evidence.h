/*
 * evidence.h - what the profile says of each block of a function.
 *
 *	struct evidence *e = evidence_new(unit, nblocks);
 *	evidence_see(e, block, any, exact);	// for each statement
 *	evidence_judge(e, &shape, MODEL_DEFAULT);
 *	... evidence_ballot(e, block) ...
 *	evidence_free(e);
 *
 * A place in the source tells how often a block runs only if all blocks
 * that have code from there run equally often.  Where they do not, its
 * count is an upper bound for each of them.  A wrong count costs more than a
 * missing one, so nothing is guessed from lines alone.  But the block where
 * such a place begins, which all the others come after and less often, has
 * the largest count of it, and that is the count.
 *
 * Of a place without discriminators, the innermost loop that it has code in, if that has
 * but bounds, is where what ran most often is: it has as many rounds as that is more
 * than what is known to run before it.
 *
 * Of "a && b", a compiler that takes b for cheap computes both and tests once.
 * Where that was done in the profiled program, b has the count of a, which says
 * how often b was reached at most.
 *
 * Up to GCC 12 a block has a discriminator, and not its code: where blocks of one
 * line were joined, as the end of a loop and its test, the code of one of them
 * has that of the other.  So where a block has nothing for itself that says how
 * often it runs, what its line has with its discriminator does.
 *
 * Where code may have been moved from one block to others, its count says
 * nothing against code that was not, and 0 says nothing at all.
 *
 * Compilers merge code that ends alike, and what is left of it has one of its
 * places and the counts of all.  Or it is left in one copy of an end alone.  Where
 * blocks that are entered and left together differ, an earlier one that more places
 * speak of is right, and one that as many speak of, if it ran more often.
 *
 * Where jumps were threaded, as around a test whose outcome an earlier one tells, a
 * place may have code on the other way alone.  So one that never ran says nothing if
 * blocks before it and after it did that run as often.
 *
 * Of a function that was inlined, each copy may have lost other code.  What is
 * left only in copies that never ran did not run there, but may have run
 * elsewhere: that is a bound of 0, where nothing else is known.
 *
 * Where there are too many copies to look at, what none of those executes that were
 * looked at is such a bound, too.
 *
 * A bound of which all but a tenth is of copies that are sure is as good as a
 * count.  Where all that is known of a function are bounds, places that were
 * left alone in most of its copies vote: for what these have and half of the
 * rest.
 *
 * A statement of which no code is left may still be marked where it begins.  It
 * began at least as often as those marks say.  The test that a loop begins with leaves
 * no code where it is known how it comes out when the loop is entered: if there are
 * more marks of it, what code it has says nothing.  So it does if nothing but that
 * test leaves the loop, and its code ran no more often than the rounds began.
 *
 * Where hardly anything was sampled, that one sample was is by chance: an arm
 * that ran once in a hundred times or less, if that is no more than its own
 * standard error, is nearly what an arm is that was not seen at all.  Taken for
 * hot, it is inlined, and what is around it no longer is.
 *
 * Units      As in the profile.
 * Ownership  Ballots belong to the struct.
 * Errors     None.
 */
#ifndef PLUGIN_EVIDENCE_H
#define PLUGIN_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/options.h"
#include "plugin/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct copy;
struct evidence;

struct evidence *evidence_new(const struct unit *u, uint32_t nblocks);
void evidence_free(struct evidence *e);

/*
 * A statement of a block: its place whatever its discriminator, and its
 * place with the discriminator (0: it has none).
 */
void evidence_see(struct evidence *e, uint32_t block, uint64_t any,
		  uint64_t exact);

/*
 * The same of a statement that compilers move: what it computes is needed in
 * other blocks only, or in functions that are called there, and may have been
 * computed there, or before.
 */
void evidence_see_movable(struct evidence *e, uint32_t block, uint64_t any,
			  uint64_t exact);

/*
 * The same of a statement that makes a loop's variable that of the next round.
 * Compilers make other variables of it, and where nothing is left in the loop
 * its code may be where the loop ends: that it never ran says nothing.
 */
void evidence_see_advance(struct evidence *e, uint32_t block, uint64_t any,
			  uint64_t exact);

/*
 * What was inlined at a call of a block executed so many instructions: where these are
 * samples, the block did run.
 */
void evidence_see_behind(struct evidence *e, uint32_t block, uint64_t executed);

/* A statement begins in a block, wherever its code is: of PROFILE_BEGIN. */
void evidence_see_begin(struct evidence *e, uint32_t block, uint64_t place);

/* What was seen last has no discriminator: the place of such code alone. */
void evidence_see_bare(struct evidence *e, uint64_t bare);

/* What was seen last has a discriminator: all of its line that has that. */
void evidence_see_line(struct evidence *e, uint64_t line);

/* Some copy of the function ran. */
void evidence_ran(struct evidence *e);

/* It has copies that the unit does not know, which may execute anything. */
void evidence_has_more(struct evidence *e);

/*
 * Before it is judged, or after: what of it some copies say (copies.h).
 * Borrows the copies, and has the same statements.
 */
struct evidence *evidence_of_copies(const struct evidence *all,
				    const struct copy *copies, size_t n);

/* Of each block; all but the first may be NULL if they are not known. */
struct evidence_shape {
	const uint32_t *class_of;  /* mcf/classes.h */
	const uint32_t *dominator; /* the nearest; of the first, itself */
	const uint32_t *around;	 /* likewise, but none of a loop that the block
				      is not in */
	const double *frequency; /* as the compiler guesses */
	const uint32_t *test_of; /* with whose test its own may be made one;
				     with none: itself */
	const bool *heads; /* a loop begins with it, whose test may leave it */
	const uint32_t
		*round_of; /* if its test alone leaves its loop: what comes
				     next in the loop; else itself */
	const uint32_t
		*header_of;    /* of its innermost loop; FLOW_OUTSIDE: none */
	const uint32_t *depth; /* loops that it is in */
	const bool *in_rounds; /* each round of that loop leads over it, and not
				  the end of the last one */
	double per_sample; /* instructions of the function, in the profile's unit,
			      for each sample that it has; 0: not known */
};

/* Call once. */
void evidence_judge(struct evidence *e, const struct evidence_shape *shape,
		    enum model model);

/* After evidence_judge(): again, where votes of what comes next were added. */
void evidence_judge_rounds(struct evidence *e,
			   const struct evidence_shape *shape);

/* After evidence_judge(): is more known than bounds, and are these? */
bool evidence_has_votes(const struct evidence *e);
bool evidence_has_bounds(const struct evidence *e);

/*
 * After evidence_judge(): nearly all blocks of a function that has many have code of
 * one place, as where a macro has all of its body, and no two of them have votes: so
 * nothing says anything of a block.  Discriminators tell places apart where the profile
 * has them.
 */
bool evidence_is_of_one_place(const struct evidence *e);

struct ballot *evidence_ballot(struct evidence *e, uint32_t block);

/* How many places a block has, whether the profile has them or not. */
uint32_t evidence_places(const struct evidence *e, uint32_t block);

#ifdef __cplusplus
}
#endif
#endif
