/* Printing: `write` (as source) and `display`. */
#include "scheme.h"

static void put_char(struct scheme *s, uint32_t c, struct port *to)
{
	char byte = (char)c;
	port_put(s, to, &byte, 1);
}

static void put_quoted(struct scheme *s, struct string *string, struct port *to)
{
	port_put_text(s, to, "\"");
	for (size_t i = 0; i < string->length; i++) {
		char c = string->bytes[i];
		if (c == '"' || c == '\\')
			port_put_text(s, to, "\\");
		if (c == '\n')
			port_put_text(s, to, "\\n");
		else
			put_char(s, (unsigned char)c, to);
	}
	port_put_text(s, to, "\"");
}

static void put_char_name(struct scheme *s, uint32_t c, struct port *to)
{
	port_put_text(s, to, "#\\");
	if (c == ' ')
		port_put_text(s, to, "space");
	else if (c == '\n')
		port_put_text(s, to, "newline");
	else if (c == '\t')
		port_put_text(s, to, "tab");
	else
		put_char(s, c, to);
}

static void put_immediate(struct scheme *s, value v, bool as_source,
			  struct port *to)
{
	char text[32];
	if (is_fixnum(v)) {
		number_format(text, sizeof(text), v, 10);
		port_put_text(s, to, text);
	} else if (is_char(v) && as_source) {
		put_char_name(s, char_of(v), to);
	} else if (is_char(v)) {
		put_char(s, char_of(v), to);
	} else {
		port_put_text(s, to,
			      v == NIL		 ? "()"
			      : v == TRUE	 ? "#t"
			      : v == FALSE	 ? "#f"
			      : v == END_OF_FILE ? "#<eof>"
			      : v == UNDEFINED	 ? "#<undefined>"
						 : "#<unspecified>");
	}
}

static void put_list(struct scheme *s, value v, bool as_source, struct port *to)
{
	const char *separator = "(";
	for (; is_pair(v); v = cdr(v), separator = " ") {
		port_put_text(s, to, separator);
		scheme_print(s, car(v), as_source, to);
	}
	if (v != NIL) {
		port_put_text(s, to, " . ");
		scheme_print(s, v, as_source, to);
	}
	port_put_text(s, to, ")");
}

static void put_items(struct scheme *s, struct vector *vector, const char *open,
		      bool as_source, struct port *to)
{
	port_put_text(s, to, open);
	for (size_t i = 0; i < vector->length; i++) {
		if (i)
			port_put_text(s, to, " ");
		scheme_print(s, vector->items[i], as_source, to);
	}
	port_put_text(s, to, ")");
}

static void put_named(struct scheme *s, const char *kind, value name,
		      struct port *to)
{
	port_put_text(s, to, "#<");
	port_put_text(s, to, kind);
	if (is_object(name)) {
		port_put_text(s, to, " ");
		scheme_print(s, name, false, to);
	}
	port_put_text(s, to, ">");
}

static void put_record(struct scheme *s, struct vector *record, struct port *to)
{
	struct vector *type = vector_of(record->items[0]);
	port_put_text(s, to, "#<");
	scheme_print(s, type->items[0], false, to);
	for (size_t i = 1; i < record->length; i++) {
		port_put_text(s, to, " ");
		scheme_print(s, record->items[i], true, to);
	}
	port_put_text(s, to, ">");
}

void scheme_print(struct scheme *s, value v, bool as_source, struct port *to)
{
	char text[40];
	if (!is_object(v)) {
		put_immediate(s, v, as_source, to);
		return;
	}
	switch ((enum type)object_of(v)->type) {
	case PAIR:
		put_list(s, v, as_source, to);
		break;
	case FLONUM:
		number_format(text, sizeof(text), v, 10);
		port_put_text(s, to, text);
		break;
	case STRING:
		if (as_source)
			put_quoted(s, string_of(v), to);
		else
			port_put(s, to, string_of(v)->bytes,
				 string_of(v)->length);
		break;
	case SYMBOL:
		scheme_print(s, symbol_of(v)->name, false, to);
		break;
	case VECTOR:
		put_items(s, vector_of(v), "#(", as_source, to);
		break;
	case VALUES:
		put_items(s, vector_of(v), "#<values ", as_source, to);
		break;
	case RECORD:
		put_record(s, vector_of(v), to);
		break;
	case RECORD_TYPE:
		put_named(s, "record-type", vector_of(v)->items[0], to);
		break;
	case CONDITION:
		put_named(s, "condition", vector_of(v)->items[0], to);
		break;
	case CLOSURE:
		put_named(s, "procedure", ((struct closure *)v)->code->name,
			  to);
		break;
	case PRIMITIVE:
		put_named(s, "procedure",
			  make_symbol(s, ((struct primitive *)v)->name), to);
		break;
	case CONTINUATION:
		put_named(s, "continuation", FALSE, to);
		break;
	case TABLE:
		put_named(s, "hash-table", FALSE, to);
		break;
	case PORT:
		put_named(s, "port", FALSE, to);
		break;
	case FREE:
	case BOX:
	case CODE:
	case MACRO:
		put_named(s, "internal", FALSE, to);
		break;
	}
}
