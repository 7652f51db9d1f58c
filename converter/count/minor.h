/*
 * minor.h - functions that hardly matter, of which most programs have many.
 *
 * Those with the fewest samples, which have a fiftieth of all together, are
 * much of the code that ran.  What they have wrong moves the whole by less than
 * that; so until a flow is the last one, theirs is found once.
 *
 *	minor_mark(p);			// once its samples are there
 *	... p->functions[i].minor
 *
 * Errors     None.
 */
#ifndef CONVERTER_MINOR_H
#define CONVERTER_MINOR_H

struct program;

/* Of functions with as many samples, the order of the functions decides. */
void minor_mark(struct program *p);

#endif
