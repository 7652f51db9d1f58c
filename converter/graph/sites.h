/*
 * sites.h - instructions for which a value is of interest, and where in their
 * blocks a register tells it.
 *
 *	struct sites sites;
 *	sites_find(&cfg, decoder, &sites);
 *	for (size_t i = 0; i < sites.nviews; i++)
 *		...	// sites.views[i].insn, .number
 *	sites_free(&sites);
 *
 * A divisor in a register, and how many bytes memcpy() and the like are to
 * copy, are known from where the register was last written to where it is
 * written next, and before that from another one that was copied to it.  The
 * quotient is known behind the division.
 *
 * Units      Instructions are those of the cfg.
 * Ownership  sites_free() frees the arrays.
 * Errors     None.
 */
#ifndef CONVERTER_SITES_H
#define CONVERTER_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cfg;
struct decoder;

enum site_kind { SITE_DIVISOR, SITE_QUOTIENT, SITE_SIZE };

struct site {
	uint32_t insn, block;
	uint8_t kind;	/* enum site_kind */
	uint8_t number; /* of the register, REG_... */
	uint8_t bits;	/* of it that count */
	bool is_signed;
};

/* Before this instruction runs, a register has what the site is about. */
struct site_view {
	uint32_t insn;
	uint32_t site;
	uint8_t number; /* the site's, or of what will be copied to it */
	uint8_t bits;	/* of it that count, and the site's others are 0 */
};

struct sites {
	struct site *sites; /* by instruction, then kind */
	size_t nsites, room_sites;
	struct site_view *views; /* by site, then instruction */
	size_t nviews, room_views;
};

void sites_find(const struct cfg *cfg, const struct decoder *d,
		struct sites *ret);
void sites_free(struct sites *s);

/* What a register's content means to the site. */
int64_t site_value(const struct site *site, const struct site_view *view,
		   uint64_t content);

#endif
