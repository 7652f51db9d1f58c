/*
 * annotate.cc - counts onto GCC's control-flow graph.
 *
 * All counts, zeros too, are of the quality that GCC calls precise: with
 * anything less, parts of GCC 12 do not use them, and its vectorizer divides
 * by a zero that is not precise.  That a block never runs is only claimed
 * where enough samples were taken to see it.
 */
#include "plugin/samplefdo.h"

#include <math.h>

#include "cfgloop.h"
#include "tree-ssa-loop-niter.h"

#include "mcf/smooth.h"

/* With fewer in a function, a count of 0 says little. */
enum { SAMPLES_FOR_ZERO = 10 };

/* Instructions in a block, when nothing else is known. */
enum { INSTRUCTIONS_PER_BLOCK = 5 };

static uint32_t number(const_basic_block bb)
{
	return bb->index < NUM_FIXED_BLOCKS ? FLOW_OUTSIDE
					    : bb->index - NUM_FIXED_BLOCKS;
}

static double guessed_share(const_edge e)
{
	const int64_t one = (int64_t)1 << 30;

	if (!e->probability.initialized_p())
		return 1.0 / EDGE_COUNT(e->src->succs);
	return (double)e->probability.apply(one) / (double)one;
}

static bool has_loops(void)
{
	return loops_for_fn(cfun) && !loops_state_satisfies_p(LOOPS_NEED_FIXUP);
}

/* Does an edge leave a loop from the block that it begins with? */
static bool leaves_at_test(const_edge e)
{
	const class loop *loop = e->src->loop_father;

	return has_loops() && loop && loop->header == e->src &&
	       !flow_bb_inside_loop_p(loop, e->dest);
}

/*
 * Does an edge lead back to the test that a loop begins with?  The test will
 * be moved to the loop's end, and so it was in the profiled program.
 */
static bool leads_to_test(const_edge e)
{
	const class loop *loop = e->dest->loop_father;
	edge out;
	edge_iterator at;

	if (!has_loops() || !loop || loop->header != e->dest ||
	    !flow_bb_inside_loop_p(loop, e->src))
		return false;
	FOR_EACH_EDGE(out, at, e->dest->succs)
	if (!flow_bb_inside_loop_p(loop, out->dest))
		return true;
	return false;
}

/* What an operand of a loop's test is when the loop is entered. */
static tree value_at_first(tree operand, const_edge entry)
{
	gimple *def;

	if (TREE_CODE(operand) != SSA_NAME)
		return operand;
	def = SSA_NAME_DEF_STMT(operand);
	if (gimple_code(def) != GIMPLE_PHI || gimple_bb(def) != entry->dest)
		return operand;
	return gimple_phi_arg_def(def, entry->dest_idx);
}

/* Is it certain that the loop goes on when it is entered by this edge? */
static bool passes(const gimple *test, const_edge entry)
{
	tree holds = fold_binary(gimple_cond_code(test), boolean_type_node,
				 value_at_first(gimple_cond_lhs(test), entry),
				 value_at_first(gimple_cond_rhs(test), entry));
	edge out;
	edge_iterator at;

	if (!holds || TREE_CODE(holds) != INTEGER_CST)
		return false;
	FOR_EACH_EDGE(out, at, entry->dest->succs)
	if (!!(out->flags & EDGE_TRUE_VALUE) == !integer_zerop(holds))
		return flow_bb_inside_loop_p(entry->dest->loop_father,
					     out->dest);
	return false;
}

static bool is_passed_at_first(basic_block bb)
{
	gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);
	edge in;
	edge_iterator at;

	if (gsi_end_p(last) || gimple_code(gsi_stmt(last)) != GIMPLE_COND)
		return false;
	FOR_EACH_EDGE(in, at, bb->preds)
	if (!flow_bb_inside_loop_p(bb->loop_father, in->src) &&
	    !passes(gsi_stmt(last), in))
		return false;
	return true;
}

static void add_link(struct graph *g, uint32_t from, uint32_t to, edge e)
{
	g->links[g->nlinks].from = from;
	g->links[g->nlinks].to = to;
	g->shares[g->nlinks] = e ? guessed_share(e) : 1;
	g->again[g->nlinks] = e && leads_to_test(e);
	g->leaves[g->nlinks] = e && leaves_at_test(e);
	if (g->again[g->nlinks])
		g->passed[to] = is_passed_at_first(e->dest);
	g->edges[g->nlinks++] = e;
}

/*
 * The part that a block has of the instructions that a sample is counted for.
 * Larger ones get no more: of theirs, most may wait for nothing.
 */
static double size_of(basic_block bb)
{
	int n = 0;

	for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at);
	     gsi_next(&at))
		n += estimate_num_insns(gsi_stmt(at), &eni_size_weights);
	return (double)MIN(MAX(n, 1), INSTRUCTIONS_PER_BLOCK) /
	       INSTRUCTIONS_PER_BLOCK;
}

static void graph_init(struct graph *g)
{
	size_t room = n_edges_for_fn(cfun) + n_basic_blocks_for_fn(cfun);
	size_t numbers = last_basic_block_for_fn(cfun);
	basic_block bb;
	edge e;
	edge_iterator at;

	g->nlinks = 0;
	g->links = XNEWVEC(struct flow_link, room);
	g->shares = XNEWVEC(double, room);
	g->sizes = XNEWVEC(double, numbers);
	g->again = XNEWVEC(bool, room);
	g->leaves = XNEWVEC(bool, room);
	g->passed = XCNEWVEC(bool, numbers);
	g->edges = XNEWVEC(edge, room);
	for (size_t b = 0; b < numbers; b++)
		g->sizes[b] = 1; /* numbers of no block */
	FOR_EACH_EDGE(e, at, ENTRY_BLOCK_PTR_FOR_FN(cfun)->succs)
	add_link(g, FLOW_OUTSIDE, number(e->dest), e);
	FOR_EACH_BB_FN(bb, cfun)
	{
		g->sizes[number(bb)] = size_of(bb);
		FOR_EACH_EDGE(e, at, bb->succs)
		add_link(g, number(bb), number(e->dest), e);
		if (EDGE_COUNT(bb->succs) == 0)
			add_link(g, number(bb), FLOW_OUTSIDE, NULL);
	}
	g->body.nblocks = numbers - NUM_FIXED_BLOCKS;
	g->body.links = g->links;
	g->body.shares = g->shares;
	g->body.again = g->again;
	g->body.leaves = g->leaves;
	g->body.passed = g->passed;
	g->body.nlinks = g->nlinks;
	g->body.sizes = g->sizes;
}

static void graph_deinit(struct graph *g)
{
	XDELETEVEC(g->links);
	XDELETEVEC(g->shares);
	XDELETEVEC(g->sizes);
	XDELETEVEC(g->again);
	XDELETEVEC(g->leaves);
	XDELETEVEC(g->passed);
	XDELETEVEC(g->edges);
}

/* A block that may have run after all is only rare, and so is the way in. */
static void doubt_zeros(struct counts *c, const struct graph *g)
{
	for (uint32_t b = 0; b < g->body.nblocks; b++)
		if (c->block[b] == 0)
			c->block[b] = 1;
	for (uint32_t l = 0; l < g->nlinks; l++)
		if (c->link[l] == 0 && g->shares[l] > 0)
			c->link[l] = 1;
}

/* What leaves each block, over all its links. */
static int64_t *leaving(const struct counts *c, const struct graph *g)
{
	int64_t *sums = XCNEWVEC(int64_t, g->body.nblocks);

	for (uint32_t l = 0; l < g->nlinks; l++)
		if (g->links[l].from != FLOW_OUTSIDE)
			sums[g->links[l].from] += c->link[l];
	return sums;
}

/* A block that has no count keeps the probabilities that were guessed. */
static void write_shares(const struct counts *c, const struct graph *g)
{
	int64_t *sums = leaving(c, g);

	for (uint32_t l = 0; l < g->nlinks; l++) {
		edge e = g->edges[l];

		if (!e)
			continue;
		if (g->links[l].from == FLOW_OUTSIDE)
			e->probability = profile_probability::always();
		else if (sums[g->links[l].from] > 0)
			e->probability = compat_precise_share(
				c->link[l], sums[g->links[l].from]);
	}
	XDELETEVEC(sums);
}

static void write_counts(const struct counts *c, const struct graph *g)
{
	int64_t left = 0;
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
	bb->count = compat_precise_count(c->block[number(bb)]);
	for (uint32_t l = 0; l < g->nlinks; l++)
		if (g->links[l].to == FLOW_OUTSIDE && g->edges[l])
			left += c->link[l];
	ENTRY_BLOCK_PTR_FOR_FN(cfun)->count = compat_precise_count(c->entered);
	EXIT_BLOCK_PTR_FOR_FN(cfun)->count = compat_precise_count(left);
	write_shares(c, g);
	profile_status_for_fn(cfun) = PROFILE_READ;
	cgraph_node::get(current_function_decl)->count =
		ENTRY_BLOCK_PTR_FOR_FN(cfun)->count;
}

/* How often a loop goes round, from how often it was entered. */
static void estimate_loop(class loop *loop, const struct counts *c,
			  const struct graph *g)
{
	int64_t entered = 0, again = 0;

	for (uint32_t l = 0; l < g->nlinks; l++) {
		edge e = g->edges[l];

		if (!e || e->dest != loop->header)
			continue;
		if (flow_bb_inside_loop_p(loop, e->src))
			again += c->link[l];
		else
			entered += c->link[l];
	}
	if (entered == 0)
		return;
	loop->any_estimate = false;
	record_niter_bound(loop, (again + entered / 2) / entered, true, false);
}

static void estimate_loops(const struct counts *c, const struct graph *g)
{
	if (!has_loops())
		return;
	for (unsigned i = 1; i < number_of_loops(cfun); i++) {
		class loop *loop = get_loop(cfun, i);

		if (loop && loop->header)
			estimate_loop(loop, c, g);
	}
}

static void dump_block(const struct samplefdo *s, const struct graph *g,
		       const struct counts *c, struct evidence *evidence,
		       basic_block bb)
{
	const struct ballot *ballot = evidence_ballot(evidence, number(bb));
	gimple_stmt_iterator first = gsi_start_nondebug_after_labels_bb(bb);
	double unit = ldexp(1, s->shift);

	fprintf(s->dump, "  block %d count %.10g", bb->index,
		(double)c->block[number(bb)] / unit);
	if (ballot->n)
		fprintf(s->dump, " from %u places", (unsigned)ballot->n);
	else if (ballot->bounded)
		fprintf(s->dump, " at most %" PRIu64, ballot->bound);
	if (!gsi_end_p(first) && gimple_has_location(gsi_stmt(first)))
		fprintf(s->dump, " line %d", gimple_lineno(gsi_stmt(first)));
	for (uint32_t l = 0; l < g->nlinks; l++)
		if (g->edges[l] && g->edges[l]->src == bb)
			fprintf(s->dump, "; to %d %.10g",
				g->edges[l]->dest->index,
				(double)c->link[l] / unit);
	fputc('\n', s->dump);
}

static void dump_function(const struct samplefdo *s, const struct graph *g,
			  const struct counts *c, struct evidence *evidence,
			  const struct instance *in)
{
	struct unit_fit fit = unit_fit(in);
	basic_block bb;

	fprintf(s->dump,
		"function %s entry %.10g samples %" PRIu64 " blocks %u",
		in->function.names[0], (double)c->entered / ldexp(1, s->shift),
		in->samples, g->body.nblocks);
	if (fit.found > fit.stay)
		fprintf(s->dump, " changed, %zu of %zu places, %zu stay",
			fit.found, fit.places, fit.stay);
	fputc('\n', s->dump);
	FOR_EACH_BB_FN(bb, cfun)
	dump_block(s, g, c, evidence, bb);
}

/* Each block's dominator, guessed frequency and test, the caller's. */
static struct evidence_shape shape_new(const struct graph *g,
				       const uint32_t *classes)
{
	uint32_t *dominator = XCNEWVEC(uint32_t, g->body.nblocks);
	double *frequency = XCNEWVEC(double, g->body.nblocks);
	uint32_t *test_of = XCNEWVEC(uint32_t, g->body.nblocks);
	struct evidence_shape shape = { classes, dominator, frequency,
					test_of };
	basic_block bb;

	calculate_dominance_info(CDI_DOMINATORS);
	FOR_EACH_BB_FN(bb, cfun)
	{
		uint32_t above =
			number(get_immediate_dominator(CDI_DOMINATORS, bb));

		dominator[number(bb)] =
			above == FLOW_OUTSIDE ? number(bb) : above;
		test_of[number(bb)] = number(tests_first(bb));
		frequency[number(bb)] =
			bb->count.initialized_p()
				? (double)bb->count.to_gcov_type()
				: 0;
	}
	return shape;
}

static void shape_free(struct evidence_shape *shape)
{
	XDELETEVEC(CONST_CAST(uint32_t *, shape->dominator));
	XDELETEVEC(CONST_CAST(double *, shape->frequency));
	XDELETEVEC(CONST_CAST(uint32_t *, shape->test_of));
}

static bool has_evidence(struct evidence *evidence, uint32_t nblocks)
{
	for (uint32_t b = 0; b < nblocks; b++)
		if (evidence_ballot(evidence, b)->n)
			return true;
	return false;
}

static bool is_all_zero(const struct counts *c, uint32_t nblocks)
{
	for (uint32_t b = 0; b < nblocks; b++)
		if (c->block[b])
			return false;
	return true;
}

static uint64_t executions_of_sample(const struct instance *in)
{
	return in->samples ? in->total / in->samples / INSTRUCTIONS_PER_BLOCK
			   : 0;
}

uint64_t annotation_sample(const struct samplefdo *s, const struct instance *in)
{
	return counts_scale(executions_of_sample(in), s->shift);
}

static struct counts_how how_to_count(const struct samplefdo *s,
				      const struct instance *in)
{
	struct counts_how how = {};

	how.vote = s->options.vote;
	how.model = s->options.model;
	how.shift = s->shift;
	how.entry = in->entry;
	how.entry_is_least = in->entry_is_least;
	how.sample = executions_of_sample(in);
	return how;
}

struct counts *annotation_solve(const struct annotation *a,
				struct fdo_error *err)
{
	struct counts *c = counts_new(&a->g.body, a->evidence, &a->how, err);

	if (c && a->doubt_zeros && !is_all_zero(c, a->g.body.nblocks))
		doubt_zeros(c, &a->g);
	return c;
}

static enum annotated count(const struct samplefdo *s,
			    const struct annotation *a,
			    const struct instance *in)
{
	struct fdo_error err;
	struct counts *c = annotation_solve(a, &err);

	if (!c)
		return ANNOTATED_UNSOLVED;
	if (s->has_samples && is_all_zero(c, a->g.body.nblocks)) {
		counts_free(c);
		return ANNOTATED_NO_EVIDENCE;
	}
	write_counts(c, &a->g);
	if (!s->comparison)
		estimate_loops(c, &a->g);
	if (s->dump)
		dump_function(s, &a->g, c, a->evidence, in);
	counts_free(c);
	return ANNOTATED;
}

static void see(struct annotation *a, const struct samplefdo *s, struct unit *u,
		struct instance *in)
{
	uint32_t *classes = XNEWVEC(uint32_t, a->g.body.nblocks);
	struct evidence_shape shape;

	flow_classes(a->g.body.nblocks, a->g.links, a->g.nlinks, classes);
	a->evidence = match_see(u, s->profile, in);
	shape = shape_new(&a->g, classes);
	evidence_judge(a->evidence, &shape, s->options.model);
	shape_free(&shape);
	XDELETEVEC(classes);
}

static struct annotation *annotation_new(const struct samplefdo *s,
					 struct unit *u,
					 const struct calls *calls,
					 struct instance *in)
{
	struct annotation *a = XCNEW(struct annotation);

	graph_init(&a->g);
	see(a, s, u, in);
	a->wanted = calls_want(calls);
	a->how = how_to_count(s, in);
	a->how.calls = a->wanted.calls;
	a->how.ncalls = a->wanted.n;
	a->doubt_zeros = s->has_samples && in->samples < SAMPLES_FOR_ZERO;
	return a;
}

void annotation_free(struct annotation *a)
{
	if (!a)
		return;
	calls_wanted_free(&a->wanted);
	evidence_free(a->evidence);
	graph_deinit(&a->g);
	XDELETE(a);
}

enum annotated annotate(const struct samplefdo *s, struct unit *u,
			const struct calls *calls, struct instance *in)
{
	struct annotation *a;
	enum annotated result;

	if (!in->profile && !in->merged)
		return ANNOTATED_NOT_KNOWN;
	if (s->has_samples && in->samples < s->options.min_samples)
		return ANNOTATED_TOO_FEW;
	if (n_basic_blocks_for_fn(cfun) == NUM_FIXED_BLOCKS)
		return ANNOTATED_NO_EVIDENCE;
	a = annotation_new(s, u, calls, in);
	if (in->profile && unit_fit(in).unfit)
		result = ANNOTATED_UNFIT;
	else if (!has_evidence(a->evidence, a->g.body.nblocks))
		result = ANNOTATED_NO_EVIDENCE;
	else
		result = count(s, a, in);
	if (s->comparison)
		comparison_keep(s->comparison, a);
	else
		annotation_free(a);
	return result;
}
