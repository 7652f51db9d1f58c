/*
 * tree.h - a form after its syntax is understood: names are resolved to
 * variables, derived forms and macros are gone.  expand.c makes it, compile.c
 * turns it into instructions.
 *
 * Ownership: everything lives in the arena of one top-level form.
 */
#ifndef TREE_H
#define TREE_H

#include "scheme.h"

enum node_kind {
	NODE_CONST,
	NODE_LOCAL,
	NODE_GLOBAL,
	NODE_SET_LOCAL,
	NODE_SET_GLOBAL,
	NODE_DEFINE,
	NODE_IF,
	NODE_OR,
	NODE_SEQUENCE,
	NODE_LAMBDA,
	NODE_CALL, /* first the procedure, then the arguments */
	NODE_LET,
	NODE_LOOP,  /* a let whose body may start again */
	NODE_AGAIN, /* items: the new values of the loop's variables */
};

struct variable {
	value name;
	struct variable *next; /* in its scope */
	struct lambda *owner;
	bool is_captured, is_assigned;
	size_t slot; /* counted from the first argument */

	/* A name of a named let.  It is a loop as long as it is only called,
	   where nothing remains to be done after the call. */
	bool is_loop, is_broken;
	unsigned int nesting;
	size_t n_arguments;
	struct node *loop;
};

struct scope {
	struct scope *outer;
	struct variable *variables;
};

struct node {
	enum node_kind kind;
	uint32_t line;
	value datum; /* constant or global name */
	struct variable *variable;
	struct lambda *lambda;
	struct node **items; /* of if: test, then, else */
	size_t n;
	struct variable **variables; /* let, loop: one for each item but the
					last, which is the body */
	size_t start;		     /* loop: first instruction of the body */
	size_t depth;		     /* let, loop: of the stack outside */
	size_t *jumps, n_jumps;	     /* if: from the parts of its test */
};

struct lambda {
	struct lambda *outer;
	struct variable **parameters;
	size_t n_parameters;
	bool has_rest;
	struct variable **captures;
	size_t n_captures, captures_room;
	struct node *body;
	value name;
};

struct expander {
	struct scheme *s;
	struct scope *scope; /* NULL: top level */
	struct lambda *lambda;
	unsigned int nesting; /* how deep in operands we are */
};

void *arena_alloc(struct scheme *s, size_t n, size_t size);
void arena_free(struct scheme *s);

struct lambda *expand_toplevel(struct scheme *s, value form);

/* forms.c: rewrite a derived form into simpler ones. */
typedef value form_rewrite(struct scheme *s, value form);
struct derived_form {
	const char *name;
	form_rewrite *rewrite;
};
extern const struct derived_form derived_forms[];

static inline value list1(struct scheme *s, value a)
{
	return cons(s, a, NIL);
}

static inline value list2(struct scheme *s, value a, value b)
{
	return cons(s, a, list1(s, b));
}

static inline value list3(struct scheme *s, value a, value b, value c)
{
	return cons(s, a, list2(s, b, c));
}

#endif
