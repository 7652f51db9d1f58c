/*
 * unsampled.h - was a function in the profiled program, and never seen there?
 *
 *	if (!unsampled_find(profile, in, has_samples, true, &unsampled, err))
 *		...
 *
 * That nothing of a function was sampled says that it is cold if the program
 * had it, as it is now, while enough was sampled.
 *
 * Errors     The profile is damaged.
 */
#ifndef PLUGIN_UNSAMPLED_H
#define PLUGIN_UNSAMPLED_H

#include "plugin/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
	/*
	 * Samples of a function come as a Poisson process: where 4.605 =
	 * -ln(0.01) are to be expected, none are there one time in a hundred.
	 * So in a program of which 4605 were taken, one in a hundred of the
	 * functions that take a thousandth of the time was missed.  With fewer,
	 * it has not shown what is cold.
	 */
	WELL_SAMPLED = 4605,
};

/*
 * By what the program had; has_samples is of the profile.  Once its places were
 * seen, it has to be the same function still.
 */
bool unsampled_find(const struct profile *p, const struct instance *in,
		    bool has_samples, bool seen, bool *ret,
		    struct fdo_error *err);

#ifdef __cplusplus
}
#endif
#endif
