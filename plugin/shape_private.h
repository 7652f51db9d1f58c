/* shape_private.h - what the files of shape.h share. */
#ifndef PLUGIN_SHAPE_PRIVATE_H
#define PLUGIN_SHAPE_PRIVATE_H

#include "plugin/shape.h"

/* The call of a place from which several functions are called. */
extern const char shape_several[];

/* The places of one line. */
struct row {
	const struct shape_place *places;
	size_t n;
};

/* The new line of each old one, and by how much its columns moved. */
struct alignment {
	const struct row *old, *new_;
	size_t nold, nnew;
	int64_t *row;	/* -1: gone */
	int64_t *shift; /* of columns */
};

/* Lines i0 to i1 of the old ones, and j0 to j1 of the new ones. */
struct shape_range {
	size_t i0, i1, j0, j1;
};

struct shape_pair {
	size_t old, new_;
};

/*
 * Lines of a range of which there is just one in either, with the same columns and
 * calls: the most that are in order.  *ret is the caller's to free(); returns how many.
 */
size_t shape_unique(const struct alignment *a, const struct shape_range *range,
		    struct shape_pair **ret);

/* Lines are paired in their order; the others are left as they are. */
void shape_align(struct alignment *a);

/* The function is called elsewhere now, but not there. */
bool shape_is_other_call(const struct shape_place *old,
			 const struct shape_place *there);

/* The place of the new line that one of the old line is. */
const struct shape_place *shape_partner(const struct shape_place *old,
					const struct row *row, int64_t shift);

#endif
