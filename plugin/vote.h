/*
 * vote.h - one count for a block from the counts of its statements.
 *
 *	struct ballot b = { 0 };
 *	ballot_add(&b, 100, 10);
 *	ballot_add(&b, 90, 10);
 *	ballot_count(&b, VOTE_MEDIAN);	// 100
 *	ballot_free(&b);
 *
 * A statement either says how often its block ran, or only how often at
 * most (its code was merged with other code, or stands in several blocks), or
 * at least (it is known to begin there in some copies).
 *
 * Units      As in the profile; error is a standard error.
 * Ownership  The caller's struct, empty when all zero.
 */
#ifndef PLUGIN_VOTE_H
#define PLUGIN_VOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum vote {
	VOTE_MEDIAN, /* the upper one of an even number */
	VOTE_MAX,
	VOTE_AVERAGE,
	VOTE_WEIGHTED, /* average, by 1 / error^2 */
};

bool vote_by_name(const char *name, enum vote *ret);

struct ballot {
	struct vote_cast {
		uint64_t count, error;
	} * cast;
	size_t n, room;
	uint64_t bound; /* valid if bounded */
	bool bounded;
	uint64_t least;	 /* 0: none */
	uint64_t behind; /* executed by what was inlined at calls of it */
};

void ballot_add(struct ballot *b, uint64_t count, uint64_t error);
void ballot_add_bound(struct ballot *b, uint64_t bound);
void ballot_add_least(struct ballot *b, uint64_t least);

/* The outcome; only with b->n > 0.  Puts the votes in order. */
uint64_t ballot_count(struct ballot *b, enum vote how);

/* The largest error of a vote for that outcome; 0: nobody voted for it. */
uint64_t ballot_error(const struct ballot *b, uint64_t outcome);

/* What is not 0 does not become 0. */
void ballot_scale(struct ballot *b, double factor);

/* Forget all votes and the bound, keep the memory, and what began. */
void ballot_clear(struct ballot *b);
void ballot_free(struct ballot *b);

#ifdef __cplusplus
}
#endif
#endif
