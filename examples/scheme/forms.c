/*
 * Derived forms, each rewritten into simpler ones.  Names that we introduce
 * are renamed symbols, so they never catch the program's own.
 */
#include "tree.h"

static value name(struct scheme *s, const char *text)
{
	return make_symbol(s, text);
}

static value fresh(struct scheme *s, const char *text)
{
	return make_renamed(s, make_symbol(s, text));
}

/* The form itself must not end before its n-th element. */
static value nth_rest(struct scheme *s, value form, size_t n)
{
	value rest = form;
	for (; n > 0; n--) {
		if (!is_pair(rest))
			scheme_bad_form(s, form, "bad syntax");
		rest = cdr(rest);
	}
	return rest;
}

static value second(struct scheme *s, value form)
{
	value rest = nth_rest(s, form, 1);
	if (!is_pair(rest))
		scheme_bad_form(s, form, "bad syntax");
	return car(rest);
}

static value at_line_of(value form, value list)
{
	object_of(list)->extra = object_of(form)->extra;
	return list;
}

static bool is_named(value v, value symbol)
{
	return has_type(v, SYMBOL) && original_symbol(v) == symbol;
}

static value let_star(struct scheme *s, value form)
{
	value list = second(s, form), body = nth_rest(s, form, 2);
	if (list == NIL || !is_pair(list) || cdr(list) == NIL)
		return cons(s, name(s, "let"), cons(s, list, body));
	value inner = cons(s, name(s, "let*"), cons(s, cdr(list), body));
	return list3(s, name(s, "let"), list1(s, car(list)),
		     at_line_of(form, inner));
}

static value when(struct scheme *s, value form)
{
	return list3(s, name(s, "if"), second(s, form),
		     cons(s, s->begin, nth_rest(s, form, 2)));
}

static value unless(struct scheme *s, value form)
{
	value body = cons(s, s->begin, nth_rest(s, form, 2));
	return cons(s, name(s, "if"),
		    list3(s, second(s, form), UNSPECIFIED, body));
}

/* (cond (test => receiver) rest...): (let ((t test)) (if t (receiver t) ...)) */
static value cond_arrow(struct scheme *s, value clause, value otherwise)
{
	value t = fresh(s, "t");
	value call = list2(s, second(s, cdr(clause)), t);
	value test = cons(s, name(s, "if"),
			  list3(s, t, at_line_of(clause, call), otherwise));
	return list3(s, name(s, "let"), list1(s, list2(s, t, car(clause))),
		     test);
}

static value cond(struct scheme *s, value form)
{
	value clauses = nth_rest(s, form, 1);
	if (clauses == NIL)
		return UNSPECIFIED;
	value clause = car(clauses);
	if (!is_pair(clause))
		scheme_bad_form(s, form, "bad clause");
	if (is_named(car(clause), s->otherwise))
		return cons(s, s->begin, cdr(clause));
	value otherwise = cons(s, name(s, "cond"), cdr(clauses));
	if (cdr(clauses) == NIL)
		otherwise = UNSPECIFIED;
	else
		at_line_of(form, otherwise);
	if (cdr(clause) == NIL)
		return list3(s, name(s, "or"), car(clause), otherwise);
	if (is_named(second(s, clause), s->arrow))
		return cond_arrow(s, clause, otherwise);
	value body = cdr(cdr(clause)) == NIL ? second(s, clause)
					     : cons(s, s->begin, cdr(clause));
	return cons(s, name(s, "if"), list3(s, car(clause), body, otherwise));
}

static value case_test(struct scheme *s, value key, value data)
{
	if (data == NIL)
		return list1(s, name(s, "or"));
	value test =
		list3(s, name(s, "eqv?"), key, list2(s, s->quote, car(data)));
	value rest = case_test(s, key, cdr(data));
	return cons(s, name(s, "or"), cons(s, test, cdr(rest)));
}

/* (case key ((datum ...) body...) ...) is a cond on a variable. */
static value case_(struct scheme *s, value form)
{
	value key = fresh(s, "key"), clauses = NIL, reversed = NIL;
	for (value i = nth_rest(s, form, 2); is_pair(i); i = cdr(i))
		reversed = cons(s, car(i), reversed);
	for (; reversed != NIL; reversed = cdr(reversed)) {
		value clause = car(reversed);
		if (!is_pair(clause))
			scheme_bad_form(s, form, "bad clause");
		value body = cdr(clause);
		if (is_pair(body) && is_named(car(body), s->arrow))
			body = list1(s, list2(s, second(s, body), key));
		value test = is_named(car(clause), s->otherwise)
				     ? s->otherwise
				     : case_test(s, key, car(clause));
		clauses = cons(s, cons(s, test, body), clauses);
	}
	value inner = cons(s, name(s, "cond"), clauses);
	return list3(s, name(s, "let"),
		     list1(s, list2(s, key, second(s, form))),
		     at_line_of(form, inner));
}

static value do_steps(struct scheme *s, value list)
{
	if (list == NIL)
		return NIL;
	value variable = car(list);
	value step = cdr(cdr(variable)) == NIL ? car(variable)
					       : car(cdr(cdr(variable)));
	return cons(s, step, do_steps(s, cdr(list)));
}

static value do_starts(struct scheme *s, value form, value list)
{
	if (list == NIL)
		return NIL;
	value start = list2(s, car(car(list)), second(s, car(list)));
	return cons(s, start, do_starts(s, form, cdr(list)));
}

/* (do ((v start step) ...) (test result ...) body ...) is a named let. */
static value do_(struct scheme *s, value form)
{
	value loop = fresh(s, "do"), list = second(s, form);
	value end = second(s, nth_rest(s, form, 1));
	if (!is_pair(end))
		scheme_bad_form(s, form, "bad syntax");
	value starts = do_starts(s, form, list);
	value again = cons(s, loop, do_steps(s, list));
	value body = list1(s, at_line_of(form, again)), reversed = NIL;
	for (value i = nth_rest(s, form, 3); is_pair(i); i = cdr(i))
		reversed = cons(s, car(i), reversed);
	for (; reversed != NIL; reversed = cdr(reversed))
		body = cons(s, car(reversed), body);
	value test = cons(s, name(s, "if"),
			  list3(s, car(end), cons(s, s->begin, cdr(end)),
				cons(s, s->begin, body)));
	return cons(s, name(s, "let"), list3(s, loop, starts, test));
}

static value quasi(struct scheme *s, value form, int depth)
{
	if (has_type(form, VECTOR)) {
		value list = NIL;
		for (size_t i = vector_of(form)->length; i-- > 0;)
			list = cons(s, vector_of(form)->items[i], list);
		return list2(s, name(s, "list->vector"), quasi(s, list, depth));
	}
	if (!is_pair(form))
		return list2(s, s->quote, form);
	if (is_named(car(form), s->unquote) && depth == 1)
		return second(s, form);
	if (is_named(car(form), s->unquote))
		depth--;
	else if (is_named(car(form), s->quasiquote))
		depth++;
	if (depth == 1 && is_pair(car(form)) &&
	    is_named(car(car(form)), s->unquote_splicing))
		return list3(s, name(s, "append"), second(s, car(form)),
			     quasi(s, cdr(form), depth));
	return list3(s, name(s, "cons"), quasi(s, car(form), depth),
		     quasi(s, cdr(form), depth));
}

static value quasiquote(struct scheme *s, value form)
{
	return quasi(s, second(s, form), 1);
}

static value define_procedure(struct scheme *s, value form, value head,
			      value body)
{
	value define = list3(s, s->define, head, at_line_of(form, body));
	return at_line_of(form, define);
}

static value field_index(struct scheme *s, value form, value fields,
			 value field)
{
	int64_t i = 1;
	for (; is_pair(fields); fields = cdr(fields), i++) {
		value f = is_pair(car(fields)) ? car(car(fields)) : car(fields);
		if (f == field)
			return from_fixnum(i);
	}
	scheme_bad_form(s, form, "no such field");
}

/* (define (make x) (%record type x #f ...)) */
static value record_constructor(struct scheme *s, value form, value type,
				value constructor, value fields)
{
	value reversed = NIL, call = NIL;
	for (value i = fields; is_pair(i); i = cdr(i)) {
		value field = is_pair(car(i)) ? car(car(i)) : car(i);
		value given = FALSE;
		for (value p = cdr(constructor); is_pair(p); p = cdr(p))
			if (car(p) == field)
				given = field;
		reversed = cons(s, given, reversed);
	}
	for (; reversed != NIL; reversed = cdr(reversed))
		call = cons(s, car(reversed), call);
	call = cons(s, name(s, "%record"), cons(s, type, call));
	return define_procedure(s, form, constructor, call);
}

/* The accessor and, if there is one, the modifier, before the others. */
static value record_field(struct scheme *s, value form, value type, value field,
			  value index, value others)
{
	value record = fresh(s, "record"), to = fresh(s, "to");
	value parts = is_pair(field) ? cdr(field) : NIL;
	if (is_pair(parts) && is_pair(cdr(parts))) {
		value call = cons(s, name(s, "%record-set!"),
				  cons(s, record, list3(s, type, index, to)));
		others = cons(
			s,
			define_procedure(s, form,
					 list3(s, car(cdr(parts)), record, to),
					 call),
			others);
	}
	if (!is_pair(parts))
		return others;
	value call =
		cons(s, name(s, "%record-ref"), list3(s, record, type, index));
	return cons(s,
		    define_procedure(s, form, list2(s, car(parts), record),
				     call),
		    others);
}

/* (define-record-type type (make field ...) is? (field get set) ...) */
static value define_record_type(struct scheme *s, value form)
{
	value type = second(s, form), constructor = second(s, cdr(form));
	value predicate = second(s, cdr(cdr(form)));
	value fields = nth_rest(s, form, 4), all = NIL;
	if (is_pair(type))
		type = car(type);
	for (value i = fields; is_pair(i); i = cdr(i)) {
		value field = is_pair(car(i)) ? car(car(i)) : car(i);
		all = record_field(s, form, type, car(i),
				   field_index(s, form, fields, field), all);
	}
	value record = fresh(s, "record");
	value test = list3(s, name(s, "%record?"), record, type);
	all = cons(s,
		   define_procedure(s, form, list2(s, predicate, record), test),
		   all);
	if (is_pair(constructor))
		all = cons(s,
			   record_constructor(s, form, type, constructor,
					      fields),
			   all);
	value make = list3(s, name(s, "%record-type"), list2(s, s->quote, type),
			   list2(s, s->quote, fields));
	return cons(s, s->begin,
		    cons(s, define_procedure(s, form, type, make), all));
}

/* (define-values (a b) form): definitions, then one assignment to each. */
static value define_values(struct scheme *s, value form)
{
	value names = second(s, form), all = NIL, temporaries = NIL, sets = NIL;
	for (value i = names; is_pair(i); i = cdr(i)) {
		value t = fresh(s, "t");
		temporaries = cons(s, t, temporaries);
		sets = cons(s, list3(s, name(s, "set!"), car(i), t), sets);
		all = cons(s, list3(s, s->define, car(i), FALSE), all);
	}
	value reversed = temporaries;
	temporaries = NIL;
	for (; reversed != NIL; reversed = cdr(reversed))
		temporaries = cons(s, car(reversed), temporaries);
	value producer = list3(s, s->lambda, NIL, second(s, cdr(form)));
	value consumer = cons(s, s->lambda, cons(s, temporaries, sets));
	value call = list3(s, name(s, "call-with-values"), producer, consumer);
	value last = list1(s, at_line_of(form, call));
	for (; all != NIL; all = cdr(all))
		last = cons(s, car(all), last);
	return cons(s, s->begin, last);
}

const struct derived_form derived_forms[] = {
	{ "let*", let_star },
	{ "when", when },
	{ "unless", unless },
	{ "cond", cond },
	{ "case", case_ },
	{ "do", do_ },
	{ "quasiquote", quasiquote },
	{ "define-record-type", define_record_type },
	{ "define-values", define_values },
	{ NULL, NULL },
};
