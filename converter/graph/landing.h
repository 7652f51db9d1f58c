/*
 * landing.h - which calls go on elsewhere when they throw.
 *
 *	struct landing_pads *pads = landing_pads_new(object);
 *	const struct landing_site *sites;
 *	n = landing_pads_of(pads, part->address, part->size, &sites);
 *	landing_pads_free(pads);
 *
 * Read from .eh_frame and from the tables that it points to
 * (.gcc_except_table), which say for each stretch of calls where its
 * landing pad is.
 *
 * Units      Addresses as in object.h.
 * Ownership  Borrows the object.  Sites live until the next question.
 * Errors     Tables that make no sense are as good as none; what was read
 *            before the first nonsense counts.
 */
#ifndef CONVERTER_LANDING_H
#define CONVERTER_LANDING_H

#include <stddef.h>
#include <stdint.h>

struct object;
struct landing_pads;

struct landing_site {
	uint64_t address, end; /* a call in [address, end) ... */
	uint64_t pad;	       /* ... goes on here */
};

struct landing_pads *landing_pads_new(const struct object *o);
void landing_pads_free(struct landing_pads *pads);

/* All of a part's, by address. */
size_t landing_pads_of(struct landing_pads *pads, uint64_t address,
		       uint64_t size, const struct landing_site **ret);

#endif
