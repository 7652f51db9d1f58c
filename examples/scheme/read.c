/*
 * The reader.  Every pair remembers the line of its opening parenthesis, so
 * that errors at compile time and at run time can say where.
 */
#include "scheme.h"

#include <ctype.h>
#include <stdlib.h>

#define TOKEN_ROOM 1024

struct reader {
	struct scheme *s;
	struct port *port;
	char token[TOKEN_ROOM];
};

static value read_datum(struct reader *r);

static _Noreturn void bad_syntax(struct reader *r, const char *what)
{
	scheme_raise(r->s, make_string(r->s, what, strlen(what)), NIL,
		     r->port->line);
}

static void skip_nested_comment(struct reader *r)
{
	for (int depth = 1; depth > 0;) {
		int c = port_get(r->port);
		if (c == EOF)
			bad_syntax(r, "unterminated #| comment");
		if (c == '|' && port_peek(r->port) == '#') {
			port_get(r->port);
			depth--;
		} else if (c == '#' && port_peek(r->port) == '|') {
			port_get(r->port);
			depth++;
		}
	}
}

static int skip_blanks(struct reader *r)
{
	for (;;) {
		int c = port_peek(r->port);
		if (c == ';') {
			while (c != '\n' && c != EOF)
				c = port_get(r->port);
		} else if (c != EOF && isspace(c)) {
			port_get(r->port);
		} else {
			return c;
		}
	}
}

static bool ends_token(int c)
{
	return c == EOF || isspace(c) || strchr("()\";'", c);
}

static void read_token(struct reader *r, size_t n)
{
	while (!ends_token(port_peek(r->port))) {
		if (n + 1 >= TOKEN_ROOM)
			bad_syntax(r, "name too long");
		r->token[n++] = (char)port_get(r->port);
	}
	r->token[n] = '\0';
}

static value read_atom(struct reader *r)
{
	read_token(r, 0);
	value number = parse_number(r->s, r->token, 10);
	return number != FALSE ? number : make_symbol(r->s, r->token);
}

static int read_escape(struct reader *r)
{
	int c = port_get(r->port);
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	case 'a':
		return '\a';
	case '0':
		return '\0';
	default:
		return c;
	}
}

static value read_string(struct reader *r)
{
	struct port *text = port_open_text(r->s, "");
	text->is_input = false;
	port_get(r->port);
	for (;;) {
		int c = port_get(r->port);
		if (c == EOF)
			bad_syntax(r, "unterminated string");
		if (c == '"')
			break;
		if (c == '\\' && port_peek(r->port) == '\n') {
			while (isspace(port_peek(r->port)))
				port_get(r->port);
			continue;
		}
		char byte = (char)(c == '\\' ? read_escape(r) : c);
		port_put(r->s, text, &byte, 1);
	}
	return make_string(r->s, string_of(text->buffer)->bytes, text->length);
}

static value read_char(struct reader *r)
{
	static const struct {
		const char *name;
		uint32_t code;
	} names[] = { { "space", ' ' },	   { "newline", '\n' },
		      { "tab", '\t' },	   { "return", '\r' },
		      { "null", 0 },	   { "nul", 0 },
		      { "alarm", 7 },	   { "backspace", 8 },
		      { "delete", 127 },   { "escape", 27 },
		      { "linefeed", '\n' } };
	r->token[0] = (char)port_get(r->port);
	read_token(r, 1);
	if (!r->token[1])
		return from_char((unsigned char)r->token[0]);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i].name, r->token))
			return from_char(names[i].code);
	if (r->token[0] == 'x')
		return from_char((uint32_t)strtoul(r->token + 1, NULL, 16));
	bad_syntax(r, "unknown character name");
}

static value read_list(struct reader *r)
{
	struct scheme *s = r->s;
	uint32_t opened = r->port->line;
	value first = NIL, last = NIL;
	port_get(r->port);
	for (;;) {
		int c = skip_blanks(r);
		if (c == EOF)
			scheme_raise(s, make_string(s, "missing )", 9), NIL,
				     opened);
		if (c == ')') {
			port_get(r->port);
			return first;
		}
		uint32_t line = first == NIL ? opened : r->port->line;
		value item = read_datum(r);
		if (item == UNDEFINED)
			continue;
		if (has_type(item, SYMBOL) && first != NIL &&
		    !strcmp(string_of(symbol_of(item)->name)->bytes, ".")) {
			((struct pair *)last)->cdr = read_datum(r);
			if (skip_blanks(r) != ')')
				bad_syntax(r, "bad dotted list");
			continue;
		}
		value next = cons(s, item, NIL);
		object_of(next)->extra = line;
		if (first == NIL)
			first = next;
		else
			((struct pair *)last)->cdr = next;
		last = next;
	}
}

static value read_vector(struct reader *r)
{
	value list = read_list(r);
	size_t n = 0;
	for (value i = list; is_pair(i); i = cdr(i))
		n++;
	value vector = make_vector(r->s, VECTOR, n, NIL);
	for (size_t i = 0; i < n; i++, list = cdr(list))
		vector_of(vector)->items[i] = car(list);
	return vector;
}

/* What follows a #.  UNDEFINED: it was a comment. */
static value read_hash(struct reader *r)
{
	struct scheme *s = r->s;
	port_get(r->port);
	int c = port_peek(r->port);
	if (c == '(')
		return read_vector(r);
	if (c == '\\') {
		port_get(r->port);
		return read_char(r);
	}
	if (c == '|') {
		port_get(r->port);
		skip_nested_comment(r);
		return UNDEFINED;
	}
	if (c == ';') {
		port_get(r->port);
		read_datum(r);
		return UNDEFINED;
	}
	read_token(r, 0);
	if (!strcmp(r->token, "t") || !strcmp(r->token, "true"))
		return TRUE;
	if (!strcmp(r->token, "f") || !strcmp(r->token, "false"))
		return FALSE;
	int radix = c == 'x' ? 16 : c == 'b' ? 2 : c == 'o' ? 8 : 10;
	value number = strchr("xbod", c) ? parse_number(s, r->token + 1, radix)
					 : FALSE;
	if (number == FALSE)
		bad_syntax(r, "unknown # syntax");
	return number;
}

static value read_quoted(struct reader *r, value name)
{
	uint32_t line = r->port->line;
	value datum;
	do
		datum = read_datum(r);
	while (datum == UNDEFINED);
	if (datum == END_OF_FILE)
		bad_syntax(r, "nothing to quote");
	value list = cons(r->s, name, cons(r->s, datum, NIL));
	object_of(list)->extra = line;
	return list;
}

static value read_datum(struct reader *r)
{
	struct scheme *s = r->s;
	switch (skip_blanks(r)) {
	case EOF:
		return END_OF_FILE;
	case '(':
		return read_list(r);
	case ')':
		port_get(r->port);
		bad_syntax(r, "unexpected )");
	case '"':
		return read_string(r);
	case '#':
		return read_hash(r);
	case '\'':
		port_get(r->port);
		return read_quoted(r, s->quote);
	case '`':
		port_get(r->port);
		return read_quoted(r, s->quasiquote);
	case ',':
		port_get(r->port);
		if (port_peek(r->port) != '@')
			return read_quoted(r, s->unquote);
		port_get(r->port);
		return read_quoted(r, s->unquote_splicing);
	default:
		return read_atom(r);
	}
}

value scheme_read(struct scheme *s, struct port *port)
{
	struct reader r = { .s = s, .port = port };
	value datum;
	do
		datum = read_datum(&r);
	while (datum == UNDEFINED);
	return datum;
}
