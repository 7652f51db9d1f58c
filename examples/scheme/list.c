/* Pairs, lists, vectors, records, symbols and equality. */
#include "scheme.h"

bool is_eqv(value a, value b)
{
	if (a == b)
		return true;
	return has_type(a, FLONUM) && has_type(b, FLONUM) &&
	       flonum(a) == flonum(b);
}

static bool is_equal_items(struct vector *a, struct vector *b)
{
	if (a->length != b->length)
		return false;
	for (size_t i = 0; i < a->length; i++)
		if (!is_equal(a->items[i], b->items[i]))
			return false;
	return true;
}

bool is_equal(value a, value b)
{
	while (is_pair(a) && is_pair(b)) {
		if (a == b)
			return true;
		if (!is_equal(car(a), car(b)))
			return false;
		a = cdr(a);
		b = cdr(b);
	}
	if (is_eqv(a, b))
		return true;
	if (has_type(a, STRING) && has_type(b, STRING))
		return string_of(a)->length == string_of(b)->length &&
		       !memcmp(string_of(a)->bytes, string_of(b)->bytes,
			       string_of(a)->length);
	if (has_type(a, VECTOR) && has_type(b, VECTOR))
		return is_equal_items(vector_of(a), vector_of(b));
	return false;
}

size_t list_length(struct scheme *s, value list, const char *who)
{
	size_t n = 0;
	value i = list;
	for (; is_pair(i); i = cdr(i))
		n++;
	if (i != NIL)
		scheme_fail(s, who, "not a list", list);
	return n;
}

static value eq(struct scheme *s, int argc, value *argv)
{
	(void)s, (void)argc;
	return from_bool(argv[0] == argv[1]);
}

static value eqv(struct scheme *s, int argc, value *argv)
{
	(void)s, (void)argc;
	return from_bool(is_eqv(argv[0], argv[1]));
}

static value equal(struct scheme *s, int argc, value *argv)
{
	(void)s, (void)argc;
	return from_bool(is_equal(argv[0], argv[1]));
}

static value not(struct scheme * s, int argc, value *argv)
{
	(void)s, (void)argc;
	return from_bool(argv[0] == FALSE);
}

static value cons_(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return cons(s, argv[0], argv[1]);
}

/* path: a's and d's as in cadr, applied from the right */
static value walk(struct scheme *s, const char *who, const char *path, value v)
{
	value at = v;
	for (size_t i = strlen(path); i-- > 0;) {
		want(s, who, at, PAIR, "not a pair");
		at = path[i] == 'a' ? car(at) : cdr(at);
	}
	return at;
}

#define WALK(path)                                                        \
	static value c##path##r_(struct scheme *s, int argc, value *argv) \
	{                                                                 \
		(void)argc;                                               \
		return walk(s, "c" #path "r", #path, argv[0]);            \
	}

WALK(a)
WALK(d)
WALK(aa)
WALK(ad)
WALK(da)
WALK(dd)
WALK(add)
WALK(ddd)
WALK(dda)
WALK(ada)
WALK(addd)

static value set_car(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	want(s, "set-car!", argv[0], PAIR, "not a pair");
	((struct pair *)argv[0])->car = argv[1];
	return UNSPECIFIED;
}

static value set_cdr(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	want(s, "set-cdr!", argv[0], PAIR, "not a pair");
	((struct pair *)argv[0])->cdr = argv[1];
	return UNSPECIFIED;
}

#define TYPE_TEST(function, condition)                                 \
	static value function(struct scheme *s, int argc, value *argv) \
	{                                                              \
		(void)s, (void)argc;                                   \
		value v = argv[0];                                     \
		return from_bool(condition);                           \
	}

TYPE_TEST(is_pair_, is_pair(v))
TYPE_TEST(is_null, v == NIL)
TYPE_TEST(is_symbol, has_type(v, SYMBOL))
TYPE_TEST(is_vector, has_type(v, VECTOR))
TYPE_TEST(is_boolean, v == TRUE || v == FALSE)
TYPE_TEST(is_procedure, has_type(v, CLOSURE) || has_type(v, PRIMITIVE) ||
				has_type(v, CONTINUATION))
TYPE_TEST(is_condition, has_type(v, CONDITION))

static value is_list(struct scheme *s, int argc, value *argv)
{
	(void)s, (void)argc;
	value slow = argv[0], fast = argv[0];
	while (is_pair(fast) && is_pair(cdr(fast))) {
		slow = cdr(slow);
		fast = cdr(cdr(fast));
		if (slow == fast)
			return FALSE;
	}
	return from_bool(fast == NIL || (is_pair(fast) && cdr(fast) == NIL));
}

static value list(struct scheme *s, int argc, value *argv)
{
	value result = NIL;
	while (argc-- > 0)
		result = cons(s, argv[argc], result);
	return result;
}

static value cons_star(struct scheme *s, int argc, value *argv)
{
	value result = argv[--argc];
	while (argc-- > 0)
		result = cons(s, argv[argc], result);
	return result;
}

static value make_list(struct scheme *s, int argc, value *argv)
{
	value result = NIL, fill = argc > 1 ? argv[1] : UNSPECIFIED;
	size_t n = want_index(s, "make-list", argv[0], SIZE_MAX);
	while (n-- > 0)
		result = cons(s, fill, result);
	return result;
}

static value length(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return from_fixnum((int64_t)list_length(s, argv[0], "length"));
}

static value append_two(struct scheme *s, value a, value b)
{
	value first = b, last = NIL;
	list_length(s, a, "append");
	for (; is_pair(a); a = cdr(a)) {
		value next = cons(s, car(a), b);
		if (last == NIL)
			first = next;
		else
			((struct pair *)last)->cdr = next;
		last = next;
	}
	return first;
}

static value append(struct scheme *s, int argc, value *argv)
{
	value result = argc ? argv[argc - 1] : NIL;
	for (int i = argc - 1; i-- > 0;)
		result = append_two(s, argv[i], result);
	return result;
}

static value reverse(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	value result = NIL;
	list_length(s, argv[0], "reverse");
	for (value i = argv[0]; is_pair(i); i = cdr(i))
		result = cons(s, car(i), result);
	return result;
}

static value tail_of(struct scheme *s, const char *who, value list, value index)
{
	value at = list;
	for (size_t n = want_index(s, who, index, SIZE_MAX); n > 0; n--) {
		want(s, who, at, PAIR, "list too short");
		at = cdr(at);
	}
	return at;
}

static value list_tail(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return tail_of(s, "list-tail", argv[0], argv[1]);
}

static value list_ref(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	value at = tail_of(s, "list-ref", argv[0], argv[1]);
	return car(want(s, "list-ref", at, PAIR, "list too short"));
}

typedef bool sameness(value a, value b);

static bool is_same(value a, value b)
{
	return a == b;
}

static value member(value wanted, value list, sameness *same)
{
	for (; is_pair(list); list = cdr(list))
		if (same(wanted, car(list)))
			return list;
	return FALSE;
}

static value find_key(struct scheme *s, value wanted, value list,
		      sameness *same)
{
	for (; is_pair(list); list = cdr(list)) {
		value entry = want(s, "assoc", car(list), PAIR, "not a pair");
		if (same(wanted, car(entry)))
			return entry;
	}
	return FALSE;
}

#define SEARCH(member_function, find_function, same)                          \
	static value member_function(struct scheme *s, int argc, value *argv) \
	{                                                                     \
		(void)s, (void)argc;                                          \
		return member(argv[0], argv[1], same);                        \
	}                                                                     \
	static value find_function(struct scheme *s, int argc, value *argv)   \
	{                                                                     \
		(void)argc;                                                   \
		return find_key(s, argv[0], argv[1], same);                   \
	}

SEARCH(memq, assq, is_same)
SEARCH(memv, assv, is_eqv)
SEARCH(member_, assoc, is_equal)

static value make_vector_(struct scheme *s, int argc, value *argv)
{
	size_t n = want_index(s, "make-vector", argv[0], SIZE_MAX / 16);
	return make_vector(s, VECTOR, n, argc > 1 ? argv[1] : UNSPECIFIED);
}

static value vector(struct scheme *s, int argc, value *argv)
{
	value v = make_vector(s, VECTOR, (size_t)argc, NIL);
	for (int i = 0; i < argc; i++)
		vector_of(v)->items[i] = argv[i];
	return v;
}

static value vector_length(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	want(s, "vector-length", argv[0], VECTOR, "not a vector");
	return from_fixnum((int64_t)vector_of(argv[0])->length);
}

static value vector_ref(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	want(s, "vector-ref", argv[0], VECTOR, "not a vector");
	struct vector *v = vector_of(argv[0]);
	return v->items[want_index(s, "vector-ref", argv[1], v->length)];
}

static value vector_set(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	want(s, "vector-set!", argv[0], VECTOR, "not a vector");
	struct vector *v = vector_of(argv[0]);
	v->items[want_index(s, "vector-set!", argv[1], v->length)] = argv[2];
	return UNSPECIFIED;
}

/* Optional start and end arguments from argv[at] on. */
static void want_range(struct scheme *s, const char *who, int argc, value *argv,
		       int at, size_t length, size_t *start, size_t *end)
{
	*start = 0;
	*end = length;
	if (argc > at + 1)
		*end = want_index(s, who, argv[at + 1], length + 1);
	if (argc > at)
		*start = want_index(s, who, argv[at], *end + 1);
}

static value vector_fill(struct scheme *s, int argc, value *argv)
{
	size_t start, end;
	want(s, "vector-fill!", argv[0], VECTOR, "not a vector");
	struct vector *v = vector_of(argv[0]);
	want_range(s, "vector-fill!", argc, argv, 2, v->length, &start, &end);
	for (size_t i = start; i < end; i++)
		v->items[i] = argv[1];
	return UNSPECIFIED;
}

static value vector_to_list(struct scheme *s, int argc, value *argv)
{
	size_t start, end;
	want(s, "vector->list", argv[0], VECTOR, "not a vector");
	struct vector *v = vector_of(argv[0]);
	want_range(s, "vector->list", argc, argv, 1, v->length, &start, &end);
	value result = NIL;
	while (end > start)
		result = cons(s, v->items[--end], result);
	return result;
}

static value list_to_vector(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	size_t n = list_length(s, argv[0], "list->vector"), i = 0;
	value v = make_vector(s, VECTOR, n, NIL);
	for (value at = argv[0]; is_pair(at); at = cdr(at))
		vector_of(v)->items[i++] = car(at);
	return v;
}

static value vector_copy(struct scheme *s, int argc, value *argv)
{
	size_t start, end;
	want(s, "vector-copy", argv[0], VECTOR, "not a vector");
	struct vector *v = vector_of(argv[0]);
	want_range(s, "vector-copy", argc, argv, 1, v->length, &start, &end);
	value copy = make_vector(s, VECTOR, end - start, NIL);
	memcpy(vector_of(copy)->items, v->items + start,
	       (end - start) * sizeof(value));
	return copy;
}

static value record_type(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	value type = make_vector(s, RECORD_TYPE, 2, NIL);
	vector_of(type)->items[0] = argv[0];
	vector_of(type)->items[1] = argv[1];
	return type;
}

static value record(struct scheme *s, int argc, value *argv)
{
	value r = make_vector(s, RECORD, (size_t)argc, NIL);
	memcpy(vector_of(r)->items, argv, (size_t)argc * sizeof(value));
	return r;
}

static bool is_record_of(value v, value type)
{
	return has_type(v, RECORD) && vector_of(v)->items[0] == type;
}

static value is_record(struct scheme *s, int argc, value *argv)
{
	(void)s, (void)argc;
	return from_bool(is_record_of(argv[0], argv[1]));
}

static value record_ref(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	if (!is_record_of(argv[0], argv[1]))
		scheme_fail(s, "field", "not a record of this type", argv[0]);
	return vector_of(argv[0])->items[fixnum(argv[2])];
}

static value record_set(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	if (!is_record_of(argv[0], argv[1]))
		scheme_fail(s, "field", "not a record of this type", argv[0]);
	vector_of(argv[0])->items[fixnum(argv[2])] = argv[3];
	return UNSPECIFIED;
}

static value values(struct scheme *s, int argc, value *argv)
{
	if (argc == 1)
		return argv[0];
	value v = make_vector(s, VALUES, (size_t)argc, NIL);
	if (argc)
		memcpy(vector_of(v)->items, argv, (size_t)argc * sizeof(value));
	return v;
}

static value values_to_list(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	if (!has_type(argv[0], VALUES))
		return cons(s, argv[0], NIL);
	struct vector *v = vector_of(argv[0]);
	return list(s, (int)v->length, v->items);
}

static value condition_item(struct scheme *s, value condition, size_t i)
{
	want(s, "error-object", condition, CONDITION, "not a condition");
	return vector_of(condition)->items[i];
}

static value condition_message(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return condition_item(s, argv[0], 0);
}

static value condition_irritants(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return condition_item(s, argv[0], 1);
}

static value symbol_to_string(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	want(s, "symbol->string", argv[0], SYMBOL, "not a symbol");
	struct string *name = string_of(symbol_of(argv[0])->name);
	return make_string(s, name->bytes, name->length);
}

static value string_to_symbol(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	want(s, "string->symbol", argv[0], STRING, "not a string");
	return make_symbol(s, string_of(argv[0])->bytes);
}

static value generate_symbol(struct scheme *s, int argc, value *argv)
{
	(void)argc, (void)argv;
	char name[32];
	snprintf(name, sizeof(name), " g%u", ++s->n_renamed);
	return make_symbol(s, name);
}

const struct definition list_primitives[] = {
	{ "eq?", eq, 2, 2 },
	{ "eqv?", eqv, 2, 2 },
	{ "equal?", equal, 2, 2 },
	{ "not", not, 1, 1 },
	{ "cons", cons_, 2, 2 },
	{ "car", car_, 1, 1 },
	{ "cdr", cdr_, 1, 1 },
	{ "caar", caar_, 1, 1 },
	{ "cadr", cadr_, 1, 1 },
	{ "cdar", cdar_, 1, 1 },
	{ "cddr", cddr_, 1, 1 },
	{ "caddr", caddr_, 1, 1 },
	{ "cdddr", cdddr_, 1, 1 },
	{ "cddar", cddar_, 1, 1 },
	{ "cadar", cadar_, 1, 1 },
	{ "cadddr", cadddr_, 1, 1 },
	{ "set-car!", set_car, 2, 2 },
	{ "set-cdr!", set_cdr, 2, 2 },
	{ "pair?", is_pair_, 1, 1 },
	{ "null?", is_null, 1, 1 },
	{ "symbol?", is_symbol, 1, 1 },
	{ "vector?", is_vector, 1, 1 },
	{ "boolean?", is_boolean, 1, 1 },
	{ "procedure?", is_procedure, 1, 1 },
	{ "error-object?", is_condition, 1, 1 },
	{ "list?", is_list, 1, 1 },
	{ "list", list, 0, -1 },
	{ "cons*", cons_star, 1, -1 },
	{ "make-list", make_list, 1, 2 },
	{ "length", length, 1, 1 },
	{ "append", append, 0, -1 },
	{ "reverse", reverse, 1, 1 },
	{ "list-tail", list_tail, 2, 2 },
	{ "list-ref", list_ref, 2, 2 },
	{ "memq", memq, 2, 2 },
	{ "memv", memv, 2, 2 },
	{ "member", member_, 2, 2 },
	{ "assq", assq, 2, 2 },
	{ "assv", assv, 2, 2 },
	{ "assoc", assoc, 2, 2 },
	{ "make-vector", make_vector_, 1, 2 },
	{ "vector", vector, 0, -1 },
	{ "vector-length", vector_length, 1, 1 },
	{ "vector-ref", vector_ref, 2, 2 },
	{ "vector-set!", vector_set, 3, 3 },
	{ "vector-fill!", vector_fill, 2, 4 },
	{ "vector->list", vector_to_list, 1, 3 },
	{ "list->vector", list_to_vector, 1, 1 },
	{ "vector-copy", vector_copy, 1, 3 },
	{ "%record-type", record_type, 2, 2 },
	{ "%record", record, 1, -1 },
	{ "%record?", is_record, 2, 2 },
	{ "%record-ref", record_ref, 3, 3 },
	{ "%record-set!", record_set, 4, 4 },
	{ "values", values, 0, -1 },
	{ "%values->list", values_to_list, 1, 1 },
	{ "error-object-message", condition_message, 1, 1 },
	{ "error-object-irritants", condition_irritants, 1, 1 },
	{ "symbol->string", symbol_to_string, 1, 1 },
	{ "string->symbol", string_to_symbol, 1, 1 },
	{ "generate-symbol", generate_symbol, 0, 0 },
	{ NULL, NULL, 0, 0 },
};
