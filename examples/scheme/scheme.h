/*
 * scheme.h - values, the interpreter's state, and who does what with them.
 *
 *	struct scheme *s = scheme_new();
 *	ok = scheme_load(s, port_open_text(s, "(display (+ 1 2))"), "text");
 *	scheme_free(s);
 *
 * Units: a value is one word: a small integer, an immediate, or the address
 * of an object, told apart by its low bits.  Integers are exact within 62
 * bits and become floating-point numbers beyond.
 *
 * Ownership: objects belong to the heap and never move.  The collector runs
 * only where the machine enters a procedure or repeats a loop; C code may
 * therefore hold values in locals without telling anyone.
 *
 * Errors: scheme_fail() and its kin do not return; they unwind to the machine,
 * which gives the program's handlers their chance, or to scheme_load().
 */
#ifndef SCHEME_H
#define SCHEME_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uintptr_t value;

enum type {
	FREE,
	PAIR,
	FLONUM,
	STRING,
	SYMBOL,
	BOX,
	CLOSURE,
	PRIMITIVE,
	CODE,
	CONTINUATION,
	TABLE,
	PORT,
	/* From here on: a count of items and the items. */
	VECTOR,
	RECORD,	     /* its type, then its fields */
	RECORD_TYPE, /* name, then the names of the fields */
	CONDITION,   /* message, irritants, file, line, procedure */
	VALUES,
	MACRO, /* literals, rules, ellipsis */
};

struct object {
	uint8_t type;
	uint8_t is_marked;
	uint16_t flags;
	uint32_t extra; /* pair: line it was read from; closure: captures */
};

struct cell { /* a free one */
	struct object head;
	struct cell *next;
};

struct pair {
	struct object head;
	value car, cdr;
};

struct flonum {
	struct object head;
	double number;
};

struct string {
	struct object head;
	size_t length;
	char bytes[]; /* and a zero byte */
};

struct symbol {
	struct object head;
	value name;
	value global;	  /* UNDEFINED until defined */
	value macro;	  /* FALSE, or what define-syntax gave it */
	value renames;	  /* FALSE, or the symbol that a macro wrote */
	uint16_t form;	  /* 0, or its place among the special forms + 1 */
	uint16_t inlines; /* how the compiler opens calls of it, or 0 */
	uint32_t hash;
};

struct box {
	struct object head;
	value content;
};

struct code {
	struct object head;
	value constants; /* vector */
	value words;	 /* string of int32_t */
	value lines;	 /* string of struct line */
	value name, file;
	const int32_t *start;
	uint32_t n_required;
	uint32_t has_rest;
	uint32_t room; /* stack that a call needs above its arguments */
};

struct line {
	uint32_t at, line;
};

struct closure {
	struct object head;
	struct code *code;
	value captures[];
};

struct scheme;
typedef value primitive_function(struct scheme *s, int argc, value *argv);

struct primitive {
	struct object head;
	const char *name;
	primitive_function *call; /* NULL: the machine does it itself */
	int least, most;	  /* arguments; most < 0: any number */
};

struct frame {
	const int32_t *pc;
	size_t base;
};

struct continuation {
	struct object head;
	size_t n_values, n_frames;
	value values[]; /* then the frames */
};

struct table {
	struct object head;
	value entries; /* vector: key, content, key, content... */
	value slots;   /* string of uint32_t: entry + 1, or 0 */
	size_t used, live;
};

struct port {
	struct object head;
	FILE *file;   /* NULL: a string port */
	value buffer; /* string */
	size_t position, length;
	uint32_t line;
	bool is_input, is_open;
};

struct vector {
	struct object head;
	size_t length;
	value items[];
};

/* Integers end in 1, immediates in 2, characters in 6, objects in 0. */
#define NIL	    ((value)0x02)
#define FALSE	    ((value)0x12)
#define TRUE	    ((value)0x22)
#define UNSPECIFIED ((value)0x32)
#define UNDEFINED   ((value)0x42)
#define END_OF_FILE ((value)0x52)

#define SMALL_WORDS 16 /* larger objects are malloc'ed one by one */
#define FIXNUM_MAX  (INT64_C(0x3fffffffffffffff))
#define FIXNUM_MIN  (-FIXNUM_MAX - 1)

struct large;
struct page;

struct scheme {
	/* The heap: a list of free cells for each size in words. */
	struct cell *cells[SMALL_WORDS + 1];
	struct page *pages;
	struct large *larges;
	size_t allocated, threshold; /* bytes since, and until, a collection */
	value *gray;		     /* marked, but not yet their contents */
	size_t n_gray, gray_room;

	value *symbols; /* hash table */
	size_t n_symbols, symbols_room;
	unsigned int n_renamed;

	/* The machine.  While a primitive runs these are up to date. */
	value *stack;
	size_t sp, base, stack_room;
	const int32_t *pc;
	struct frame *frames;
	size_t depth, frames_room;
	bool is_running;
	jmp_buf escape;	  /* to the machine, with an error in pending */
	jmp_buf toplevel; /* to scheme_load() */
	value pending;

	value raise; /* the symbols whose meaning C code needs */
	value quote, quasiquote, unquote, unquote_splicing;
	value define, begin, lambda, otherwise, arrow, dots, underscore;
	value output;	     /* current output port */
	value file;	     /* name of the source being loaded */
	struct arena *arena; /* the compiler's memory, freed after each form */
};

static inline bool is_fixnum(value v)
{
	return v & 1;
}

static inline int64_t fixnum(value v)
{
	return (int64_t)v >> 1;
}

static inline value from_fixnum(int64_t n)
{
	return (value)n << 1 | 1;
}

static inline bool is_char(value v)
{
	return (v & 0xf) == 6;
}

static inline uint32_t char_of(value v)
{
	return v >> 4;
}

static inline value from_char(uint32_t c)
{
	return (value)c << 4 | 6;
}

static inline value from_bool(bool b)
{
	return b ? TRUE : FALSE;
}

static inline struct object *object_of(value v)
{
	return (struct object *)v;
}

static inline bool is_object(value v)
{
	return !(v & 7);
}

static inline bool has_type(value v, enum type type)
{
	return is_object(v) && object_of(v)->type == type;
}

static inline bool is_pair(value v)
{
	return has_type(v, PAIR);
}

static inline value car(value v)
{
	return ((struct pair *)v)->car;
}

static inline value cdr(value v)
{
	return ((struct pair *)v)->cdr;
}

static inline struct symbol *symbol_of(value v)
{
	return (struct symbol *)v;
}

static inline struct string *string_of(value v)
{
	return (struct string *)v;
}

static inline struct vector *vector_of(value v)
{
	return (struct vector *)v;
}

static inline double flonum(value v)
{
	return ((struct flonum *)v)->number;
}

/* heap.c */
struct cell *heap_refill(struct scheme *s, size_t words);
void heap_collect(struct scheme *s);
void heap_free(struct scheme *s);
void *xrealloc(void *old, size_t bytes);

/* Take a cell of so many words off its list. */
static inline void *heap_cell(struct scheme *s, size_t words)
{
	struct cell *cell = s->cells[words];
	if (!cell)
		cell = heap_refill(s, words);
	s->cells[words] = cell->next;
	s->allocated += 8 * words;
	return cell;
}

/* A new object, zeroed but for its type. */
void *heap_new(struct scheme *s, enum type type, size_t bytes);

static inline value cons(struct scheme *s, value a, value d)
{
	struct pair *p = heap_cell(s, sizeof(*p) / 8);
	p->head = (struct object){ .type = PAIR };
	p->car = a;
	p->cdr = d;
	return (value)p;
}

static inline value from_double(struct scheme *s, double number)
{
	struct flonum *f = heap_cell(s, sizeof(*f) / 8);
	f->head = (struct object){ .type = FLONUM };
	f->number = number;
	return (value)f;
}

value make_string(struct scheme *s, const char *bytes, size_t length);
value make_vector(struct scheme *s, enum type type, size_t length, value fill);
value make_symbol(struct scheme *s, const char *name);
value make_renamed(struct scheme *s, value original);
value original_symbol(value symbol);
value copy_plain(struct scheme *s, value datum); /* without renamed symbols */

/* error.c */
_Noreturn void scheme_fail(struct scheme *s, const char *who, const char *what,
			   value culprit);
_Noreturn void scheme_raise(struct scheme *s, value message, value irritants,
			    uint32_t line);
_Noreturn void scheme_bad_form(struct scheme *s, value form, const char *what);
void scheme_report(struct scheme *s, value condition);

/* read.c, print.c */
value scheme_read(struct scheme *s, struct port *port);
value parse_number(struct scheme *s, const char *text, int radix);
void scheme_print(struct scheme *s, value v, bool as_source, struct port *to);

/* compile.c: a procedure of no arguments that does what the form says. */
value scheme_compile(struct scheme *s, value form);
/* rules.c: the form that a use of a macro stands for. */
value macro_expand(struct scheme *s, value macro, value form);

/* vm.c */
value vm_run(struct scheme *s, value thunk);
void vm_location(struct scheme *s, value *file, uint32_t *line, value *name);

/* number.c: what the machine does when its operands are not small integers. */
enum arithmetic { ADD, SUBTRACT, MULTIPLY };
enum comparison { LESS, GREATER, AT_MOST, AT_LEAST, EQUAL };
value number_arithmetic(struct scheme *s, enum arithmetic op, value a, value b);
bool number_compare(struct scheme *s, enum comparison op, value a, value b);
value from_int64(struct scheme *s, int64_t n);
void number_format(char *to, size_t room, value v, int radix);

/* list.c */
bool is_equal(value a, value b);
bool is_eqv(value a, value b);
size_t list_length(struct scheme *s, value list, const char *who);

/* port.c */
struct port *port_open_text(struct scheme *s, const char *text);
struct port *port_open_file(struct scheme *s, FILE *file);
int port_get(struct port *port);
int port_peek(struct port *port);
void port_put(struct scheme *s, struct port *port, const char *text,
	      size_t length);
void port_put_text(struct scheme *s, struct port *port, const char *text);

/* Tables of primitives, one for each file that has some. */
struct definition {
	const char *name;
	primitive_function *call;
	int least, most;
};
extern const struct definition number_primitives[], list_primitives[],
	string_primitives[], table_primitives[], port_primitives[],
	machine_primitives[];

/* expand.c: make the names of the special forms mean them. */
void syntax_define(struct scheme *s);
/* compile.c: mark the procedures whose calls are opened. */
void inlines_define(struct scheme *s);

/* main.c */
struct scheme *scheme_new(void);
void scheme_free(struct scheme *s);
bool scheme_load(struct scheme *s, struct port *port, const char *name);

/* Argument checks for primitives. */
static inline value want(struct scheme *s, const char *who, value v,
			 enum type type, const char *what)
{
	if (!has_type(v, type))
		scheme_fail(s, who, what, v);
	return v;
}

static inline size_t want_index(struct scheme *s, const char *who, value v,
				size_t limit)
{
	if (!is_fixnum(v) || fixnum(v) < 0 || (uint64_t)fixnum(v) >= limit)
		scheme_fail(s, who, "index out of range", v);
	return (size_t)fixnum(v);
}

#endif
