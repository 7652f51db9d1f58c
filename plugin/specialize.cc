/*
 * specialize.cc - divisions and copies for the values that they mostly have.
 *
 * GCC has all that -fprofile-use does with values that were counted; it asks
 * for them in the form in which it reads them from its own files.  The code
 * that it makes tests for the value, so a wrong one only costs time.  But that
 * their sum is not the block's count is an error to it, so each is made to fit.
 */
#include "plugin/samplefdo.h"

namespace
{
struct specializer {
	const struct samplefdo *s;
	struct unit *unit;
	struct instance *in;
	unsigned given; /* statements whose values are known */
	vec<gimple *> muted;
};
} // namespace

static int64_t executions_of(const gimple *statement)
{
	profile_count count = gimple_bb(statement)->count;

	return count.ipa_p() ? count.ipa().to_gcov_type() : 0;
}

static histogram_value add(gimple *statement, enum hist_type type, tree value,
			   unsigned counters)
{
	histogram_value h =
		gimple_alloc_histogram_value(cfun, type, statement, value);

	h->n_counters = counters;
	h->hvalue.counters = XCNEWVEC(gcov_type, counters);
	gimple_add_histogram_value(cfun, statement, h);
	return h;
}

/* All, how many values, and each with its count. */
static void add_most(gimple *statement, tree value,
		     const struct known_values *values, int64_t all)
{
	histogram_value h =
		add(statement, HIST_TYPE_TOPN_VALUES, value, 2 + 2 * values->n);
	gcov_type *to = h->hvalue.counters;

	*to++ = all;
	*to++ = values->n;
	for (unsigned i = 0; i < values->n; i++) {
		*to++ = values->most[i].value;
		*to++ = values->most[i].count;
	}
}

static void add_powers(gimple *statement, tree divisor, int64_t powers,
		       int64_t all)
{
	histogram_value h = add(statement, HIST_TYPE_POW2, divisor, 2);

	h->hvalue.counters[0] = all - powers;
	h->hvalue.counters[1] = powers;
}

/* Quotients of 0 and 1, and the rest. */
static void add_quotients(gimple *statement,
			  const struct known_values *quotients, int64_t all)
{
	enum { STEPS = 2 };
	histogram_value h =
		add(statement, HIST_TYPE_INTERVAL, NULL_TREE, STEPS + 2);
	gcov_type *to = h->hvalue.counters;

	h->hdata.intvl.int_start = 0;
	h->hdata.intvl.steps = STEPS;
	for (int i = 0; i < STEPS; i++) {
		to[i] = known_count(quotients, i);
		all -= to[i];
	}
	to[STEPS] = all;
}

/* What GCC would not use, it would leave there. */
static bool is_most(int64_t count, int64_t all)
{
	return all > 0 && count >= all - count;
}

static bool has_usual(const struct known_values *values, int64_t all)
{
	return values->n && is_most(values->most[0].count, all);
}

/* Nor may it be one that is no divisor in the statement's type. */
static bool is_divisor(int64_t value, tree type)
{
	return !integer_zerop(fold_convert(
		type, build_int_cst(long_long_integer_type_node, value)));
}

static bool known_at(const struct specializer *z, const gimple *statement,
		     enum profile_kind kind, struct known_values *ret)
{
	unit_values(z->unit, match_place(z->s, z->unit, z->in, statement), kind,
		    executions_of(statement), ret);
	return ret->n > 0;
}

static bool is_division(const gimple *statement)
{
	enum tree_code code;
	tree type;

	if (!is_gimple_assign(statement))
		return false;
	code = gimple_assign_rhs_code(statement);
	if (code != TRUNC_DIV_EXPR && code != TRUNC_MOD_EXPR)
		return false;
	type = TREE_TYPE(gimple_assign_lhs(statement));
	return (TREE_CODE(type) == INTEGER_TYPE ||
		TREE_CODE(type) == ENUMERAL_TYPE) &&
	       TYPE_PRECISION(type) <= 64 &&
	       TREE_CODE(gimple_assign_rhs2(statement)) == SSA_NAME;
}

static bool give_division(const struct specializer *z, gimple *statement)
{
	bool rest = gimple_assign_rhs_code(statement) == TRUNC_MOD_EXPR;
	tree divisor = gimple_assign_rhs2(statement),
	     type = TREE_TYPE(gimple_assign_lhs(statement));
	int64_t all = executions_of(statement), none_or_one;
	struct known_values divisors, quotients;
	bool given = false;

	if (known_at(z, statement, PROFILE_DIVISOR, &divisors)) {
		if (has_usual(&divisors, all) &&
		    is_divisor(divisors.most[0].value, type)) {
			add_most(statement, divisor, &divisors, all);
			given = true;
		}
		if (rest && TYPE_UNSIGNED(type) &&
		    is_most(divisors.powers_of_2, all)) {
			add_powers(statement, divisor, divisors.powers_of_2,
				   all);
			given = true;
		}
	}
	if (rest && TYPE_UNSIGNED(type) &&
	    known_at(z, statement, PROFILE_QUOTIENT, &quotients)) {
		none_or_one =
			known_count(&quotients, 0) + known_count(&quotients, 1);
		if (is_most(none_or_one, all)) {
			add_quotients(statement, &quotients, all);
			given = true;
		}
	}
	return given;
}

/* The number of the argument that is how many bytes, or -1. */
static int size_argument(gimple *statement)
{
	tree size;
	int number = 2;

	if (!gimple_call_builtin_p(statement, BUILT_IN_NORMAL))
		return -1;
	switch (DECL_FUNCTION_CODE(gimple_call_fndecl(statement))) {
	case BUILT_IN_MEMCPY:
	case BUILT_IN_MEMPCPY:
	case BUILT_IN_MEMMOVE:
	case BUILT_IN_MEMSET:
		break;
	case BUILT_IN_BZERO:
		number = 1;
		break;
	default:
		return -1;
	}
	if (gimple_call_num_args(statement) != (unsigned)number + 1)
		return -1;
	size = gimple_call_arg(statement, number);
	return TREE_CODE(size) == SSA_NAME ? number : -1;
}

/* GCC divides the sum of all by their number. */
static void add_mean(gimple *statement, tree size, double mean)
{
	enum { NUMBER = 1 << 16 };
	histogram_value h = add(statement, HIST_TYPE_AVERAGE, size, 2);

	h->hvalue.counters[0] = (int64_t)(mean * NUMBER);
	h->hvalue.counters[1] = NUMBER;
}

/*
 * A size that is usual in one place may be too large for another that looks the
 * same.  It is tested for, so that code never runs, but GCC warns of it.
 */
static void mute(struct specializer *z, gimple *statement)
{
	if (compat_is_mute(statement))
		return;
	compat_mute(statement, true);
	z->muted.safe_push(statement);
}

static void unmute(struct specializer *z)
{
	for (unsigned i = 0; i < z->muted.length(); i++)
		compat_mute(z->muted[i], false);
	z->muted.release();
}

/* With the mean, GCC chooses how to copy what has no usual size. */
static bool give_size(struct specializer *z, gimple *statement, int argument)
{
	const double largest = INT32_MAX;
	tree size = gimple_call_arg(statement, argument);
	int64_t all = executions_of(statement);
	struct known_values sizes;
	bool given = false;

	if (all <= 0 || !known_at(z, statement, PROFILE_SIZE, &sizes))
		return false;
	if (is_most(sizes.known, all) && sizes.mean >= 0 &&
	    sizes.mean <= largest) {
		add_mean(statement, size, sizes.mean);
		given = true;
	}
	if (has_usual(&sizes, all) && sizes.most[0].value >= 0) {
		add_most(statement, size, &sizes, all);
		mute(z, statement);
		given = true;
	}
	return given;
}

/* With an edge for exceptions behind it, it could not be put into a branch. */
static bool may_move(gimple *statement)
{
	return gimple_location(statement) != UNKNOWN_LOCATION &&
	       !stmt_ends_bb_p(statement);
}

/* By 0 it may throw in a caller, which GCC's code for powers of 2 does not. */
static bool may_divide(gimple *statement)
{
	return may_move(statement) && !cfun->can_throw_non_call_exceptions;
}

static bool give(struct specializer *z, gimple *statement)
{
	int argument;

	if (is_division(statement))
		return may_divide(statement) && give_division(z, statement);
	if (!is_gimple_call(statement))
		return false;
	argument = size_argument(statement);
	return argument >= 0 && may_move(statement) &&
	       give_size(z, statement, argument);
}

unsigned specialize(const struct samplefdo *s, struct unit *u,
		    struct instance *in)
{
	struct specializer z = { s, u, in, 0, vNULL };
	basic_block bb;

	if (!flag_profile_values || !flag_value_profile_transformations)
		return 0;
	FOR_EACH_BB_FN(bb, cfun)
	{
		gimple_stmt_iterator at;

		if (optimize_bb_for_size_p(bb))
			continue;
		for (at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
			z.given += give(&z, gsi_stmt(at));
	}
	if (z.given && gimple_value_profile_transformations()) {
		free_dominance_info(CDI_DOMINATORS);
		free_dominance_info(CDI_POST_DOMINATORS);
		cleanup_tree_cfg();
		update_ssa(TODO_update_ssa);
	}
	unmute(&z);
	return z.given;
}
