#include "converter/compare/overlap.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/compare/metrics.h"
#include "converter/compare/side_by_side.h"
#include "converter/count/program.h"
#include "converter/graph/dominators.h"

static void append(struct overlap_counts *counts, double a, double b)
{
	size_t room = counts->room;

	counts->a = fdo_grow(counts->a, counts->n, &room, sizeof(*counts->a));
	counts->b = fdo_grow(counts->b, counts->n, &counts->room,
			     sizeof(*counts->b));
	counts->a[counts->n] = a;
	counts->b[counts->n] = b;
	counts->n++;
}

static void append_branch(struct overlap *o)
{
	o->branches = fdo_grow(o->branches, o->nbranches, &o->room_branches,
			       sizeof(*o->branches));
	o->branches[o->nbranches++] = o->edges.n;
}

/* A hub is no code. */
static double block_count(const struct program_function *f, size_t b)
{
	return f && !(f->cfg.blocks[b].flags & CFG_HUB)
		       ? (double)f->blocks[b].count
		       : 0;
}

static double edge_count(const struct program_function *f, size_t e)
{
	return f ? (double)f->edges[e] : 0;
}

/* Of a loop, by its first block: how often it is begun again, and how often entered. */
struct loop_counts {
	double again, entered;
};

static struct loop_counts loop_counts_of(const struct program_function *f,
					 const struct dominators *dominators,
					 size_t head)
{
	const struct cfg_block *block = &f->cfg.blocks[head];
	struct loop_counts r = { 0 };

	for (uint32_t i = 0; i < block->nin; i++) {
		uint32_t e = f->cfg.in[block->first_in + i];

		if (dominators_back(dominators, e))
			r.again += edge_count(f, e);
		else
			r.entered += edge_count(f, e);
	}
	if (head == f->cfg.entry)
		r.entered += (double)f->entry;
	return r;
}

static double for_each_time(struct loop_counts r)
{
	return r.entered > 0 ? 1 + r.again / r.entered : INFINITY;
}

/* Those that b entered, if a knows anything of them. */
static void append_loops(struct overlap *o, const struct program_function *a,
			 const struct program_function *b)
{
	struct dominators *dominators = dominators_new(&b->cfg);

	for (size_t i = 0; i < b->cfg.nblocks; i++) {
		struct loop_counts judged, judge;

		if (!dominators_heads(dominators, i))
			continue;
		judged = loop_counts_of(a, dominators, i);
		judge = loop_counts_of(b, dominators, i);
		if (judge.entered <= 0 || judged.entered + judged.again <= 0)
			continue;
		o->loop_rounds =
			fdo_grow(o->loop_rounds, o->loops.n, &o->room_rounds,
				 sizeof(*o->loop_rounds));
		o->loop_rounds[o->loops.n] = judge.entered + judge.again;
		append(&o->loops, for_each_time(judged), for_each_time(judge));
	}
	dominators_free(dominators);
}

/* One function, which at least one of the two has. */
static void append_function(struct overlap *o, const struct program_function *a,
			    const struct program_function *b)
{
	const struct cfg *cfg = a ? &a->cfg : &b->cfg;
	struct overlap_function f = {
		.name = cfg->name,
		.nblocks = cfg->nblocks,
		.nedges = cfg->nedges,
	};

	for (size_t i = 0; i < cfg->nblocks; i++) {
		double size = cfg->blocks[i].ninstructions;

		append(&o->blocks, block_count(a, i), block_count(b, i));
		f.a += block_count(a, i) * size;
		f.b += block_count(b, i) * size;
	}
	for (size_t e = 0; e < cfg->nedges; e++) {
		if (e == 0 || cfg->edges[e].from != cfg->edges[e - 1].from)
			append_branch(o);
		append(&o->edges, edge_count(a, e), edge_count(b, e));
	}
	if (a && b)
		append_loops(o, a, b);
	o->functions = fdo_grow(o->functions, o->nfunctions, &o->room_functions,
				sizeof(f));
	o->functions[o->nfunctions++] = f;
}

static double share(double count, double sum)
{
	return sum > 0 ? count / sum : 0;
}

/* What a function loses, by its part of some counts of all functions. */
static void find_losses(struct overlap *o, const struct overlap_counts *counts,
			bool edges)
{
	double a = 0, b = 0;
	size_t next = 0;

	for (size_t i = 0; i < counts->n; i++) {
		a += counts->a[i];
		b += counts->b[i];
	}
	for (size_t i = 0; i < o->nfunctions; i++) {
		struct overlap_function *f = &o->functions[i];
		size_t end = next + (edges ? f->nedges : f->nblocks);

		for (; next < end; next++)
			f->lost += fmax(0, share(counts->b[next], b) -
						   share(counts->a[next], a));
	}
}

struct overlap *overlap_new(const struct program *a, const struct program *b,
			    bool edges)
{
	const struct program *both[] = { a, b };
	struct side_by_side *s = side_by_side_new(both, 2);
	struct overlap *o = fdo_alloc(1, sizeof(*o));

	while (side_by_side_next(s))
		append_function(o, s->same[0], s->same[1]);
	side_by_side_free(s);
	append_branch(o);
	o->nbranches--;
	find_losses(o, edges ? &o->edges : &o->blocks, edges);
	return o;
}

void overlap_free(struct overlap *o)
{
	if (!o)
		return;
	free(o->blocks.a);
	free(o->blocks.b);
	free(o->edges.a);
	free(o->edges.b);
	free(o->branches);
	free(o->loops.a);
	free(o->loops.b);
	free(o->loop_rounds);
	free(o->functions);
	free(o);
}

double overlap_functions(const struct overlap *o)
{
	double *a = fdo_alloc(o->nfunctions, sizeof(*a));
	double *b = fdo_alloc(o->nfunctions, sizeof(*b));
	double result;

	for (size_t i = 0; i < o->nfunctions; i++) {
		a[i] = o->functions[i].a;
		b[i] = o->functions[i].b;
	}
	result = metrics_overlap(a, b, o->nfunctions);
	free(a);
	free(b);
	return result;
}
