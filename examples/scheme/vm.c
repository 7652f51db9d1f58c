/*
 * The machine.  A call lays the procedure and its arguments on the stack;
 * `base` is the first argument, temporaries follow.  Calls of Scheme
 * procedures never recurse in C, so a continuation is a copy of the stack.
 *
 * execute() has one label for each instruction, which jumps to the next one's;
 * therefore it is long.  It keeps pc, sp and base in locals, and stores them
 * into *s (SYNC) before anything that can fail, collect or look at the stack.
 */
#include "ops.h"
#include "scheme.h"

#include <stdlib.h>

#define MOST_FRAMES	 (1024 * 1024)
#define FRAMES_TO_HANDLE 1024 /* an error, above all that one */

static const int32_t halt[] = { OP_HALT };

static struct code *code_at(struct scheme *s, size_t base)
{
	if (!base || !has_type(s->stack[base - 1], CLOSURE))
		return NULL;
	return ((struct closure *)s->stack[base - 1])->code;
}

static uint32_t line_of(const struct code *code, const int32_t *pc)
{
	const struct string *lines = string_of(code->lines);
	const struct line *line = (const struct line *)lines->bytes;
	size_t n = lines->length / sizeof(*line),
	       at = (size_t)(pc - code->start);
	uint32_t found = 0;
	for (size_t i = 0; i < n && line[i].at < at; i++)
		found = line[i].line;
	return found;
}

/* Where the program is; the prelude's own procedures are looked through. */
void vm_location(struct scheme *s, value *file, uint32_t *line, value *name)
{
	if (!s->is_running)
		return;
	const int32_t *pc = s->pc;
	size_t base = s->base;
	for (size_t i = s->depth;; i--) {
		struct code *code = code_at(s, base);
		if (code && code->file != FALSE) {
			*file = code->file;
			*line = line_of(code, pc);
			*name = code->name;
			return;
		}
		if (i == 0)
			return;
		pc = s->frames[i - 1].pc;
		base = s->frames[i - 1].base;
	}
}

static void want_room(struct scheme *s, size_t sp, size_t more)
{
	if (sp + more <= s->stack_room)
		return;
	while (sp + more > s->stack_room)
		s->stack_room = s->stack_room ? 2 * s->stack_room : 4096;
	s->stack = xrealloc(s->stack, s->stack_room * sizeof(value));
}

static void grow_frames(struct scheme *s, size_t room)
{
	s->frames = xrealloc(s->frames, room * sizeof(*s->frames));
	s->frames_room = room;
}

static void push_frame(struct scheme *s, const int32_t *pc, size_t base)
{
	if (s->depth == s->frames_room) {
		if (s->depth >= MOST_FRAMES)
			scheme_fail(s, "stack", "recursion too deep",
				    UNDEFINED);
		grow_frames(s, s->frames_room ? 2 * s->frames_room : 1024);
	}
	s->frames[s->depth++] = (struct frame){ .pc = pc, .base = base };
}

static value make_closure(struct scheme *s, value code, const int32_t *captures,
			  int32_t n, const value *base)
{
	struct closure *self = (struct closure *)base[-1];
	struct closure *closure =
		heap_new(s, CLOSURE, sizeof(*closure) + n * sizeof(value));
	closure->head.extra = (uint32_t)n;
	closure->code = (struct code *)code;
	for (int32_t i = 0; i < n; i++)
		closure->captures[i] =
			captures[i] >= 0 ? base[captures[i]]
					 : self->captures[-1 - captures[i]];
	return (value)closure;
}

static value make_box(struct scheme *s, value content)
{
	struct box *box = heap_new(s, BOX, sizeof(*box));
	box->content = content;
	return (value)box;
}

static value box_content(value box)
{
	return ((struct box *)box)->content;
}

static value make_continuation(struct scheme *s)
{
	size_t n = s->base - 1, bytes = s->depth * sizeof(struct frame);
	struct continuation *k = heap_new(
		s, CONTINUATION, sizeof(*k) + n * sizeof(value) + bytes);
	k->n_values = n;
	k->n_frames = s->depth;
	memcpy(k->values, s->stack, n * sizeof(value));
	memcpy(k->values + n, s->frames, bytes);
	return (value)k;
}

/* Afterwards the machine is about to return to the top frame. */
static void reinstate(struct scheme *s, struct continuation *k)
{
	want_room(s, k->n_values, 64);
	memcpy(s->stack, k->values, k->n_values * sizeof(value));
	s->depth = 0;
	const struct frame *frames =
		(const struct frame *)(k->values + k->n_values);
	for (size_t i = 0; i < k->n_frames; i++)
		push_frame(s, frames[i].pc, frames[i].base);
	s->base = k->n_values + 1;
}

static _Noreturn void wrong_arguments(struct scheme *s, value procedure,
				      size_t n)
{
	char text[80];
	s->stack[s->base - 1] = FALSE; /* it has not begun: blame the caller */
	snprintf(text, sizeof(text), "called with %zu arguments", n);
	scheme_raise(s, make_string(s, text, strlen(text)),
		     cons(s, procedure, NIL), 0);
}

/* Arguments beyond the required ones become a list.  s->base is set. */
static void gather_rest(struct scheme *s, struct code *code, size_t n)
{
	value *arguments = s->stack + s->base, rest = NIL;
	if (n < code->n_required)
		wrong_arguments(s, s->stack[s->base - 1], n);
	while (n > code->n_required)
		rest = cons(s, arguments[--n], rest);
	arguments[n] = rest;
	s->sp = s->base + n + 1;
}

/* (apply f a b '(c d)): f a b c d.  Returns the number of arguments. */
static size_t spread_arguments(struct scheme *s, size_t n)
{
	value *base = s->stack + s->base;
	if (n < 2)
		wrong_arguments(s, base[-1], n);
	value list = base[n - 1];
	size_t more = list_length(s, list, "apply");
	memmove(base - 1, base, (n - 1) * sizeof(value));
	s->sp = s->base + n - 2;
	want_room(s, s->sp, more + 8);
	for (; is_pair(list); list = cdr(list))
		s->stack[s->sp++] = car(list);
	return n - 2 + more;
}

static value call_primitive(struct scheme *s, struct primitive *p, size_t n,
			    value *arguments)
{
	if ((int)n < p->least || (p->most >= 0 && (int)n > p->most))
		wrong_arguments(s, (value)p, n);
	return p->call(s, (int)n, arguments);
}

enum special { NOT_SPECIAL, APPLY, CALL_CC };

static enum special special_of(const struct primitive *p)
{
	if (p->call)
		return NOT_SPECIAL;
	return p->name[0] == 'a' ? APPLY : CALL_CC;
}

enum entered { ENTERED, RETURNS };

/*
 * Enter the procedure below s->base with n arguments.  ENTERED: the machine
 * goes on at s->pc; RETURNS: with the value in s->pending, to the top frame.
 */
static enum entered enter(struct scheme *s, size_t n)
{
	for (;;) {
		value callee = s->stack[s->base - 1];
		s->sp = s->base + n;
		if (has_type(callee, CLOSURE)) {
			struct code *code = ((struct closure *)callee)->code;
			want_room(s, s->base, n + code->room + 8);
			if (code->has_rest)
				gather_rest(s, code, n);
			else if (n != code->n_required)
				wrong_arguments(s, callee, n);
			s->pc = code->start;
			if (s->allocated > s->threshold)
				heap_collect(s);
			return ENTERED;
		}
		if (has_type(callee, CONTINUATION)) {
			if (n != 1)
				wrong_arguments(s, callee, n);
			s->pending = s->stack[s->base];
			reinstate(s, (struct continuation *)callee);
			return RETURNS;
		}
		if (!has_type(callee, PRIMITIVE))
			scheme_fail(s, "call", "not a procedure", callee);
		struct primitive *p = (struct primitive *)callee;
		switch (special_of(p)) {
		case NOT_SPECIAL:
			s->pending =
				call_primitive(s, p, n, s->stack + s->base);
			return RETURNS;
		case APPLY:
			n = spread_arguments(s, n);
			break;
		case CALL_CC:
			if (n != 1)
				wrong_arguments(s, callee, n);
			s->stack[s->base - 1] = s->stack[s->base];
			s->stack[s->base] = make_continuation(s);
		}
	}
}

static _Noreturn void undefined_name(struct scheme *s, value symbol)
{
	scheme_raise(s, make_string(s, "undefined variable", 18),
		     cons(s, symbol, NIL), 0);
}

static value record_ref(struct scheme *s, value record, value type, value index)
{
	if (!has_type(record, RECORD) || vector_of(record)->items[0] != type)
		scheme_fail(s, "field", "not a record of this type", record);
	return vector_of(record)->items[fixnum(index)];
}

static value integer_division(struct scheme *s, const char *name, value a,
			      value b)
{
	value arguments[] = { a, b };
	struct primitive *p =
		(struct primitive *)symbol_of(make_symbol(s, name))->global;
	return p->call(s, 2, arguments);
}

#define OPERATION_LABEL(name) &&name,
#define NEXT()		      goto *labels[*pc++]

#define SYNC()                                       \
	do {                                         \
		s->sp = (size_t)(sp - s->stack);     \
		s->base = (size_t)(base - s->stack); \
		s->pc = pc;                          \
	} while (0)

#define LOAD()                                                       \
	do {                                                         \
		sp = s->stack + s->sp;                               \
		base = s->stack + s->base;                           \
		pc = s->pc;                                          \
		self = (struct closure *)base[-1];                   \
		constants = vector_of(self->code->constants)->items; \
	} while (0)

#define BOTH_FIXNUMS(a, b) ((a) & (b)&1)

#define ARITHMETIC(builtin, operation)                                       \
	do {                                                                 \
		value b = *--sp, a = sp[-1];                                 \
		int64_t result;                                              \
		if (BOTH_FIXNUMS(a, b) &&                                    \
		    !builtin((int64_t)(a - 1), (int64_t)(b - 1), &result)) { \
			sp[-1] = (value)result + 1;                          \
		} else {                                                     \
			SYNC();                                              \
			sp[-1] = number_arithmetic(s, operation, a, b);      \
		}                                                            \
	} while (0)

/* Sets `holds` for the two values on top, and pops them. */
#define COMPARE(order, operation)                                   \
	do {                                                        \
		value b = *--sp, a = *--sp;                         \
		if (BOTH_FIXNUMS(a, b)) {                           \
			holds = (int64_t)a order(int64_t) b;        \
		} else {                                            \
			SYNC();                                     \
			holds = number_compare(s, operation, a, b); \
		}                                                   \
	} while (0)

#define COMPARE_EQV()                           \
	do {                                    \
		value b = *--sp, a = *--sp;     \
		holds = a == b || is_eqv(a, b); \
	} while (0)

#define PUSH_HOLDS() (*sp++ = from_bool(holds))

#define JUMP_UNLESS(condition)      \
	do {                        \
		int32_t to = *pc++; \
		if (!(condition))   \
			pc += to;   \
	} while (0)

#define WANT_PAIR(v, name)                                     \
	do {                                                   \
		if (!is_pair(v)) {                             \
			SYNC();                                \
			scheme_fail(s, name, "not a pair", v); \
		}                                              \
	} while (0)

/*
 * Run from where s->pc, s->sp and s->base say, first calling with n.  Inlined
 * into the caller of setjmp() it would have to keep its locals in memory.
 */
static __attribute__((__noinline__)) value execute(struct scheme *s, size_t n)
{
	const int32_t *pc;
	value *sp, *base, *constants;
	struct closure *self;
	bool holds;

	static const void *const labels[] = { OPERATIONS(OPERATION_LABEL) };

	goto enter;

HALT:
	return sp[-1];
CONST:
	*sp++ = constants[*pc++];
	NEXT();
FIXNUM:
	*sp++ = from_fixnum(*pc++);
	NEXT();
LOCAL:
	*sp++ = base[*pc++];
	NEXT();
LOCAL_BOX:
	*sp++ = box_content(base[*pc++]);
	NEXT();
CAPTURE:
	*sp++ = self->captures[*pc++];
	NEXT();
CAPTURE_BOX:
	*sp++ = box_content(self->captures[*pc++]);
	NEXT();
GLOBAL : {
	value symbol = constants[*pc++];
	value content = symbol_of(symbol)->global;
	if (content == UNDEFINED) {
		SYNC();
		undefined_name(s, symbol);
	}
	*sp++ = content;
	NEXT();
}
SET_LOCAL:
	base[*pc++] = sp[-1];
	sp[-1] = UNSPECIFIED;
	NEXT();
SET_LOCAL_BOX:
	((struct box *)base[*pc++])->content = sp[-1];
	sp[-1] = UNSPECIFIED;
	NEXT();
SET_CAPTURE_BOX:
	((struct box *)self->captures[*pc++])->content = sp[-1];
	sp[-1] = UNSPECIFIED;
	NEXT();
SET_GLOBAL : {
	value symbol = constants[*pc++];
	if (symbol_of(symbol)->global == UNDEFINED) {
		SYNC();
		undefined_name(s, symbol);
	}
	symbol_of(symbol)->global = sp[-1];
	sp[-1] = UNSPECIFIED;
	NEXT();
}
DEFINE:
	symbol_of(constants[*pc++])->global = sp[-1];
	sp[-1] = UNSPECIFIED;
	NEXT();
POP:
	sp--;
	NEXT();
SLIDE : {
	value top = sp[-1];
	sp -= *pc++;
	sp[-1] = top;
	NEXT();
}
BOX : {
	value *slot = &base[*pc++];
	*slot = make_box(s, *slot);
	NEXT();
}
JUMP : {
	int32_t to = *pc++;
	pc += to;
	NEXT();
}
JUMP_FALSE:
	sp--;
	JUMP_UNLESS(*sp != FALSE);
	NEXT();
OR : {
	int32_t to = *pc++;
	if (sp[-1] != FALSE)
		pc += to;
	else
		sp--;
	NEXT();
}
AGAIN : {
	int32_t count = pc[0];
	value *to = base + pc[1], *from = sp - count;
	for (int32_t i = 0; i < count; i++)
		to[i] = from[i];
	sp = to + count;
	pc += 3 + pc[2];
	if (s->allocated > s->threshold) {
		SYNC();
		heap_collect(s);
	}
	NEXT();
}
CLOSURE:
	*sp++ = make_closure(s, constants[pc[0]], pc + 2, pc[1], base);
	pc += 2 + pc[1];
	NEXT();
CALL : {
	n = (size_t)*pc++;
	value callee = sp[-(ptrdiff_t)n - 1];
	if (has_type(callee, PRIMITIVE) && ((struct primitive *)callee)->call) {
		SYNC();
		sp -= n;
		sp[-1] = call_primitive(s, (struct primitive *)callee, n, sp);
		NEXT();
	}
	SYNC();
	push_frame(s, pc, s->base);
	s->base = s->sp - n;
	if (has_type(callee, CLOSURE)) {
		self = (struct closure *)callee;
		if (self->code->n_required == n && !self->code->has_rest &&
		    s->sp + self->code->room + 8 <= s->stack_room &&
		    s->allocated <= s->threshold) {
			base = sp - n;
			pc = self->code->start;
			constants = vector_of(self->code->constants)->items;
			NEXT();
		}
	}
	goto enter;
}
TAIL_CALL : {
	n = (size_t)*pc++;
	value callee = sp[-(ptrdiff_t)n - 1];
	if (has_type(callee, PRIMITIVE) && ((struct primitive *)callee)->call) {
		SYNC();
		sp -= n;
		sp[-1] = call_primitive(s, (struct primitive *)callee, n, sp);
		goto RETURN;
	}
	memmove(base - 1, sp - n - 1, (n + 1) * sizeof(value));
	sp = base + n;
	SYNC();
	goto enter;
}
RETURN : {
	struct frame *frame = &s->frames[--s->depth];
	value result = sp[-1];
	sp = base - 1;
	*sp++ = result;
	pc = frame->pc;
	base = s->stack + frame->base;
	self = (struct closure *)base[-1];
	constants = vector_of(self->code->constants)->items;
	NEXT();
}

ADD:
	ARITHMETIC(__builtin_add_overflow, ADD);
	NEXT();
SUBTRACT:
	ARITHMETIC(__builtin_sub_overflow, SUBTRACT);
	NEXT();
MULTIPLY : {
	value b = *--sp, a = sp[-1];
	int64_t result;
	if (BOTH_FIXNUMS(a, b) &&
	    !__builtin_mul_overflow((int64_t)(a - 1), fixnum(b), &result)) {
		sp[-1] = (value)result + 1;
	} else {
		SYNC();
		sp[-1] = number_arithmetic(s, MULTIPLY, a, b);
	}
	NEXT();
}
ADD_FIXNUM : {
	value a = sp[-1];
	int64_t result, b = *pc++;
	if (is_fixnum(a) &&
	    !__builtin_add_overflow((int64_t)a, 2 * b, &result)) {
		sp[-1] = (value)result;
	} else {
		SYNC();
		sp[-1] = number_arithmetic(s, ADD, a, from_fixnum(b));
	}
	NEXT();
}
LESS:
	COMPARE(<, LESS);
	PUSH_HOLDS();
	NEXT();
GREATER:
	COMPARE(>, GREATER);
	PUSH_HOLDS();
	NEXT();
AT_MOST:
	COMPARE(<=, AT_MOST);
	PUSH_HOLDS();
	NEXT();
AT_LEAST:
	COMPARE(>=, AT_LEAST);
	PUSH_HOLDS();
	NEXT();
EQUAL:
	COMPARE(==, EQUAL);
	PUSH_HOLDS();
	NEXT();
EQ:
	sp--;
	sp[-1] = from_bool(sp[-1] == sp[0]);
	NEXT();
EQV:
	COMPARE_EQV();
	PUSH_HOLDS();
	NEXT();
NOT:
	sp[-1] = from_bool(sp[-1] == FALSE);
	NEXT();
IS_NULL:
	sp[-1] = from_bool(sp[-1] == NIL);
	NEXT();
IS_PAIR:
	sp[-1] = from_bool(is_pair(sp[-1]));
	NEXT();
IS_ZERO:
	*sp++ = from_fixnum(0);
	COMPARE(==, EQUAL);
	PUSH_HOLDS();
	NEXT();
CAR:
	WANT_PAIR(sp[-1], "car");
	sp[-1] = car(sp[-1]);
	NEXT();
CDR:
	WANT_PAIR(sp[-1], "cdr");
	sp[-1] = cdr(sp[-1]);
	NEXT();
CADR:
	WANT_PAIR(sp[-1], "cadr");
	WANT_PAIR(cdr(sp[-1]), "cadr");
	sp[-1] = car(cdr(sp[-1]));
	NEXT();
CDDR:
	WANT_PAIR(sp[-1], "cddr");
	WANT_PAIR(cdr(sp[-1]), "cddr");
	sp[-1] = cdr(cdr(sp[-1]));
	NEXT();
CAAR:
	WANT_PAIR(sp[-1], "caar");
	WANT_PAIR(car(sp[-1]), "caar");
	sp[-1] = car(car(sp[-1]));
	NEXT();
CONS:
	sp--;
	sp[-1] = cons(s, sp[-1], sp[0]);
	NEXT();
SET_CAR:
	sp--;
	WANT_PAIR(sp[-1], "set-car!");
	((struct pair *)sp[-1])->car = sp[0];
	sp[-1] = UNSPECIFIED;
	NEXT();
SET_CDR:
	sp--;
	WANT_PAIR(sp[-1], "set-cdr!");
	((struct pair *)sp[-1])->cdr = sp[0];
	sp[-1] = UNSPECIFIED;
	NEXT();
VECTOR_REF : {
	value index = *--sp, vector = sp[-1];
	if (!has_type(vector, VECTOR) || !is_fixnum(index) ||
	    (uint64_t)fixnum(index) >= vector_of(vector)->length) {
		SYNC();
		want(s, "vector-ref", vector, VECTOR, "not a vector");
		want_index(s, "vector-ref", index, vector_of(vector)->length);
	}
	sp[-1] = vector_of(vector)->items[fixnum(index)];
	NEXT();
}
VECTOR_SET : {
	value to = *--sp, index = *--sp, vector = sp[-1];
	if (!has_type(vector, VECTOR) || !is_fixnum(index) ||
	    (uint64_t)fixnum(index) >= vector_of(vector)->length) {
		SYNC();
		want(s, "vector-set!", vector, VECTOR, "not a vector");
		want_index(s, "vector-set!", index, vector_of(vector)->length);
	}
	vector_of(vector)->items[fixnum(index)] = to;
	sp[-1] = UNSPECIFIED;
	NEXT();
}
STRING_REF : {
	value index = *--sp, string = sp[-1];
	SYNC();
	want(s, "string-ref", string, STRING, "not a string");
	size_t i =
		want_index(s, "string-ref", index, string_of(string)->length);
	sp[-1] = from_char((unsigned char)string_of(string)->bytes[i]);
	NEXT();
}
CHAR_EQUAL:
	sp--;
	if (!is_char(sp[-1]) || !is_char(sp[0])) {
		SYNC();
		scheme_fail(s, "char=?", "not a character",
			    is_char(sp[0]) ? sp[-1] : sp[0]);
	}
	sp[-1] = from_bool(sp[-1] == sp[0]);
	NEXT();
QUOTIENT : {
	value b = *--sp, a = sp[-1];
	if (BOTH_FIXNUMS(a, b) && fixnum(b) > 0) {
		sp[-1] = from_fixnum(fixnum(a) / fixnum(b));
	} else {
		SYNC();
		sp[-1] = integer_division(s, "%quotient", a, b);
	}
	NEXT();
}
REMAINDER : {
	value b = *--sp, a = sp[-1];
	if (BOTH_FIXNUMS(a, b) && fixnum(b) > 0) {
		sp[-1] = from_fixnum(fixnum(a) % fixnum(b));
	} else {
		SYNC();
		sp[-1] = integer_division(s, "%remainder", a, b);
	}
	NEXT();
}
RECORD_REF:
	sp -= 2;
	SYNC();
	sp[-1] = record_ref(s, sp[-1], sp[0], sp[1]);
	NEXT();

UNLESS_LESS:
	COMPARE(<, LESS);
	JUMP_UNLESS(holds);
	NEXT();
UNLESS_GREATER:
	COMPARE(>, GREATER);
	JUMP_UNLESS(holds);
	NEXT();
UNLESS_AT_MOST:
	COMPARE(<=, AT_MOST);
	JUMP_UNLESS(holds);
	NEXT();
UNLESS_AT_LEAST:
	COMPARE(>=, AT_LEAST);
	JUMP_UNLESS(holds);
	NEXT();
UNLESS_EQUAL:
	COMPARE(==, EQUAL);
	JUMP_UNLESS(holds);
	NEXT();
UNLESS_EQ:
	sp -= 2;
	JUMP_UNLESS(sp[0] == sp[1]);
	NEXT();
UNLESS_EQV:
	COMPARE_EQV();
	JUMP_UNLESS(holds);
	NEXT();
IF_TRUE:
	sp--;
	JUMP_UNLESS(*sp == FALSE);
	NEXT();
UNLESS_NULL:
	sp--;
	JUMP_UNLESS(*sp == NIL);
	NEXT();
UNLESS_PAIR:
	sp--;
	JUMP_UNLESS(is_pair(*sp));
	NEXT();
UNLESS_ZERO:
	*sp++ = from_fixnum(0);
	COMPARE(==, EQUAL);
	JUMP_UNLESS(holds);
	NEXT();

enter:
	if (enter(s, n) == ENTERED) {
		LOAD();
		NEXT();
	}
	struct frame *frame = &s->frames[--s->depth];
	s->sp = s->base - 1;
	s->pc = frame->pc;
	s->base = frame->base;
	s->stack[s->sp++] = s->pending;
	s->pending = NIL;
	LOAD();
	NEXT();
}

/* Lay out a call of the program's `raise`; the error may not be caught. */
static size_t call_raise(struct scheme *s)
{
	value raise = symbol_of(s->raise)->global;
	value condition = s->pending;
	if (!has_type(raise, CLOSURE)) {
		s->is_running = false;
		scheme_report(s, condition);
		longjmp(s->toplevel, 1);
	}
	want_room(s, s->sp, 64);
	if (s->frames_room - s->depth < FRAMES_TO_HANDLE)
		grow_frames(s, s->depth + FRAMES_TO_HANDLE);
	push_frame(s, s->pc, s->base);
	s->stack[s->sp++] = raise;
	s->base = s->sp;
	s->stack[s->sp++] = condition;
	return 1;
}

value vm_run(struct scheme *s, value thunk)
{
	want_room(s, 0, 64);
	s->depth = 0;
	s->stack[0] = thunk; /* what a frame of the halting code needs */
	s->stack[1] = thunk;
	push_frame(s, halt, 1);
	s->base = s->sp = 2;
	s->is_running = true;

	size_t n = 0;
	if (setjmp(s->escape))
		n = call_raise(s);
	value result = execute(s, n);
	s->is_running = false;
	return result;
}

static value uncaught(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	s->is_running = false;
	scheme_report(s, argv[0]);
	longjmp(s->toplevel, 1);
}

static value compile_form(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return scheme_compile(s, argv[0]);
}

static value error(struct scheme *s, int argc, value *argv)
{
	value irritants = NIL;
	for (int i = argc; i-- > 1;)
		irritants = cons(s, argv[i], irritants);
	scheme_raise(s, argv[0], irritants, 0);
}

const struct definition machine_primitives[] = {
	{ "apply", NULL, 0, -1 },	 { "%call/cc", NULL, 0, -1 },
	{ "%uncaught", uncaught, 1, 1 }, { "%compile", compile_form, 1, 1 },
	{ "error", error, 1, -1 },	 { NULL, NULL, 0, 0 },
};
