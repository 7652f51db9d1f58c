/*
 * targets.h - who is called from a place, as far as branch records or
 * registers tell.
 *
 *	likeliest = targets_likeliest(noted, place);
 *	if (likeliest.name && likeliest.share > 0.5)
 *		...
 *
 * What is noted of one place adds up.
 *
 * Range      Shares are from 0 to 1, of all executions of the place: calls of
 *            functions that have no name in the profile are among them.
 * Ownership  Names remain the profile's.
 */
#ifndef PLUGIN_TARGETS_H
#define PLUGIN_TARGETS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct noted;

struct likeliest {
	const char *name; /* NULL: nobody is known */
	double share;
};

/* Of several that are equal, the first by name. */
struct likeliest targets_likeliest(const struct noted *noted, uint64_t place);

#ifdef __cplusplus
}
#endif
#endif
