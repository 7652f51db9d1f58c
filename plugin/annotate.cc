/*
 * annotate.cc - counts onto GCC's control-flow graph.
 *
 * All counts, zeros too, are of the quality that GCC calls precise: with
 * anything less, parts of GCC 12 do not use them, and its vectorizer divides
 * by a zero that is not precise.  That a block never runs is only claimed
 * where enough samples were taken to see it, in its function or, if it hardly
 * does, in the program (cold_blocks.h).
 */
#include "plugin/samplefdo.h"

#include <math.h>

#include "cfgloop.h"

#include "mcf/smooth.h"
#include "plugin/apart.h"
#include "plugin/cold_blocks.h"
#include "plugin/hoisted.h"

/* With fewer in a function, a count of 0 says little. */
enum { SAMPLES_FOR_ZERO = 10 };

/* A block that is cold has the samples of a block by this, at most. */
enum { COLD_IN_SAMPLE = 100 };

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
	bb->count = compat_precise_count(c->block[graph_number(bb)]);
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
	if (!graph_has_loops())
		return;
	for (unsigned i = 1; i < number_of_loops(cfun); i++) {
		class loop *loop = get_loop(cfun, i);

		if (loop && loop->header)
			estimate_loop(loop, c, g);
	}
}

/* By more than one and than a hundredth. */
static bool is_another(double count, double voted)
{
	double apart = fabs(count - voted);

	return apart > 1 && apart * 100 > fmax(count, voted);
}

/* Whence a block's count is, and what was voted for if that is another one. */
static void dump_votes(const struct samplefdo *s, struct ballot *ballot,
		       double count)
{
	uint64_t voted;

	if (ballot->n) {
		voted = ballot_count(ballot, s->options.vote);
		fprintf(s->dump, " from %u places", (unsigned)ballot->n);
		if (is_another(count, (double)voted))
			fprintf(s->dump, " of %" PRIu64, voted);
	} else if (ballot->bounded) {
		fprintf(s->dump, " at most %" PRIu64, ballot->bound);
	}
	if (ballot->least)
		fprintf(s->dump, " at least %" PRIu64, ballot->least);
}

static void dump_block(const struct samplefdo *s, const struct graph *g,
		       const struct counts *c, struct evidence *evidence,
		       basic_block bb)
{
	gimple_stmt_iterator first = gsi_start_nondebug_after_labels_bb(bb);
	double unit = ldexp(1, s->shift);
	double count = (double)c->block[graph_number(bb)] / unit;

	fprintf(s->dump, "  block %d count %.10g", bb->index, count);
	dump_votes(s, evidence_ballot(evidence, graph_number(bb)), count);
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

static bool is_all_zero(const struct counts *c, uint32_t nblocks)
{
	for (uint32_t b = 0; b < nblocks; b++)
		if (c->block[b])
			return false;
	return true;
}

static uint64_t executions_of_sample(const struct instance *in)
{
	return in->samples ? in->total / in->samples / PROFILE_BLOCK_SIZE : 0;
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
	how.entry_is_exact =
		!s->has_samples && !in->merged && !in->entry_is_least;
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

/*
 * Below which a block of the function has no part in the time, and cannot have been
 * sampled; 0: not known.
 */
static double least_count(const struct samplefdo *s, const struct instance *in)
{
	double least =
		(double)counts_scale(hot_cold_count(s->profile), s->shift);
	double sample = (double)annotation_sample(s, in);

	return in->samples ? fmin(least, sample / COLD_IN_SAMPLE) : least;
}

/* Little is lost where these run after all, and what is hot fits in less room. */
static void keep_cold_apart(const struct samplefdo *s,
			    const struct annotation *a, struct calls *calls,
			    const struct instance *in, struct counts *c)
{
	double *heat = calls_heat(calls, s, c);
	double least = least_count(s, in);

	if (least > 0 && cold_may_have_parts(s, current_function_decl))
		cold_blocks(c, &a->g.body, heat, least);
	XDELETEVEC(heat);
}

static enum annotated count(const struct samplefdo *s,
			    const struct annotation *a, struct calls *calls,
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
	if (!s->comparison)
		keep_cold_apart(s, a, calls, in, c);
	write_counts(c, &a->g);
	if (!s->comparison)
		estimate_loops(c, &a->g);
	if (s->dump)
		dump_function(s, &a->g, c, a->evidence, in);
	counts_free(c);
	return ANNOTATED;
}

/* A graph, and the shares of its links where constants decide tests. */
struct decided {
	const struct graph *g;
	double *shares;
};

static const double *decide(void *data, const struct passed *passed)
{
	struct decided *d = (struct decided *)data;

	constants_decide(d->g, passed, d->shares);
	return d->shares;
}

static void count_copies(struct annotation *a, struct instance *in,
			 const struct evidence_shape *shape)
{
	struct decided decided = { &a->g, XNEWVEC(double, a->g.nlinks) };
	struct copy_shares shares = { decide, &decided };

	apart_count(&a->g.body, a->evidence, shape, &in->copies, &a->how,
		    &shares);
	XDELETEVEC(decided.shares);
}

/* By what inlining and unrolling did to them. */
static void mend_votes(struct annotation *a, struct instance *in,
		       const struct evidence_shape *shape)
{
	struct known_loops loops = loops_known();

	count_copies(a, in, shape);
	if (rounds_unroll(&a->g.body, a->evidence, shape->class_of, loops.all,
			  loops.n, a->how.vote))
		evidence_judge_rounds(a->evidence, shape);
	hoisted_doubt(&a->g.body, a->evidence, loops.all, loops.n, &a->how);
	rounds_snap(&a->g.body, a->evidence, shape->class_of, loops.all,
		    loops.n, &a->how);
	loops_free(&loops);
}

static void see(struct annotation *a, const struct samplefdo *s, struct unit *u,
		struct instance *in)
{
	uint32_t *classes = XNEWVEC(uint32_t, a->g.body.nblocks);
	struct evidence_shape shape;

	flow_classes(a->g.body.nblocks, a->g.links, a->g.nlinks, classes);
	a->evidence = match_see(s, u, in, s->options.model != MODEL_CGO10);
	shape = evidence_shape_new(&a->g, classes);
	if (in->samples)
		shape.per_sample = (double)in->total / (double)in->samples;
	evidence_judge(a->evidence, &shape, s->options.model);
	if (s->options.model != MODEL_CGO10)
		mend_votes(a, in, &shape);
	evidence_shape_free(&shape);
	XDELETEVEC(classes);
}

static struct annotation *annotation_new(const struct samplefdo *s,
					 struct unit *u,
					 const struct calls *calls,
					 struct instance *in)
{
	struct annotation *a = XCNEW(struct annotation);

	graph_init(&a->g);
	a->how = how_to_count(s, in);
	if (s->options.model != MODEL_CGO10)
		outcomes_take(s, u, in, a->how.sample, &a->g);
	see(a, s, u, in);
	a->wanted = calls_want(calls);
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

/*
 * In another file it may just be another function: each program has a main(),
 * also those by which configure asks the compiler what it can.
 */
static enum annotated unfit(const struct instance *in)
{
	return unit_is_elsewhere(in) ? ANNOTATED_NOT_KNOWN : ANNOTATED_UNFIT;
}

/* With bounds alone, it takes how often the function was called. */
static bool says_anything(const struct evidence *e, const struct instance *in)
{
	return evidence_has_votes(e) ||
	       (evidence_has_bounds(e) && in->entry > 0);
}

/* Has the profile copies alone, with a count, of which each may have lost code? */
static bool is_of_copies(const struct instance *in)
{
	return in->merged && in->entry > 0 &&
	       (!in->profile || in->profile->body.total == 0);
}

enum annotated annotate(const struct samplefdo *s, struct unit *u,
			struct calls *calls, struct instance *in,
			struct annotation **kept)
{
	struct annotation *a;
	enum annotated result;

	*kept = NULL;
	if (flags_refuse_counts() || (!in->profile && !in->merged))
		return ANNOTATED_NOT_KNOWN;
	if (s->has_samples && in->samples < s->options.min_samples)
		return ANNOTATED_TOO_FEW;
	if (n_basic_blocks_for_fn(cfun) == NUM_FIXED_BLOCKS)
		return ANNOTATED_NO_EVIDENCE;
	a = annotation_new(s, u, calls, in);
	if (evidence_is_of_one_place(a->evidence))
		result = ANNOTATED_NO_EVIDENCE;
	else if (in->profile && unit_fit(in).unfit)
		result = unfit(in);
	else if (!says_anything(a->evidence, in))
		result = ANNOTATED_NO_EVIDENCE;
	else
		result = count(s, a, calls, in);
	if (s->comparison)
		comparison_keep(s->comparison, a);
	else if (result == ANNOTATED && is_of_copies(in))
		*kept = a;
	else
		annotation_free(a);
	return result;
}

/* By chance, and where calls were counted by other samples, it may be a bit more. */
static bool is_called_more(int64_t calls, int64_t entered)
{
	return calls / 2 > entered;
}

bool annotate_by_calls(const struct samplefdo *s, struct calls *calls,
		       const struct instance *in, struct annotation *a)
{
	int64_t called = calls_of_current(calls);
	uint64_t sample = annotation_sample(s, in);
	bool done;

	if (!is_called_more(called,
			    ENTRY_BLOCK_PTR_FOR_FN(cfun)->count.to_gcov_type()))
		return false;
	a->how.entry = counts_unscale(called, s->shift);
	a->how.entry_is_least = a->how.entry_is_exact = false;
	a->how.entry_is_sure = true;
	calls_forget(calls, sample);
	done = count(s, a, calls, in) == ANNOTATED;
	calls_know(calls, true, sample);
	return done;
}
