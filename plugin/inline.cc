/*
 * inline.cc - what was inlined in the profiled program, where that tells
 * copies of a function apart, so that each has blocks of its own to count in.
 *
 * GCC inlines twice: little before counts are read, and most after that, when
 * a copy gets the counts of the function's own body in proportion.  But the
 * profile knows each copy.  So after GCC's early inliner has done its part in
 * a function, calls are inlined whose copy in the profiled program did
 * something else than the function does elsewhere (contexts.h).  All other
 * calls are left to GCC's later inliner: what is inlined before makes
 * functions larger, and it inlines small ones.
 *
 * What is done depends on source, profile and options, and not on what else
 * becomes of the counts.  So an instrumented compilation can do the same.
 *
 * GCC's early inliner itself does it.  It inlines calls of functions for which
 * no limit is to be regarded, if that is allowed at all, and decides nothing
 * else when early inlining is off; so for a moment both is said, and what was
 * not chosen is said to be impossible.
 */
#include "plugin/samplefdo.h"

#include "base/map.h"

struct inliner {
	struct samplefdo *s;
	struct unit *unit;
	struct fdo_map *instances; /* by DECL_UID, before any inlining */
	struct contexts *contexts;
	uint64_t hot;		 /* executions that matter */
	int64_t room;		 /* in the unit, in GCC's instructions */
	unsigned inlined, large; /* calls; those without room */
};

namespace
{
const pass_data inline_pass_data = {
	GIMPLE_PASS,
	"samplefdo_inline",
	OPTGROUP_INLINE,
	TV_EARLY_INLINING,
	PROP_cfg | PROP_ssa,
	0,
	0,
	0,
	0,
};

struct pass_inline : public gimple_opt_pass {
	struct samplefdo *s;

	pass_inline(struct samplefdo *s)
	    : gimple_opt_pass(inline_pass_data, g), s(s)
	{
	}
	bool gate(function *) final override;
	unsigned int execute(function *) final override;
};

struct candidate {
	gimple *call;
	struct cgraph_node *callee;
	uint64_t heat;
	unsigned number; /* in the order of statements */
};

/* A body of the profile and the function that it is of. */
struct context {
	const struct profile_body *body; /* NULL: it was not inlined there */
	struct function_id function;
};
} // namespace

static bool is_wanted(const_tree decl)
{
	return opt_for_fn(decl, flag_early_inlining) &&
	       !opt_for_fn(decl, flag_no_inline) &&
	       !opt_for_fn(decl, optimize_size) &&
	       !opt_for_fn(decl, optimize_debug);
}

/* By how much all that is chosen may make the unit larger. */
static int64_t room_in_unit(void)
{
	struct cgraph_node *node;
	int64_t size = 0;

	FOR_EACH_DEFINED_FUNCTION(node)
	if (match_is_wanted(node) && !DECL_EXTERNAL(node->decl) &&
	    DECL_STRUCT_FUNCTION(node->decl)->cfg)
		size += estimate_num_insns_fn(node->decl, &eni_size_weights);
	return MAX(size, param_large_unit_insns) * param_inline_unit_growth /
	       100;
}

struct inliner *inliner_new(struct samplefdo *s, struct unit *u,
			    struct fdo_map *instances)
{
	struct inliner *i;
	size_t n;
	const struct profile_function *const *read = unit_read(u, &n);

	if (!s->options.inlines) {
		unit_free(u);
		fdo_map_free(instances);
		return NULL;
	}
	i = XCNEW(struct inliner);
	i->s = s;
	i->unit = u;
	i->instances = instances;
	i->hot = MAX(hot_count(s->profile), 1);
	i->room = room_in_unit();
	i->contexts = contexts_new();
	for (size_t k = 0; k < n; k++)
		contexts_add(i->contexts, &read[k]->body);
	return i;
}

void inliner_free(struct inliner *i)
{
	if (!i)
		return;
	contexts_free(i->contexts);
	unit_free(i->unit);
	fdo_map_free(i->instances);
	XDELETE(i);
}

void inliner_report(const struct inliner *i)
{
	if (i && (i->inlined || i->large))
		inform(UNKNOWN_LOCATION,
		       "samplefdo: %u calls inlined as in the profiled "
		       "program, %u too large",
		       i->inlined, i->large);
}

/* Of a block of statements, the body that is around it. */
static struct context context_of(struct inliner *i, const struct instance *root,
				 tree block)
{
	struct context outer, inner = {};
	expanded_location call;
	tree function;

	while (block && TREE_CODE(block) == BLOCK &&
	       !inlined_function_outer_scope_p(block))
		block = BLOCK_SUPERCONTEXT(block);
	if (!block || TREE_CODE(block) != BLOCK) {
		inner.body = contexts_whole(i->contexts, &root->profile->body);
		inner.function = root->function;
		return inner;
	}
	outer = context_of(i, root, BLOCK_SUPERCONTEXT(block));
	function = match_inlined_function(block);
	if (!function)
		return outer;
	inner.function = declared_id(i->s, function);
	if (!outer.body)
		return inner;
	call = match_where(BLOCK_SOURCE_LOCATION(block));
	inner.body = unit_inlined_at(i->unit, &outer.function, outer.body,
				     call.line - (int)outer.function.start_line,
				     call.column, &inner.function);
	return inner;
}

/* What the profile has inlined at a call; NULL: it is a call there, too. */
static const struct profile_body *inlined_at(struct inliner *i,
					     const struct instance *root,
					     const gimple *call,
					     const_tree callee)
{
	location_t where = gimple_location(call);
	expanded_location at = match_where(where);
	struct function_id id;
	struct context c;

	if (LOCATION_LOCUS(where) <= BUILTINS_LOCATION)
		return NULL;
	c = context_of(i, root, gimple_block(call));
	if (!c.body)
		return NULL;
	id = declared_id(i->s, callee);
	return unit_inlined_at(i->unit, &c.function, c.body,
			       at.line - (int)c.function.start_line, at.column,
			       &id);
}

/* Whom a statement calls, if that may be inlined; GCC decides whether it can. */
static struct cgraph_node *callee_of(const gimple *statement)
{
	tree decl = is_gimple_call(statement) ? gimple_call_fndecl(statement)
					      : NULL;
	struct cgraph_node *node = decl ? cgraph_node::get(decl) : NULL;

	if (!node)
		return NULL;
	node = node->ultimate_alias_target();
	if (node->decl == current_function_decl || !node->definition ||
	    !gimple_has_body_p(node->decl) || !is_wanted(node->decl) ||
	    DECL_DISREGARD_INLINE_LIMITS(node->decl))
		return NULL;
	return node;
}

static int by_heat(const void *a, const void *b)
{
	const struct candidate *x = (const struct candidate *)a;
	const struct candidate *y = (const struct candidate *)b;

	if (x->heat != y->heat)
		return x->heat < y->heat ? 1 : -1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void find_candidates(struct inliner *i, const struct instance *root,
			    hash_set<gimple *> *tried,
			    auto_vec<struct candidate> *found)
{
	basic_block bb;
	unsigned number = 0;

	FOR_EACH_BB_FN(bb, cfun)
	{
		gimple_stmt_iterator at;

		for (at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
			gimple *call = gsi_stmt(at);
			struct candidate c = { call, callee_of(call), 0,
					       number++ };
			const struct profile_body *body = NULL;

			if (c.callee && !tried->contains(call))
				body = inlined_at(i, root, call,
						  gimple_call_fndecl(call));
			if (body)
				c.heat = contexts_difference(i->contexts, body);
			if (c.heat >= i->hot)
				found->safe_push(c);
		}
	}
	found->qsort(by_heat);
}

/* The graph of calls, and what GCC knows of this function, as it is now. */
static void refresh(struct cgraph_node *node)
{
	cgraph_edge::rebuild_edges();
	compute_fn_summary(node, true);
}

static int size_of(struct cgraph_node *node)
{
	return ipa_size_summaries->get(node)->size;
}

static int grown(int n, int percent)
{
	return n + (int)((int64_t)n * percent / 100);
}

/* As GCC's later inliner bounds a function and its stack. */
static bool is_too_large(struct cgraph_node *node, int size, int64_t stack,
			 struct cgraph_node *callee)
{
	int own = ipa_size_summaries->get(node)->self_size;
	int64_t own_stack =
		ipa_size_summaries->get(node)->estimated_self_stack_size;

	return (size > opt_for_fn(node->decl, param_large_function_insns) &&
		size > grown(MAX(own, size_of(callee)),
			     opt_for_fn(node->decl,
					param_large_function_growth))) ||
	       (stack > opt_for_fn(node->decl, param_large_stack_frame) &&
		stack > own_stack +
				own_stack *
					opt_for_fn(node->decl,
						   param_stack_frame_growth) /
					100);
}

/* Does one of the chosen call that function, or the other way round? */
static bool is_entangled(struct cgraph_node *callee,
			 hash_set<struct cgraph_node *> *chosen)
{
	for (struct cgraph_edge *e = callee->callees; e; e = e->next_callee)
		if (chosen->contains(e->callee->ultimate_alias_target()))
			return true;
	for (struct cgraph_edge *e = callee->callers; e; e = e->next_caller)
		if (chosen->contains(e->caller))
			return true;
	return false;
}

/*
 * Leave those that can be inlined at once: what is inlined with another comes
 * in the next round, when its own context is there.
 */
static void choose(struct inliner *i, struct cgraph_node *node,
		   hash_set<gimple *> *tried, auto_vec<struct candidate> *found)
{
	hash_set<struct cgraph_node *> callees;
	int size = size_of(node);
	int64_t room = i->room;
	int64_t stack = ipa_fn_summaries->get(node)->estimated_stack_size;
	unsigned n = 0;

	for (unsigned k = 0; k < found->length(); k++) {
		struct candidate c = (*found)[k];
		int more;
		int64_t more_stack;

		if (is_entangled(c.callee, &callees))
			continue;
		tried->add(c.call);
		if (!ipa_fn_summaries->get(c.callee))
			compute_fn_summary(c.callee, true);
		if (!ipa_fn_summaries->get(c.callee)->inlinable)
			continue;
		more = size_of(c.callee);
		more_stack =
			ipa_fn_summaries->get(c.callee)->estimated_stack_size;
		if (more > room || is_too_large(node, size + more,
						stack + more_stack, c.callee)) {
			i->large++;
			continue;
		}
		size += more;
		stack += more_stack;
		room -= more;
		callees.add(c.callee);
		(*found)[n++] = c;
	}
	found->truncate(n);
}

/* All other calls stay, but for those that GCC has to inline. */
static void hide_others(struct cgraph_node *node,
			const auto_vec<struct candidate> *chosen)
{
	hash_set<gimple *> calls;

	for (unsigned k = 0; k < chosen->length(); k++)
		calls.add((*chosen)[k].call);
	for (struct cgraph_edge *e = node->callees; e; e = e->next_callee)
		if (!calls.contains(e->call_stmt) &&
		    !DECL_DISREGARD_INLINE_LIMITS(
			    e->callee->ultimate_alias_target()->decl))
			e->inline_failed = CIF_UNSPECIFIED;
}

static unsigned inline_chosen(struct cgraph_node *node,
			      const auto_vec<struct candidate> *chosen)
{
	int early = flag_early_inlining;
	auto_vec<tree> decls;
	unsigned todo;

	hide_others(node, chosen);
	for (unsigned k = 0; k < chosen->length(); k++)
		decls.safe_push((*chosen)[k].callee->decl);
	for (unsigned k = 0; k < decls.length(); k++)
		DECL_DISREGARD_INLINE_LIMITS(decls[k]) = 1;
	flag_early_inlining = 0;
	todo = early_inliner(cfun);
	flag_early_inlining = early;
	for (unsigned k = 0; k < decls.length(); k++)
		DECL_DISREGARD_INLINE_LIMITS(decls[k]) = 0;
	if (todo & TODO_cleanup_cfg)
		cleanup_tree_cfg(todo & TODO_update_ssa_any);
	if (need_ssa_update_p(cfun))
		update_ssa(TODO_update_ssa);
	refresh(node);
	return todo & ~(TODO_update_ssa_any | TODO_cleanup_cfg);
}

static void remark(const struct candidate *c)
{
	if (dump_enabled_p())
		dump_printf_loc(MSG_OPTIMIZED_LOCATIONS, c->call,
				"  Inlining %C into %C, as in the profiled "
				"program.\n",
				c->callee,
				cgraph_node::get(current_function_decl));
}

/* One round; false: there was nothing left to inline. */
static bool inline_round(struct inliner *i, struct cgraph_node *node,
			 hash_set<gimple *> *tried,
			 auto_vec<struct candidate> *found, unsigned *todo)
{
	int before;

	choose(i, node, tried, found);
	if (found->length() == 0)
		return false;
	for (unsigned k = 0; k < found->length(); k++)
		remark(&(*found)[k]);
	before = size_of(node);
	*todo |= inline_chosen(node, found);
	i->room -= MAX(size_of(node) - before, 0);
	for (unsigned k = 0; k < found->length(); k++)
		i->inlined += !node->get_edge((*found)[k].call);
	return true;
}

bool pass_inline::gate(function *f)
{
	return s->inliner && !in_lto_p && !seen_error() &&
	       !ipa_node_params_sum &&
	       fdo_map_get(s->inliner->instances, DECL_UID(f->decl)) &&
	       is_wanted(f->decl) && !DECL_DISREGARD_INLINE_LIMITS(f->decl);
}

/* Rounds end: a call is tried once, and what comes of it is in the profile. */
unsigned int pass_inline::execute(function *f)
{
	struct inliner *i = s->inliner;
	const struct instance *root =
		(const struct instance *)(uintptr_t)*fdo_map_get(
			i->instances, DECL_UID(f->decl));
	struct cgraph_node *node = cgraph_node::get(f->decl);
	hash_set<gimple *> tried;
	bool again = root->profile && !unit_fit(root).unfit;
	unsigned todo = 0;

	for (unsigned round = 0; again; round++) {
		auto_vec<struct candidate> found;

		find_candidates(i, root, &tried, &found);
		if (found.length() && round == 0)
			refresh(node);
		again = found.length() &&
			inline_round(i, node, &tried, &found, &todo);
	}
	return todo;
}

gimple_opt_pass *inline_pass_new(struct samplefdo *s)
{
	return new pass_inline(s);
}
