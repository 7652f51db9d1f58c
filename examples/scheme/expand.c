/*
 * From forms to trees.  The one unusual thing is the loop: a named let whose
 * name is only called in tail position of its own body needs no procedure.
 * We parse it as a loop in that hope; a use that dashes the hope marks the
 * name as broken, and the form is parsed once more as a letrec.  The mark
 * stays in the form, so that nested loops do not multiply the work.
 */
#include "tree.h"

#include <stdlib.h>

#define NOT_A_LOOP 1 /* flag of a form's first pair */
#define ARENA_ROOM 16384

struct arena {
	struct arena *next;
	size_t used, room;
	_Alignas(16) char bytes[];
};

void *arena_alloc(struct scheme *s, size_t n, size_t size)
{
	size_t bytes = (n * size + 15) & ~(size_t)15;
	struct arena *arena = s->arena;
	if (!arena || arena->used + bytes > arena->room) {
		size_t room = bytes > ARENA_ROOM ? bytes : ARENA_ROOM;
		arena = xrealloc(NULL, sizeof(*arena) + room);
		*arena = (struct arena){ .next = s->arena, .room = room };
		s->arena = arena;
	}
	void *p = arena->bytes + arena->used;
	arena->used += bytes;
	return memset(p, 0, bytes);
}

void arena_free(struct scheme *s)
{
	for (struct arena *next; s->arena; s->arena = next) {
		next = s->arena->next;
		free(s->arena);
	}
}

typedef struct node *form_parse(struct expander *e, value form);

static struct node *parse(struct expander *e, value form);
static struct node *parse_body(struct expander *e, value forms, value form);

static struct node *node_new(struct expander *e, enum node_kind kind,
			     value form, size_t n)
{
	struct node *node = arena_alloc(e->s, 1, sizeof(*node));
	node->kind = kind;
	node->line = is_pair(form) ? object_of(form)->extra : 0;
	node->items = arena_alloc(e->s, n, sizeof(*node->items));
	node->n = n;
	return node;
}

static struct node *constant(struct expander *e, value datum)
{
	struct node *node = node_new(e, NODE_CONST, NIL, 0);
	node->datum = datum;
	return node;
}

/* An operand: something remains to be done when its value is known. */
static struct node *parse_operand(struct expander *e, value form)
{
	e->nesting++;
	struct node *node = parse(e, form);
	e->nesting--;
	return node;
}

static size_t form_length(struct expander *e, value form)
{
	size_t n = 0;
	value i = form;
	for (; is_pair(i); i = cdr(i))
		n++;
	if (i != NIL)
		scheme_bad_form(e->s, form, "not a proper list");
	return n;
}

static void want_length(struct expander *e, value form, size_t least,
			size_t most)
{
	size_t n = form_length(e, form);
	if (n < least || n > most)
		scheme_bad_form(e->s, form, "bad syntax");
}

static void want_symbol(struct expander *e, value form, value name)
{
	if (!has_type(name, SYMBOL))
		scheme_bad_form(e->s, form, "not a name");
}

static struct variable *bind(struct expander *e, value name)
{
	struct variable *variable = arena_alloc(e->s, 1, sizeof(*variable));
	variable->name = name;
	variable->owner = e->lambda;
	variable->next = e->scope->variables;
	e->scope->variables = variable;
	return variable;
}

static void scope_open(struct expander *e)
{
	struct scope *scope = arena_alloc(e->s, 1, sizeof(*scope));
	scope->outer = e->scope;
	e->scope = scope;
}

static void scope_close(struct expander *e)
{
	e->scope = e->scope->outer;
}

static struct variable *find(struct expander *e, value name)
{
	for (;;) {
		for (struct scope *i = e->scope; i; i = i->outer)
			for (struct variable *v = i->variables; v; v = v->next)
				if (v->name == name)
					return v;
		if (symbol_of(name)->renames == FALSE)
			return NULL;
		name = symbol_of(name)->renames;
	}
}

static bool means(struct expander *e, value name, value form_name)
{
	return has_type(name, SYMBOL) && original_symbol(name) == form_name &&
	       !find(e, name);
}

static bool has_capture(const struct lambda *lambda,
			const struct variable *variable)
{
	for (size_t i = 0; i < lambda->n_captures; i++)
		if (lambda->captures[i] == variable)
			return true;
	return false;
}

static void add_capture(struct scheme *s, struct lambda *lambda,
			struct variable *variable)
{
	if (has_capture(lambda, variable))
		return;
	if (lambda->n_captures == lambda->captures_room) {
		size_t room = lambda->captures_room * 2 + 4;
		struct variable **more =
			arena_alloc(s, room, sizeof(struct variable *));
		memcpy(more, lambda->captures,
		       lambda->n_captures * sizeof(struct variable *));
		lambda->captures = more;
		lambda->captures_room = room;
	}
	lambda->captures[lambda->n_captures++] = variable;
}

/* Every procedure between the variable and its use must hand it down. */
static void capture(struct expander *e, struct variable *variable)
{
	for (struct lambda *i = e->lambda; i != variable->owner; i = i->outer) {
		variable->is_captured = true;
		add_capture(e->s, i, variable);
	}
}

static struct node *parse_name(struct expander *e, value name)
{
	struct variable *variable = find(e, name);
	struct node *node =
		node_new(e, variable ? NODE_LOCAL : NODE_GLOBAL, NIL, 0);
	node->variable = variable;
	node->datum = original_symbol(name);
	if (!variable)
		return node;
	if (variable->is_loop)
		variable->is_broken = true;
	else
		capture(e, variable);
	return node;
}

static struct node *parse_quote(struct expander *e, value form)
{
	want_length(e, form, 2, 2);
	return constant(e, copy_plain(e->s, car(cdr(form))));
}

static struct node *parse_if(struct expander *e, value form)
{
	want_length(e, form, 3, 4);
	struct node *node = node_new(e, NODE_IF, form, 3);
	value branches = cdr(cdr(form));
	node->items[0] = parse_operand(e, car(cdr(form)));
	node->items[1] = parse(e, car(branches));
	node->items[2] = cdr(branches) == NIL ? constant(e, UNSPECIFIED)
					      : parse(e, car(cdr(branches)));
	return node;
}

static struct node *parse_sequence(struct expander *e, value forms)
{
	size_t n = form_length(e, forms);
	if (n == 0)
		return constant(e, UNSPECIFIED);
	if (n == 1)
		return parse(e, car(forms));
	struct node *node = node_new(e, NODE_SEQUENCE, forms, n);
	for (size_t i = 0; i < n; i++, forms = cdr(forms))
		node->items[i] = i + 1 < n ? parse_operand(e, car(forms))
					   : parse(e, car(forms));
	return node;
}

static struct node *parse_begin(struct expander *e, value form)
{
	return parse_sequence(e, cdr(form));
}

/* (and a b c) is (if a (if b c #f) #f) */
static struct node *parse_and(struct expander *e, value form)
{
	value rest = cdr(form);
	if (rest == NIL)
		return constant(e, TRUE);
	if (cdr(rest) == NIL)
		return parse(e, car(rest));
	struct node *node = node_new(e, NODE_IF, form, 3);
	node->items[0] = parse_operand(e, car(rest));
	node->items[1] = parse_and(e, rest);
	node->items[2] = constant(e, FALSE);
	return node;
}

static struct node *parse_or(struct expander *e, value form)
{
	value rest = cdr(form);
	if (rest == NIL)
		return constant(e, FALSE);
	if (cdr(rest) == NIL)
		return parse(e, car(rest));
	struct node *node = node_new(e, NODE_OR, form, 2);
	node->items[0] = parse_operand(e, car(rest));
	node->items[1] = parse_or(e, rest);
	return node;
}

static struct node *parse_lambda_parts(struct expander *e, value parameters,
				       value body, value form)
{
	struct lambda *lambda = arena_alloc(e->s, 1, sizeof(*lambda));
	size_t n = 0;
	for (value i = parameters; i != NIL; i = is_pair(i) ? cdr(i) : NIL)
		n++;
	lambda->outer = e->lambda;
	lambda->parameters = arena_alloc(e->s, n, sizeof(struct variable *));
	lambda->name = FALSE;

	struct expander inner = { .s = e->s,
				  .scope = e->scope,
				  .lambda = lambda };
	scope_open(&inner);
	for (value i = parameters; i != NIL; i = is_pair(i) ? cdr(i) : NIL) {
		value name = is_pair(i) ? car(i) : i;
		want_symbol(e, form, name);
		lambda->has_rest = !is_pair(i);
		lambda->parameters[lambda->n_parameters++] = bind(&inner, name);
	}
	lambda->body = parse_body(&inner, body, form);

	struct node *node = node_new(e, NODE_LAMBDA, form, 0);
	node->lambda = lambda;
	return node;
}

static struct node *parse_lambda(struct expander *e, value form)
{
	want_length(e, form, 3, SIZE_MAX);
	return parse_lambda_parts(e, car(cdr(form)), cdr(cdr(form)), form);
}

static struct node *parse_named(struct expander *e, value name, value form)
{
	struct node *node = parse_operand(e, form);
	if (node->kind == NODE_LAMBDA && node->lambda->name == FALSE)
		node->lambda->name = original_symbol(name);
	return node;
}

static struct node *parse_assignment(struct expander *e, value name,
				     struct node *to)
{
	struct variable *variable = find(e, name);
	struct node *node = node_new(
		e, variable ? NODE_SET_LOCAL : NODE_SET_GLOBAL, NIL, 1);
	node->items[0] = to;
	node->variable = variable;
	node->datum = original_symbol(name);
	if (variable) {
		variable->is_assigned = true;
		if (variable->is_loop)
			variable->is_broken = true;
		capture(e, variable);
	} else {
		symbol_of(node->datum)->inlines = 0;
	}
	return node;
}

static struct node *parse_set(struct expander *e, value form)
{
	want_length(e, form, 3, 3);
	value name = car(cdr(form));
	want_symbol(e, form, name);
	struct node *node = parse_assignment(
		e, name, parse_operand(e, car(cdr(cdr(form)))));
	node->line = object_of(form)->extra;
	return node;
}

/* The name of a define form; *to is the form of its value. */
static value define_parts(struct expander *e, value form, value *to)
{
	struct scheme *s = e->s;
	want_length(e, form, 2, SIZE_MAX);
	value target = car(cdr(form)), rest = cdr(cdr(form));
	while (is_pair(target)) {
		value lambda = cons(s, s->lambda, cons(s, cdr(target), rest));
		object_of(lambda)->extra = object_of(form)->extra;
		rest = list1(s, lambda);
		target = car(target);
	}
	want_symbol(e, form, target);
	*to = rest == NIL ? UNSPECIFIED : car(rest);
	return target;
}

static struct node *parse_define(struct expander *e, value form)
{
	value to;
	value name = define_parts(e, form, &to);
	if (e->scope)
		scheme_bad_form(e->s, form, "definition not allowed here");
	struct node *node = node_new(e, NODE_DEFINE, form, 1);
	node->datum = original_symbol(name);
	symbol_of(node->datum)->form = 0;
	symbol_of(node->datum)->inlines = 0;
	symbol_of(node->datum)->macro = FALSE;
	node->items[0] = parse_named(e, name, to);
	return node;
}

/* (define-syntax name (syntax-rules (literal ...) (pattern template) ...)) */
static struct node *parse_define_syntax(struct expander *e, value form)
{
	want_length(e, form, 3, 3);
	value name = car(cdr(form)), rules = car(cdr(cdr(form)));
	want_symbol(e, form, name);
	if (!is_pair(rules) || !is_pair(cdr(rules)) ||
	    !means(e, car(rules), make_symbol(e->s, "syntax-rules")))
		scheme_bad_form(e->s, form, "only syntax-rules is supported");
	value macro = make_vector(e->s, MACRO, 2, NIL);
	vector_of(macro)->items[0] = car(cdr(rules));
	vector_of(macro)->items[1] = cdr(cdr(rules));
	symbol_of(original_symbol(name))->macro = macro;
	return constant(e, UNSPECIFIED);
}

/* Variables, then their values in the same order, then the body. */
static struct node *let_new(struct expander *e, enum node_kind kind, value form,
			    size_t n)
{
	struct node *node = node_new(e, kind, form, n + 1);
	node->variables = arena_alloc(e->s, n, sizeof(struct variable *));
	return node;
}

static void parse_bindings(struct expander *e, struct node *node, value list,
			   value form)
{
	value i = list;
	for (size_t n = 0; is_pair(i); i = cdr(i), n++) {
		want_length(e, car(i), 2, 2);
		want_symbol(e, form, car(car(i)));
		node->items[n] = parse_named(e, car(car(i)), car(cdr(car(i))));
	}
	scope_open(e);
	i = list;
	for (size_t n = 0; is_pair(i); i = cdr(i), n++)
		node->variables[n] = bind(e, car(car(i)));
}

static value binding_parts(struct scheme *s, value list, bool wants_names)
{
	if (list == NIL)
		return NIL;
	value part = wants_names ? car(car(list)) : car(cdr(car(list)));
	return cons(s, part, binding_parts(s, cdr(list), wants_names));
}

/* ((letrec ((name (lambda names body...))) name) value ...) */
static struct node *parse_as_letrec(struct expander *e, value form)
{
	struct scheme *s = e->s;
	value name = car(cdr(form)), list = car(cdr(cdr(form)));
	value lambda = cons(s, s->lambda,
			    cons(s, binding_parts(s, list, true),
				 cdr(cdr(cdr(form)))));
	object_of(lambda)->extra = object_of(form)->extra;
	value letrec = list3(s, make_symbol(s, "letrec"),
			     list1(s, list2(s, name, lambda)), name);
	value call = cons(s, letrec, binding_parts(s, list, false));
	object_of(call)->extra = object_of(form)->extra;
	return parse(e, call);
}

static struct node *parse_as_loop(struct expander *e, value form)
{
	value list = car(cdr(cdr(form)));
	size_t n = form_length(e, list);
	struct node *node = let_new(e, NODE_LOOP, form, n);

	scope_open(e);
	struct variable *loop = bind(e, car(cdr(form)));
	loop->is_loop = true;
	loop->nesting = e->nesting;
	loop->n_arguments = n;
	loop->loop = node;
	struct scope *named = e->scope;
	e->scope = named->outer; /* the first values do not see the name */
	parse_bindings(e, node, list, form);
	e->scope->outer = named;
	node->items[n] = parse_body(e, cdr(cdr(cdr(form))), form);
	scope_close(e);
	scope_close(e);

	if (!loop->is_broken)
		return node;
	object_of(form)->flags |= NOT_A_LOOP;
	return NULL;
}

static struct node *parse_let(struct expander *e, value form)
{
	want_length(e, form, 3, SIZE_MAX);
	value list = car(cdr(form));
	if (has_type(list, SYMBOL)) {
		want_length(e, form, 4, SIZE_MAX);
		struct node *loop = NULL;
		if (!(object_of(form)->flags & NOT_A_LOOP))
			loop = parse_as_loop(e, form);
		return loop ? loop : parse_as_letrec(e, form);
	}
	size_t n = form_length(e, list);
	struct node *node = let_new(e, NODE_LET, form, n);
	parse_bindings(e, node, list, form);
	node->items[n] = parse_body(e, cdr(cdr(form)), form);
	scope_close(e);
	return node;
}

/* letrec is a body that begins with definitions. */
static struct node *parse_letrec(struct expander *e, value form)
{
	struct scheme *s = e->s;
	want_length(e, form, 3, SIZE_MAX);
	value body = cdr(cdr(form)), definitions = NIL;
	for (value i = car(cdr(form)); is_pair(i); i = cdr(i)) {
		value define = cons(s, s->define, car(i));
		object_of(define)->extra = object_of(form)->extra;
		definitions = cons(s, define, definitions);
	}
	for (; definitions != NIL; definitions = cdr(definitions))
		body = cons(s, car(definitions), body);
	return parse_body(e, body, form);
}

static struct node *parse_nothing(struct expander *e, value form)
{
	(void)form;
	return constant(e, UNSPECIFIED);
}

static const struct {
	const char *name;
	form_parse *parse;
} core_forms[] = {
	{ "quote", parse_quote },    { "if", parse_if },
	{ "define", parse_define },  { "set!", parse_set },
	{ "lambda", parse_lambda },  { "let", parse_let },
	{ "letrec", parse_letrec },  { "letrec*", parse_letrec },
	{ "begin", parse_begin },    { "and", parse_and },
	{ "or", parse_or },	     { "define-syntax", parse_define_syntax },
	{ "import", parse_nothing },
};

#define N_CORE (sizeof(core_forms) / sizeof(*core_forms))

void syntax_define(struct scheme *s)
{
	for (size_t i = 0; i < N_CORE; i++)
		symbol_of(make_symbol(s, core_forms[i].name))->form =
			(uint16_t)(i + 1);
	for (size_t i = 0; derived_forms[i].name; i++)
		symbol_of(make_symbol(s, derived_forms[i].name))->form =
			(uint16_t)(N_CORE + i + 1);
}

/* The form it stands for, if its head is a macro or a derived form. */
static bool rewrite_once(struct expander *e, value *form)
{
	if (!is_pair(*form) || !has_type(car(*form), SYMBOL))
		return false;
	if (find(e, car(*form)))
		return false;
	struct symbol *name = symbol_of(original_symbol(car(*form)));
	value after;
	if (name->macro != FALSE)
		after = macro_expand(e->s, name->macro, *form);
	else if (name->form > N_CORE)
		after = derived_forms[name->form - N_CORE - 1].rewrite(e->s,
								       *form);
	else
		return false;
	if (is_pair(after) && !object_of(after)->extra)
		object_of(after)->extra = object_of(*form)->extra;
	*form = after;
	return true;
}

/* The forms of a body with macros opened as far as to see definitions. */
static value flatten_body(struct expander *e, value forms, value after)
{
	if (forms == NIL)
		return after;
	value form = car(forms);
	while (rewrite_once(e, &form))
		;
	after = flatten_body(e, cdr(forms), after);
	if (is_pair(form) && means(e, car(form), e->s->begin))
		return flatten_body(e, cdr(form), after);
	return cons(e->s, form, after);
}

static bool is_definition(struct expander *e, value form)
{
	return is_pair(form) && means(e, car(form), e->s->define);
}

static struct node *parse_body_form(struct expander *e, value form,
				    bool is_last)
{
	if (!is_definition(e, form))
		return is_last ? parse(e, form) : parse_operand(e, form);
	value to;
	value name = define_parts(e, form, &to);
	struct node *node = parse_assignment(e, name, parse_named(e, name, to));
	node->line = object_of(form)->extra;
	return node;
}

static struct node *parse_body(struct expander *e, value forms, value form)
{
	forms = flatten_body(e, forms, NIL);
	size_t n = form_length(e, forms), n_defined = 0;
	if (n == 0)
		scheme_bad_form(e->s, form, "empty body");
	for (value i = forms; i != NIL; i = cdr(i))
		n_defined += is_definition(e, car(i));
	if (n_defined == 0)
		return parse_sequence(e, forms);

	struct node *node = let_new(e, NODE_LET, form, n_defined);
	struct node *body = node_new(e, NODE_SEQUENCE, form, n);
	value to, *names = arena_alloc(e->s, n, sizeof(value));
	size_t at = 0;
	for (value i = forms; i != NIL; i = cdr(i))
		if (is_definition(e, car(i)))
			names[at++] = define_parts(e, car(i), &to);
	scope_open(e);
	for (size_t i = 0; i < n_defined; i++) {
		node->variables[i] = bind(e, names[i]);
		node->items[i] = constant(e, UNDEFINED);
	}
	for (size_t i = 0; i < n; i++, forms = cdr(forms))
		body->items[i] = parse_body_form(e, car(forms), i + 1 == n);
	scope_close(e);
	node->items[n_defined] = body;
	return node;
}

/* A call of a loop's name in tail position of its body jumps. */
static struct node *parse_again(struct expander *e, value form, size_t n)
{
	struct variable *loop =
		has_type(car(form), SYMBOL) ? find(e, car(form)) : NULL;
	if (!loop || !loop->is_loop || loop->owner != e->lambda ||
	    loop->nesting != e->nesting || loop->n_arguments != n)
		return NULL;
	struct node *node = node_new(e, NODE_AGAIN, form, n);
	node->variable = loop;
	return node;
}

static struct node *parse_call(struct expander *e, value form)
{
	size_t n = form_length(e, form), at = 0;
	struct node *node = parse_again(e, form, n - 1);
	if (!node) {
		node = node_new(e, NODE_CALL, form, n);
		node->items[at++] = parse_operand(e, car(form));
	}
	for (value i = cdr(form); i != NIL; i = cdr(i))
		node->items[at++] = parse_operand(e, car(i));
	return node;
}

static struct node *parse(struct expander *e, value form)
{
	while (rewrite_once(e, &form))
		;
	if (has_type(form, SYMBOL))
		return parse_name(e, form);
	if (form == NIL)
		scheme_bad_form(e->s, form, "() is not an expression");
	if (!is_pair(form))
		return constant(e, form);
	if (has_type(car(form), SYMBOL) && !find(e, car(form))) {
		struct symbol *name = symbol_of(original_symbol(car(form)));
		if (name->form)
			return core_forms[name->form - 1].parse(e, form);
	}
	return parse_call(e, form);
}

struct lambda *expand_toplevel(struct scheme *s, value form)
{
	struct lambda *lambda = arena_alloc(s, 1, sizeof(*lambda));
	struct expander e = { .s = s, .lambda = lambda };
	lambda->name = FALSE;
	lambda->body = parse(&e, form);
	return lambda;
}
