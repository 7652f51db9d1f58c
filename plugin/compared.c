/*
 * compared.c - what a block's count suffers from, told by what its places
 * say and what would have been right.
 */
#include "plugin/compared.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/output.h"
#include "base/map.h"
#include "plugin/vote.h"

/* How much two counts that are the same may differ, of the larger one. */
static const double tolerance = 0.1;

static const char first_words[] = "samplefdo compared 1 ";

struct compared *compared_new(void)
{
	return fdo_alloc(1, sizeof(struct compared));
}

static void free_function(struct compared_function *f)
{
	for (uint32_t b = 0; b < f->nblocks; b++)
		free(f->blocks[b].votes);
	free(f->blocks);
	free(f->edges);
	fdo_map_free(f->by_ends);
	free(f);
}

void compared_free(struct compared *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->nfunctions; i++)
		free_function(c->functions[i]);
	free(c->functions);
	free(c);
}

struct compared_function *compared_add(struct compared *c, const char *name,
				       uint32_t line, uint32_t nblocks)
{
	struct compared_function *f = fdo_alloc(1, sizeof(*f));

	f->name = name;
	f->line = line;
	f->nblocks = nblocks;
	f->blocks = fdo_alloc(nblocks, sizeof(*f->blocks));
	f->by_ends = fdo_map_new();
	c->functions = fdo_grow(c->functions, c->nfunctions, &c->room_functions,
				sizeof(*c->functions));
	c->functions[c->nfunctions++] = f;
	return f;
}

static uint64_t ends(uint32_t from, uint32_t to)
{
	return (uint64_t)from << 32 | to;
}

struct compared_edge *compared_add_edge(struct compared_function *f,
					uint32_t from, uint32_t to)
{
	f->edges = fdo_grow(f->edges, f->nedges, &f->room_edges,
			    sizeof(*f->edges));
	f->edges[f->nedges] = (struct compared_edge){ .from = from, .to = to };
	*fdo_map_at(f->by_ends, ends(from, to)) = f->nedges + 1;
	return &f->edges[f->nedges++];
}

struct compared_edge *compared_edge(struct compared_function *f, uint32_t from,
				    uint32_t to)
{
	const uint64_t *found = fdo_map_get(f->by_ends, ends(from, to));

	return found ? &f->edges[*found - 1] : NULL;
}

void compared_set_votes(struct compared_block *b, struct ballot *ballot,
			uint64_t vote)
{
	b->nvotes = ballot->n;
	b->votes = fdo_alloc(ballot->n, sizeof(*b->votes));
	for (size_t i = 0; i < ballot->n; i++)
		b->votes[i] = ballot->cast[i].count;
	b->vote = vote;
	b->bounded = ballot->bounded;
	b->bound = ballot->bound;
}

/*
 * The shortest way over blocks that are gone, searched from its end: of each
 * block on it, the edge to take, or SIZE_MAX.
 */
static size_t *find_way(const struct compared_function *f, uint32_t from,
			uint32_t to)
{
	size_t *next = fdo_alloc(f->nblocks, sizeof(*next));
	uint32_t *queue = fdo_alloc(f->nblocks + 1, sizeof(*queue));
	size_t first = 0, last = 0;

	for (uint32_t b = 0; b < f->nblocks; b++)
		next[b] = SIZE_MAX;
	queue[last++] = to;
	while (first < last && next[from] == SIZE_MAX) {
		uint32_t at = queue[first++];

		for (size_t e = 0; e < f->nedges; e++) {
			uint32_t before = f->edges[e].from;

			if (f->edges[e].to != at || next[before] != SIZE_MAX ||
			    (before != from && !f->blocks[before].is_gone))
				continue;
			next[before] = e;
			if (before != from)
				queue[last++] = before;
		}
	}
	free(queue);
	return next;
}

bool compared_flow(struct compared_function *f, uint32_t from, uint32_t to,
		   double amount)
{
	struct compared_edge *direct = compared_edge(f, from, to);
	size_t *next;
	uint32_t at = from;
	bool found;

	if (direct) {
		direct->exact += amount;
		return true;
	}
	next = find_way(f, from, to);
	found = next[from] != SIZE_MAX;
	while (found) {
		struct compared_edge *e = &f->edges[next[at]];

		e->exact += amount;
		at = e->to;
		if (at == to)
			break;
		f->blocks[at].exact += amount;
	}
	free(next);
	return found;
}

struct ratio {
	double ratio, weight;
};

static int by_ratio(const void *a, const void *b)
{
	const struct ratio *x = a, *y = b;

	if (x->ratio != y->ratio)
		return x->ratio < y->ratio ? -1 : 1;
	return (x->weight > y->weight) - (x->weight < y->weight);
}

static double weighted_median(struct ratio *ratios, size_t n)
{
	double sum = 0, below = 0;

	if (n)
		qsort(ratios, n, sizeof(*ratios), by_ratio);
	for (size_t i = 0; i < n; i++)
		sum += ratios[i].weight;
	for (size_t i = 0; i < n; i++) {
		below += ratios[i].weight;
		if (2 * below >= sum)
			return ratios[i].ratio;
	}
	return 1;
}

double compared_scale(const struct compared *c)
{
	struct ratio *ratios = NULL;
	size_t n = 0, room = 0;
	double scale;

	for (size_t i = 0; i < c->nfunctions; i++) {
		const struct compared_function *f = c->functions[i];

		for (uint32_t b = 0; f->is_exact && b < f->nblocks; b++) {
			const struct compared_block *block = &f->blocks[b];

			if (block->ours <= 0 || block->exact <= 0)
				continue;
			ratios = fdo_grow(ratios, n, &room, sizeof(*ratios));
			ratios[n++] =
				(struct ratio){ block->exact / block->ours,
						block->exact };
		}
	}
	scale = weighted_median(ratios, n);
	free(ratios);
	return scale;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= tolerance * fmax(a, b);
}

static enum cause cause_of(const struct compared_block *b, double scale)
{
	if (b->nvotes == 0)
		return b->bounded  ? CAUSE_COPY
		       : b->places ? CAUSE_KEY
				   : CAUSE_FLOW;
	if (is_near(scale * (double)b->vote, b->exact))
		return CAUSE_FLOW;
	for (size_t i = 0; i < b->nvotes; i++)
		if (is_near(scale * (double)b->votes[i], b->exact))
			return CAUSE_VOTE;
	return b->vote ? CAUSE_COPY : CAUSE_ZERO;
}

void compared_find_causes(struct compared *c, double scale)
{
	for (size_t i = 0; i < c->nfunctions; i++) {
		struct compared_function *f = c->functions[i];

		for (uint32_t b = 0; b < f->nblocks; b++)
			f->blocks[b].cause =
				f->is_annotated ? cause_of(&f->blocks[b], scale)
						: CAUSE_KEY;
	}
}

static const char *const cause_names[CAUSES] = {
	[CAUSE_FLOW] = "flow", [CAUSE_KEY] = "key",   [CAUSE_COPY] = "copy",
	[CAUSE_ZERO] = "zero", [CAUSE_VOTE] = "vote",
};

static void write_block(FILE *out, uint32_t number,
			const struct compared_block *b)
{
	fprintf(out, "block %u %u %u %u %s %.10g %.10g", number, b->size,
		b->line, b->places, cause_names[b->cause], b->ours, b->exact);
	if (b->nvotes)
		fprintf(out, " %" PRIu64 " of", b->vote);
	for (size_t i = 0; i < b->nvotes; i++)
		fprintf(out, "%c%" PRIu64, i ? ',' : ' ', b->votes[i]);
	if (b->nvotes == 0 && b->bounded)
		fprintf(out, " at most %" PRIu64, b->bound);
	fputc('\n', out);
}

static void write_edge(FILE *out, const struct compared_edge *e)
{
	/* Shares have 29 bits. */
	fprintf(out, "edge %u %u %.6g %.10g", e->from, e->to, e->ours,
		e->exact);
	for (size_t i = 0; i < CAUSES; i++)
		fprintf(out, " %.6g", e->mended[i]);
	fputc('\n', out);
}

static void write_function(FILE *out, const struct compared_function *f)
{
	fprintf(out, "function %s %u %s %s %" PRIu64 " %.10g", f->name, f->line,
		f->is_shared ? "shared" : "own",
		f->is_annotated ? "annotated" : "guessed", f->samples,
		f->entry);
	if (!f->is_exact) {
		fputs(" -\n", out);
		return;
	}
	fprintf(out, " %.10g %.10g\n", f->exact_entry, f->astray);
	for (uint32_t b = 0; b < f->nblocks; b++)
		if (f->blocks[b].is_here)
			write_block(out, b, &f->blocks[b]);
	for (size_t e = 0; e < f->nedges; e++)
		write_edge(out, &f->edges[e]);
}

bool compared_write(const struct compared *c, const char *path,
		    const char *unit, struct fdo_error *err)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool done;

	if (!out)
		abort();
	fprintf(out, "%s%s\n", first_words, unit);
	for (size_t i = 0; i < c->nfunctions; i++)
		write_function(out, c->functions[i]);
	fputs("end\n", out);
	if (fclose(out) != 0)
		abort();
	done = fdo_output_append(path, first_words, text, size, err);
	free(text);
	return done;
}
