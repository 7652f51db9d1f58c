/*
 * From trees to instructions.  The stack is laid out here: `depth` is the
 * number of values that lie above the first argument, and a variable's slot
 * is the depth at which it was bound.  A variable that is both captured and
 * assigned lives in a box.
 */
#include "ops.h"
#include "tree.h"

struct generator {
	struct scheme *s;
	struct lambda *lambda;
	int32_t *words;
	size_t n_words, words_room;
	struct line *lines;
	size_t n_lines, lines_room;
	value *constants;
	size_t n_constants, constants_room;
	size_t depth, deepest;
};

static const struct {
	const char *name;
	size_t n_arguments;
	enum op op;
} inlines[] = {
	{ "+", 2, OP_ADD },
	{ "-", 2, OP_SUBTRACT },
	{ "*", 2, OP_MULTIPLY },
	{ "<", 2, OP_LESS },
	{ ">", 2, OP_GREATER },
	{ "<=", 2, OP_AT_MOST },
	{ ">=", 2, OP_AT_LEAST },
	{ "=", 2, OP_EQUAL },
	{ "eq?", 2, OP_EQ },
	{ "eqv?", 2, OP_EQV },
	{ "not", 1, OP_NOT },
	{ "null?", 1, OP_IS_NULL },
	{ "pair?", 1, OP_IS_PAIR },
	{ "zero?", 1, OP_IS_ZERO },
	{ "car", 1, OP_CAR },
	{ "cdr", 1, OP_CDR },
	{ "cadr", 1, OP_CADR },
	{ "cddr", 1, OP_CDDR },
	{ "caar", 1, OP_CAAR },
	{ "cons", 2, OP_CONS },
	{ "set-car!", 2, OP_SET_CAR },
	{ "set-cdr!", 2, OP_SET_CDR },
	{ "vector-ref", 2, OP_VECTOR_REF },
	{ "vector-set!", 3, OP_VECTOR_SET },
	{ "string-ref", 2, OP_STRING_REF },
	{ "char=?", 2, OP_CHAR_EQUAL },
	{ "quotient", 2, OP_QUOTIENT },
	{ "remainder", 2, OP_REMAINDER },
	{ "%record-ref", 3, OP_RECORD_REF },
};

void inlines_define(struct scheme *s)
{
	for (size_t i = 0; i < sizeof(inlines) / sizeof(*inlines); i++)
		symbol_of(make_symbol(s, inlines[i].name))->inlines =
			(uint16_t)(i + 1);
}

static void generate(struct generator *g, struct node *node, bool is_tail);

/* Arrays that grow in the arena; what they leave behind goes with it. */
static void *grow(struct scheme *s, void *array, size_t n, size_t *room,
		  size_t size)
{
	if (n < *room)
		return array;
	*room = *room ? 2 * *room : 32;
	void *more = arena_alloc(s, *room, size);
	return n ? memcpy(more, array, n * size) : more;
}

static size_t emit(struct generator *g, int32_t word)
{
	g->words = grow(g->s, g->words, g->n_words, &g->words_room,
			sizeof(*g->words));
	g->words[g->n_words] = word;
	return g->n_words++;
}

static void emit2(struct generator *g, enum op op, size_t operand)
{
	emit(g, (int32_t)op);
	emit(g, (int32_t)operand);
}

static void push(struct generator *g)
{
	if (++g->depth > g->deepest)
		g->deepest = g->depth;
}

static void note_line(struct generator *g, uint32_t line)
{
	if (!line || (g->n_lines && g->lines[g->n_lines - 1].line == line))
		return;
	g->lines = grow(g->s, g->lines, g->n_lines, &g->lines_room,
			sizeof(*g->lines));
	g->lines[g->n_lines++] =
		(struct line){ .at = (uint32_t)g->n_words, .line = line };
}

static size_t constant_index(struct generator *g, value datum)
{
	for (size_t i = 0; i < g->n_constants; i++)
		if (g->constants[i] == datum)
			return i;
	g->constants = grow(g->s, g->constants, g->n_constants,
			    &g->constants_room, sizeof(value));
	g->constants[g->n_constants] = datum;
	return g->n_constants++;
}

/* A jump whose aim is not known yet; land() fills it in. */
static size_t emit_jump(struct generator *g, enum op op)
{
	emit(g, (int32_t)op);
	return emit(g, 0);
}

static void land(struct generator *g, size_t jump)
{
	g->words[jump] = (int32_t)(g->n_words - jump - 1);
}

static bool is_boxed(const struct variable *variable)
{
	return variable->is_captured && variable->is_assigned;
}

static size_t capture_index(struct generator *g, struct variable *variable)
{
	size_t i = 0;
	while (g->lambda->captures[i] != variable)
		i++;
	return i;
}

static void generate_constant(struct generator *g, value datum)
{
	if (is_fixnum(datum) && fixnum(datum) == (int32_t)fixnum(datum))
		emit2(g, OP_FIXNUM, (size_t)fixnum(datum));
	else
		emit2(g, OP_CONST, constant_index(g, datum));
	push(g);
}

static void generate_local(struct generator *g, struct variable *variable)
{
	if (variable->owner == g->lambda)
		emit2(g, is_boxed(variable) ? OP_LOCAL_BOX : OP_LOCAL,
		      variable->slot);
	else
		emit2(g, is_boxed(variable) ? OP_CAPTURE_BOX : OP_CAPTURE,
		      capture_index(g, variable));
	push(g);
}

static void generate_set_local(struct generator *g, struct node *node)
{
	struct variable *variable = node->variable;
	generate(g, node->items[0], false);
	if (variable->owner != g->lambda)
		emit2(g, OP_SET_CAPTURE_BOX, capture_index(g, variable));
	else
		emit2(g, is_boxed(variable) ? OP_SET_LOCAL_BOX : OP_SET_LOCAL,
		      variable->slot);
}

static size_t find_inline(struct node *node)
{
	struct node *procedure = node->items[0];
	if (node->kind != NODE_CALL || procedure->kind != NODE_GLOBAL)
		return 0;
	size_t i = symbol_of(procedure->datum)->inlines;
	if (!i || inlines[i - 1].n_arguments != node->n - 1)
		return 0;
	return i;
}

static bool is_small_constant(struct node *node)
{
	return node->kind == NODE_CONST && is_fixnum(node->datum) &&
	       fixnum(node->datum) > -100000 && fixnum(node->datum) < 100000;
}

static void generate_operands(struct generator *g, struct node *node)
{
	for (size_t i = 1; i < node->n; i++)
		generate(g, node->items[i], false);
	note_line(g, node->line);
	g->depth -= node->n - 1;
}

static void generate_inline(struct generator *g, struct node *node, enum op op)
{
	if ((op == OP_ADD || op == OP_SUBTRACT) &&
	    is_small_constant(node->items[2])) {
		int64_t n = fixnum(node->items[2]->datum);
		generate(g, node->items[1], false);
		note_line(g, node->line);
		emit2(g, OP_ADD_FIXNUM, (size_t)(op == OP_ADD ? n : -n));
		return;
	}
	generate_operands(g, node);
	emit(g, (int32_t)op);
	push(g);
}

/* Jump away if the test does not hold.  Returns the jump, to be landed. */
static size_t generate_test(struct generator *g, struct node *node)
{
	size_t i = node->kind == NODE_CALL ? find_inline(node) : 0;
	enum op op = i ? inlines[i - 1].op : OP_HALT;
	if (op < OP_LESS || op > OP_IS_ZERO) {
		generate(g, node, false);
		g->depth--;
		return emit_jump(g, OP_JUMP_FALSE);
	}
	generate_operands(g, node);
	return emit_jump(g, OP_UNLESS_LESS + (op - OP_LESS));
}

static void generate_branches(struct generator *g, struct node *node,
			      bool is_tail)
{
	size_t depth = g->depth, end = 0;
	generate(g, node->items[1], is_tail);
	bool goes_on = !is_tail;
	if (goes_on)
		end = emit_jump(g, OP_JUMP);
	g->depth = depth;
	for (size_t i = 0; i < node->n_jumps; i++)
		land(g, node->jumps[i]);
	generate(g, node->items[2], is_tail);
	if (goes_on)
		land(g, end);
}

static bool is_false(struct node *node)
{
	return node->kind == NODE_CONST && node->datum == FALSE;
}

/* A test that is itself an `and` jumps from each of its parts. */
static void generate_if(struct generator *g, struct node *node, bool is_tail)
{
	struct node *test = node->items[0];
	size_t n = 1;
	for (struct node *i = test; i->kind == NODE_IF && is_false(i->items[2]);
	     i = i->items[1])
		n++;
	node->jumps = arena_alloc(g->s, n, sizeof(size_t));
	for (; test->kind == NODE_IF && is_false(test->items[2]);
	     test = test->items[1])
		node->jumps[node->n_jumps++] = generate_test(g, test->items[0]);
	node->jumps[node->n_jumps++] = generate_test(g, test);
	generate_branches(g, node, is_tail);
}

static void generate_or(struct generator *g, struct node *node, bool is_tail)
{
	generate(g, node->items[0], false);
	size_t jump = emit_jump(g, OP_OR);
	g->depth--;
	generate(g, node->items[1], is_tail);
	land(g, jump);
	if (is_tail)
		emit(g, OP_RETURN);
}

static void generate_sequence(struct generator *g, struct node *node,
			      bool is_tail)
{
	for (size_t i = 0; i + 1 < node->n; i++) {
		generate(g, node->items[i], false);
		emit(g, OP_POP);
		g->depth--;
	}
	generate(g, node->items[node->n - 1], is_tail);
}

static void generate_call(struct generator *g, struct node *node, bool is_tail)
{
	size_t i = find_inline(node);
	if (i) {
		generate_inline(g, node, inlines[i - 1].op);
		if (is_tail)
			emit(g, OP_RETURN);
		return;
	}
	note_line(g, node->line);
	generate(g, node->items[0], false);
	generate_operands(g, node);
	emit2(g, is_tail ? OP_TAIL_CALL : OP_CALL, node->n - 1);
}

static void box_variables(struct generator *g, struct variable **variables,
			  size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_boxed(variables[i]))
			emit2(g, OP_BOX, variables[i]->slot);
}

static void generate_let(struct generator *g, struct node *node, bool is_tail)
{
	size_t n = node->n - 1;
	for (size_t i = 0; i < n; i++) {
		node->variables[i]->slot = g->depth;
		generate(g, node->items[i], false);
	}
	node->start = g->n_words;
	box_variables(g, node->variables, n);
	generate(g, node->items[n], is_tail);
	g->depth -= n;
	if (!is_tail && n)
		emit2(g, OP_SLIDE, n);
}

static void generate_again(struct generator *g, struct node *node)
{
	struct node *loop = node->variable->loop;
	size_t depth = g->depth;
	for (size_t i = 0; i < node->n; i++)
		generate(g, node->items[i], false);
	note_line(g, node->line);
	emit2(g, OP_AGAIN, node->n);
	emit(g, node->n ? (int32_t)loop->variables[0]->slot
			: (int32_t)loop->depth);
	size_t at = emit(g, 0);
	g->words[at] = (int32_t)loop->start - (int32_t)at - 1;
	g->depth = depth;
	push(g);
}

static value as_string(struct scheme *s, const void *bytes, size_t n)
{
	return make_string(s, bytes, n);
}

static struct code *finish(struct generator *g)
{
	struct scheme *s = g->s;
	struct code *code = heap_new(s, CODE, sizeof(*code));
	code->constants = make_vector(s, VECTOR, g->n_constants, NIL);
	if (g->n_constants)
		memcpy(vector_of(code->constants)->items, g->constants,
		       g->n_constants * sizeof(value));
	code->words = as_string(s, g->words, g->n_words * sizeof(*g->words));
	code->lines = as_string(s, g->lines, g->n_lines * sizeof(*g->lines));
	code->start = (const int32_t *)string_of(code->words)->bytes;
	code->name = g->lambda->name;
	code->file = s->file;
	code->has_rest = g->lambda->has_rest;
	code->n_required =
		(uint32_t)(g->lambda->n_parameters - g->lambda->has_rest);
	code->room = (uint32_t)g->deepest + 2;
	return code;
}

static struct code *generate_code(struct scheme *s, struct lambda *lambda)
{
	struct generator g = { .s = s, .lambda = lambda };
	for (size_t i = 0; i < lambda->n_parameters; i++)
		lambda->parameters[i]->slot = i;
	g.depth = g.deepest = lambda->n_parameters;
	box_variables(&g, lambda->parameters, lambda->n_parameters);
	generate(&g, lambda->body, true);
	return finish(&g);
}

static void generate_lambda(struct generator *g, struct lambda *lambda)
{
	value code = (value)generate_code(g->s, lambda);
	emit2(g, OP_CLOSURE, constant_index(g, code));
	emit(g, (int32_t)lambda->n_captures);
	for (size_t i = 0; i < lambda->n_captures; i++) {
		struct variable *v = lambda->captures[i];
		if (v->owner == g->lambda)
			emit(g, (int32_t)v->slot);
		else
			emit(g, -1 - (int32_t)capture_index(g, v));
	}
	push(g);
}

static void generate_plain(struct generator *g, struct node *node)
{
	switch (node->kind) {
	case NODE_CONST:
		generate_constant(g, node->datum);
		break;
	case NODE_LOCAL:
		generate_local(g, node->variable);
		break;
	case NODE_GLOBAL:
		emit2(g, OP_GLOBAL, constant_index(g, node->datum));
		push(g);
		break;
	case NODE_SET_LOCAL:
		generate_set_local(g, node);
		break;
	case NODE_SET_GLOBAL:
	case NODE_DEFINE:
		generate(g, node->items[0], false);
		note_line(g, node->line);
		emit2(g, node->kind == NODE_DEFINE ? OP_DEFINE : OP_SET_GLOBAL,
		      constant_index(g, node->datum));
		break;
	default:
		generate_lambda(g, node->lambda);
		break;
	}
}

/* Push the node's value; in tail position, return it. */
static void generate(struct generator *g, struct node *node, bool is_tail)
{
	switch (node->kind) {
	case NODE_IF:
		generate_if(g, node, is_tail);
		break;
	case NODE_OR:
		generate_or(g, node, is_tail);
		break;
	case NODE_SEQUENCE:
		generate_sequence(g, node, is_tail);
		break;
	case NODE_CALL:
		generate_call(g, node, is_tail);
		break;
	case NODE_LET:
	case NODE_LOOP:
		node->depth = g->depth;
		generate_let(g, node, is_tail);
		break;
	case NODE_AGAIN:
		generate_again(g, node);
		break;
	default:
		generate_plain(g, node);
		if (is_tail)
			emit(g, OP_RETURN);
	}
}

value scheme_compile(struct scheme *s, value form)
{
	arena_free(s); /* what an error left behind */
	struct lambda *lambda = expand_toplevel(s, form);
	struct closure *thunk = heap_new(s, CLOSURE, sizeof(*thunk));
	thunk->code = generate_code(s, lambda);
	arena_free(s);
	return (value)thunk;
}
