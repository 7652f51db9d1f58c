/*
 * compare.cc - our counts of each function beside GCC's exact ones.
 *
 * In the place of GCC's pass "profile", ours counts as always, but what it
 * counted is taken away again.  Then GCC's own pass is run, which reads the
 * exact counts, and the compilation goes on with these.
 *
 * To tell what a loss comes from, ours then counts once more for each cause,
 * with exact votes in the blocks that suffer from it.
 */
#include "plugin/samplefdo.h"

#include <math.h>

#include "base/alloc.h"
#include "base/map.h"
#include "mcf/smooth.h"
#include "plugin/compared.h"

/* GCC's own counts of the current function. */
struct own_counts {
	profile_count *blocks;
	profile_probability *edges;
	enum profile_status_d status;
	profile_count function;
};

/* Of a function: where it is, and to count again. */
struct comparison_function {
	tree decl;
	basic_block *blocks;	       /* by number, when it was annotated */
	struct fdo_map *statements;    /* then, with their blocks' numbers */
	struct annotation *annotation; /* NULL: it was not looked at */
	struct compared_function *compared;
};

struct comparison {
	struct compared *compared;
	struct comparison_function *functions;
	size_t n, room;
	struct own_counts own; /* of the function that is being annotated */
	struct annotation *annotation; /* likewise */
	int shift;
};

static struct comparison *comparison_new(int shift)
{
	struct comparison *c = XCNEW(struct comparison);

	c->compared = compared_new();
	c->shift = shift;
	return c;
}

static void comparison_free(struct comparison *c)
{
	for (size_t i = 0; i < c->n; i++) {
		annotation_free(c->functions[i].annotation);
		XDELETEVEC(c->functions[i].blocks);
		fdo_map_free(c->functions[i].statements);
	}
	free(c->functions);
	compared_free(c->compared);
	XDELETE(c);
}

void comparison_begin(struct comparison *c)
{
	struct own_counts *own = &c->own;
	size_t n = 0;
	basic_block bb;
	edge e;
	edge_iterator at;

	own->blocks = XNEWVEC(profile_count, last_basic_block_for_fn(cfun));
	own->edges = XNEWVEC(profile_probability, n_edges_for_fn(cfun));
	FOR_ALL_BB_FN(bb, cfun)
	{
		own->blocks[bb->index] = bb->count;
		FOR_EACH_EDGE(e, at, bb->succs)
		own->edges[n++] = e->probability;
	}
	own->status = profile_status_for_fn(cfun);
	own->function = cgraph_node::get(current_function_decl)->count;
	c->annotation = NULL;
}

static void restore(struct own_counts *own)
{
	size_t n = 0;
	basic_block bb;
	edge e;
	edge_iterator at;

	FOR_ALL_BB_FN(bb, cfun)
	{
		bb->count = own->blocks[bb->index];
		FOR_EACH_EDGE(e, at, bb->succs)
		e->probability = own->edges[n++];
	}
	profile_status_for_fn(cfun) = own->status;
	cgraph_node::get(current_function_decl)->count = own->function;
	XDELETEVEC(own->blocks);
	XDELETEVEC(own->edges);
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
}

void comparison_keep(struct comparison *c, struct annotation *a)
{
	c->annotation = a;
}

static double executions(const struct comparison *c, profile_count count)
{
	if (!count.ipa().initialized_p())
		return 0;
	return ldexp((double)count.ipa().to_gcov_type(), -c->shift);
}

static uint32_t size_of(basic_block bb)
{
	uint32_t size = 0;
	gimple_stmt_iterator at;

	for (at = gsi_start_nondebug_after_labels_bb(bb); !gsi_end_p(at);
	     gsi_next_nondebug(&at))
		size++;
	return size;
}

static uint32_t line_of(basic_block bb)
{
	gimple_stmt_iterator at;

	for (at = gsi_start_nondebug_after_labels_bb(bb); !gsi_end_p(at);
	     gsi_next_nondebug(&at))
		if (gimple_has_location(gsi_stmt(at)))
			return gimple_lineno(gsi_stmt(at));
	return 0;
}

static void note_statements(basic_block bb, struct fdo_map *statements)
{
	gimple_stmt_iterator at;

	for (at = gsi_start_nondebug_after_labels_bb(bb); !gsi_end_p(at);
	     gsi_next_nondebug(&at))
		*fdo_map_at(statements, (uint64_t)(uintptr_t)gsi_stmt(at)) =
			bb->index;
}

/* Of the current function, the blocks and edges with our counts. */
static void take_counts(struct comparison *c, struct compared_function *f,
			basic_block *blocks)
{
	basic_block bb;
	edge e;
	edge_iterator at;

	FOR_ALL_BB_FN(bb, cfun)
	{
		struct compared_block *b = &f->blocks[bb->index];

		blocks[bb->index] = bb;
		b->is_here = bb->index >= NUM_FIXED_BLOCKS;
		b->size = size_of(bb);
		b->line = line_of(bb);
		if (f->is_annotated)
			b->ours = executions(c, bb->count);
		FOR_EACH_EDGE(e, at, bb->succs)
		{
			struct compared_edge *to =
				compared_add_edge(f, bb->index, e->dest->index);

			if (f->is_annotated)
				to->ours = executions(c, e->count());
		}
	}
}

static void take_votes(struct compared_function *f, const struct annotation *a)
{
	for (uint32_t b = 0; b < a->g.body.nblocks; b++) {
		struct compared_block *block = &f->blocks[b + NUM_FIXED_BLOCKS];
		struct ballot *ballot = evidence_ballot(a->evidence, b);

		block->places = evidence_places(a->evidence, b);
		compared_set_votes(block, ballot,
				   ballot->n ? ballot_count(ballot, a->how.vote)
					     : 0);
	}
}

void comparison_end(struct comparison *c, const struct instance *in,
		    enum annotated result)
{
	uint32_t n = last_basic_block_for_fn(cfun);
	struct comparison_function *f;
	basic_block bb;

	c->functions = (struct comparison_function *)fdo_grow(
		c->functions, c->n, &c->room, sizeof(*c->functions));
	f = &c->functions[c->n++];
	f->decl = current_function_decl;
	f->blocks = XCNEWVEC(basic_block, n);
	f->statements = fdo_map_new();
	f->annotation = c->annotation;
	f->compared = compared_add(c->compared, in->function.names[0],
				   in->function.start_line, n);
	f->compared->samples = in->samples;
	f->compared->is_shared = DECL_COMDAT(current_function_decl) ||
				 DECL_ONE_ONLY(current_function_decl);
	f->compared->is_annotated = result == ANNOTATED;
	if (result == ANNOTATED)
		f->compared->entry =
			executions(c, ENTRY_BLOCK_PTR_FOR_FN(cfun)->count);
	take_counts(c, f->compared, f->blocks);
	FOR_EACH_BB_FN(bb, cfun)
	note_statements(bb, f->statements);
	if (f->annotation)
		take_votes(f->compared, f->annotation);
	restore(&c->own);
}

/* Only where counts were found: without, GCC keeps its guess. */
static void read_all_exact(struct comparison *c)
{
	for (size_t i = 0; i < c->n; i++) {
		struct comparison_function *f = &c->functions[i];

		push_cfun(DECL_STRUCT_FUNCTION(f->decl));
		f->compared->is_exact =
			profile_status_for_fn(cfun) == PROFILE_READ;
		if (f->compared->is_exact)
			compare_read_exact(f->compared, f->blocks,
					   f->statements);
		pop_cfun();
	}
}

/* As many votes as a block may have, or more, and all are right. */
enum { EXACT_VOTES = 4 };

static struct ballot exact_ballot(const struct compared_block *b, double scale)
{
	struct ballot ballot = {};
	size_t n = MAX(b->nvotes, (size_t)EXACT_VOTES);
	uint64_t count = b->exact > 0 && b->exact < scale
				 ? 1
				 : (uint64_t)(b->exact / scale + 0.5);

	for (size_t i = 0; i < n; i++)
		ballot_add(&ballot, count, 0);
	return ballot;
}

/* Change places with exact ballots, where the cause asks for it. */
static unsigned swap_ballots(const struct comparison_function *f,
			     enum cause cause, struct ballot *others)
{
	unsigned swapped = 0;

	for (uint32_t b = 0; b < f->annotation->g.body.nblocks; b++) {
		const struct compared_block *block =
			&f->compared->blocks[b + NUM_FIXED_BLOCKS];
		struct ballot *own =
			evidence_ballot(f->annotation->evidence, b);

		if (!block->is_here ||
		    (cause != CAUSE_FLOW && block->cause != cause))
			continue;
		std::swap(*own, others[b]);
		swapped++;
	}
	return swapped;
}

static uint32_t number_of(uint32_t block, uint32_t outside)
{
	return block == FLOW_OUTSIDE ? outside : block + NUM_FIXED_BLOCKS;
}

/* The counts with right votes for one cause; without any, ours remain. */
static void count_again(struct comparison *c, struct comparison_function *f,
			enum cause cause)
{
	const struct graph *g = &f->annotation->g;
	struct fdo_error err;
	struct counts *counts = annotation_solve(f->annotation, &err);

	for (uint32_t l = 0; counts && l < g->nlinks; l++) {
		struct compared_edge *e =
			compared_edge(f->compared,
				      number_of(g->links[l].from, ENTRY_BLOCK),
				      number_of(g->links[l].to, EXIT_BLOCK));

		if (e)
			e->mended[cause] =
				ldexp((double)counts->link[l], -c->shift);
	}
	counts_free(counts);
}

static void mend_cause(struct comparison *c, struct comparison_function *f,
		       enum cause cause, double scale)
{
	uint32_t n = f->annotation->g.body.nblocks;
	struct ballot *ballots = XCNEWVEC(struct ballot, n);

	for (uint32_t b = 0; b < n; b++)
		ballots[b] = exact_ballot(
			&f->compared->blocks[b + NUM_FIXED_BLOCKS], scale);
	if (swap_ballots(f, cause, ballots)) {
		count_again(c, f, cause);
		swap_ballots(f, cause, ballots);
	}
	for (uint32_t b = 0; b < n; b++)
		ballot_free(&ballots[b]);
	XDELETEVEC(ballots);
}

/* A function without counts of ours has not been found. */
static void mend(struct comparison *c, struct comparison_function *f,
		 double scale)
{
	struct compared_function *compared = f->compared;

	for (size_t i = 0; i < compared->nedges; i++) {
		struct compared_edge *e = &compared->edges[i];

		for (int cause = 0; cause < CAUSES; cause++)
			e->mended[cause] = e->ours;
		if (!compared->is_annotated)
			e->mended[CAUSE_KEY] = e->mended[CAUSE_FLOW] =
				e->exact / scale;
	}
	for (int cause = 0; compared->is_annotated && cause < CAUSES; cause++)
		mend_cause(c, f, (enum cause)cause, scale);
}

static void find_losses(struct comparison *c)
{
	double scale = compared_scale(c->compared);

	compared_find_causes(c->compared, scale);
	for (size_t i = 0; i < c->n; i++)
		if (c->functions[i].compared->is_exact)
			mend(c, &c->functions[i], scale);
}

/* Not that of another unit, whatever folder that is compiled in. */
static char *unit_name(void)
{
	const char *name = aux_base_name ? aux_base_name : main_input_filename;

	if (IS_ABSOLUTE_PATH(name))
		return xstrdup(name);
	return concat(getpwd(), "/", name, NULL);
}

static void write_all(struct samplefdo *s, struct comparison *c)
{
	char *name = unit_name();
	struct fdo_error err;

	if (!compared_write(c->compared, s->options.compare, name, &err))
		fatal_error(UNKNOWN_LOCATION, "samplefdo: %s", err.text);
	free(name);
}

namespace
{
struct pass_compare : public simple_ipa_opt_pass {
	struct samplefdo *s;
	simple_ipa_opt_pass *stock;

	pass_compare(struct samplefdo *s, simple_ipa_opt_pass *stock)
	    : simple_ipa_opt_pass(*stock, g), s(s), stock(stock)
	{
	}
	bool gate(function *f) final override
	{
		return stock->gate(f);
	}
	unsigned int execute(function *f) final override;
};
} // namespace

unsigned int pass_compare::execute(function *f)
{
	unsigned todo;

	s->comparison = comparison_new(s->shift);
	pass_count(s);
	todo = stock->execute(f);
	read_all_exact(s->comparison);
	find_losses(s->comparison);
	write_all(s, s->comparison);
	comparison_free(s->comparison);
	s->comparison = NULL;
	return todo;
}

simple_ipa_opt_pass *compare_pass_new(struct samplefdo *s)
{
	return new pass_compare(s, make_pass_ipa_tree_profile(g));
}
