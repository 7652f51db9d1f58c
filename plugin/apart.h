/*
 * apart.h - a function's counts from those of its copies, each by itself.
 *
 *	evidence_judge(e, &shape, model);
 *	apart_count(&body, e, &shape, &copies, &how, &shares);
 *
 * Where a function was inlined in several places, each copy may have lost other
 * code of it: what was computed already around it, or what could not happen
 * there.  As long as something is left of a block that all ways go through, the
 * flow says how often the rest was executed, in one copy; in the sum of all,
 * one place says this and the next one that.  So each kind of copies is counted
 * by itself, and a block has the sum.
 *
 * In a copy, what is left of a block may be a part of it, and hardly ever more
 * than it: the largest vote is right there.
 *
 * Where what a copy got for a parameter decides a test of it, the compiler's
 * guess of how that comes out is no guess there (passed.h).
 *
 * Of many kinds, the smallest are counted together.
 *
 * Units      As in evidence.h and counts.h.
 * Ownership  Nothing is kept; copies are put in order.
 * Errors     None: where a kind of copies has no counts, nothing is changed.
 */
#ifndef PLUGIN_APART_H
#define PLUGIN_APART_H

#include "plugin/copies.h"
#include "plugin/counts.h"
#include "plugin/evidence.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What the shares of the body's links are in copies that got constants, of
 * which of() is asked once for each; they are valid until it is asked again.
 */
struct copy_shares {
	const double *(*of)(void *data, const struct passed *passed);
	void *data;
};

/*
 * Put the sums in the place of the votes of e, which were judged.  Of how, the
 * model and the shift are for the copies as well, and the vote if it is not the
 * median.  shares may be NULL.
 */
void apart_count(const struct body *body, struct evidence *e,
		 const struct evidence_shape *shape, struct copies *copies,
		 const struct counts_how *how,
		 const struct copy_shares *shares);

#ifdef __cplusplus
}
#endif
#endif
