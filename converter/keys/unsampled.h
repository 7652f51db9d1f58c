/*
 * unsampled.h - which functions the binaries had and nobody saw run.
 *
 *	attribute(program, usual, profile, &result);
 *	unsampled(program, profile);
 *
 * Those that have code of their own, and of which neither this nor what was
 * inlined elsewhere has a sample or a count.  Not those that code with samples
 * calls: another input may well call them, too.
 *
 * Units      As in profile.h.
 * Errors     None.
 */
#ifndef CONVERTER_UNSAMPLED_H
#define CONVERTER_UNSAMPLED_H

struct profile;
struct program;

/* After attribute(). */
void unsampled(const struct program *p, struct profile *profile);

#endif
