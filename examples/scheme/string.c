/* Strings are sequences of bytes; characters are bytes too. */
#include "scheme.h"

#include <ctype.h>

static struct string *want_string(struct scheme *s, const char *who, value v)
{
	return string_of(want(s, who, v, STRING, "not a string"));
}

static uint32_t want_char(struct scheme *s, const char *who, value v)
{
	if (!is_char(v))
		scheme_fail(s, who, "not a character", v);
	return char_of(v);
}

static void want_range(struct scheme *s, const char *who, int argc, value *argv,
		       size_t length, size_t *start, size_t *end)
{
	*start = 0;
	*end = length;
	if (argc > 2)
		*end = want_index(s, who, argv[2], length + 1);
	if (argc > 1)
		*start = want_index(s, who, argv[1], *end + 1);
}

static value is_string(struct scheme *s, int argc, value *argv)
{
	(void)s, (void)argc;
	return from_bool(has_type(argv[0], STRING));
}

static value is_char_(struct scheme *s, int argc, value *argv)
{
	(void)s, (void)argc;
	return from_bool(is_char(argv[0]));
}

static value string_length(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return from_fixnum(
		(int64_t)want_string(s, "string-length", argv[0])->length);
}

static value string_ref(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	struct string *string = want_string(s, "string-ref", argv[0]);
	size_t i = want_index(s, "string-ref", argv[1], string->length);
	return from_char((unsigned char)string->bytes[i]);
}

static value string_set(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	struct string *string = want_string(s, "string-set!", argv[0]);
	size_t i = want_index(s, "string-set!", argv[1], string->length);
	string->bytes[i] = (char)want_char(s, "string-set!", argv[2]);
	return UNSPECIFIED;
}

static value make_string_(struct scheme *s, int argc, value *argv)
{
	size_t n = want_index(s, "make-string", argv[0], SIZE_MAX / 16);
	value v = make_string(s, NULL, n);
	int fill = argc > 1 ? (int)want_char(s, "make-string", argv[1]) : ' ';
	memset(string_of(v)->bytes, fill, n);
	return v;
}

static value string(struct scheme *s, int argc, value *argv)
{
	value v = make_string(s, NULL, (size_t)argc);
	for (int i = 0; i < argc; i++)
		string_of(v)->bytes[i] = (char)want_char(s, "string", argv[i]);
	return v;
}

static value substring(struct scheme *s, int argc, value *argv)
{
	size_t start, end;
	struct string *string = want_string(s, "substring", argv[0]);
	want_range(s, "substring", argc, argv, string->length, &start, &end);
	return make_string(s, string->bytes + start, end - start);
}

static value string_append(struct scheme *s, int argc, value *argv)
{
	size_t n = 0, at = 0;
	for (int i = 0; i < argc; i++)
		n += want_string(s, "string-append", argv[i])->length;
	value v = make_string(s, NULL, n);
	for (int i = 0; i < argc; i++) {
		struct string *part = string_of(argv[i]);
		memcpy(string_of(v)->bytes + at, part->bytes, part->length);
		at += part->length;
	}
	return v;
}

static value string_to_list(struct scheme *s, int argc, value *argv)
{
	size_t start, end;
	struct string *string = want_string(s, "string->list", argv[0]);
	want_range(s, "string->list", argc, argv, string->length, &start, &end);
	value result = NIL;
	while (end > start) {
		value c = from_char((unsigned char)string->bytes[--end]);
		result = cons(s, c, result);
	}
	return result;
}

static value list_to_string(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	size_t n = list_length(s, argv[0], "list->string"), i = 0;
	value v = make_string(s, NULL, n);
	for (value at = argv[0]; is_pair(at); at = cdr(at))
		string_of(v)->bytes[i++] =
			(char)want_char(s, "list->string", car(at));
	return v;
}

static int compare_strings(struct scheme *s, const char *who, value a, value b)
{
	struct string *x = want_string(s, who, a), *y = want_string(s, who, b);
	size_t n = x->length < y->length ? x->length : y->length;
	int order = memcmp(x->bytes, y->bytes, n);
	if (order)
		return order;
	return (x->length > y->length) - (x->length < y->length);
}

#define STRING_COMPARISON(function, who, order)                                \
	static value function(struct scheme *s, int argc, value *argv)         \
	{                                                                      \
		bool holds = true;                                             \
		for (int i = 0; i + 1 < argc; i++)                             \
			holds &= compare_strings(s, who, argv[i], argv[i + 1]) \
				order 0;                                       \
		return from_bool(holds);                                       \
	}

STRING_COMPARISON(string_equal, "string=?", ==)
STRING_COMPARISON(string_less, "string<?", <)
STRING_COMPARISON(string_greater, "string>?", >)
STRING_COMPARISON(string_at_most, "string<=?", <=)
STRING_COMPARISON(string_at_least, "string>=?", >=)

#define CHAR_COMPARISON(function, who, order)                          \
	static value function(struct scheme *s, int argc, value *argv) \
	{                                                              \
		bool holds = true;                                     \
		for (int i = 0; i + 1 < argc; i++)                     \
			holds &= want_char(s, who, argv[i])            \
				order want_char(s, who, argv[i + 1]);  \
		return from_bool(holds);                               \
	}

CHAR_COMPARISON(char_equal, "char=?", ==)
CHAR_COMPARISON(char_less, "char<?", <)
CHAR_COMPARISON(char_greater, "char>?", >)
CHAR_COMPARISON(char_at_most, "char<=?", <=)
CHAR_COMPARISON(char_at_least, "char>=?", >=)

#define CHAR_TEST(function, who, test)                                 \
	static value function(struct scheme *s, int argc, value *argv) \
	{                                                              \
		(void)argc;                                            \
		uint32_t c = want_char(s, who, argv[0]);               \
		return from_bool(c < 128 && test((int)c));             \
	}

CHAR_TEST(is_alphabetic, "char-alphabetic?", isalpha)
CHAR_TEST(is_numeric, "char-numeric?", isdigit)
CHAR_TEST(is_whitespace, "char-whitespace?", isspace)
CHAR_TEST(is_upper, "char-upper-case?", isupper)
CHAR_TEST(is_lower, "char-lower-case?", islower)

static uint32_t map_char(uint32_t c, int (*to)(int))
{
	return c < 128 ? (uint32_t)to((int)c) : c;
}

static value char_upcase(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return from_char(
		map_char(want_char(s, "char-upcase", argv[0]), toupper));
}

static value char_downcase(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return from_char(
		map_char(want_char(s, "char-downcase", argv[0]), tolower));
}

static value map_string(struct scheme *s, struct string *from, int (*to)(int))
{
	value v = make_string(s, from->bytes, from->length);
	for (size_t i = 0; i < from->length; i++)
		string_of(v)->bytes[i] =
			(char)map_char((unsigned char)from->bytes[i], to);
	return v;
}

static value string_upcase(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return map_string(s, want_string(s, "string-upcase", argv[0]), toupper);
}

static value string_downcase(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return map_string(s, want_string(s, "string-downcase", argv[0]),
			  tolower);
}

static value char_to_integer(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return from_fixnum(want_char(s, "char->integer", argv[0]));
}

static value integer_to_char(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return from_char(
		(uint32_t)want_index(s, "integer->char", argv[0], 256));
}

static value digit_value(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	uint32_t c = want_char(s, "digit-value", argv[0]);
	return c >= '0' && c <= '9' ? from_fixnum(c - '0') : FALSE;
}

/* Where the second string begins in the first, or #f. */
static value string_search(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	struct string *text = want_string(s, "string-search", argv[0]);
	struct string *part = want_string(s, "string-search", argv[1]);
	char *at = memmem(text->bytes, text->length, part->bytes, part->length);
	return at ? from_fixnum(at - text->bytes) : FALSE;
}

const struct definition string_primitives[] = {
	{ "string?", is_string, 1, 1 },
	{ "char?", is_char_, 1, 1 },
	{ "string-length", string_length, 1, 1 },
	{ "string-ref", string_ref, 2, 2 },
	{ "string-set!", string_set, 3, 3 },
	{ "make-string", make_string_, 1, 2 },
	{ "string", string, 0, -1 },
	{ "substring", substring, 2, 3 },
	{ "string-copy", substring, 1, 3 },
	{ "string-append", string_append, 0, -1 },
	{ "string->list", string_to_list, 1, 3 },
	{ "list->string", list_to_string, 1, 1 },
	{ "string=?", string_equal, 1, -1 },
	{ "string<?", string_less, 1, -1 },
	{ "string>?", string_greater, 1, -1 },
	{ "string<=?", string_at_most, 1, -1 },
	{ "string>=?", string_at_least, 1, -1 },
	{ "char=?", char_equal, 1, -1 },
	{ "char<?", char_less, 1, -1 },
	{ "char>?", char_greater, 1, -1 },
	{ "char<=?", char_at_most, 1, -1 },
	{ "char>=?", char_at_least, 1, -1 },
	{ "char-alphabetic?", is_alphabetic, 1, 1 },
	{ "char-numeric?", is_numeric, 1, 1 },
	{ "char-whitespace?", is_whitespace, 1, 1 },
	{ "char-upper-case?", is_upper, 1, 1 },
	{ "char-lower-case?", is_lower, 1, 1 },
	{ "char-upcase", char_upcase, 1, 1 },
	{ "char-downcase", char_downcase, 1, 1 },
	{ "string-upcase", string_upcase, 1, 1 },
	{ "string-downcase", string_downcase, 1, 1 },
	{ "char->integer", char_to_integer, 1, 1 },
	{ "integer->char", integer_to_char, 1, 1 },
	{ "digit-value", digit_value, 1, 1 },
	{ "string-search", string_search, 2, 2 },
	{ NULL, NULL, 0, 0 },
};
