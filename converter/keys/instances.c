/*
 * instances.c - which of them are copies of each other, and which say nothing.
 */
#include "converter/keys/instances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The next one in sorted opcodes, or the next that is another. */
static size_t next_opcode(const struct instance *in, size_t i, bool another)
{
	size_t next = i + 1;

	while (another && next < in->nopcodes &&
	       in->opcodes[next] == in->opcodes[i])
		next++;
	return next;
}

/*
 * Alike code: at least 30 % of all opcodes of both, as multisets, or as sets
 * if one is for more rounds than the other.  Vectors are other opcodes, and
 * were found to do the same by the rest of the loop.
 */
static bool alike(const struct instance *x, const struct instance *y)
{
	size_t i = 0, j = 0, common = 0, all = 0;
	bool sets = x->rounds != y->rounds;

	if (x->by_vectors != y->by_vectors)
		return true;
	if (x->test && x->test == y->test && x->function == y->function)
		return true;
	while (i < x->nopcodes || j < y->nopcodes) {
		bool in_x = j == y->nopcodes ||
			    (i < x->nopcodes && x->opcodes[i] <= y->opcodes[j]);
		bool in_y = i == x->nopcodes ||
			    (j < y->nopcodes && y->opcodes[j] <= x->opcodes[i]);

		all++;
		common += in_x && in_y;
		if (in_x)
			i = next_opcode(x, i, sets);
		if (in_y)
			j = next_opcode(y, j, sets);
	}
	return 10 * common >= 3 * all;
}

/* The largest first, so that it leads its group. */
static int compare_instances(const void *a, const void *b)
{
	const struct instance *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->nopcodes != y->nopcodes)
		return x->nopcodes > y->nopcodes ? -1 : 1;
	return memcmp(x->opcodes, y->opcodes,
		      x->nopcodes * sizeof(*x->opcodes));
}

/* The sum over the group of copies that instances[first] leads. */
static struct instance sum_copies(struct instance *instances, size_t n,
				  size_t first)
{
	struct instance sum = instances[first];

	for (size_t i = first + 1; i < n; i++) {
		if (instances[i].counted ||
		    !alike(&instances[first], &instances[i]))
			continue;
		instances[i].counted = true;
		sum.count = profile_sum(sum.count, instances[i].count);
		sum.error = hypot(sum.error, instances[i].error);
		sum.conditional |= instances[i].conditional;
		sum.merged &= instances[i].merged;
	}
	return sum;
}

/*
 * Code that nothing else was merged with and that is the statement's for sure
 * speaks for the key where there is such code; and of that, not what may have
 * moved away from a store.  What only goes on was counted where it began, which
 * is never left out for its sake.
 */
static void leave_out(struct instance *instances, size_t n)
{
	bool any_sound = false, any_store = false;

	for (size_t i = 0; i < n; i++)
		any_sound |= !instances[i].goes_on && !instances[i].merged &&
			     !instances[i].astray;
	for (size_t i = 0; i < n; i++) {
		instances[i].counted = instances[i].goes_on ||
				       (any_sound && (instances[i].merged ||
						      instances[i].astray));
		any_store |= !instances[i].counted && instances[i].assigns;
	}
	for (size_t i = 0; i < n; i++)
		instances[i].counted |= any_store && instances[i].movable;
}

struct instance instances_settle(struct instance *instances, size_t n)
{
	struct instance best = { 0 };
	bool found = false;

	leave_out(instances, n);
	if (n > 1)
		qsort(instances, n, sizeof(*instances), compare_instances);
	for (size_t i = 0; i < n; i++) {
		struct instance sum;

		if (instances[i].counted)
			continue;
		sum = sum_copies(instances, n, i);
		if (!found || sum.count > best.count)
			best = sum;
		found = true;
	}
	return best;
}
