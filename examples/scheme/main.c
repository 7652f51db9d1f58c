/*
 * scheme FILE ARGUMENT...: run the file.  Without one, read forms from standard
 * input; from a terminal, with a prompt, and print the value of each form.
 */
#include "scheme.h"

#include <stdlib.h>
#include <unistd.h>

extern const char prelude_text[];

static void define_all(struct scheme *s, const struct definition *d)
{
	for (; d->name; d++) {
		struct primitive *p = heap_new(s, PRIMITIVE, sizeof(*p));
		p->name = d->name;
		p->call = d->call;
		p->least = d->least;
		p->most = d->most;
		symbol_of(make_symbol(s, d->name))->global = (value)p;
	}
}

static void name_symbols(struct scheme *s)
{
	s->raise = make_symbol(s, "raise");
	s->quote = make_symbol(s, "quote");
	s->quasiquote = make_symbol(s, "quasiquote");
	s->unquote = make_symbol(s, "unquote");
	s->unquote_splicing = make_symbol(s, "unquote-splicing");
	s->define = make_symbol(s, "define");
	s->begin = make_symbol(s, "begin");
	s->lambda = make_symbol(s, "lambda");
	s->otherwise = make_symbol(s, "else");
	s->arrow = make_symbol(s, "=>");
	s->dots = make_symbol(s, "...");
	s->underscore = make_symbol(s, "_");
}

struct scheme *scheme_new(void)
{
	struct scheme *s = xrealloc(NULL, sizeof(*s));
	memset(s, 0, sizeof(*s));
	s->threshold = SIZE_MAX;
	s->pending = NIL;
	s->file = FALSE;
	s->output = (value)port_open_file(s, stdout);
	name_symbols(s);
	syntax_define(s);
	define_all(s, number_primitives);
	define_all(s, list_primitives);
	define_all(s, string_primitives);
	define_all(s, table_primitives);
	define_all(s, port_primitives);
	define_all(s, machine_primitives);
	struct port *input = port_open_file(s, stdin);
	input->is_input = true;
	symbol_of(make_symbol(s, "%standard-input"))->global = (value)input;
	inlines_define(s);
	if (!scheme_load(s, port_open_text(s, prelude_text), NULL))
		abort();
	s->threshold = 4 * 1024 * 1024;
	return s;
}

void scheme_free(struct scheme *s)
{
	heap_free(s);
	free(s->stack);
	free(s->frames);
	free(s);
}

/* The port stays reachable while its forms run. */
bool scheme_load(struct scheme *s, struct port *port, const char *name)
{
	s->file = name ? make_string(s, name, strlen(name)) : FALSE;
	symbol_of(make_symbol(s, "%source"))->global = (value)port;
	if (setjmp(s->toplevel)) {
		s->is_running = false;
		return false;
	}
	for (;;) {
		value form = scheme_read(s, port);
		if (form == END_OF_FILE)
			return true;
		vm_run(s, scheme_compile(s, form));
	}
}

static void converse(struct scheme *s)
{
	struct port *port =
		(struct port *)symbol_of(make_symbol(s, "%standard-input"))
			->global;
	struct port *out = (struct port *)s->output;
	s->file = make_string(s, "stdin", 5);
	if (setjmp(s->toplevel))
		s->is_running = false;
	for (;;) {
		port_put_text(s, out, "> ");
		fflush(stdout);
		value form = scheme_read(s, port);
		if (form == END_OF_FILE)
			break;
		value result = vm_run(s, scheme_compile(s, form));
		if (result != UNSPECIFIED) {
			scheme_print(s, result, true, out);
			port_put_text(s, out, "\n");
		}
	}
	port_put_text(s, out, "\n");
}

static bool load_file(struct scheme *s, const char *name)
{
	FILE *file = fopen(name, "r");
	if (!file) {
		fprintf(stderr, "scheme: cannot open %s\n", name);
		return false;
	}
	struct port *port = port_open_file(s, file);
	port->is_input = true;
	bool loaded = scheme_load(s, port, name);
	fclose(file);
	return loaded;
}

/* (command-line): the script's name and its arguments. */
static void define_command_line(struct scheme *s, int argc, char **argv)
{
	value list = NIL;
	while (argc-- > 1)
		list = cons(s, make_string(s, argv[argc], strlen(argv[argc])),
			    list);
	symbol_of(make_symbol(s, "%command-line"))->global = list;
}

int main(int argc, char **argv)
{
	struct scheme *s = scheme_new();
	bool is_done = true;
	define_command_line(s, argc, argv);
	if (argc > 1)
		is_done = load_file(s, argv[1]);
	if (argc == 1 && isatty(STDIN_FILENO)) {
		converse(s);
	} else if (argc == 1) {
		struct port *port = port_open_file(s, stdin);
		port->is_input = true;
		is_done = scheme_load(s, port, "stdin");
	}
	if (fflush(stdout) || ferror(stdout)) {
		fputs("scheme: write failed\n", stderr);
		is_done = false;
	}
	scheme_free(s);
	return is_done ? 0 : 1;
}
