/*
 * numbers.h - the compiler's numbers in names of functions.
 *
 *	struct number numbers[NUMBERS_MAX];
 *	size_t n = numbers_of_lambdas("_ZSt4sortIPiZ4mainEUliiE0_EvT_S2_T0_", numbers);
 *	char *other = numbers_replace(name, &numbers[0], 2);	// ...UliiE1_Ev...
 *
 * A lambda is Ul, its parameters, E, a number and _ (Itanium C++ ABI, 5.1.8), where no
 * number is the first, 0 the second.  A region of OpenMP is a function of its own,
 * FUNCTION._omp_fn.NUMBER.
 *
 * Ownership  What returns a text gives it to the caller.
 * Errors     None: what looks like no such name has no numbers.
 */
#ifndef PLUGIN_NUMBERS_H
#define PLUGIN_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names with more of them are as such without. */
enum { NUMBERS_MAX = 16 };

struct number {
	size_t at, length; /* its digits */
	unsigned value;	   /* from 0 */
	bool is_lambda;
};

/*
 * All that name types of lambdas, in their order, and in such names what looks like
 * them.  Returns how many.
 */
size_t numbers_of_lambdas(const char *name, struct number *ret);

/* The number by which a lambda's call, or a region, differs from others there. */
bool numbers_own(const char *name, struct number *ret);

/* The type of the lambda whose call that is, up to its number. */
char *numbers_type(const char *name, const struct number *own);

char *numbers_replace(const char *name, const struct number *number,
		      unsigned value);

/* Without all of n, which are in their order. */
char *numbers_without(const char *name, const struct number *numbers, size_t n);

#ifdef __cplusplus
}
#endif
#endif
