/*
 * Errors.  An error is a condition object that says where it happened.  While
 * the machine runs it goes to the machine, which calls the program's `raise`;
 * otherwise (a form that does not compile) it is reported at once.
 */
#include "scheme.h"

_Noreturn void scheme_raise(struct scheme *s, value message, value irritants,
			    uint32_t line)
{
	value file = s->file, name = FALSE;
	if (!line)
		vm_location(s, &file, &line, &name);

	value condition = make_vector(s, CONDITION, 5, FALSE);
	struct vector *c = vector_of(condition);
	c->items[0] = message;
	c->items[1] = irritants;
	c->items[2] = file;
	c->items[3] = from_fixnum(line);
	c->items[4] = name;

	s->pending = condition;
	if (s->is_running)
		longjmp(s->escape, 1);
	scheme_report(s, condition);
	longjmp(s->toplevel, 1);
}

_Noreturn void scheme_fail(struct scheme *s, const char *who, const char *what,
			   value culprit)
{
	char text[200];
	int n = snprintf(text, sizeof(text), "%s: %s", who, what);
	scheme_raise(s, make_string(s, text, (size_t)n),
		     culprit == UNDEFINED ? NIL : cons(s, culprit, NIL), 0);
}

_Noreturn void scheme_bad_form(struct scheme *s, value form, const char *what)
{
	uint32_t line = is_pair(form) ? object_of(form)->extra : 0;
	scheme_raise(s, make_string(s, what, strlen(what)),
		     cons(s, copy_plain(s, form), NIL), line);
}

static void put_place(struct scheme *s, struct port *to, struct vector *c)
{
	char text[32];
	if (!has_type(c->items[2], STRING))
		return;
	scheme_print(s, c->items[2], false, to);
	snprintf(text, sizeof(text), ":%d: ", (int)fixnum(c->items[3]));
	port_put_text(s, to, text);
}

/* file:line: message: irritant irritant (in procedure) */
void scheme_report(struct scheme *s, value condition)
{
	struct port *to = port_open_file(s, stderr);
	if (!has_type(condition, CONDITION)) {
		port_put_text(s, to, "uncaught: ");
		scheme_print(s, condition, true, to);
		port_put_text(s, to, "\n");
		return;
	}
	struct vector *c = vector_of(condition);
	fflush(stdout);
	put_place(s, to, c);
	scheme_print(s, c->items[0], false, to);
	struct string *message = string_of(c->items[0]);
	bool has_colon = has_type(c->items[0], STRING) && message->length &&
			 message->bytes[message->length - 1] == ':';
	const char *separator = has_colon ? " " : ": ";
	for (value i = c->items[1]; is_pair(i); i = cdr(i), separator = " ") {
		port_put_text(s, to, separator);
		scheme_print(s, car(i), true, to);
	}
	if (has_type(c->items[4], SYMBOL)) {
		port_put_text(s, to, " (in ");
		scheme_print(s, c->items[4], false, to);
		port_put_text(s, to, ")");
	}
	port_put_text(s, to, "\n");
}
