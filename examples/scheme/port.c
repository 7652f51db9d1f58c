/*
 * Ports on files and on strings.  A port that nobody closes keeps its file
 * open until the program ends.
 */
#include "scheme.h"

#include <stdlib.h>
#include <time.h>

struct port *port_open_file(struct scheme *s, FILE *file)
{
	struct port *port = heap_new(s, PORT, sizeof(*port));
	port->file = file;
	port->buffer = NIL;
	port->line = 1;
	port->is_open = true;
	return port;
}

struct port *port_open_text(struct scheme *s, const char *text)
{
	struct port *port = port_open_file(s, NULL);
	port->length = strlen(text);
	port->buffer = make_string(s, text, port->length);
	port->is_input = true;
	return port;
}

int port_peek(struct port *port)
{
	if (port->file) {
		int c = getc(port->file);
		ungetc(c, port->file);
		return c;
	}
	if (port->position == port->length)
		return EOF;
	return (unsigned char)string_of(port->buffer)->bytes[port->position];
}

int port_get(struct port *port)
{
	int c = port->file ? getc(port->file) : port_peek(port);
	if (!port->file && c != EOF)
		port->position++;
	if (c == '\n')
		port->line++;
	return c;
}

static void make_room(struct scheme *s, struct port *port, size_t more)
{
	struct string *old = string_of(port->buffer);
	if (port->length + more <= old->length)
		return;
	value buffer = make_string(s, NULL, 2 * (port->length + more) + 32);
	memcpy(string_of(buffer)->bytes, old->bytes, port->length);
	port->buffer = buffer;
}

void port_put(struct scheme *s, struct port *port, const char *text,
	      size_t length)
{
	if (port->file) {
		fwrite(text, 1, length, port->file);
		return;
	}
	make_room(s, port, length);
	memcpy(string_of(port->buffer)->bytes + port->length, text, length);
	port->length += length;
}

void port_put_text(struct scheme *s, struct port *port, const char *text)
{
	port_put(s, port, text, strlen(text));
}

static struct port *want_port(struct scheme *s, const char *who, value v,
			      bool is_input)
{
	struct port *port = (struct port *)want(s, who, v, PORT, "not a port");
	if (!port->is_open)
		scheme_fail(s, who, "port is closed", v);
	if (port->is_input != is_input)
		scheme_fail(s, who, "wrong kind of port", v);
	return port;
}

static struct port *output(struct scheme *s, const char *who, int argc,
			   value *argv, int at)
{
	return want_port(s, who, argc > at ? argv[at] : s->output, false);
}

static value write_(struct scheme *s, int argc, value *argv)
{
	scheme_print(s, argv[0], true, output(s, "write", argc, argv, 1));
	return UNSPECIFIED;
}

static value display(struct scheme *s, int argc, value *argv)
{
	scheme_print(s, argv[0], false, output(s, "display", argc, argv, 1));
	return UNSPECIFIED;
}

static value newline(struct scheme *s, int argc, value *argv)
{
	port_put(s, output(s, "newline", argc, argv, 0), "\n", 1);
	return UNSPECIFIED;
}

static value write_char(struct scheme *s, int argc, value *argv)
{
	if (!is_char(argv[0]))
		scheme_fail(s, "write-char", "not a character", argv[0]);
	char byte = (char)char_of(argv[0]);
	port_put(s, output(s, "write-char", argc, argv, 1), &byte, 1);
	return UNSPECIFIED;
}

static value write_string(struct scheme *s, int argc, value *argv)
{
	want(s, "write-string", argv[0], STRING, "not a string");
	port_put(s, output(s, "write-string", argc, argv, 1),
		 string_of(argv[0])->bytes, string_of(argv[0])->length);
	return UNSPECIFIED;
}

static value open_input_string(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	want(s, "open-input-string", argv[0], STRING, "not a string");
	struct port *port = port_open_text(s, "");
	port->length = string_of(argv[0])->length;
	port->buffer = make_string(s, string_of(argv[0])->bytes, port->length);
	return (value)port;
}

static value open_output_string(struct scheme *s, int argc, value *argv)
{
	(void)argc, (void)argv;
	struct port *port = port_open_text(s, "");
	port->is_input = false;
	return (value)port;
}

static value get_output_string(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	struct port *port = want_port(s, "get-output-string", argv[0], false);
	if (port->file)
		scheme_fail(s, "get-output-string", "not a string port",
			    argv[0]);
	return make_string(s, string_of(port->buffer)->bytes, port->length);
}

static value open_file(struct scheme *s, const char *who, value name,
		       const char *mode)
{
	want(s, who, name, STRING, "not a string");
	FILE *file = fopen(string_of(name)->bytes, mode);
	if (!file)
		scheme_fail(s, who, "cannot open", name);
	struct port *port = port_open_file(s, file);
	port->is_input = *mode == 'r';
	return (value)port;
}

static value open_input_file(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return open_file(s, "open-input-file", argv[0], "r");
}

static value open_output_file(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return open_file(s, "open-output-file", argv[0], "w");
}

static value close_port(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	struct port *port = (struct port *)want(s, "close-port", argv[0], PORT,
						"not a port");
	if (port->file && port->is_open)
		fclose(port->file);
	port->file = NULL;
	port->is_open = false;
	return UNSPECIFIED;
}

static struct port *input(struct scheme *s, const char *who, int argc,
			  value *argv)
{
	if (argc)
		return want_port(s, who, argv[0], true);
	return want_port(s, who,
			 symbol_of(make_symbol(s, "%standard-input"))->global,
			 true);
}

static value read_char(struct scheme *s, int argc, value *argv)
{
	int c = port_get(input(s, "read-char", argc, argv));
	return c == EOF ? END_OF_FILE : from_char((uint32_t)c);
}

static value peek_char(struct scheme *s, int argc, value *argv)
{
	int c = port_peek(input(s, "peek-char", argc, argv));
	return c == EOF ? END_OF_FILE : from_char((uint32_t)c);
}

static value read_line(struct scheme *s, int argc, value *argv)
{
	struct port *port = input(s, "read-line", argc, argv);
	struct port *line = port_open_text(s, "");
	int c = port_get(port);
	if (c == EOF)
		return END_OF_FILE;
	for (; c != EOF && c != '\n'; c = port_get(port)) {
		char byte = (char)c;
		port_put(s, line, &byte, 1);
	}
	return make_string(s, string_of(line->buffer)->bytes, line->length);
}

static value read_(struct scheme *s, int argc, value *argv)
{
	return scheme_read(s, input(s, "read", argc, argv));
}

static value is_eof(struct scheme *s, int argc, value *argv)
{
	(void)s, (void)argc;
	return from_bool(argv[0] == END_OF_FILE);
}

static value eof_object(struct scheme *s, int argc, value *argv)
{
	(void)s, (void)argc, (void)argv;
	return END_OF_FILE;
}

static value current_output(struct scheme *s, int argc, value *argv)
{
	(void)argc, (void)argv;
	return s->output;
}

static value set_output(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	want_port(s, "current-output-port", argv[0], false);
	s->output = argv[0];
	return UNSPECIFIED;
}

static value exit_(struct scheme *s, int argc, value *argv)
{
	(void)s;
	if (fflush(stdout))
		exit(1);
	if (argc == 0 || argv[0] == TRUE)
		exit(0);
	exit(is_fixnum(argv[0]) ? (int)fixnum(argv[0]) & 0xff : 1);
}

static value jiffy(struct scheme *s, int argc, value *argv)
{
	(void)argc, (void)argv;
	return from_int64(s, (int64_t)clock());
}

const struct definition port_primitives[] = {
	{ "write", write_, 1, 2 },
	{ "display", display, 1, 2 },
	{ "newline", newline, 0, 1 },
	{ "write-char", write_char, 1, 2 },
	{ "write-string", write_string, 1, 2 },
	{ "open-input-string", open_input_string, 1, 1 },
	{ "open-output-string", open_output_string, 0, 0 },
	{ "get-output-string", get_output_string, 1, 1 },
	{ "open-input-file", open_input_file, 1, 1 },
	{ "open-output-file", open_output_file, 1, 1 },
	{ "close-port", close_port, 1, 1 },
	{ "close-input-port", close_port, 1, 1 },
	{ "close-output-port", close_port, 1, 1 },
	{ "read-char", read_char, 0, 1 },
	{ "peek-char", peek_char, 0, 1 },
	{ "read-line", read_line, 0, 1 },
	{ "read", read_, 0, 1 },
	{ "eof-object?", is_eof, 1, 1 },
	{ "eof-object", eof_object, 0, 0 },
	{ "current-output-port", current_output, 0, 0 },
	{ "%set-output!", set_output, 1, 1 },
	{ "exit", exit_, 0, 1 },
	{ "current-jiffy", jiffy, 0, 0 },
	{ NULL, NULL, 0, 0 },
};
