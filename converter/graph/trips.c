#include "converter/graph/trips.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/graph/cfg.h"
#include "converter/graph/decode.h"
#include "converter/graph/dominators.h"
#include "converter/graph/outcome_run.h"
#include "converter/graph/trips_before.h"

/* Instructions that are run in all for one loop, and that it may have. */
enum { RUN_MOST = 1 << 16, INSNS_MOST = 2000 };

/* The most rounds where what is not known is guessed. */
enum { GUESSED_MOST = 256 };

struct search {
	struct trips_code code;
	const struct cfg *cfg; /* its graph */
	uint32_t *blocks;      /* of the loop, the first one first */
	size_t n;
	bool *marks; /* of these */
};

/*
 * The one block that goes round again, whose other edge is the only way out;
 * false: there is no such block.
 */
static bool find_last(const struct search *s, struct trip *ret)
{
	const struct cfg *cfg = s->cfg;
	size_t agains = 0, exits = 0, ninsns = 0;
	const struct insn *last;

	for (size_t i = 0; i < s->n; i++) {
		const struct cfg_block *b = &cfg->blocks[s->blocks[i]];

		ninsns += b->ninsns;
		if (b->flags & (CFG_EXITS | CFG_ENTERED) || b->ncalls)
			return false;
		for (uint32_t e = b->first_edge; e < b->first_edge + b->nedges;
		     e++) {
			const struct cfg_edge *edge = &cfg->edges[e];

			if (edge->to == s->blocks[0]) {
				agains++;
				ret->again = e;
			} else if (!s->marks[edge->to]) {
				exits++;
				ret->leaves = e;
			}
		}
	}
	if (agains != 1 || exits != 1 || ninsns > INSNS_MOST)
		return false;
	ret->block = cfg->edges[ret->again].from;
	last = cfg_last_insn(cfg, ret->block);
	return cfg->edges[ret->leaves].from == ret->block &&
	       cfg->blocks[ret->block].nedges == 2 && last &&
	       last->class == INSN_BRANCH;
}

/* What the blocks between the first and the last leave as it is. */
static uint64_t kept_between(const struct search *s, const struct trip *trip)
{
	uint64_t kept = REG_BIT(REG_R15 + 1) - 1;

	for (size_t i = 1; i < s->n; i++) {
		const struct cfg_block *b = &s->cfg->blocks[s->blocks[i]];
		struct insn_operands *operands;

		if (s->blocks[i] == trip->block)
			continue;
		operands = trips_decode(&s->code, s->blocks[i]);
		for (uint32_t j = 0; j < b->ninsns; j++)
			kept &= ~insn_changes(&s->cfg->insns[b->first_insn + j],
					      &operands[j]);
		free(operands);
	}
	return kept;
}

/* The code that decides when a loop is left. */
struct test {
	struct insn_operands *first, *last; /* of its blocks */
	uint64_t kept;			    /* between these */
	unsigned length;		    /* instructions of both */
};

/* Run it; 0: it cannot be told how often it goes round, up to most times. */
static unsigned run_test(const struct search *s, const struct trip *trip,
			 const struct test *test, unsigned most,
			 struct outcome_state *state)
{
	const struct cfg *cfg = s->cfg;
	const struct insn *branch = cfg_last_insn(cfg, trip->block);
	bool again_taken = cfg->edges[trip->again].kind != CFG_FALL, taken;

	for (unsigned rounds = 1;
	     rounds <= most && rounds * test->length <= RUN_MOST; rounds++) {
		trips_run(&s->code, s->blocks[0], test->first, state);
		if (test->last) {
			state->known &= test->kept;
			trips_run(&s->code, trip->block, test->last, state);
		}
		if (!outcome_condition(state, branch->opcode, &taken))
			return 0;
		if (taken != again_taken)
			return rounds;
	}
	return 0;
}

/* Whatever is guessed of what is not known. */
static unsigned guess_rounds(const struct search *s, const struct trip *trip,
			     const struct test *test,
			     const struct trips_before *before)
{
	unsigned rounds = 0;

	for (unsigned guess = 0; guess < TRIPS_GUESSES; guess++) {
		struct outcome_state state =
			trips_before_guessed(before, guess);
		unsigned now = run_test(s, trip, test, GUESSED_MOST, &state);

		if (!now || (rounds && now != rounds))
			return 0;
		rounds = now;
	}
	return rounds;
}

/* Entered behind a block. */
static unsigned rounds_behind(const struct search *s, const struct trip *trip,
			      const struct test *test, uint32_t from)
{
	struct trips_before *before = trips_before_new(&s->code, from);
	struct outcome_state state = trips_before_known(before);
	unsigned rounds = run_test(s, trip, test, TRIPS_MOST, &state);

	if (!rounds)
		rounds = guess_rounds(s, trip, test, before);
	trips_before_free(before);
	return rounds;
}

static unsigned count_rounds(const struct search *s, const struct trip *trip)
{
	const struct cfg *cfg = s->cfg;
	const struct cfg_block *head = &cfg->blocks[s->blocks[0]];
	bool single = trip->block == s->blocks[0];
	unsigned rounds = 0;
	struct test test;

	if (head->flags & (CFG_ENTRY | CFG_ENTERED | CFG_LANDING_PAD))
		return 0;
	test = (struct test){
		.first = trips_decode(&s->code, s->blocks[0]),
		.last = single ? NULL : trips_decode(&s->code, trip->block),
		.kept = kept_between(s, trip),
		.length = head->ninsns + cfg->blocks[trip->block].ninsns,
	};
	for (uint32_t i = 0; i < head->nin; i++) {
		uint32_t from = cfg->edges[cfg->in[head->first_in + i]].from;
		unsigned behind;

		if (s->marks[from])
			continue;
		behind = rounds_behind(s, trip, &test, from);
		if (!behind || (rounds && behind != rounds)) {
			rounds = 0;
			break;
		}
		rounds = behind;
	}
	free(test.first);
	free(test.last);
	return rounds;
}

/* Edges that leave the loop, or go round, are none of it. */
static void multiply(const struct search *s, const struct trip *trip,
		     struct trips *trips)
{
	const struct cfg *cfg = s->cfg;

	for (size_t i = 0; i < s->n; i++) {
		const struct cfg_block *b = &cfg->blocks[s->blocks[i]];

		trips->blocks[s->blocks[i]] *= trip->rounds;
		for (uint32_t e = b->first_edge; e < b->first_edge + b->nedges;
		     e++)
			if (e != trip->again && e != trip->leaves)
				trips->edges[e] *= trip->rounds;
	}
}

static void set_marks(const struct search *s, bool mark)
{
	for (size_t i = 0; i < s->n; i++)
		s->marks[s->blocks[i]] = mark;
}

/* Of all blocks of the loop, the one that most loops are around. */
static double most_around(const struct search *s, const struct trips *trips)
{
	double most = 1;

	for (size_t i = 0; i < s->n; i++)
		if (trips->blocks[s->blocks[i]] > most)
			most = trips->blocks[s->blocks[i]];
	return most;
}

static void look(struct search *s, uint32_t head, struct trips *trips)
{
	struct trip trip;

	s->n = dominators_loop(s->code.dominators, head, s->blocks,
			       s->code.scratch);
	set_marks(s, true);
	trip.rounds = find_last(s, &trip) ? count_rounds(s, &trip) : 0;
	if (trip.rounds > 1 &&
	    trip.rounds * most_around(s, trips) <= TRIPS_MOST) {
		trips->all = fdo_grow(trips->all, trips->n, &trips->room,
				      sizeof(*trips->all));
		trips->all[trips->n++] = trip;
		multiply(s, &trip, trips);
	}
	set_marks(s, false);
}

static bool is_trip(const struct search *s, const struct trips *trips,
		    uint32_t head)
{
	for (size_t i = 0; i < trips->n; i++)
		if (s->cfg->edges[trips->all[i].again].to == head)
			return true;
	return false;
}

/* Other loops that have blocks of these. */
static void find_within(struct search *s, struct trips *trips)
{
	for (uint32_t b = 0; b < s->cfg->nblocks; b++) {
		if (trips->blocks[b] <= 1 ||
		    !dominators_heads(s->code.dominators, b) ||
		    is_trip(s, trips, b))
			continue;
		s->n = dominators_loop(s->code.dominators, b, s->blocks,
				       s->code.scratch);
		for (size_t i = 0; i < s->n; i++)
			trips->within[s->blocks[i]] = true;
	}
}

static double *ones(size_t n)
{
	double *all = fdo_alloc(n + 1, sizeof(*all));

	for (size_t i = 0; i < n; i++)
		all[i] = 1;
	return all;
}

void trips_clear(struct trips *trips)
{
	free(trips->all);
	free(trips->blocks);
	free(trips->edges);
	free(trips->within);
	*trips = (struct trips){ NULL };
}

void trips_find(struct trips *trips, const struct cfg *cfg,
		const struct decoder *d)
{
	struct dominators *dominators = dominators_new(cfg);
	struct search s = {
		.code = {
			.cfg = cfg,
			.decoder = d,
			.dominators = dominators,
			.around = fdo_alloc(cfg->nblocks, sizeof(uint32_t)),
			.scratch = fdo_alloc(cfg->nblocks, sizeof(bool)),
		},
		.cfg = cfg,
		.blocks = fdo_alloc(cfg->nblocks, sizeof(*s.blocks)),
		.marks = fdo_alloc(cfg->nblocks, sizeof(*s.marks)),
	};

	*trips = (struct trips){ .blocks = ones(cfg->nblocks),
				 .edges = ones(cfg->nedges),
				 .within = fdo_alloc(cfg->nblocks + 1,
						     sizeof(bool)) };
	for (uint32_t b = 0; b < cfg->nblocks; b++)
		if (dominators_heads(dominators, b))
			look(&s, b, trips);
	find_within(&s, trips);
	if (!trips->n)
		trips_clear(trips);
	free(s.marks);
	free(s.blocks);
	free(s.code.scratch);
	free(s.code.around);
	dominators_free(dominators);
}
