/*
 * syntax-rules.  Bindings are a list of (name depth . match); a name under
 * an ellipsis has a depth above 0 and a list of matches.  What the template
 * adds of its own is renamed afresh, once per use and name.
 */
#include "tree.h"

struct rules {
	struct scheme *s;
	value literals;
	value bindings;
	value renamed; /* list of (name . new name) */
};

static bool is_dots(struct rules *r, value v)
{
	return has_type(v, SYMBOL) && original_symbol(v) == r->s->dots;
}

static bool is_followed_by_dots(struct rules *r, value list)
{
	return is_pair(cdr(list)) && is_dots(r, car(cdr(list)));
}

static bool is_literal(struct rules *r, value name)
{
	for (value i = r->literals; is_pair(i); i = cdr(i))
		if (car(i) == name)
			return true;
	return false;
}

static void add_binding(struct rules *r, value name, int64_t depth, value match)
{
	struct scheme *s = r->s;
	value binding = cons(s, name, cons(s, from_fixnum(depth), match));
	r->bindings = cons(s, binding, r->bindings);
}

static value find_binding(value bindings, value name)
{
	for (; bindings != NIL; bindings = cdr(bindings))
		if (car(car(bindings)) == name)
			return cdr(car(bindings));
	return FALSE;
}

static int64_t count_pairs(value v)
{
	int64_t n = 0;
	for (; is_pair(v); v = cdr(v))
		n++;
	return n;
}

static bool match(struct rules *r, value pattern, value form);

/* Bind each name of the pattern to the list of its matches in the sets. */
static void gather(struct rules *r, value pattern, value sets)
{
	if (is_pair(pattern)) {
		gather(r, car(pattern), sets);
		gather(r, cdr(pattern), sets);
		return;
	}
	if (!has_type(pattern, SYMBOL) || is_dots(r, pattern) ||
	    is_literal(r, pattern))
		return;
	value matches = NIL; /* the sets come last first */
	int64_t depth = 0;
	for (; sets != NIL; sets = cdr(sets)) {
		value binding = find_binding(car(sets), pattern);
		if (binding == FALSE)
			return;
		depth = fixnum(car(binding));
		matches = cons(r->s, cdr(binding), matches);
	}
	add_binding(r, pattern, depth + 1, matches);
}

static bool match_many(struct rules *r, value pattern, value form)
{
	value after = cdr(cdr(pattern)), sets = NIL, before = r->bindings;
	int64_t n = count_pairs(form) - count_pairs(after);
	if (n < 0)
		return false;
	for (; n > 0; n--, form = cdr(form)) {
		r->bindings = NIL;
		bool matched = match(r, car(pattern), car(form));
		value set = r->bindings;
		r->bindings = before;
		if (!matched)
			return false;
		sets = cons(r->s, set, sets);
	}
	gather(r, car(pattern), sets);
	return match(r, after, form);
}

static bool match(struct rules *r, value pattern, value form)
{
	if (has_type(pattern, SYMBOL)) {
		if (is_literal(r, pattern))
			return has_type(form, SYMBOL) &&
			       original_symbol(form) ==
				       original_symbol(pattern);
		if (original_symbol(pattern) != r->s->underscore)
			add_binding(r, pattern, 0, form);
		return true;
	}
	if (!is_pair(pattern))
		return is_equal(pattern, form);
	if (is_followed_by_dots(r, pattern))
		return match_many(r, pattern, form);
	return is_pair(form) && match(r, car(pattern), car(form)) &&
	       match(r, cdr(pattern), cdr(form));
}

static value build(struct rules *r, value template);

static value rename_for_use(struct rules *r, value name)
{
	for (value i = r->renamed; i != NIL; i = cdr(i))
		if (car(car(i)) == name)
			return cdr(car(i));
	value renamed = make_renamed(r->s, name);
	r->renamed = cons(r->s, cons(r->s, name, renamed), r->renamed);
	return renamed;
}

/* Replace each repeated name of the template by its next match. */
static bool take_next(struct rules *r, value template, value outer)
{
	if (is_pair(template)) {
		bool left = take_next(r, car(template), outer);
		return take_next(r, cdr(template), outer) || left;
	}
	if (!has_type(template, SYMBOL))
		return false;
	value binding = find_binding(outer, template);
	if (binding == FALSE || fixnum(car(binding)) == 0 ||
	    cdr(binding) == NIL)
		return false;
	value list = cdr(binding);
	add_binding(r, template, fixnum(car(binding)) - 1, car(list));
	((struct pair *)binding)->cdr = cdr(list);
	return true;
}

/* The bindings with lists that can be consumed. */
static value copy_bindings(struct scheme *s, value bindings)
{
	if (bindings == NIL)
		return NIL;
	value old = car(bindings);
	value new = cons(s, car(old), cons(s, car(cdr(old)), cdr(cdr(old))));
	return cons(s, new, copy_bindings(s, cdr(bindings)));
}

static value build_many(struct rules *r, value template)
{
	struct scheme *s = r->s;
	value before = r->bindings, items = NIL;
	value rest = build(r, cdr(cdr(template)));
	value outer = copy_bindings(s, before);
	for (;;) {
		r->bindings = before;
		if (!take_next(r, car(template), outer))
			break;
		items = cons(s, build(r, car(template)), items);
	}
	r->bindings = before;
	for (; items != NIL; items = cdr(items))
		rest = cons(s, car(items), rest);
	return rest;
}

static value build(struct rules *r, value template)
{
	if (has_type(template, SYMBOL)) {
		value binding = find_binding(r->bindings, template);
		return binding != FALSE ? cdr(binding)
					: rename_for_use(r, template);
	}
	if (!is_pair(template))
		return template;
	if (is_dots(r, car(template)) && is_pair(cdr(template)))
		return car(cdr(template));
	if (is_followed_by_dots(r, template))
		return build_many(r, template);
	value list =
		cons(r->s, build(r, car(template)), build(r, cdr(template)));
	object_of(list)->extra = object_of(template)->extra;
	return list;
}

value macro_expand(struct scheme *s, value macro, value form)
{
	struct vector *m = vector_of(macro);
	for (value i = m->items[1]; is_pair(i); i = cdr(i)) {
		value rule = car(i);
		if (count_pairs(rule) != 2 || !is_pair(car(rule)))
			scheme_bad_form(s, rule, "bad rule");
		struct rules r = { .s = s,
				   .literals = m->items[0],
				   .bindings = NIL,
				   .renamed = NIL };
		if (!match(&r, cdr(car(rule)), cdr(form)))
			continue;
		value result = build(&r, car(cdr(rule)));
		if (is_pair(result))
			object_of(result)->extra = object_of(form)->extra;
		return result;
	}
	scheme_bad_form(s, form, "no rule matches");
}
