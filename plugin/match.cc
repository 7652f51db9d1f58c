/*
 * match.cc - from GCC's statements to places in the source.
 *
 * A statement's location has a line and column, and a block whose chain of
 * surrounding blocks tells what was inlined where.  Files and lines are made as
 * GCC makes them for debug information, since that is where the profile has
 * them from.
 */
#include "plugin/samplefdo.h"

#include "ssa-iterators.h"

#include "base/map.h"

struct matcher {
	bool by_call; /* calls by themselves, where that is known */
	const struct samplefdo *s;
	struct unit *unit;
	struct instance *root;
	struct fdo_map *instances; /* of blocks that begin an inlined body */
	struct fdo_map *calls;	   /* place of one by itself: its block + 1 */
};

bool match_is_wanted(const struct cgraph_node *node)
{
	if (!gimple_has_body_p(node->decl) || node->thunk ||
	    DECL_SOURCE_LOCATION(node->decl) == BUILTINS_LOCATION)
		return false;
	if (node->clone_of && node->decl == node->clone_of->decl)
		return false;
	return opt_for_fn(node->decl, optimize) > 0;
}

expanded_location match_where(location_t location)
{
	expanded_location ret = expand_location(location);

	if (!debug_column_info)
		ret.column = 0;
	return ret;
}

tree match_inlined_function(tree block)
{
	tree origin = BLOCK_ABSTRACT_ORIGIN(block);

	while (origin && TREE_CODE(origin) == BLOCK)
		origin = BLOCK_ABSTRACT_ORIGIN(origin);
	return origin && TREE_CODE(origin) == FUNCTION_DECL ? origin : NULL;
}

static struct instance *instance_of(struct matcher *m, tree block);

static struct instance *new_instance(struct matcher *m, tree block)
{
	struct instance *in = instance_of(m, BLOCK_SUPERCONTEXT(block));
	tree function = match_inlined_function(block);
	expanded_location call;
	struct function_id id;

	if (!function)
		return in;
	call = match_where(BLOCK_SOURCE_LOCATION(block));
	id = declared_id(m->s, function);
	return unit_add_inlined(m->unit, in,
				call.line - (int32_t)in->function.start_line,
				call.column, &id);
}

static struct instance *instance_of(struct matcher *m, tree block)
{
	uint64_t key;
	const uint64_t *known;
	struct instance *in;

	while (block && TREE_CODE(block) == BLOCK &&
	       !inlined_function_outer_scope_p(block))
		block = BLOCK_SUPERCONTEXT(block);
	if (!block || TREE_CODE(block) != BLOCK)
		return m->root;
	key = (uint64_t)(uintptr_t)block;
	known = fdo_map_get(m->instances, key);
	if (known)
		return (struct instance *)*known;
	in = new_instance(m, block);
	*fdo_map_at(m->instances, key) = (uint64_t)(uintptr_t)in;
	return in;
}

/* Also of bodies of which no statement is left: they are no calls. */
static void add_scopes(struct matcher *m, tree block)
{
	for (; block; block = BLOCK_CHAIN(block)) {
		instance_of(m, block);
		add_scopes(m, BLOCK_SUBBLOCKS(block));
	}
}

static bool is_known(location_t where)
{
	return LOCATION_LOCUS(where) > BUILTINS_LOCATION;
}

static bool has_place(const gimple *statement)
{
	switch (gimple_code(statement)) {
	case GIMPLE_DEBUG:
	case GIMPLE_LABEL:
	case GIMPLE_PREDICT:
	case GIMPLE_NOP:
		return false;
	default:
		return is_known(gimple_location(statement)) &&
		       !gimple_clobber_p(statement);
	}
}

static struct matcher matcher_new(const struct samplefdo *s, struct unit *u,
				  struct instance *root)
{
	struct matcher m = { false, s, u, root, fdo_map_new(), NULL };

	return m;
}

/* Whichever discriminator it has. */
static struct profile_key key_at(const struct instance *in,
				 const expanded_location *at)
{
	struct profile_key key = {};

	key.file = at->file;
	key.line = at->line - (int32_t)in->function.start_line;
	key.column = at->column;
	return key;
}

static void add_place(struct matcher *m, tree block, location_t where,
		      const char *call)
{
	struct instance *in = instance_of(m, block);
	expanded_location at = match_where(where);

	unit_see(m->unit, in, at.file,
		 at.line - (int32_t)in->function.start_line, at.column, call);
}

static void add_passed(struct matcher *m, const gimple *statement, tree callee)
{
	struct instance *in = instance_of(m, gimple_block(statement));
	expanded_location at = match_where(gimple_location(statement));
	struct function_id id = declared_id(m->s, callee);
	struct passed_value values[PASSED_MAX];
	size_t n = constants_passed(statement, values);
	struct profile_key call = key_at(in, &at);

	unit_pass(m->unit, in, &call, &id, values, n);
}

static void add_statement(struct matcher *m, const gimple *statement)
{
	tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement)
						: NULL;

	if (callee)
		add_passed(m, statement, callee);
	add_place(m, gimple_block(statement), gimple_location(statement),
		  callee ? declared_id(m->s, callee).names[1] : NULL);
}

/*
 * Where an edge or a PHI's argument is from.  Many share one "break" or
 * "continue", so this is no evidence of counts, but it is in the source.
 */
static void add_edges(struct matcher *m, basic_block bb)
{
	edge out;
	edge_iterator at;
	gphi_iterator phi;

	FOR_EACH_EDGE(out, at, bb->succs)
	if (is_known(out->goto_locus))
		add_place(m, LOCATION_BLOCK(out->goto_locus), out->goto_locus,
			  NULL);
	for (phi = gsi_start_phis(bb); !gsi_end_p(phi); gsi_next(&phi))
		for (unsigned i = 0; i < gimple_phi_num_args(phi.phi()); i++) {
			location_t where =
				gimple_phi_arg_location(phi.phi(), i);

			if (is_known(where))
				add_place(m, LOCATION_BLOCK(where), where,
					  NULL);
		}
}

/*
 * Code to enter and leave the function has these places, and comes later.  None
 * leaves one that ends the program.
 */
static void add_braces(struct matcher *m)
{
	if (is_known(cfun->function_start_locus))
		add_place(m, NULL, cfun->function_start_locus, NULL);
	if (is_known(cfun->function_end_locus) &&
	    EDGE_COUNT(EXIT_BLOCK_PTR_FOR_FN(cfun)->preds))
		add_place(m, NULL, cfun->function_end_locus, NULL);
}

struct instance *match_add_function(const struct samplefdo *s, struct unit *u)
{
	struct function_id id = declared_id(s, current_function_decl);
	struct instance *root = unit_add_function(u, &id);
	struct matcher m;
	basic_block bb;

	if (!cfun->cfg)
		return root;
	m = matcher_new(s, u, root);
	add_scopes(&m, DECL_INITIAL(current_function_decl));
	add_braces(&m);
	root->tested = constants_tested();
	FOR_EACH_BB_FN(bb, cfun)
	{
		gimple_stmt_iterator at;

		for (at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
			if (has_place(gsi_stmt(at)))
				add_statement(&m, gsi_stmt(at));
		add_edges(&m, bb);
	}
	fdo_map_free(m.instances);
	return root;
}

static uint64_t place_of(const struct instance *in, const expanded_location *at,
			 uint32_t discriminator)
{
	return unit_place(in, at->file,
			  at->line - (int32_t)in->function.start_line,
			  at->column, discriminator);
}

static uint64_t known_call(struct matcher *m, const struct instance *in,
			   const expanded_location *at, const gimple *statement)
{
	tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement)
						: NULL;
	struct profile_key call;
	struct function_id id;

	if (!callee || !m->by_call)
		return 0;
	call = key_at(in, at);
	id = declared_id(m->s, callee);
	return unit_known_call(m->unit, in, &call, &id);
}

/* Does a use of what a statement computes leave the statement where it is? */
static bool holds(use_operand_p use, const gimple *statement)
{
	gimple *user = USE_STMT(use);
	basic_block where = gimple_bb(user);

	if (is_gimple_debug(user) || is_gimple_call(user))
		return false;
	if (gimple_code(user) == GIMPLE_PHI)
		where = gimple_phi_arg_edge(as_a<gphi *>(user),
					    PHI_ARG_INDEX_FROM_USE(use))
				->src;
	return where == gimple_bb(statement);
}

/* Does a statement change no memory, and read none that others change? */
static bool only_computes(const gimple *statement)
{
	return is_gimple_assign(statement) &&
	       TREE_CODE(gimple_assign_lhs(statement)) == SSA_NAME &&
	       !gimple_vuse(statement);
}

/*
 * Is all that a statement does to compute something that other blocks need, or
 * calls, which may be inlined?  What goes over an edge from its own block is
 * needed there.
 */
static bool is_movable(const gimple *statement)
{
	imm_use_iterator at;
	use_operand_p use;

	if (!only_computes(statement))
		return false;
	FOR_EACH_IMM_USE_FAST(use, at, gimple_assign_lhs(statement))
	if (holds(use, statement))
		return false;
	return !has_zero_uses(gimple_assign_lhs(statement));
}

/* Does a statement make the next round's value of a variable of a loop? */
static bool advances(const gimple *statement)
{
	imm_use_iterator at;
	use_operand_p use;

	if (!only_computes(statement))
		return false;
	FOR_EACH_IMM_USE_FAST(use, at, gimple_assign_lhs(statement))
	if (gimple_code(USE_STMT(use)) == GIMPLE_PHI &&
	    gimple_phi_result(USE_STMT(use)) == gimple_assign_rhs1(statement))
		return true;
	return false;
}

/*
 * What is passed to a function has the place of the call in C++, and may have been
 * loaded before it was known that it is called, as for another arm as well: where the
 * call has a count of its own, that is the block's.
 */
static bool is_passed(const struct matcher *m, uint64_t place, uint32_t block,
		      const gimple *statement)
{
	const uint64_t *calls = fdo_map_get(m->calls, place);

	return calls && *calls == block + 1 && is_gimple_assign(statement) &&
	       TREE_CODE(gimple_assign_lhs(statement)) == SSA_NAME;
}

static void note_calls(struct matcher *m, basic_block bb)
{
	gimple_stmt_iterator i;

	for (i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		const gimple *statement = gsi_stmt(i);
		expanded_location at;
		struct instance *in;

		if (!is_gimple_call(statement) || !has_place(gsi_stmt(i)))
			continue;
		at = match_where(gimple_location(statement));
		/* Without columns, all of a line is of one place. */
		if (!at.column)
			continue;
		in = instance_of(m, gimple_block(statement));
		if (known_call(m, in, &at, statement))
			*fdo_map_at(m->calls, place_of(in, &at, PROFILE_ANY)) =
				bb->index - NUM_FIXED_BLOCKS + 1;
	}
}

static void see(struct matcher *m, struct evidence *e, basic_block bb,
		const gimple *statement)
{
	location_t location = gimple_location(statement);
	expanded_location at = match_where(location);
	struct instance *in = instance_of(m, gimple_block(statement));
	int32_t line = at.line - (int32_t)in->function.start_line;
	unsigned discriminator = compat_discriminator(bb, location);
	uint64_t call = known_call(m, in, &at, statement);
	uint64_t any = place_of(in, &at, PROFILE_ANY);
	uint64_t exact = 0;
	uint32_t block = bb->index - NUM_FIXED_BLOCKS;

	if (call) {
		evidence_see(e, block, call, 0);
		evidence_see_behind(e, block, unit_executed(m->unit, call));
		return;
	}
	if (is_passed(m, any, block, statement))
		return;
	if (discriminator)
		exact = place_of(in, &at, discriminator);
	if (is_movable(statement))
		evidence_see_movable(e, block, any, exact);
	else if (advances(statement))
		evidence_see_advance(e, block, any, exact);
	else
		evidence_see(e, block, any, exact);
	if (!discriminator)
		evidence_see_bare(e, place_of(in, &at, 0));
	else if (COMPAT_BLOCKS_HAVE_DISCRIMINATORS)
		evidence_see_line(e,
				  unit_place(in, at.file, line, UNIT_ANY_COLUMN,
					     discriminator));
}

/* Marks that a statement or an inlined body begins are for debug information. */
static bool is_begin(const gimple *statement)
{
	return gimple_debug_nonbind_marker_p(statement) &&
	       is_known(gimple_location(statement));
}

static void see_begin(struct matcher *m, struct evidence *e, basic_block bb,
		      const gimple *mark)
{
	expanded_location at = match_where(gimple_location(mark));
	struct instance *in = instance_of(m, gimple_block(mark));

	evidence_see_begin(e, bb->index - NUM_FIXED_BLOCKS,
			   place_of(in, &at, PROFILE_BEGIN));
}

/* Where a statement is, whichever discriminator it has. */
static uint64_t place_in(struct matcher *m, const gimple *statement)
{
	expanded_location at = match_where(gimple_location(statement));

	return place_of(instance_of(m, gimple_block(statement)), &at,
			PROFILE_ANY);
}

uint64_t match_place(const struct samplefdo *s, struct unit *u,
		     struct instance *in, const gimple *statement)
{
	struct matcher m = matcher_new(s, u, in);
	uint64_t place = place_in(&m, statement);

	fdo_map_free(m.instances);
	return place;
}

uint64_t *match_tests(const struct samplefdo *s, struct unit *u,
		      struct instance *in)
{
	uint64_t *places = XCNEWVEC(uint64_t, last_basic_block_for_fn(cfun));
	struct matcher m = matcher_new(s, u, in);
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
	{
		const gimple *test = graph_test_of(bb);

		if (test && has_place(test))
			places[bb->index] = place_in(&m, test);
	}
	fdo_map_free(m.instances);
	return places;
}

/* What is a test itself, as a value; its outcomes would be its own. */
static bool is_choice(const gimple *statement)
{
	if (!is_gimple_assign(statement))
		return false;
	switch (gimple_assign_rhs_code(statement)) {
	case COND_EXPR:
	case MIN_EXPR:
	case MAX_EXPR:
	case ABS_EXPR:
		return true;
	default:
		return TREE_CODE_CLASS(gimple_assign_rhs_code(statement)) ==
		       tcc_comparison;
	}
}

/* By place, 1 + the block that has code of it; SEVERAL: more than one. */
static const uint64_t SEVERAL = UINT64_MAX;

static struct fdo_map *find_owners(struct matcher *m)
{
	struct fdo_map *owners = fdo_map_new();
	gimple_stmt_iterator at;
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
	for (at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
		const gimple *statement = gsi_stmt(at);
		uint64_t own = bb->index + 1, *owner;

		if (!has_place(gsi_stmt(at)))
			continue;
		owner = fdo_map_at(owners, place_in(m, statement));
		if (gimple_code(statement) == GIMPLE_COND ||
		    is_choice(statement) || (*owner && *owner != own))
			*owner = SEVERAL;
		else
			*owner = own;
	}
	return owners;
}

static bool tells_outcome(const struct unit *u, uint64_t place)
{
	double share;

	return unit_outcome(u, place, PROFILE_EQUAL, 1, &share) ||
	       unit_outcome(u, place, PROFILE_LESS, 1, &share);
}

uint64_t *match_arms(const struct samplefdo *s, struct unit *u,
		     struct instance *in)
{
	uint64_t *places = XCNEWVEC(uint64_t, last_basic_block_for_fn(cfun));
	struct matcher m = matcher_new(s, u, in);
	struct fdo_map *owners = find_owners(&m);
	gimple_stmt_iterator at;
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
	for (at = gsi_start_bb(bb); !gsi_end_p(at) && single_pred_p(bb);
	     gsi_next(&at)) {
		uint64_t place;

		if (!has_place(gsi_stmt(at)))
			continue;
		place = place_in(&m, gsi_stmt(at));
		if (*fdo_map_get(owners, place) == (uint64_t)bb->index + 1 &&
		    tells_outcome(u, place)) {
			places[bb->index] = place;
			break;
		}
	}
	fdo_map_free(owners);
	fdo_map_free(m.instances);
	return places;
}

/*
 * Where a body was inlined, next to nothing is left of its return: it has the
 * count of some way out, and not that of all.
 */
static bool is_lost_return(const struct instance *in, const gimple *statement)
{
	return in->merged && gimple_code(statement) == GIMPLE_RETURN;
}

struct evidence *match_see(const struct samplefdo *s, struct unit *u,
			   struct instance *in, bool by_call)
{
	struct evidence *e = evidence_new(u, last_basic_block_for_fn(cfun) -
						     NUM_FIXED_BLOCKS);
	struct matcher m = matcher_new(s, u, in);
	basic_block bb;

	m.by_call = by_call;
	m.calls = fdo_map_new();
	if (in->copies.n)
		evidence_ran(e);
	if (in->has_more_hosts)
		evidence_has_more(e);
	FOR_EACH_BB_FN(bb, cfun)
	{
		gimple_stmt_iterator at;

		note_calls(&m, bb);
		for (at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
			if (has_place(gsi_stmt(at)) &&
			    !is_lost_return(in, gsi_stmt(at)))
				see(&m, e, bb, gsi_stmt(at));
			else if (is_begin(gsi_stmt(at)))
				see_begin(&m, e, bb, gsi_stmt(at));
	}
	fdo_map_free(m.instances);
	fdo_map_free(m.calls);
	return e;
}
