/*
 * indirect.cc - calls by a pointer: whom they call.
 *
 * If it is mostly one function, GCC may test for it and call it by name, and so
 * inline it.  That is what -fprofile-use does with values that it has counted,
 * under the same conditions.  An edge of the call graph is enough for it: GCC
 * makes the test when it has decided that it is worth something, and forgets
 * about it otherwise.
 *
 * Branch records and registers tell of some calls.  Of the others, those of a
 * virtual function can only be of what overrides it, and each of these was
 * called so often as the profile says, from wherever.  GCC by itself guesses
 * that four of five calls are of the only one that it knows, whatever was
 * called, and nothing where it knows several.  So where it is known that they are
 * mostly of others, as of those of other units, the function's virtual calls are
 * no longer guessed: those of which we know better already have been.
 */
#include "plugin/samplefdo.h"

#include "base/map.h"
#include "attribs.h"
#include "calls.h"
#include "gimple-expr.h"

namespace
{
struct named_call {
	uint64_t place;
	tree callee;
};

struct guesses {
	const struct samplefdo *s;
	struct unit *unit;
	const struct fdo_map *instances;
	struct fdo_map *named; /* functions that are defined here */
	unsigned made;
	auto_vec<struct named_call> calls; /* of the function, by place */
};

/* Whom a call is of mostly. */
struct callee {
	struct cgraph_node *node; /* NULL: not known, or not defined here */
	double share;		  /* of all executions of the call */
	double told;   /* of these, how many are known to be of whom */
	bool is_known; /* whether it is defined here or not */
};
} // namespace

static struct fdo_map *functions_by_name(const struct samplefdo *s)
{
	struct fdo_map *named = fdo_map_new();
	struct cgraph_node *node;

	FOR_EACH_DEFINED_FUNCTION(node)
	{
		struct function_id id;

		if (!match_is_wanted(node) || DECL_EXTERNAL(node->decl))
			continue;
		id = declared_id(s, node->decl);
		*fdo_map_at(named, (uint64_t)(uintptr_t)id.names[0]) =
			(uint64_t)(uintptr_t)node;
	}
	return named;
}

/* A place in a function and in what is inlined there, whatever its number. */
static uint64_t place_of(const gimple *call)
{
	expanded_location at = match_where(gimple_location(call));
	uint64_t hash = fdo_hash_mix((uint64_t)(uintptr_t)gimple_block(call),
				     (uint64_t)(uintptr_t)at.file);

	return fdo_hash_mix(hash, (uint64_t)at.line << 32 | at.column);
}

static int by_place(const void *a, const void *b)
{
	uint64_t x = ((const struct named_call *)a)->place;
	uint64_t y = ((const struct named_call *)b)->place;

	return (x > y) - (x < y);
}

/* Whom a function calls by name, before anything is guessed. */
static void list_named(struct guesses *g, const struct cgraph_node *node)
{
	g->calls.truncate(0);
	for (const struct cgraph_edge *e = node->callees; e;
	     e = e->next_callee) {
		if (e->call_stmt)
			g->calls.safe_push(
				{ place_of(e->call_stmt), e->callee->decl });
	}
	g->calls.qsort(by_place);
}

static bool is_before(const struct named_call &a, const struct named_call &b)
{
	return a.place < b.place;
}

/* Whom the place of a call calls by name. */
static void find_others(const struct guesses *g, const struct cgraph_edge *call,
			auto_vec<const char *> *names)
{
	struct named_call here = { place_of(call->call_stmt), NULL };

	for (unsigned i = g->calls.lower_bound(here, is_before);
	     i < g->calls.length() && g->calls[i].place == here.place; i++)
		names->safe_push(
			declared_id(g->s, g->calls[i].callee).names[0]);
}

/* As far as it was told, of what is at the place of the call. */
static struct callee told(const struct guesses *g, struct cgraph_edge *call,
			  struct instance *in)
{
	auto_vec<const char *> names;
	struct likeliest likeliest;
	const uint64_t *found;
	struct callee ret = {};
	struct others others;

	find_others(g, call, &names);
	others = { names.address(), names.length() };
	likeliest = unit_target(g->unit,
				match_place(g->s, g->unit, in, call->call_stmt),
				&others);
	found = fdo_map_get(g->named, (uint64_t)(uintptr_t)likeliest.name);
	if (likeliest.name && found)
		ret.node = (struct cgraph_node *)(uintptr_t)*found;
	ret.share = likeliest.share;
	ret.told = likeliest.told;
	ret.is_known = likeliest.name != NULL;
	return ret;
}

static const struct instance *defined_here(const struct guesses *g,
					   const struct cgraph_node *node)
{
	const uint64_t *in = fdo_map_get(g->instances, DECL_UID(node->decl));

	return in ? (const struct instance *)(uintptr_t)*in : NULL;
}

/* How often a function was called, wherever it is defined. */
static uint64_t entered(const struct guesses *g, const struct cgraph_node *node)
{
	const struct instance *here = defined_here(g, node);
	struct profile *p = g->s->profile;
	struct profile_function **there;
	struct fdo_error err;
	uint64_t sum = 0;
	size_t n;

	if (here)
		return here->entry;
	if (!profile_load(p, declared_id(g->s, node->decl).names[0], &there, &n,
			  &err))
		fatal_error(UNKNOWN_LOCATION, "samplefdo: %s", err.text);
	for (size_t i = 0; i < n; i++)
		sum = profile_sum(sum, there[i]->entry);
	return sum;
}

/*
 * Classes of other units may override it, too: then its calls are more than
 * those of all functions that are seen here.  But counts are estimates.
 */
static double share_of_calls(const struct guesses *g, struct cgraph_edge *call,
			     uint64_t most, uint64_t all)
{
	profile_count count = call->count.ipa();
	double calls = count.initialized_p() ? (double)count.to_gcov_type() : 0;
	double seen = (double)counts_scale(all, g->s->shift);

	return (double)most / (double)all *
	       (2 * seen < calls ? seen / calls : 1);
}

/* Of all that a virtual call can be of, the one that was called most. */
static struct callee likeliest_override(const struct guesses *g,
					struct cgraph_edge *call)
{
	struct callee ret = {};
	uint64_t all = 0, most = 0;
	tree ref = gimple_call_fn(call->call_stmt);
	ipa_polymorphic_call_context context(current_function_decl, ref,
					     call->call_stmt);
	auto targets = possible_polymorphic_call_targets(
		obj_type_ref_class(ref), tree_to_uhwi(OBJ_TYPE_REF_TOKEN(ref)),
		context, NULL, NULL, true);

	for (unsigned i = 0; i < targets.length(); i++) {
		struct cgraph_node *body = targets[i]->function_symbol();
		uint64_t times = entered(g, body);

		all = profile_sum(all, times);
		if (times <= most)
			continue;
		most = times;
		ret.node = defined_here(g, body) ? targets[i] : NULL;
	}
	if (most)
		ret.share = share_of_calls(g, call, most, all);
	ret.is_known = most > 0;
	return ret;
}

/* A pointer may be cast to any type before what it points to is called. */
static bool is_suitable(const gimple *call, const_tree function)
{
	tree parameter = DECL_ARGUMENTS(function),
	     result = gimple_call_lhs(call);
	tree type = TREE_TYPE(function);

	if (stdarg_p(type) || DECL_STATIC_CHAIN(function))
		return false;
	for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
		tree argument = gimple_call_arg(call, i);

		if (!parameter ||
		    !useless_type_conversion_p(TREE_TYPE(parameter),
					       TREE_TYPE(argument)))
			return false;
		parameter = DECL_CHAIN(parameter);
	}
	return !parameter &&
	       (!result ||
		useless_type_conversion_p(TREE_TYPE(result), TREE_TYPE(type)));
}

/*
 * A call by name is an error, or warned of, where one by a pointer is not: as
 * of what must not be called, of what must be inlined and cannot be (into code
 * for another processor, or with -Og), of what returns twice, or by what a callee
 * says of its arguments, for which GCC 11 has a warning also where the pointer is
 * another function's.
 */
static bool may_be_named(const struct cgraph_edge *call, const_tree decl)
{
	const_tree type = gimple_call_fntype(call->call_stmt);

	if (lookup_attribute("error", DECL_ATTRIBUTES(decl)) ||
	    lookup_attribute("warning", DECL_ATTRIBUTES(decl)) ||
	    lookup_attribute("always_inline", DECL_ATTRIBUTES(decl)) ||
	    setjmp_call_p(decl))
		return false;
	return !lookup_attribute("access", TYPE_ATTRIBUTES(TREE_TYPE(decl))) ||
	       (type && lookup_attribute("access", TYPE_ATTRIBUTES(type)));
}

static bool is_virtual(const struct cgraph_edge *call)
{
	return virtual_method_call_p(gimple_call_fn(call->call_stmt));
}

/* Can the call be of this function, and would it be the one that we see? */
static bool is_possible(struct cgraph_edge *call, struct cgraph_node *callee)
{
	if (callee->get_availability() <= AVAIL_INTERPOSABLE &&
	    callee->can_be_discarded_p())
		return false;
	if (is_virtual(call) &&
	    !possible_polymorphic_call_target_p(gimple_call_fn(call->call_stmt),
						call->call_stmt, callee))
		return false;
	return may_be_named(call, callee->decl) &&
	       may_be_named(call, callee->ultimate_alias_target()->decl) &&
	       is_suitable(call->call_stmt, callee->decl);
}

/* What was not told is of whom all calls of what may override it are. */
static void add_untold(const struct guesses *g, struct cgraph_edge *call,
		       struct callee *callee)
{
	struct callee other = likeliest_override(g, call);
	double share = (1 - callee->told) * other.share;

	if (!other.node)
		return;
	if (other.node->function_symbol() == callee->node->function_symbol()) {
		callee->share += share;
	} else if (share > callee->share) {
		callee->node = other.node;
		callee->share = share;
	}
}

static struct callee likeliest_of(const struct guesses *g,
				  struct cgraph_edge *call, struct instance *in)
{
	struct callee ret = told(g, call, in);

	/* A place may have other calls, too. */
	if (!is_virtual(call) ||
	    !opt_for_fn(call->caller->decl, flag_devirtualize_speculatively))
		return ret;
	if (!ret.node || !is_possible(call, ret.node))
		return likeliest_override(g, call);
	add_untold(g, call, &ret);
	return ret;
}

/* False: it is virtual, and known to be of others. */
static bool guess(struct guesses *g, struct cgraph_edge *call,
		  struct instance *in)
{
	struct callee likeliest = likeliest_of(g, call, in);
	struct cgraph_node *callee = likeliest.node;
	symtab_node *alias;

	if (!callee || likeliest.share <= 0.5 || !is_possible(call, callee))
		return !is_virtual(call) || !likeliest.is_known;
	/* Whatever the name may stand for elsewhere, this one was called. */
	if (!callee->can_be_discarded_p()) {
		alias = callee->noninterposable_alias();
		if (alias)
			callee = dyn_cast<cgraph_node *>(alias);
	}
	if (dump_enabled_p())
		dump_printf_loc(MSG_OPTIMIZED_LOCATIONS, call->call_stmt,
				"indirect call is mostly of %s\n",
				callee->dump_name());
	call->make_speculative(
		callee, call->count.apply_probability(compat_guessed_share(
				(int64_t)(likeliest.share * 1e6), 1000000)));
	g->made++;
	return true;
}

static void guess_all(struct guesses *g, struct cgraph_node *node,
		      struct instance *in)
{
	struct cgraph_edge *next;
	bool good = true;

	if (node->indirect_calls)
		list_named(g, node);
	for (struct cgraph_edge *e = node->indirect_calls; e; e = next) {
		next = e->next_callee;
		if (e->call_stmt && !e->speculative && e->maybe_hot_p())
			good &= guess(g, e, in);
	}
	if (!good)
		flags_guess_no_virtual();
}

static bool is_wanted(const struct cgraph_node *node)
{
	return node->indirect_calls &&
	       opt_for_fn(node->decl, flag_value_profile_transformations);
}

unsigned indirect_guess(const struct samplefdo *s, struct unit *u,
			const struct fdo_map *instances)
{
	struct guesses g = { s, u, instances, functions_by_name(s), 0, {} };
	struct cgraph_node *node;

	FOR_EACH_DEFINED_FUNCTION(node)
	{
		const uint64_t *in =
			fdo_map_get(instances, DECL_UID(node->decl));

		if (!in || !is_wanted(node))
			continue;
		push_cfun(DECL_STRUCT_FUNCTION(node->decl));
		guess_all(&g, node, (struct instance *)(uintptr_t)*in);
		pop_cfun();
	}
	fdo_map_free(g.named);
	return g.made;
}
