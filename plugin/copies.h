/*
 * copies.h - what bodies were laid over a function, kind by kind.
 *
 *	struct copies c = { 0 };
 *	copies_add(&c, &copy);			// for each body
 *	n = copies_apart(&c);
 *	for (size_t i = 0; i < n; i++)
 *		... c.all[i] ...
 *	copies_deinit(&c);
 *
 * A function has the counts of its own code, and those of wherever else it was
 * inlined.  Two of these are of one kind if the profile has the same places of
 * both: then their counts can be added up, place by place.  Of another kind,
 * what was inlined beside code that had computed the same already, a place is
 * missing, and sums say of it that it was executed less often than it was.  So
 * these are to be counted apart (apart.h).
 *
 * Ownership  The struct is the caller's; copies_deinit() frees what it has.
 * Errors     None.
 */
#ifndef PLUGIN_COPIES_H
#define PLUGIN_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct passed;

#ifdef __cplusplus
extern "C" {
#endif

/* All copies of a kind, which got the same constants. */
struct copy {
	uint64_t kind;		     /* hash of the places; not 0 */
	uint64_t total;		     /* instructions executed */
	const struct passed *passed; /* NULL: none that tests depend on */
	uint64_t entry;		     /* times entered */
	/* entry is a lower bound: the entries of some copies are unknown */
	bool entry_is_least;
	/*
	 * It is the rest of a function (NAME.part.0), of which others begin
	 * with the beginning: the counts of one execution are in both.
	 */
	bool is_rest;
};

struct copies {
	struct copy *all;
	size_t n, room;
};

/* One that nothing was executed of is not kept. */
void copies_add(struct copies *c, const struct copy *copy);
void copies_deinit(struct copies *c);

/*
 * Put the largest first, and return how many kinds there are to be counted
 * apart; 0: they cannot be, or need not.
 */
size_t copies_apart(struct copies *c);

#ifdef __cplusplus
}
#endif
#endif
