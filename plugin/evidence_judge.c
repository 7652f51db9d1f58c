/*
 * evidence_judge.c - which places tell blocks apart.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "mcf/graph.h"
#include "plugin/doubt.h"
#include "plugin/evidence_private.h"
#include "plugin/vote.h"

static int by_block(const void *a, const void *b)
{
	const struct sighting *x = a, *y = b;

	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	if (x->any != y->any)
		return x->any < y->any ? -1 : 1;
	return (x->exact > y->exact) - (x->exact < y->exact);
}

static enum kind firmer(enum kind a, enum kind b)
{
	return a < b ? a : b;
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
			e->seen[n - 1].kind =
				firmer(e->seen[n - 1].kind, e->seen[i].kind);
	e->nseen = n;
}

static bool same_place(const struct sighting *a, const struct sighting *b)
{
	return a->block == b->block && a->any == b->any;
}

/* In a block, one statement that stays is enough for all of its place. */
static void find_kinds(struct evidence *e)
{
	for (size_t i = 1; i < e->nseen; i++)
		if (same_place(&e->seen[i - 1], &e->seen[i]))
			e->seen[i].kind =
				firmer(e->seen[i].kind, e->seen[i - 1].kind);
	for (size_t i = e->nseen; i-- > 1;)
		if (same_place(&e->seen[i - 1], &e->seen[i]))
			e->seen[i - 1].kind =
				firmer(e->seen[i - 1].kind, e->seen[i].kind);
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
	return (evidence_count(e, s->any, ret) && tells_apart(e, s->any)) ||
	       (evidence_count(e, s->exact, ret) && tells_apart(e, s->exact));
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
	bool is_vote = find_vote(e, s, &c);

	if (!is_vote && !evidence_count(e, s->any, &c))
		return;
	if ((e->ran && c.is_idle) || (e->has_more && c.count == 0))
		e->idle[s->block] = true;
	else if (is_vote)
		cast(ballot, &c);
	else
		ballot_add_bound(ballot, c.count);
}

/* Without their discriminators, two places may be one. */
static bool said_already(const struct evidence *e, const struct sighting *last,
			 const struct sighting *s)
{
	return same_place(last, s) && tells_apart(e, s->any);
}

/*
 * Is there code of a place, but none that says how often the block runs?  Where
 * compilers count rounds in their own way, that which advances a loop's
 * variable is left where the loop is done: wherever that is not, it never runs.
 */
static bool is_elsewhere(const struct evidence *e, const struct sighting *s,
			 const struct outcome *firm)
{
	struct place_count c;

	if (s->kind == ADVANCES)
		return evidence_count(e, s->any, &c) && c.count == 0;
	if (s->kind != MOVABLE || !find_vote(e, s, &c) || c.flags)
		return false;
	return firm->is_known ? c.count != firm->count : c.count == 0;
}

/* Of what stays where it is, or else of what is movable. */
static void judge_all(struct evidence *e, bool movable)
{
	struct outcome *firm = doubt_outcomes(e->ballots, e->nblocks);

	for (size_t i = 0; i < e->nseen; i++) {
		const struct sighting *s = &e->seen[i];

		if ((s->kind == MOVABLE) == movable &&
		    !(i && said_already(e, &e->seen[i - 1], s)) &&
		    !is_elsewhere(e, s, &firm[s->block]))
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

/*
 * Of a place, the code that has no discriminator never ran, and some that has
 * one did: it was moved, as a load to where its variable is needed anyway.
 */
static bool never_began(const struct evidence *e, const struct sighting *s,
			struct place_count *ret)
{
	return evidence_count(e, s->bare, ret) && ret->count == 0;
}

/* Of each block: has it a vote?  The caller's. */
static bool *decided_blocks(const struct evidence *e)
{
	bool *decided = fdo_alloc(e->nblocks, sizeof(*decided));

	for (uint32_t b = 0; b < e->nblocks; b++)
		decided[b] = e->ballots[b].n > 0;
	return decided;
}

/* Where nothing better is known of a block that such a place begins with. */
static void judge_heads(struct evidence *e)
{
	bool *decided = decided_blocks(e);

	for (size_t i = 0; i < e->nseen; i++) {
		const struct sighting *s = &e->seen[i];
		struct place_count any, bare;

		if (evidence_count(e, s->any, &any) && any.count &&
		    !any.flags && !decided[s->block] &&
		    *fdo_map_get(e->heads, s->any) == s->block + (uint64_t)1)
			cast(&e->ballots[s->block],
			     never_began(e, s, &bare) ? &bare : &any);
	}
	free(decided);
}

/*
 * Of each place of which the profile has no discriminators, the innermost loop that it
 * has code in: 1 + its header, SEVERAL.
 */
struct depths {
	struct fdo_map *depth, *header;
};

static void note_depth(struct depths *d, const struct evidence *e,
		       const struct evidence_shape *shape,
		       const struct sighting *s)
{
	struct place_count exact;
	uint64_t *deepest = fdo_map_at(d->depth, s->any);
	uint64_t *header = fdo_map_at(d->header, s->any);
	uint64_t depth = (uint64_t)shape->depth[s->block] + 1;
	uint64_t here = (uint64_t)shape->header_of[s->block] + 1;

	if (evidence_count(e, s->exact, &exact))
		depth = UINT64_MAX;
	if (depth > *deepest) {
		*deepest = depth;
		*header = depth == UINT64_MAX ? SEVERAL : here;
	} else if (depth == *deepest && *header != here) {
		*header = SEVERAL;
	}
}

/* Has a loop anything but bounds?  By its header. */
static bool *decided_loops(const struct evidence *e,
			   const struct evidence_shape *shape)
{
	bool *decided = decided_blocks(e);
	bool *ret = fdo_alloc(e->nblocks, sizeof(*ret));

	for (uint32_t b = 0; b < e->nblocks; b++)
		if (shape->header_of[b] != FLOW_OUTSIDE)
			ret[shape->header_of[b]] |= decided[b];
	free(decided);
	return ret;
}

/*
 * By how much does a count exceed what is known to run before a loop?  So many rounds
 * it had, if that is the count of its test.
 */
static uint64_t rounds_of(const struct place_count *c,
			  const struct outcome *all,
			  const struct evidence_shape *shape, uint32_t header)
{
	uint32_t above = shape->dominator[header];

	while (!all[above].is_known && shape->dominator[above] != above)
		above = shape->dominator[above];
	if (!all[above].is_known || c->count <= all[above].count ||
	    c->count - all[above].count <= c->error + all[above].error)
		return 0;
	return c->count - all[above].count;
}

static void judge_inner(struct evidence *e, const struct evidence_shape *shape)
{
	bool *decided = decided_loops(e, shape);
	struct outcome *all = doubt_outcomes(e->ballots, e->nblocks);
	struct depths depths = { fdo_map_new(), fdo_map_new() };

	for (size_t i = 0; i < e->nseen; i++)
		if (e->seen[i].any)
			note_depth(&depths, e, shape, &e->seen[i]);
	for (size_t i = 0; i < e->nseen; i++) {
		const struct sighting *s = &e->seen[i];
		uint32_t header = shape->header_of[s->block];
		struct place_count any;
		uint64_t rounds;

		if (header == FLOW_OUTSIDE || decided[header] ||
		    !shape->in_rounds[s->block] ||
		    (i && same_place(s, &e->seen[i - 1])) ||
		    !evidence_count(e, s->any, &any) ||
		    *fdo_map_get(depths.header, s->any) != header + 1ull)
			continue;
		rounds = rounds_of(&any, all, shape, header);
		if (rounds)
			ballot_add(&e->ballots[s->block], rounds, any.error);
	}
	fdo_map_free(depths.depth);
	fdo_map_free(depths.header);
	free(all);
	free(decided);
}

/*
 * Where nothing better is known of a block that has a discriminator for itself:
 * what other columns of its line have with that.
 */
static void judge_lines(struct evidence *e)
{
	bool *decided = decided_blocks(e);
	struct fdo_map *cast_of = fdo_map_new();

	for (size_t i = 0; i < e->nseen; i++) {
		const struct sighting *s = &e->seen[i];
		struct place_count c;
		uint64_t *done;

		if (decided[s->block] || !evidence_count(e, s->line, &c) ||
		    !tells_apart(e, s->line) ||
		    (c.count == 0 && s->kind != STAYS))
			continue;
		done = fdo_map_at(cast_of, fdo_hash_mix(s->line, s->block));
		if (!*done)
			cast(&e->ballots[s->block], &c);
		*done = 1;
	}
	fdo_map_free(cast_of);
	free(decided);
}

/* Most is known of a count, and the rest is between nothing and all of it. */
static void cast_mostly_known(struct ballot *b, const struct place_count *c)
{
	uint64_t half = (c->count - c->sure) / 2;

	if (c->sure >= c->count - c->sure)
		ballot_add(b, c->count - half, profile_sum(c->error, half));
}

/* A function that has nothing but bounds, as a small one that was inlined. */
static void judge_bounds(struct evidence *e)
{
	if (evidence_has_votes(e))
		return;
	for (size_t i = 0; i < e->nseen; i++) {
		const struct sighting *s = &e->seen[i];
		struct place_count c;

		if (find_vote(e, s, &c) && c.flags && c.count)
			cast_mostly_known(&e->ballots[s->block], &c);
	}
}

/* Where nothing else is known at all. */
static void judge_idle(struct evidence *e)
{
	for (uint32_t b = 0; b < e->nblocks; b++)
		if (e->idle[b] && !e->ballots[b].n && !e->ballots[b].bounded)
			ballot_add_bound(&e->ballots[b], 0);
}

/*
 * A test that was made by itself hardly has the very count of the one before
 * unless that always went on to it, and then a bound does no harm.
 */
static void judge_tests(struct evidence *e, const uint32_t *test_of)
{
	/* Before any is changed: of three tests, the third is like the first */
	struct outcome *all = doubt_outcomes(e->ballots, e->nblocks);

	for (uint32_t b = 0; b < e->nblocks; b++) {
		if (test_of[b] == b || all[b].count == 0 ||
		    all[b].count != all[test_of[b]].count)
			continue;
		ballot_clear(&e->ballots[b]);
		ballot_add_bound(&e->ballots[b], all[b].count);
	}
	free(all);
}

/*
 * What begins in a block does so as often as it runs, but where marks of it were
 * lost, that is not known of all copies.
 */
static void judge_begun(struct evidence *e, const struct evidence_shape *shape)
{
	for (size_t i = 0; i < e->nbegun; i++)
		note_class(e, e->begun[i].place,
			   shape->class_of[e->begun[i].block]);
	for (size_t i = 0; i < e->nbegun; i++) {
		const struct begun *s = &e->begun[i];
		struct ballot *ballot = &e->ballots[s->block];
		struct place_count c;

		if (!evidence_count(e, s->place, &c) ||
		    !tells_apart(e, s->place))
			continue;
		ballot_add_least(ballot, c.count);
		if (shape->heads && shape->heads[s->block] && ballot->n &&
		    ballot_count(ballot, VOTE_MEDIAN) < c.count)
			ballot_clear(ballot);
	}
}

/*
 * Each round follows such a test, and the last one none: a test that ran as often as
 * there were rounds has its code at the loop's end alone.
 */
void evidence_judge_rounds(struct evidence *e,
			   const struct evidence_shape *shape)
{
	struct outcome *all = doubt_outcomes(e->ballots, e->nblocks);

	for (uint32_t b = 0; b < e->nblocks; b++) {
		uint32_t round = shape->round_of[b];

		if (round != b && all[b].is_known && all[round].is_known &&
		    all[b].count && all[b].count <= all[round].count)
			ballot_clear(&e->ballots[b]);
	}
	free(all);
}

/* What dominates the loop that a block is in, until it was seen: it ran. */
static void note_entries(const struct evidence_shape *shape, uint32_t block,
			 bool *seen, bool *ran)
{
	uint32_t at = shape->header_of[block];

	if (at == FLOW_OUTSIDE)
		return;
	while (shape->dominator[at] != at && !seen[at]) {
		seen[at] = true;
		at = shape->dominator[at];
		ran[shape->class_of[at]] = true;
	}
}

/*
 * A loop that ran was entered, and what always runs with its entry did not run never:
 * all code of it is in another copy, or was moved out of a loop around it.
 */
static void judge_entries(struct evidence *e,
			  const struct evidence_shape *shape)
{
	struct outcome *all = doubt_outcomes(e->ballots, e->nblocks);
	bool *seen = fdo_alloc(e->nblocks, sizeof(*seen));
	bool *ran = fdo_alloc(e->nblocks, sizeof(*ran)); /* of classes */

	for (uint32_t b = 0; b < e->nblocks; b++)
		if (all[b].is_known && all[b].count && !all[b].is_doubtful)
			note_entries(shape, b, seen, ran);
	for (uint32_t b = 0; b < e->nblocks; b++) {
		struct ballot *ballot = &e->ballots[b];

		if (!ran[shape->class_of[b]])
			continue;
		if (all[b].is_known && !all[b].count)
			ballot_clear(ballot);
		if (ballot->bounded && !ballot->bound)
			ballot->bounded = false;
	}
	free(ran);
	free(seen);
	free(all);
}

/* The paper knows no doubt: the best key that there is has the count. */
static void judge_cgo10(struct evidence *e)
{
	for (size_t i = 0; i < e->nseen; i++) {
		const struct sighting *s = &e->seen[i];
		struct place_count c;

		if (evidence_count(e, s->exact, &c) ||
		    evidence_count(e, s->any, &c))
			ballot_add(&e->ballots[s->block], c.count, c.error);
	}
}

void evidence_judge(struct evidence *e, const struct evidence_shape *shape,
		    enum model model)
{
	const uint32_t *class_of = shape->class_of;

	remove_doubles(e);
	find_kinds(e);
	for (size_t i = 0; i < e->nseen; i++) {
		e->nplaces[e->seen[i].block]++;
		note_class(e, e->seen[i].any, class_of[e->seen[i].block]);
		note_class(e, e->seen[i].exact, class_of[e->seen[i].block]);
		note_class(e, e->seen[i].line, class_of[e->seen[i].block]);
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
	judge_lines(e);
	if (shape->depth)
		judge_inner(e, shape);
	judge_bounds(e);
	judge_begun(e, shape);
	if (shape->round_of)
		evidence_judge_rounds(e, shape);
	if (shape->header_of)
		judge_entries(e, shape);
	judge_idle(e);
	if (shape->test_of)
		judge_tests(e, shape->test_of);
	if (shape->dominator) {
		doubt_ends(e->ballots, e->nblocks, shape);
		doubt_between(e->ballots, e->nblocks, shape);
	}
	if (shape->around)
		doubt_chance(e->ballots, e->nblocks, shape);
}
