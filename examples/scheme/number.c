/*
 * Numbers: small integers and doubles.  An integer result that does not fit
 * becomes a double, and so does a quotient that is not whole.
 */
#include "scheme.h"

#include <math.h>
#include <stdlib.h>

static bool is_number(value v)
{
	return is_fixnum(v) || has_type(v, FLONUM);
}

static double to_double(value v)
{
	return is_fixnum(v) ? (double)fixnum(v) : flonum(v);
}

static void want_number(struct scheme *s, const char *who, value v)
{
	if (!is_number(v))
		scheme_fail(s, who, "not a number", v);
}

value from_int64(struct scheme *s, int64_t n)
{
	return n >= FIXNUM_MIN && n <= FIXNUM_MAX ? from_fixnum(n)
						  : from_double(s, (double)n);
}

value number_arithmetic(struct scheme *s, enum arithmetic op, value a, value b)
{
	static const char *const names[] = { "+", "-", "*" };
	want_number(s, names[op], a);
	want_number(s, names[op], b);
	int64_t n;
	if (is_fixnum(a) && is_fixnum(b)) {
		bool overflows =
			op == ADD ? __builtin_add_overflow(fixnum(a), fixnum(b),
							   &n)
			: op == SUBTRACT
				? __builtin_sub_overflow(fixnum(a), fixnum(b),
							 &n)
				: __builtin_mul_overflow(fixnum(a), fixnum(b),
							 &n);
		if (!overflows)
			return from_int64(s, n);
	}
	double x = to_double(a), y = to_double(b);
	return from_double(s, op == ADD	       ? x + y
			      : op == SUBTRACT ? x - y
					       : x * y);
}

bool number_compare(struct scheme *s, enum comparison op, value a, value b)
{
	static const char *const names[] = { "<", ">", "<=", ">=", "=" };
	want_number(s, names[op], a);
	want_number(s, names[op], b);
	double x = to_double(a), y = to_double(b);
	switch (op) {
	case LESS:
		return x < y;
	case GREATER:
		return x > y;
	case AT_MOST:
		return x <= y;
	case AT_LEAST:
		return x >= y;
	default:
		return x == y;
	}
}

static void format_double(char *to, size_t room, double x)
{
	if (isnan(x) || isinf(x)) {
		snprintf(to, room, "%s",
			 isnan(x) ? "+nan.0"
			 : x > 0  ? "+inf.0"
				  : "-inf.0");
		return;
	}
	/* As few digits as it takes to read the same number back. */
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(to, room, "%.*g", digits, x);
		if (strtod(to, NULL) == x)
			break;
	}
	if (!strpbrk(to, ".e"))
		strcat(to, ".0");
}

static void format_integer(char *to, size_t room, int64_t n, int radix)
{
	char digits[72];
	size_t at = sizeof(digits);
	uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;
	digits[--at] = '\0';
	do {
		digits[--at] = "0123456789abcdef"[rest % (unsigned int)radix];
		rest /= (unsigned int)radix;
	} while (rest);
	if (n < 0)
		digits[--at] = '-';
	snprintf(to, room, "%s", digits + at);
}

void number_format(char *to, size_t room, value v, int radix)
{
	if (is_fixnum(v))
		format_integer(to, room, fixnum(v), radix);
	else
		format_double(to, room, flonum(v));
}

value parse_number(struct scheme *s, const char *text, int radix)
{
	char *end;
	const char *digits = text + (*text == '-' || *text == '+');
	if (!strcmp(text, "+inf.0") || !strcmp(text, "-inf.0"))
		return from_double(s, *text == '-' ? -INFINITY : INFINITY);
	if (!strcmp(text, "+nan.0"))
		return from_double(s, NAN);
	if (!(*digits >= '0' && *digits <= '9') && *digits != '.' &&
	    radix == 10)
		return FALSE;
	if (!*digits || !strcmp(digits, ".") || !strcmp(digits, "..."))
		return FALSE;
	long long n = strtoll(text, &end, radix);
	if (!*end && n >= FIXNUM_MIN && n <= FIXNUM_MAX)
		return from_fixnum(n);
	if (radix != 10)
		return FALSE;
	double x = strtod(text, &end);
	return *end ? FALSE : from_double(s, x);
}

static value fold(struct scheme *s, enum arithmetic op, value start, int argc,
		  value *argv)
{
	for (int i = 0; i < argc; i++)
		start = number_arithmetic(s, op, start, argv[i]);
	return start;
}

static value add(struct scheme *s, int argc, value *argv)
{
	return fold(s, ADD, from_fixnum(0), argc, argv);
}

static value multiply(struct scheme *s, int argc, value *argv)
{
	return fold(s, MULTIPLY, from_fixnum(1), argc, argv);
}

static value subtract(struct scheme *s, int argc, value *argv)
{
	if (argc == 1)
		return number_arithmetic(s, SUBTRACT, from_fixnum(0), argv[0]);
	return fold(s, SUBTRACT, argv[0], argc - 1, argv + 1);
}

static value divide_two(struct scheme *s, value a, value b)
{
	want_number(s, "/", a);
	want_number(s, "/", b);
	if (b == from_fixnum(0))
		scheme_fail(s, "/", "division by zero", a);
	if (is_fixnum(a) && is_fixnum(b) && fixnum(a) % fixnum(b) == 0)
		return from_int64(s, fixnum(a) / fixnum(b));
	return from_double(s, to_double(a) / to_double(b));
}

static value divide(struct scheme *s, int argc, value *argv)
{
	if (argc == 1)
		return divide_two(s, from_fixnum(1), argv[0]);
	value result = argv[0];
	for (int i = 1; i < argc; i++)
		result = divide_two(s, result, argv[i]);
	return result;
}

static value compare_all(struct scheme *s, enum comparison op, int argc,
			 value *argv)
{
	bool holds = true;
	for (int i = 0; i + 1 < argc; i++)
		holds &= number_compare(s, op, argv[i], argv[i + 1]);
	return from_bool(holds);
}

static value less(struct scheme *s, int argc, value *argv)
{
	return compare_all(s, LESS, argc, argv);
}

static value greater(struct scheme *s, int argc, value *argv)
{
	return compare_all(s, GREATER, argc, argv);
}

static value at_most(struct scheme *s, int argc, value *argv)
{
	return compare_all(s, AT_MOST, argc, argv);
}

static value at_least(struct scheme *s, int argc, value *argv)
{
	return compare_all(s, AT_LEAST, argc, argv);
}

static value equal(struct scheme *s, int argc, value *argv)
{
	return compare_all(s, EQUAL, argc, argv);
}

enum division { QUOTIENT, REMAINDER, MODULO, FLOOR_QUOTIENT };

static double divide_doubles(enum division kind, double x, double y)
{
	switch (kind) {
	case QUOTIENT:
		return trunc(x / y);
	case REMAINDER:
		return fmod(x, y);
	case FLOOR_QUOTIENT:
		return floor(x / y);
	default:
		return x - y * floor(x / y);
	}
}

static value divide_integers(struct scheme *s, const char *who,
			     enum division kind, value *argv)
{
	value a = argv[0], b = argv[1];
	want_number(s, who, a);
	want_number(s, who, b);
	if (to_double(b) == 0)
		scheme_fail(s, who, "division by zero", a);
	if (!is_fixnum(a) || !is_fixnum(b))
		return from_double(s, divide_doubles(kind, to_double(a),
						     to_double(b)));
	int64_t q = fixnum(a) / fixnum(b), r = fixnum(a) % fixnum(b);
	bool is_mixed = r != 0 && (r < 0) != (fixnum(b) < 0);
	switch (kind) {
	case QUOTIENT:
		return from_int64(s, q);
	case REMAINDER:
		return from_int64(s, r);
	case FLOOR_QUOTIENT:
		return from_int64(s, q - is_mixed);
	default:
		return from_int64(s, is_mixed ? r + fixnum(b) : r);
	}
}

static value quotient(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return divide_integers(s, "quotient", QUOTIENT, argv);
}

static value remainder_(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return divide_integers(s, "remainder", REMAINDER, argv);
}

static value modulo(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return divide_integers(s, "modulo", MODULO, argv);
}

static value floor_quotient(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return divide_integers(s, "floor-quotient", FLOOR_QUOTIENT, argv);
}

static value is_number_(struct scheme *s, int argc, value *argv)
{
	(void)s, (void)argc;
	return from_bool(is_number(argv[0]));
}

static value is_exact(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	want_number(s, "exact?", argv[0]);
	return from_bool(is_fixnum(argv[0]));
}

static value is_inexact(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	want_number(s, "inexact?", argv[0]);
	return from_bool(!is_fixnum(argv[0]));
}

static value is_integer(struct scheme *s, int argc, value *argv)
{
	(void)s, (void)argc;
	return from_bool(is_fixnum(argv[0]) ||
			 (has_type(argv[0], FLONUM) &&
			  flonum(argv[0]) == floor(flonum(argv[0]))));
}

static value is_zero(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return from_bool(number_compare(s, EQUAL, argv[0], from_fixnum(0)));
}

static value is_positive(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return from_bool(number_compare(s, GREATER, argv[0], from_fixnum(0)));
}

static value is_negative(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return from_bool(number_compare(s, LESS, argv[0], from_fixnum(0)));
}

static value is_odd(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	want_number(s, "odd?", argv[0]);
	return from_bool(is_fixnum(argv[0]) ? fixnum(argv[0]) & 1
					    : fmod(flonum(argv[0]), 2) != 0);
}

static value is_even(struct scheme *s, int argc, value *argv)
{
	return is_odd(s, argc, argv) == TRUE ? FALSE : TRUE;
}

static value extreme(struct scheme *s, enum comparison op, int argc,
		     value *argv)
{
	value best = argv[0];
	bool is_inexact_ = has_type(best, FLONUM);
	for (int i = 1; i < argc; i++) {
		if (number_compare(s, op, argv[i], best))
			best = argv[i];
		is_inexact_ |= has_type(argv[i], FLONUM);
	}
	want_number(s, op == LESS ? "min" : "max", best);
	return is_inexact_ ? from_double(s, to_double(best)) : best;
}

static value min(struct scheme *s, int argc, value *argv)
{
	return extreme(s, LESS, argc, argv);
}

static value max(struct scheme *s, int argc, value *argv)
{
	return extreme(s, GREATER, argc, argv);
}

static value absolute(struct scheme *s, int argc, value *argv)
{
	return is_negative(s, argc, argv) == TRUE
		       ? number_arithmetic(s, SUBTRACT, from_fixnum(0), argv[0])
		       : argv[0];
}

static int64_t gcd_of(int64_t a, int64_t b)
{
	while (b) {
		int64_t r = a % b;
		a = b;
		b = r;
	}
	return a < 0 ? -a : a;
}

static value gcd(struct scheme *s, int argc, value *argv)
{
	int64_t result = 0;
	for (int i = 0; i < argc; i++) {
		if (!is_fixnum(argv[i]))
			scheme_fail(s, "gcd", "not an exact integer", argv[i]);
		result = gcd_of(result, fixnum(argv[i]));
	}
	return from_int64(s, result);
}

static value round_with(struct scheme *s, const char *who, value v,
			double (*f)(double))
{
	want_number(s, who, v);
	return is_fixnum(v) ? v : from_double(s, f(flonum(v)));
}

#define ROUNDING(function, who, libm)                                  \
	static value function(struct scheme *s, int argc, value *argv) \
	{                                                              \
		(void)argc;                                            \
		return round_with(s, who, argv[0], libm);              \
	}

ROUNDING(floor_, "floor", floor)
ROUNDING(ceiling, "ceiling", ceil)
ROUNDING(truncate_, "truncate", trunc)
ROUNDING(round_, "round", rint)

#define FLOAT_FUNCTION(function, who, libm)                            \
	static value function(struct scheme *s, int argc, value *argv) \
	{                                                              \
		(void)argc;                                            \
		want_number(s, who, argv[0]);                          \
		return from_double(s, libm(to_double(argv[0])));       \
	}

FLOAT_FUNCTION(sin_, "sin", sin)
FLOAT_FUNCTION(cos_, "cos", cos)
FLOAT_FUNCTION(exp_, "exp", exp)
FLOAT_FUNCTION(inexact, "inexact", (double))

static value atan_(struct scheme *s, int argc, value *argv)
{
	want_number(s, "atan", argv[0]);
	if (argc == 1)
		return from_double(s, atan(to_double(argv[0])));
	want_number(s, "atan", argv[1]);
	return from_double(s, atan2(to_double(argv[0]), to_double(argv[1])));
}

static value log_(struct scheme *s, int argc, value *argv)
{
	want_number(s, "log", argv[0]);
	double result = log(to_double(argv[0]));
	if (argc == 2) {
		want_number(s, "log", argv[1]);
		result /= log(to_double(argv[1]));
	}
	return from_double(s, result);
}

static value exact(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	want_number(s, "exact", argv[0]);
	if (is_fixnum(argv[0]))
		return argv[0];
	double x = flonum(argv[0]);
	if (x != floor(x) || fabs(x) >= (double)FIXNUM_MAX)
		scheme_fail(s, "exact", "no exact integer", argv[0]);
	return from_fixnum((int64_t)x);
}

static value square_root(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	want_number(s, "sqrt", argv[0]);
	double root = sqrt(to_double(argv[0]));
	if (is_fixnum(argv[0]) && root == floor(root) &&
	    (int64_t)root * (int64_t)root == fixnum(argv[0]))
		return from_fixnum((int64_t)root);
	return from_double(s, root);
}

static value power(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	want_number(s, "expt", argv[0]);
	want_number(s, "expt", argv[1]);
	if (!is_fixnum(argv[1]) || fixnum(argv[1]) < 0)
		return from_double(s,
				   pow(to_double(argv[0]), to_double(argv[1])));
	value result = from_fixnum(1), base = argv[0];
	for (int64_t n = fixnum(argv[1]); n > 0; n >>= 1) {
		if (n & 1)
			result = number_arithmetic(s, MULTIPLY, result, base);
		if (n > 1)
			base = number_arithmetic(s, MULTIPLY, base, base);
	}
	return result;
}

static int radix_of(struct scheme *s, const char *who, int argc, value *argv)
{
	if (argc < 2)
		return 10;
	if (!is_fixnum(argv[1]) || fixnum(argv[1]) < 2 || fixnum(argv[1]) > 16)
		scheme_fail(s, who, "not a radix", argv[1]);
	return (int)fixnum(argv[1]);
}

static value number_to_string(struct scheme *s, int argc, value *argv)
{
	char text[80];
	want_number(s, "number->string", argv[0]);
	number_format(text, sizeof(text), argv[0],
		      radix_of(s, "number->string", argc, argv));
	return make_string(s, text, strlen(text));
}

static value string_to_number(struct scheme *s, int argc, value *argv)
{
	want(s, "string->number", argv[0], STRING, "not a string");
	return parse_number(s, string_of(argv[0])->bytes,
			    radix_of(s, "string->number", argc, argv));
}

enum bits { AND, OR, XOR };

static value bitwise(struct scheme *s, const char *who, enum bits op,
		     value *argv)
{
	for (int i = 0; i < 2; i++)
		if (!is_fixnum(argv[i]))
			scheme_fail(s, who, "not an exact integer", argv[i]);
	int64_t a = fixnum(argv[0]), b = fixnum(argv[1]);
	return from_fixnum(op == AND ? a & b : op == OR ? a | b : a ^ b);
}

static value bitwise_and(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return bitwise(s, "bitwise-and", AND, argv);
}

static value bitwise_or(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return bitwise(s, "bitwise-ior", OR, argv);
}

static value bitwise_xor(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return bitwise(s, "bitwise-xor", XOR, argv);
}

static value shift(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	if (!is_fixnum(argv[0]) || !is_fixnum(argv[1]))
		scheme_fail(s, "arithmetic-shift", "not an exact integer",
			    argv[0]);
	int64_t n = fixnum(argv[1]);
	if (n >= 0) {
		value factor[] = { from_fixnum(2), argv[1] };
		return number_arithmetic(s, MULTIPLY, argv[0],
					 power(s, 2, factor));
	}
	return from_fixnum(fixnum(argv[0]) >> (n < -62 ? 62 : -n));
}

const struct definition number_primitives[] = {
	{ "+", add, 0, -1 },
	{ "-", subtract, 1, -1 },
	{ "*", multiply, 0, -1 },
	{ "/", divide, 1, -1 },
	{ "<", less, 1, -1 },
	{ ">", greater, 1, -1 },
	{ "<=", at_most, 1, -1 },
	{ ">=", at_least, 1, -1 },
	{ "=", equal, 1, -1 },
	{ "quotient", quotient, 2, 2 },
	{ "remainder", remainder_, 2, 2 },
	{ "modulo", modulo, 2, 2 },
	{ "%quotient", quotient, 2, 2 },
	{ "%remainder", remainder_, 2, 2 },
	{ "truncate-quotient", quotient, 2, 2 },
	{ "truncate-remainder", remainder_, 2, 2 },
	{ "floor-quotient", floor_quotient, 2, 2 },
	{ "floor-remainder", modulo, 2, 2 },
	{ "number?", is_number_, 1, 1 },
	{ "real?", is_number_, 1, 1 },
	{ "exact?", is_exact, 1, 1 },
	{ "inexact?", is_inexact, 1, 1 },
	{ "integer?", is_integer, 1, 1 },
	{ "zero?", is_zero, 1, 1 },
	{ "positive?", is_positive, 1, 1 },
	{ "negative?", is_negative, 1, 1 },
	{ "odd?", is_odd, 1, 1 },
	{ "even?", is_even, 1, 1 },
	{ "min", min, 1, -1 },
	{ "max", max, 1, -1 },
	{ "abs", absolute, 1, 1 },
	{ "gcd", gcd, 0, -1 },
	{ "floor", floor_, 1, 1 },
	{ "ceiling", ceiling, 1, 1 },
	{ "truncate", truncate_, 1, 1 },
	{ "round", round_, 1, 1 },
	{ "sin", sin_, 1, 1 },
	{ "cos", cos_, 1, 1 },
	{ "atan", atan_, 1, 2 },
	{ "exp", exp_, 1, 1 },
	{ "log", log_, 1, 2 },
	{ "sqrt", square_root, 1, 1 },
	{ "expt", power, 2, 2 },
	{ "exact", exact, 1, 1 },
	{ "inexact->exact", exact, 1, 1 },
	{ "inexact", inexact, 1, 1 },
	{ "exact->inexact", inexact, 1, 1 },
	{ "number->string", number_to_string, 1, 2 },
	{ "string->number", string_to_number, 1, 2 },
	{ "bitwise-and", bitwise_and, 2, 2 },
	{ "bitwise-ior", bitwise_or, 2, 2 },
	{ "bitwise-xor", bitwise_xor, 2, 2 },
	{ "arithmetic-shift", shift, 2, 2 },
	{ NULL, NULL, 0, 0 },
};
