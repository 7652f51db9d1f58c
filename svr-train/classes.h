/*
 * classes.h - rules that tell which blocks have too many or too few samples.
 *
 *	struct classes classes = classes_train(training, roles, base);
 *	if (classes.known)
 *		... classes.under, classes.over ...
 *	classes_deinit(&classes);
 *
 * CGO 2010, section 4.2: with the cycles C of a block, its retired
 * instructions I (the base event) and the cycles A that it stalled, the sum
 * over events of their samples times what each of them costs, a block is
 *
 *	under-sampled	if C - I - A > under * I
 *	over-sampled	if A > C - I and A > over * C
 *
 * The paper has 2 and 0.5 for "under" and "over", and costs from manuals.
 * Here those numbers are taken from a grid for which the rules find best what
 * is wrong by more than a quarter: the sum of the two F1 measures, in which a
 * block has its share of the executed instructions as weight.
 *
 * A price says how sure a count is in one direction: the most likely scale of
 * a Laplace distribution that has one scale on either side.
 *
 * Units      C, I and A in events: samples times period.
 * Range      Prices are from 1 to 1000; for one whole set of rules the least
 *            is 1.  Stalls and limits are what a reader of weights takes
 *            (events.h).
 * Ownership  classes_train() gives "stall", classes_deinit() takes it back.
 * Errors     None; without cycles beside instructions nothing is known.
 */
#ifndef SVR_TRAIN_CLASSES_H
#define SVR_TRAIN_CLASSES_H

#include <stdbool.h>
#include <stddef.h>

struct role;
struct training;

enum class_kind { CLASS_TRUSTED, CLASS_OVER, CLASS_UNDER, CLASSES };

struct class_score {
	double precision, recall, f1;
};

struct classes {
	bool known;
	size_t inst, cycles; /* events */
	double *stall;	     /* cycles for each event; 0: it says nothing */
	double under, over;
	struct {
		double raise, lower;
	} price[CLASSES];
	/* Of CLASS_OVER and CLASS_UNDER: */
	struct class_score paper[CLASSES];  /* with 2 and 0.5 */
	struct class_score tuned[CLASSES];  /* on what they were tuned on */
	struct class_score others[CLASSES]; /* tuned on the other programs */
};

struct classes classes_train(const struct training *training,
			     const struct role *roles, size_t base);
void classes_deinit(struct classes *classes);

const char *class_name(enum class_kind kind);

#endif
