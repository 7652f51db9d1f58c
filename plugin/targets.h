/*
 * targets.h - who is called from a place, as far as branch records or
 * registers tell.
 *
 *	likeliest = targets_likeliest(noted, place, &(struct others){ 0 });
 *	if (likeliest.name && likeliest.share > 0.5)
 *		...
 *
 * What is noted of one place adds up.
 *
 * Range      Shares are from 0 to 1, of all executions of the place: calls of
 *            functions that have no name in the profile are among them.
 * Others     A place may have calls of more than one function, each time: of
 *            write(text, strlen(text)) GCC gives both the same column.  Of whom
 *            it calls by name, and of bodies that tell of nobody else, no call
 *            and no execution is counted.
 * Ownership  Names remain the profile's, or whose they were.
 */
#ifndef PLUGIN_TARGETS_H
#define PLUGIN_TARGETS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct noted;

struct likeliest {
	const char *name; /* NULL: nobody is known */
	double share;
	double told; /* of all executions, how many are known to be of whom */
};

/* Who is called by name at the place, in any order. */
struct others {
	const char *const *names;
	size_t n;
};

/* Of several that are equal, the first by name. */
struct likeliest targets_likeliest(const struct noted *noted, uint64_t place,
				   const struct others *others);

#ifdef __cplusplus
}
#endif
#endif
