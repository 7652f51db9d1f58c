/*
 * outcomes.cc - how tests come out, by how they did in the profiled program.
 *
 * Where nothing is said of an arm, since it has no code of its own, or all its code is
 * of one place with the test, that decides instead of GCC's guess.
 */
#include "plugin/samplefdo.h"

#include "base/map.h"

/* What is compared, and how. */
struct comparison {
	tree_code code;
	tree left, right;
};

/* What makes a value, before it is made longer or expected to be something. */
static gimple *maker_of(tree value)
{
	gimple *maker = NULL;

	while (TREE_CODE(value) == SSA_NAME) {
		maker = SSA_NAME_DEF_STMT(value);
		if (gimple_assign_cast_p(maker))
			value = gimple_assign_rhs1(maker);
		else if (gimple_call_builtin_p(maker, BUILT_IN_EXPECT) ||
			 gimple_call_builtin_p(
				 maker, BUILT_IN_EXPECT_WITH_PROBABILITY))
			value = gimple_call_arg(maker, 0);
		else
			break;
	}
	return maker;
}

static bool is_comparison(const gimple *maker)
{
	return maker && is_gimple_assign(maker) &&
	       TREE_CODE_CLASS(gimple_assign_rhs_code(maker)) == tcc_comparison;
}

/* If a test asks how another comparison came out, that one. */
static struct comparison comparison_of(const gimple *test)
{
	struct comparison ret = {
		gimple_cond_code(test),
		gimple_cond_lhs(test),
		gimple_cond_rhs(test),
	};

	while ((ret.code == NE_EXPR || ret.code == EQ_EXPR) &&
	       integer_zerop(ret.right)) {
		gimple *maker = maker_of(ret.left);
		bool opposite = ret.code == EQ_EXPR;

		if (!is_comparison(maker))
			break;
		ret.code = gimple_assign_rhs_code(maker);
		ret.left = gimple_assign_rhs1(maker);
		ret.right = gimple_assign_rhs2(maker);
		if (opposite)
			ret.code = invert_tree_comparison(ret.code, false);
	}
	return ret;
}

/*
 * What is true or false was made by some other test, which code asks itself; but
 * not if it is loaded.
 */
static bool is_of_another(const struct comparison *c)
{
	const gimple *maker = maker_of(c->left);

	return TREE_CODE(TREE_TYPE(c->left)) == BOOLEAN_TYPE &&
	       !(maker && gimple_assign_load_p(maker));
}

/* What is not negative is more than 0 if it is not equal to it. */
static bool asks_for_zero(const struct comparison *c)
{
	return (c->code == GT_EXPR || c->code == LE_EXPR) &&
	       integer_zerop(c->right);
}

/* Does it ask if two are equal, or if one is less, and is it true if so? */
static bool asks(tree_code code, enum profile_kind *kind, bool *holds)
{
	*kind = PROFILE_LESS;
	switch (code) {
	case EQ_EXPR:
	case UNEQ_EXPR:
		*kind = PROFILE_EQUAL;
		*holds = true;
		return true;
	case NE_EXPR:
	case LTGT_EXPR:
		*kind = PROFILE_EQUAL;
		*holds = false;
		return true;
	case LT_EXPR:
	case GT_EXPR:
	case UNLT_EXPR:
	case UNGT_EXPR:
		*holds = true;
		return true;
	case LE_EXPR:
	case GE_EXPR:
	case UNLE_EXPR:
	case UNGE_EXPR:
		*holds = false;
		return true;
	default:
		return false;
	}
}

/* How often the test of a place is true, of its executions. */
static bool share_of(const struct unit *u, const gimple *test, uint64_t place,
		     uint64_t least, double *ret)
{
	struct comparison c = comparison_of(test);
	enum profile_kind kind;
	bool holds, known;

	if (is_of_another(&c) || !asks(c.code, &kind, &holds))
		return false;
	known = unit_outcome(u, place, kind, least, ret);
	if (!known && asks_for_zero(&c)) {
		known = unit_outcome(u, place, PROFILE_EQUAL, least, ret);
		holds = !holds;
	}
	if (!known)
		return false;
	if (!holds)
		*ret = 1 - *ret;
	return true;
}

/* By block, the place of its test; 0: it has none, or one of others as well. */
static uint64_t *find_places(const struct samplefdo *s, struct unit *u,
			     struct instance *in)
{
	uint64_t *places = match_tests(s, u, in);
	struct fdo_map *times = fdo_map_new();

	for (int b = 0; b < last_basic_block_for_fn(cfun); b++)
		if (places[b])
			++*fdo_map_at(times, places[b]);
	for (int b = 0; b < last_basic_block_for_fn(cfun); b++)
		if (places[b] && *fdo_map_get(times, places[b]) > 1)
			places[b] = 0;
	fdo_map_free(times);
	return places;
}

/*
 * How often the test at a block's end is true: by its own place, or that of an arm, where
 * a condition is that was made of it.
 */
static bool find_share(const struct unit *u, basic_block bb,
		       const uint64_t *tests, const uint64_t *arms,
		       uint64_t sample, double *ret)
{
	const gimple *test = graph_test_of(bb);
	edge_iterator at;
	edge e;

	if (!test)
		return false;
	if (tests[bb->index] &&
	    share_of(u, test, tests[bb->index], sample, ret))
		return true;
	FOR_EACH_EDGE(e, at, bb->succs)
	if (arms[e->dest->index] &&
	    share_of(u, test, arms[e->dest->index], sample, ret))
		return true;
	return false;
}

void outcomes_take(const struct samplefdo *s, struct unit *u,
		   struct instance *in, uint64_t sample, struct graph *g)
{
	uint64_t *tests = find_places(s, u, in), *arms = match_arms(s, u, in);

	for (uint32_t l = 0; l < g->nlinks; l++) {
		edge e = g->edges[l];
		double share;

		if (e && find_share(u, e->src, tests, arms, sample, &share))
			g->shares[l] =
				e->flags & EDGE_TRUE_VALUE ? share : 1 - share;
	}
	XDELETEVEC(tests);
	XDELETEVEC(arms);
}
