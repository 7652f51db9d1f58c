/*
 * apart.c - copies counted apart.
 */
#include "plugin/apart.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "plugin/vote.h"

/* With more kinds, the smallest are counted together. */
enum { MAX_APART = 16 };

/* What all copies of a block had. */
struct sum {
	int64_t count;	/* times 2^shift */
	uint64_t error; /* in the profile's unit */
	bool is_known;	/* some place in some copy says so */
};

/* Some of the copies. */
struct part {
	const struct copy *copies;
	size_t n;
};

static struct counts_how how_to_count(const struct counts_how *how,
				      const struct part *part)
{
	struct counts_how own = { .vote = how->vote,
				  .model = how->model,
				  .shift = how->shift };

	if (how->vote == VOTE_MEDIAN)
		own.vote = VOTE_MAX;
	for (size_t i = 0; i < part->n; i++) {
		own.entry = profile_sum(own.entry, part->copies[i].entry);
		own.entry_is_least |= part->copies[i].entry_is_least;
	}
	return own;
}

static void add_up(struct sum *sums, struct evidence *e, enum vote how,
		   const struct counts *c, uint32_t nblocks)
{
	for (uint32_t b = 0; b < nblocks; b++) {
		struct ballot *here = evidence_ballot(e, b);
		uint64_t outcome;

		sums[b].count += c->block[b];
		if (!here->n)
			continue;
		outcome = ballot_count(here, how);
		sums[b].is_known = true;
		sums[b].error =
			profile_sum(sums[b].error, ballot_error(here, outcome));
	}
}

/* A function. */
struct whole {
	const struct body *body;
	const struct evidence *evidence;
	const struct evidence_shape *shape;
	const struct counts_how *how;
	const struct copy_shares *shares; /* NULL: the body's */
};

static struct body body_of(const struct whole *whole, const struct part *part)
{
	struct body body = *whole->body;
	const struct passed *passed =
		part->n == 1 ? part->copies->passed : NULL;

	if (whole->shares && passed)
		body.shares = whole->shares->of(whole->shares->data, passed);
	return body;
}

static bool count_part(const struct whole *whole, const struct part *part,
		       struct sum *sums)
{
	struct evidence *e =
		evidence_of_copies(whole->evidence, part->copies, part->n);
	struct counts_how own = how_to_count(whole->how, part);
	struct body body = body_of(whole, part);
	struct fdo_error err;
	struct counts *c;

	evidence_judge(e, whole->shape, own.model);
	c = counts_new(&body, e, &own, &err);
	if (c)
		add_up(sums, e, own.vote, c, body.nblocks);
	evidence_free(e);
	counts_free(c);
	return c != NULL;
}

static void vote_again(struct ballot *ballot, const struct sum *sum, int shift)
{
	size_t n = ballot->n ? ballot->n : 1;
	uint64_t count = counts_unscale(sum->count, shift);

	ballot_clear(ballot);
	for (size_t i = 0; i < n; i++)
		ballot_add(ballot, count, sum->error);
}

void apart_count(const struct body *body, struct evidence *e,
		 const struct evidence_shape *shape, struct copies *copies,
		 const struct counts_how *how, const struct copy_shares *shares)
{
	const struct whole whole = { body, e, shape, how, shares };
	size_t n = copies_apart(copies);
	struct sum *sums;
	bool good = true;

	if (n == 0)
		return;
	sums = fdo_alloc(body->nblocks, sizeof(*sums));
	for (size_t i = 0, some; i < n && good; i += some) {
		struct part part = { &copies->all[i], 0 };

		some = i + 1 < MAX_APART ? 1 : n - i;
		part.n = some;
		good = count_part(&whole, &part, sums);
	}
	for (uint32_t b = 0; good && b < body->nblocks; b++)
		if (sums[b].is_known)
			vote_again(evidence_ballot(e, b), &sums[b], how->shift);
	free(sums);
}
