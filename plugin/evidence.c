/*
 * evidence.c - the places that blocks have, and what the profile has of them.
 */
#include "plugin/evidence_private.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "plugin/copies.h"
#include "plugin/vote.h"

/* Fewer may be a short macro, of which each block is told by what is around it. */
enum { MANY_BLOCKS = 16 };

/* Blocks with votes, from which the flow tells something of the others. */
enum { MANY_VOTED = 2 };

struct evidence *evidence_new(const struct unit *u, uint32_t nblocks)
{
	struct evidence *e = fdo_alloc(1, sizeof(*e));

	e->unit = u;
	e->nblocks = nblocks;
	e->classes = fdo_map_new();
	e->heads = fdo_map_new();
	e->ballots = fdo_alloc(nblocks, sizeof(*e->ballots));
	e->nplaces = fdo_alloc(nblocks, sizeof(*e->nplaces));
	e->idle = fdo_alloc(nblocks, sizeof(*e->idle));
	return e;
}

void evidence_free(struct evidence *e)
{
	if (!e)
		return;
	for (uint32_t b = 0; b < e->nblocks; b++)
		ballot_free(&e->ballots[b]);
	free(e->ballots);
	free(e->nplaces);
	free(e->idle);
	free(e->seen);
	free(e->begun);
	fdo_map_free(e->classes);
	fdo_map_free(e->heads);
	free(e);
}

static void add_sighting(struct evidence *e, struct sighting s)
{
	assert(s.block < e->nblocks);
	e->seen = fdo_grow(e->seen, e->nseen, &e->room, sizeof(*e->seen));
	e->seen[e->nseen++] = s;
}

void evidence_see(struct evidence *e, uint32_t block, uint64_t any,
		  uint64_t exact)
{
	add_sighting(e, (struct sighting){ block, any, exact, 0, 0, STAYS });
}

void evidence_see_movable(struct evidence *e, uint32_t block, uint64_t any,
			  uint64_t exact)
{
	add_sighting(e, (struct sighting){ block, any, exact, 0, 0, MOVABLE });
}

void evidence_see_advance(struct evidence *e, uint32_t block, uint64_t any,
			  uint64_t exact)
{
	add_sighting(e, (struct sighting){ block, any, exact, 0, 0, ADVANCES });
}

void evidence_see_behind(struct evidence *e, uint32_t block, uint64_t executed)
{
	struct ballot *ballot = evidence_ballot(e, block);

	ballot->behind = profile_sum(ballot->behind, executed);
}

void evidence_see_begin(struct evidence *e, uint32_t block, uint64_t place)
{
	assert(block < e->nblocks);
	e->begun = fdo_grow(e->begun, e->nbegun, &e->room_begun,
			    sizeof(*e->begun));
	e->begun[e->nbegun++] = (struct begun){ block, place };
}

void evidence_see_bare(struct evidence *e, uint64_t bare)
{
	e->seen[e->nseen - 1].bare = bare;
}

void evidence_see_line(struct evidence *e, uint64_t line)
{
	e->seen[e->nseen - 1].line = line;
}

void evidence_ran(struct evidence *e)
{
	e->ran = true;
}

void evidence_has_more(struct evidence *e)
{
	e->has_more = true;
}

struct evidence *evidence_of_copies(const struct evidence *all,
				    const struct copy *copies, size_t n)
{
	struct evidence *e = evidence_new(all->unit, all->nblocks);

	e->copies = copies;
	e->ncopies = n;
	for (size_t i = 0; i < all->nseen; i++)
		add_sighting(e, all->seen[i]);
	for (size_t i = 0; i < all->nbegun; i++)
		evidence_see_begin(e, all->begun[i].block, all->begun[i].place);
	return e;
}

/* A bound that can be but a tenth too high is as good as a count. */
static void make_sure(struct place_count *c)
{
	if (c->count > 0 && c->count - c->sure <= c->count / 10)
		c->flags = 0;
}

/* What may hold less in one copy is not held for more in others. */
bool evidence_count(const struct evidence *e, uint64_t place,
		    struct place_count *ret)
{
	const struct place_count *all =
		place ? unit_count(e->unit, place) : NULL;
	bool found = false;

	if (!all)
		return false;
	*ret = *all;
	make_sure(ret);
	if (!e->copies)
		return true;
	ret->count = ret->error = ret->sure = 0;
	for (size_t i = 0; i < e->ncopies; i++) {
		const struct place_count *c =
			unit_count_in(e->unit, place, e->copies[i].kind);

		if (!c)
			continue;
		found = true;
		ret->count = profile_sum(ret->count, c->count);
		ret->error = profile_sum(ret->error, c->error);
		ret->sure = profile_sum(ret->sure, c->sure);
	}
	return found;
}

bool evidence_has_votes(const struct evidence *e)
{
	for (uint32_t b = 0; b < e->nblocks; b++)
		if (e->ballots[b].n)
			return true;
	return false;
}

bool evidence_has_bounds(const struct evidence *e)
{
	for (uint32_t b = 0; b < e->nblocks; b++)
		if (e->ballots[b].bounded)
			return true;
	return false;
}

/* With its discriminator, if the profile tells such code apart. */
static uint64_t place_with_count(const struct evidence *e,
				 const struct sighting *s)
{
	struct place_count c;

	return evidence_count(e, s->exact, &c) ? s->exact : s->any;
}

static uint32_t count_voted(const struct evidence *e)
{
	uint32_t n = 0;

	for (uint32_t b = 0; b < e->nblocks; b++)
		n += e->ballots[b].n > 0;
	return n;
}

bool evidence_is_of_one_place(const struct evidence *e)
{
	struct fdo_map *last = fdo_map_new(), *blocks = fdo_map_new();
	uint64_t all = 0, most = 0;

	for (size_t i = 0; i < e->nseen; i++) {
		const struct sighting *s = &e->seen[i];
		uint64_t place = place_with_count(e, s);
		uint64_t *before = fdo_map_at(last, place), n;

		all += i == 0 || s->block != s[-1].block;
		if (*before == s->block + 1)
			continue;
		*before = s->block + 1;
		n = ++*fdo_map_at(blocks, place);
		if (n > most)
			most = n;
	}
	fdo_map_free(blocks);
	fdo_map_free(last);
	return all >= MANY_BLOCKS && most >= all - all / 4 &&
	       count_voted(e) < MANY_VOTED;
}

struct ballot *evidence_ballot(struct evidence *e, uint32_t block)
{
	assert(block < e->nblocks);
	return &e->ballots[block];
}

uint32_t evidence_places(const struct evidence *e, uint32_t block)
{
	assert(block < e->nblocks);
	return e->nplaces[block];
}
