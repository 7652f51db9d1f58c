/*
 * calls.cc - what is known of the functions that a function calls.
 *
 * GCC gives an inlined body the counts it had on its own, times what the call
 * has of the entry.  So a call without a count makes everything cold that the
 * called function did, though it did run, and was called from somewhere.
 * Where nobody else can have called it, that must have been here.
 */
#include "plugin/samplefdo.h"

#include <math.h>

#include "base/alloc.h"
#include "base/map.h"

/* Per function, by DECL_UID. */
struct calls {
	struct fdo_map *entered;   /* its entry's count */
	struct fdo_map *explained; /* what calls have of it so far */
	struct fdo_map *expected;  /* samples that these are worth, / 1000 */
	struct fdo_map *done;	   /* its calls are known */
	struct fdo_map *heat;	   /* the most that anything in it ran */
};

struct calls *calls_new(void)
{
	struct calls *c = XNEW(struct calls);

	c->entered = fdo_map_new();
	c->explained = fdo_map_new();
	c->expected = fdo_map_new();
	c->done = fdo_map_new();
	c->heat = fdo_map_new();
	return c;
}

void calls_free(struct calls *c)
{
	if (!c)
		return;
	fdo_map_free(c->entered);
	fdo_map_free(c->explained);
	fdo_map_free(c->expected);
	fdo_map_free(c->done);
	fdo_map_free(c->heat);
	XDELETE(c);
}

static struct cgraph_node *callee_of(const gimple *statement)
{
	tree decl = is_gimple_call(statement) ? gimple_call_fndecl(statement)
					      : NULL;
	struct cgraph_node *node = decl ? cgraph_node::get(decl) : NULL;

	return node ? node->ultimate_alias_target() : NULL;
}

/* Are the current function's calls the last ones that are not known yet? */
static bool is_last_caller(const struct calls *c, struct cgraph_node *callee)
{
	if (callee->decl == current_function_decl || callee->address_taken ||
	    TREE_PUBLIC(callee->decl) || callee->has_aliases_p())
		return false;
	for (struct cgraph_edge *e = callee->callers; e; e = e->next_caller)
		if (e->caller->decl != current_function_decl &&
		    e->caller != callee &&
		    !fdo_map_get(c->done, DECL_UID(e->caller->decl)))
			return false;
	return true;
}

static uint64_t value(const struct fdo_map *map, const_tree decl)
{
	const uint64_t *found = fdo_map_get(map, DECL_UID(decl));

	return found ? *found : 0;
}

uint64_t calls_expected(const struct calls *c, const_tree decl)
{
	return value(c->expected, decl);
}

static bool is_likelier(uint32_t a, uint32_t b)
{
	return BASIC_BLOCK_FOR_FN(cfun, b + NUM_FIXED_BLOCKS)->count <
	       BASIC_BLOCK_FOR_FN(cfun, a + NUM_FIXED_BLOCKS)->count;
}

/* Of a callee: its calls are not to be asked, or which is the likeliest so far. */
enum { UNKNOWN, NOT_LAST, LIKELIEST };

/* Of several calls of a function, the likeliest is the one to be asked. */
static void ask(const struct calls *c, struct fdo_map *answers,
		struct calls_wanted *w, uint32_t block,
		struct cgraph_node *callee, uint64_t entered)
{
	uint64_t *answer = fdo_map_at(answers, DECL_UID(callee->decl));
	struct counts_call call = { block, (uint32_t)w->n, true,
				    (int64_t)entered };

	if (*answer == UNKNOWN && !is_last_caller(c, callee))
		*answer = NOT_LAST;
	if (*answer == NOT_LAST)
		return;
	if (*answer != UNKNOWN) {
		struct counts_call *old = &w->calls[*answer - LIKELIEST];

		call.callee = old->callee;
		old->is_likeliest = !is_likelier(block, old->block);
		call.is_likeliest = !old->is_likeliest;
	}
	if (call.is_likeliest)
		*answer = LIKELIEST + w->n;
	w->calls = (struct counts_call *)fdo_grow(w->calls, w->n, &w->room,
						  sizeof(*w->calls));
	w->callees = (tree *)fdo_grow(w->callees, w->n, &w->callees_room,
				      sizeof(*w->callees));
	w->callees[w->n] = callee->decl;
	w->calls[w->n++] = call;
}

struct calls_wanted calls_want(const struct calls *c)
{
	struct fdo_map *answers = fdo_map_new();
	struct calls_wanted w = {};
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
	{
		gimple_stmt_iterator at;

		for (at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
			struct cgraph_node *callee = callee_of(gsi_stmt(at));
			uint64_t entered =
				callee ? value(c->entered, callee->decl) : 0;

			if (entered && value(c->explained, callee->decl) == 0)
				ask(c, answers, &w,
				    bb->index - NUM_FIXED_BLOCKS, callee,
				    entered);
		}
	}
	fdo_map_free(answers);
	return w;
}

void calls_wanted_free(struct calls_wanted *w)
{
	free(w->calls);
	free(w->callees);
}

/* At a link, GCC may inline what another unit has. */
static bool is_profiled_elsewhere(const struct samplefdo *s,
				  struct cgraph_node *callee)
{
	const char *name = declared_id(s, callee->decl).names[0];
	struct profile_function **found;
	struct fdo_error err;
	size_t n;

	if (!flag_lto || !name)
		return false;
	if (!profile_load(s->profile, name, &found, &n, &err))
		fatal_error(UNKNOWN_LOCATION, "samplefdo: %s", err.text);
	return n > 0;
}

/* The most that anything is executed in a callee by calls that are so many. */
static double heat_of_call(const struct calls *c, const struct samplefdo *s,
			   struct cgraph_node *callee, double count)
{
	double entered = (double)value(c->entered, callee->decl);

	if (callee->decl == current_function_decl)
		return 0;
	if (callee->definition && fdo_map_get(c->done, DECL_UID(callee->decl)))
		return entered > 0 ? (double)value(c->heat, callee->decl) *
					     (count / entered)
				   : 0;
	return callee->definition || is_profiled_elsewhere(s, callee) ? INFINITY
								      : 0;
}

static double heat_of_block(const struct calls *c, const struct samplefdo *s,
			    basic_block bb, double count)
{
	gimple_stmt_iterator at;
	double heat = count;

	for (at = gsi_start_bb(bb); count > 0 && !gsi_end_p(at);
	     gsi_next(&at)) {
		struct cgraph_node *callee = callee_of(gsi_stmt(at));

		if (callee)
			heat = fmax(heat, heat_of_call(c, s, callee, count));
	}
	return heat;
}

double *calls_heat(struct calls *c, const struct samplefdo *s,
		   const struct counts *counts)
{
	double *heat = XCNEWVEC(double, n_basic_blocks_for_fn(cfun)), most = 0;
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
	{
		uint32_t b = graph_number(bb);

		heat[b] = heat_of_block(c, s, bb, (double)counts->block[b]);
		most = fmax(most, fmin(heat[b], (double)INT64_MAX / 2));
	}
	*fdo_map_at(c->heat, DECL_UID(current_function_decl)) = (uint64_t)most;
	return heat;
}

/*
 * In thousandths of a sample: a call gets about five instructions executed, as
 * many as a block has.
 */
static uint64_t expected_by(uint64_t times, uint64_t sample)
{
	return sample ? times * 1000 / sample : times * 1000;
}

static void add_call(struct calls *c, const_tree callee, uint64_t times,
		     uint64_t sample)
{
	uint64_t *expected = fdo_map_at(c->expected, DECL_UID(callee));

	*expected = profile_sum(*expected, expected_by(times, sample));
	*fdo_map_at(c->explained, DECL_UID(callee)) += times;
}

static void drop_call(struct calls *c, const_tree callee, uint64_t times,
		      uint64_t sample)
{
	uint64_t *expected = fdo_map_at(c->expected, DECL_UID(callee));
	uint64_t one = expected_by(times, sample);

	*expected -= *expected < one ? *expected : one;
	*fdo_map_at(c->explained, DECL_UID(callee)) -= times;
}

static void each_call(struct calls *c, uint64_t sample,
		      void (*f)(struct calls *, const_tree, uint64_t, uint64_t))
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
	{
		gimple_stmt_iterator at;

		for (at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
			struct cgraph_node *callee = callee_of(gsi_stmt(at));

			if (callee)
				f(c, callee->decl, bb->count.to_gcov_type(),
				  sample);
		}
	}
}

void calls_know(struct calls *c, bool annotated, uint64_t sample)
{
	*fdo_map_at(c->done, DECL_UID(current_function_decl)) = 1;
	if (!annotated)
		return;
	*fdo_map_at(c->entered, DECL_UID(current_function_decl)) =
		ENTRY_BLOCK_PTR_FOR_FN(cfun)->count.to_gcov_type();
	each_call(c, sample, add_call);
}

void calls_forget(struct calls *c, uint64_t sample)
{
	each_call(c, sample, drop_call);
}

int64_t calls_of_current(const struct calls *c)
{
	return (int64_t)value(c->explained, current_function_decl);
}
