/*
 * evidence.c - which places tell blocks apart.
 */
#include "plugin/evidence.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "plugin/copies.h"
#include "plugin/vote.h"

/* In the map of places: blocks of several classes; else the class + 1. */
enum { SEVERAL = 0xffffffffu };

enum {
	ONE_IN = 100, /* runs of what comes before it, an arm by chance */
	PART_OF_CHANCE = 64, /* of its count, it gets one part in so many */
};

struct sighting {
	uint32_t block;
	uint64_t any, exact;
	bool is_movable;
};

struct evidence {
	const struct unit *unit;
	const struct copy *copies; /* whose counts; NULL: all */
	size_t ncopies;
	uint32_t nblocks;
	struct sighting *seen;
	size_t nseen, room;
	struct fdo_map *classes; /* place: its class of blocks, or SEVERAL */
	struct fdo_map *heads;	 /* place: where it begins + 1, or SEVERAL */
	struct ballot *ballots;	 /* of each block */
	uint32_t *nplaces;	 /* likewise */
};

struct evidence *evidence_new(const struct unit *u, uint32_t nblocks)
{
	struct evidence *e = fdo_alloc(1, sizeof(*e));

	e->unit = u;
	e->nblocks = nblocks;
	e->classes = fdo_map_new();
	e->heads = fdo_map_new();
	e->ballots = fdo_alloc(nblocks, sizeof(*e->ballots));
	e->nplaces = fdo_alloc(nblocks, sizeof(*e->nplaces));
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
	free(e->seen);
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
	add_sighting(e, (struct sighting){ block, any, exact, false });
}

void evidence_see_movable(struct evidence *e, uint32_t block, uint64_t any,
			  uint64_t exact)
{
	add_sighting(e, (struct sighting){ block, any, exact, true });
}

struct evidence *evidence_of_copies(const struct evidence *all,
				    const struct copy *copies, size_t n)
{
	struct evidence *e = evidence_new(all->unit, all->nblocks);

	e->copies = copies;
	e->ncopies = n;
	for (size_t i = 0; i < all->nseen; i++)
		add_sighting(e, all->seen[i]);
	return e;
}

/*
 * What the profile has of a place; false: nothing.  What may hold less in one
 * copy is not held for more in others.
 */
static bool find_count(const struct evidence *e, uint64_t place,
		       struct place_count *ret)
{
	const struct place_count *all =
		place ? unit_count(e->unit, place) : NULL;
	bool found = false;

	if (!all)
		return false;
	*ret = *all;
	if (!e->copies)
		return true;
	ret->count = ret->error = 0;
	for (size_t i = 0; i < e->ncopies; i++) {
		const struct place_count *c =
			unit_count_in(e->unit, place, e->copies[i].kind);

		if (!c)
			continue;
		found = true;
		ret->count = profile_sum(ret->count, c->count);
		ret->error = profile_sum(ret->error, c->error);
	}
	return found;
}

static int by_block(const void *a, const void *b)
{
	const struct sighting *x = a, *y = b;

	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	if (x->any != y->any)
		return x->any < y->any ? -1 : 1;
	return (x->exact > y->exact) - (x->exact < y->exact);
}

/* Each place has one vote in a block, however many statements it made. */
static void remove_doubles(struct evidence *e)
{
	size_t n = 0;

	if (e->nseen)
		qsort(e->seen, e->nseen, sizeof(*e->seen), by_block);
	for (size_t i = 0; i < e->nseen; i++)
		if (n == 0 || by_block(&e->seen[n - 1], &e->seen[i]) != 0)
			e->seen[n++] = e->seen[i];
		else
			e->seen[n - 1].is_movable &= e->seen[i].is_movable;
	e->nseen = n;
}

static bool same_place(const struct sighting *a, const struct sighting *b)
{
	return a->block == b->block && a->any == b->any;
}

/* In a block, one statement that stays is enough for all of its place. */
static void find_movable(struct evidence *e)
{
	for (size_t i = 1; i < e->nseen; i++)
		if (same_place(&e->seen[i - 1], &e->seen[i]))
			e->seen[i].is_movable &= e->seen[i - 1].is_movable;
	for (size_t i = e->nseen; i-- > 1;)
		if (same_place(&e->seen[i - 1], &e->seen[i]))
			e->seen[i - 1].is_movable &= e->seen[i].is_movable;
}

static void note_class(struct evidence *e, uint64_t place, uint32_t class_)
{
	uint64_t *noted;

	if (place == 0)
		return;
	noted = fdo_map_at(e->classes, place);
	if (*noted == 0)
		*noted = class_ + (uint64_t)1;
	else if (*noted != class_ + (uint64_t)1)
		*noted = SEVERAL;
}

static bool tells_apart(const struct evidence *e, uint64_t place)
{
	return *fdo_map_get(e->classes, place) != SEVERAL;
}

static void cast(struct ballot *b, const struct place_count *c)
{
	if (c->flags)
		ballot_add_bound(b, c->count);
	else
		ballot_add(b, c->count, c->error);
}

/* What a place says of the block, if it tells that from others. */
static bool find_vote(const struct evidence *e, const struct sighting *s,
		      struct place_count *ret)
{
	return (find_count(e, s->any, ret) && tells_apart(e, s->any)) ||
	       (find_count(e, s->exact, ret) && tells_apart(e, s->exact));
}

/*
 * A place in several classes of blocks that never ran is no sure zero for
 * each of them either: its code may have been merged with that of another
 * place, and what is left of it be the part that did not run.  Hot arms of
 * interpreters went to .cold for that.
 */
static void judge_one(struct evidence *e, const struct sighting *s)
{
	struct ballot *ballot = &e->ballots[s->block];
	struct place_count c;

	if (find_vote(e, s, &c))
		cast(ballot, &c);
	else if (find_count(e, s->any, &c))
		ballot_add_bound(ballot, c.count);
}

struct outcome {
	bool is_known;
	bool is_doubtful; /* no more than its own error */
	uint64_t count, error;
};

static struct outcome outcome(struct ballot *b)
{
	struct outcome o = { .is_known = b->n > 0 };

	if (!o.is_known)
		return o;
	o.count = ballot_count(b, VOTE_MEDIAN);
	o.error = ballot_error(b, o.count);
	o.is_doubtful = o.error >= o.count;
	return o;
}

/* Of each block; the caller's. */
static struct outcome *outcomes_of(struct evidence *e)
{
	struct outcome *outcomes = fdo_alloc(e->nblocks, sizeof(*outcomes));

	for (uint32_t b = 0; b < e->nblocks; b++)
		outcomes[b] = outcome(&e->ballots[b]);
	return outcomes;
}

/* Without their discriminators, two places may be one. */
static bool said_already(const struct evidence *e, const struct sighting *last,
			 const struct sighting *s)
{
	return same_place(last, s) && tells_apart(e, s->any);
}

/* Of what stays where it is, or else of what is movable. */
static void judge_all(struct evidence *e, bool movable)
{
	struct outcome *firm = outcomes_of(e);

	for (size_t i = 0; i < e->nseen; i++) {
		const struct sighting *s = &e->seen[i];
		const struct outcome *o = &firm[s->block];
		struct place_count c;

		if (s->is_movable != movable ||
		    (i && said_already(e, &e->seen[i - 1], s)))
			continue;
		if (movable && find_vote(e, s, &c) && !c.flags &&
		    (o->is_known ? c.count != o->count : c.count == 0))
			continue;
		judge_one(e, s);
	}
	free(firm);
}

static bool dominates(const struct evidence_shape *shape, uint32_t a,
		      uint32_t b)
{
	while (b != a && shape->dominator[b] != b)
		b = shape->dominator[b];
	return b == a;
}

/* Of two blocks of a place, the one where it begins; -1: that is unclear. */
static int64_t earlier(const struct evidence_shape *shape, uint32_t a,
		       uint32_t b)
{
	if (dominates(shape, a, b) &&
	    shape->frequency[a] >= shape->frequency[b])
		return a;
	if (dominates(shape, b, a) &&
	    shape->frequency[b] >= shape->frequency[a])
		return b;
	return -1;
}

/* Where each place begins. */
static void find_heads(struct evidence *e, const struct evidence_shape *shape)
{
	for (size_t i = 0; i < e->nseen; i++) {
		const struct sighting *s = &e->seen[i];
		uint64_t *head = fdo_map_at(e->heads, s->any);
		int64_t first;

		if (*head == SEVERAL)
			continue;
		first = *head ? earlier(shape, (uint32_t)(*head - 1), s->block)
			      : s->block;
		*head = first < 0 ? SEVERAL : (uint64_t)first + 1;
	}
}

/* Where nothing better is known of a block that such a place begins with. */
static void judge_heads(struct evidence *e)
{
	bool *decided = fdo_alloc(e->nblocks, sizeof(*decided));

	for (uint32_t b = 0; b < e->nblocks; b++)
		decided[b] = e->ballots[b].n > 0;
	for (size_t i = 0; i < e->nseen; i++) {
		const struct sighting *s = &e->seen[i];
		struct place_count any;

		if (find_count(e, s->any, &any) && any.count && !any.flags &&
		    !decided[s->block] &&
		    *fdo_map_get(e->heads, s->any) == s->block + (uint64_t)1)
			cast(&e->ballots[s->block], &any);
	}
	free(decided);
}

/* Before any of them is changed: of three tests, the third is like the first. */
static int64_t *medians(struct evidence *e)
{
	int64_t *count = fdo_alloc(e->nblocks, sizeof(*count));

	for (uint32_t b = 0; b < e->nblocks; b++)
		if (e->ballots[b].n)
			count[b] = (int64_t)ballot_count(&e->ballots[b],
							 VOTE_MEDIAN);
	return count;
}

/*
 * A test that was made by itself hardly has the very count of the one before
 * unless that always went on to it, and then a bound does no harm.
 */
static void judge_tests(struct evidence *e, const uint32_t *test_of)
{
	int64_t *count = medians(e);

	for (uint32_t b = 0; b < e->nblocks; b++) {
		if (test_of[b] == b || count[b] == 0 ||
		    count[b] != count[test_of[b]])
			continue;
		ballot_clear(&e->ballots[b]);
		ballot_add_bound(&e->ballots[b], (uint64_t)count[b]);
	}
	free(count);
}

/* The paper knows no doubt: the best key that there is has the count. */
static void judge_cgo10(struct evidence *e)
{
	for (size_t i = 0; i < e->nseen; i++) {
		const struct sighting *s = &e->seen[i];
		struct place_count c;

		if (find_count(e, s->exact, &c) || find_count(e, s->any, &c))
			ballot_add(&e->ballots[s->block], c.count, c.error);
	}
}

struct placed {
	uint32_t block, depth; /* dominators above it */
};

static int by_depth(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return (x->block > y->block) - (x->block < y->block);
}

/* All blocks, each after its dominators; the caller's. */
static struct placed *in_order(const struct evidence_shape *shape, uint32_t n)
{
	struct placed *order = fdo_alloc(n, sizeof(*order));

	for (uint32_t b = 0; b < n; b++)
		order[b].block = b;
	for (uint32_t b = 0; b < n; b++) {
		uint32_t at = b, depth = 0;

		/* Up to where it is known, and once more to say it. */
		while (!order[at].depth && shape->dominator[at] != at) {
			at = shape->dominator[at];
			depth++;
		}
		depth += order[at].depth;
		for (at = b; !order[at].depth && shape->dominator[at] != at;
		     at = shape->dominator[at])
			order[at].depth = depth--;
	}
	if (n)
		qsort(order, n, sizeof(*order), by_depth);
	return order;
}

/*
 * What is entered and left together runs equally often, and it is at its end
 * that compilers merge code with other code that ends alike.  So of a block
 * before it, of which more places speak, less is believed.
 */
static void judge_end(struct ballot *end, struct ballot *before)
{
	struct outcome high = outcome(end), low = outcome(before);

	if (end->n >= before->n || low.count + low.error >= high.count ||
	    high.count - low.count - low.error <= high.error)
		return;
	ballot_clear(end);
	ballot_add(end, low.count, low.error);
}

/* A block without a count may have lost its code to another one. */
static void judge_ends(struct evidence *e, const struct evidence_shape *shape)
{
	struct placed *order = in_order(shape, e->nblocks);
	struct ballot **best = fdo_alloc(e->nblocks, sizeof(*best));

	for (uint32_t i = 0; i < e->nblocks; i++) {
		uint32_t b = order[i].block;
		struct ballot *here = &e->ballots[b],
			      **known = &best[shape->class_of[b]];

		if (!here->n || !ballot_count(here, VOTE_MEDIAN))
			continue;
		if (*known)
			judge_end(here, *known);
		if (!*known || here->n > (*known)->n)
			*known = here;
	}
	free(best);
	free(order);
}

/* Of each block, the nearest dominator with a firm outcome; or itself. */
static uint32_t *firm_dominators(const struct evidence_shape *shape,
				 const struct outcome *outcomes, uint32_t n)
{
	enum { UNKNOWN = 0xffffffffu };
	uint32_t *firm = fdo_alloc(n, sizeof(*firm));

	for (uint32_t b = 0; b < n; b++)
		firm[b] = UNKNOWN;
	for (uint32_t b = 0; b < n; b++) {
		uint32_t at = b, up;

		/* Up to where it is known, and once more to say it. */
		while (firm[at] == UNKNOWN) {
			up = shape->dominator[at];
			if (up == at || (outcomes[up].is_known &&
					 !outcomes[up].is_doubtful))
				firm[at] = up;
			else
				at = up;
		}
		up = firm[at];
		for (uint32_t i = b; i != at; i = shape->dominator[i])
			firm[i] = up == at ? i : up;
	}
	return firm;
}

/* The nearest of another class; or itself. */
static uint32_t firm_before(const struct evidence_shape *shape,
			    const uint32_t *firm, uint32_t block)
{
	for (uint32_t b = block; firm[b] != b; b = firm[b])
		if (shape->class_of[firm[b]] != shape->class_of[block])
			return firm[b];
	return block;
}

/* What is doubted gets a part, as flow_doubt() gives what was not seen. */
static void judge_chance(struct evidence *e, const struct evidence_shape *shape)
{
	struct outcome *outcomes = outcomes_of(e);
	uint32_t *firm;

	firm = firm_dominators(shape, outcomes, e->nblocks);
	for (uint32_t b = 0; b < e->nblocks; b++) {
		const struct outcome *o = &outcomes[b];
		uint32_t before = firm_before(shape, firm, b);

		if (!o->is_doubtful || o->count == 0 || before == b ||
		    o->count > outcomes[before].count / ONE_IN)
			continue;
		ballot_clear(&e->ballots[b]);
		ballot_add(&e->ballots[b], o->count / PART_OF_CHANCE + 1,
			   o->count);
	}
	free(firm);
	free(outcomes);
}

void evidence_judge(struct evidence *e, const struct evidence_shape *shape,
		    enum model model)
{
	const uint32_t *class_of = shape->class_of;

	remove_doubles(e);
	find_movable(e);
	for (size_t i = 0; i < e->nseen; i++) {
		e->nplaces[e->seen[i].block]++;
		note_class(e, e->seen[i].any, class_of[e->seen[i].block]);
		note_class(e, e->seen[i].exact, class_of[e->seen[i].block]);
	}
	if (model == MODEL_CGO10) {
		judge_cgo10(e);
		return;
	}
	judge_all(e, false);
	judge_all(e, true);
	if (shape->dominator) {
		find_heads(e, shape);
		judge_heads(e);
	}
	if (shape->test_of)
		judge_tests(e, shape->test_of);
	if (shape->dominator) {
		judge_ends(e, shape);
		judge_chance(e, shape);
	}
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
