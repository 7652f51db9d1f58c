/*
 * The heap: pages of cells of one size each, with one list of free cells per
 * size, collected by mark and sweep.  Nothing moves, so C code may hold
 * addresses; nothing is collected behind the back of C code either, since
 * only the machine calls heap_collect(), between two instructions.
 */
#include "scheme.h"

#include <stdlib.h>

#define PAGE_BYTES    (64 * 1024)
#define FIRST_TRIGGER (4 * 1024 * 1024)

struct page {
	struct page *next;
	size_t words; /* of each cell */
	uint64_t cells[];
};

struct large {
	struct large *next;
	size_t bytes;
	struct object object;
};

void *xrealloc(void *old, size_t bytes)
{
	void *p = realloc(old, bytes);
	if (!p) {
		fputs("scheme: out of memory\n", stderr);
		exit(1);
	}
	return p;
}

static size_t cells_in(const struct page *page)
{
	return (PAGE_BYTES - sizeof(*page)) / 8 / page->words;
}

static struct object *cell_of(struct page *page, size_t i)
{
	return (struct object *)(page->cells + i * page->words);
}

static void cell_release(struct scheme *s, struct object *cell, size_t words)
{
	struct cell *free_cell = (struct cell *)cell;
	cell->type = FREE;
	free_cell->next = s->cells[words];
	s->cells[words] = free_cell;
}

/* More cells of this size; the first of them, which stays in the list. */
struct cell *heap_refill(struct scheme *s, size_t words)
{
	struct page *page = xrealloc(NULL, PAGE_BYTES);
	page->next = s->pages;
	page->words = words;
	s->pages = page;
	for (size_t i = cells_in(page); i-- > 0;)
		cell_release(s, cell_of(page, i), words);
	return s->cells[words];
}

static void *heap_large(struct scheme *s, size_t bytes)
{
	struct large *large = xrealloc(NULL, sizeof(*large) + bytes);
	large->next = s->larges;
	large->bytes = bytes;
	s->larges = large;
	s->allocated += bytes;
	return &large->object;
}

void *heap_new(struct scheme *s, enum type type, size_t bytes)
{
	size_t words = bytes < 16 ? 2 : (bytes + 7) / 8;
	struct object *o;
	if (words <= SMALL_WORDS)
		o = heap_cell(s, words);
	else
		o = heap_large(s, bytes);
	memset(o, 0, bytes);
	o->type = type;
	return o;
}

static void mark(struct scheme *s, value v)
{
	if (!is_object(v) || !v || object_of(v)->is_marked)
		return;
	object_of(v)->is_marked = 1;
	if (object_of(v)->type == FLONUM || object_of(v)->type == STRING)
		return;
	if (s->n_gray == s->gray_room) {
		s->gray_room = s->gray_room ? 2 * s->gray_room : 1024;
		s->gray = xrealloc(s->gray, s->gray_room * sizeof(value));
	}
	s->gray[s->n_gray++] = v;
}

static void mark_all(struct scheme *s, const value *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		mark(s, values[i]);
}

static void mark_symbol(struct scheme *s, const struct symbol *symbol)
{
	mark(s, symbol->name);
	mark(s, symbol->global);
	mark(s, symbol->macro);
	mark(s, symbol->renames);
}

static void mark_code(struct scheme *s, const struct code *code)
{
	mark(s, code->constants);
	mark(s, code->words);
	mark(s, code->lines);
	mark(s, code->name);
	mark(s, code->file);
}

static void mark_contents(struct scheme *s, struct object *o)
{
	switch ((enum type)o->type) {
	case PAIR:
		mark(s, ((struct pair *)o)->car);
		mark(s, ((struct pair *)o)->cdr);
		break;
	case SYMBOL:
		mark_symbol(s, (struct symbol *)o);
		break;
	case BOX:
		mark(s, ((struct box *)o)->content);
		break;
	case CLOSURE:
		mark(s, (value)((struct closure *)o)->code);
		mark_all(s, ((struct closure *)o)->captures, o->extra);
		break;
	case CODE:
		mark_code(s, (struct code *)o);
		break;
	case CONTINUATION:
		mark_all(s, ((struct continuation *)o)->values,
			 ((struct continuation *)o)->n_values);
		break;
	case TABLE:
		mark(s, ((struct table *)o)->entries);
		mark(s, ((struct table *)o)->slots);
		break;
	case PORT:
		mark(s, ((struct port *)o)->buffer);
		break;
	case VECTOR:
	case RECORD:
	case RECORD_TYPE:
	case CONDITION:
	case VALUES:
	case MACRO:
		mark_all(s, ((struct vector *)o)->items,
			 ((struct vector *)o)->length);
		break;
	case FREE:
	case FLONUM:
	case STRING:
	case PRIMITIVE:
		break;
	}
}

static void mark_roots(struct scheme *s)
{
	mark_all(s, s->symbols, s->symbols_room);
	mark_all(s, s->stack, s->sp);
	mark(s, s->pending);
	mark(s, s->output);
	mark(s, s->file);
}

static size_t sweep_page(struct scheme *s, struct page *page)
{
	size_t n = cells_in(page), n_live = 0;
	for (size_t i = n; i-- > 0;) {
		struct object *o = cell_of(page, i);
		if (o->is_marked) {
			o->is_marked = 0;
			n_live++;
		} else {
			cell_release(s, o, page->words);
		}
	}
	return n_live * page->words * 8;
}

static size_t sweep_larges(struct scheme *s)
{
	size_t live = 0;
	for (struct large **at = &s->larges; *at;) {
		struct large *large = *at;
		if (large->object.is_marked) {
			large->object.is_marked = 0;
			live += large->bytes;
			at = &large->next;
		} else {
			*at = large->next;
			free(large);
		}
	}
	return live;
}

void heap_collect(struct scheme *s)
{
	mark_roots(s);
	while (s->n_gray)
		mark_contents(s, object_of(s->gray[--s->n_gray]));

	memset(s->cells, 0, sizeof(s->cells));
	size_t live = sweep_larges(s);
	for (struct page *page = s->pages; page; page = page->next)
		live += sweep_page(s, page);

	s->allocated = 0;
	s->threshold = live < FIRST_TRIGGER ? FIRST_TRIGGER : live;
}

void heap_free(struct scheme *s)
{
	for (struct page *page = s->pages, *next; page; page = next) {
		next = page->next;
		free(page);
	}
	for (struct large *large = s->larges, *next; large; large = next) {
		next = large->next;
		free(large);
	}
	free(s->gray);
	free(s->symbols);
}

value make_string(struct scheme *s, const char *bytes, size_t length)
{
	struct string *string =
		heap_new(s, STRING, sizeof(*string) + length + 1);
	string->length = length;
	if (bytes)
		memcpy(string->bytes, bytes, length);
	return (value)string;
}

value make_vector(struct scheme *s, enum type type, size_t length, value fill)
{
	struct vector *vector =
		heap_new(s, type, sizeof(*vector) + length * sizeof(value));
	vector->length = length;
	for (size_t i = 0; i < length; i++)
		vector->items[i] = fill;
	return (value)vector;
}
