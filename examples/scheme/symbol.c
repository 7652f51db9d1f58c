/*
 * Symbols.  Those that the program wrote are unique by name; those that a
 * macro's template wrote are renamed afresh for each use, and remember what
 * they rename.  Whoever finds no variable of the new name looks for the old.
 */
#include "scheme.h"

#include <stdlib.h>

static uint32_t hash_name(const char *name, size_t length)
{
	uint32_t hash = 2166136261u;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)name[i]) * 16777619u;
	return hash;
}

static value new_symbol(struct scheme *s, value name, uint32_t hash)
{
	struct symbol *symbol = heap_new(s, SYMBOL, sizeof(*symbol));
	symbol->name = name;
	symbol->global = UNDEFINED;
	symbol->macro = FALSE;
	symbol->renames = FALSE;
	symbol->hash = hash;
	return (value)symbol;
}

static value *find_slot(value *table, size_t room, uint32_t hash,
			const char *name, size_t length)
{
	for (size_t i = hash;; i++) {
		value *slot = &table[i & (room - 1)];
		if (!*slot)
			return slot;
		struct symbol *symbol = symbol_of(*slot);
		struct string *other = string_of(symbol->name);
		if (symbol->hash == hash && other->length == length &&
		    !memcmp(other->bytes, name, length))
			return slot;
	}
}

static void grow(struct scheme *s)
{
	size_t room = s->symbols_room ? 2 * s->symbols_room : 1024;
	value *table = xrealloc(NULL, room * sizeof(value));
	memset(table, 0, room * sizeof(value));
	for (size_t i = 0; i < s->symbols_room; i++) {
		if (!s->symbols[i])
			continue;
		struct symbol *symbol = symbol_of(s->symbols[i]);
		struct string *name = string_of(symbol->name);
		*find_slot(table, room, symbol->hash, name->bytes,
			   name->length) = s->symbols[i];
	}
	free(s->symbols);
	s->symbols = table;
	s->symbols_room = room;
}

value make_symbol(struct scheme *s, const char *name)
{
	if (2 * s->n_symbols >= s->symbols_room)
		grow(s);
	size_t length = strlen(name);
	uint32_t hash = hash_name(name, length);
	value *slot =
		find_slot(s->symbols, s->symbols_room, hash, name, length);
	if (!*slot) {
		*slot = new_symbol(s, make_string(s, name, length), hash);
		s->n_symbols++;
	}
	return *slot;
}

value make_renamed(struct scheme *s, value original)
{
	struct symbol *from = symbol_of(original);
	value symbol = new_symbol(s, from->name, from->hash);
	symbol_of(symbol)->renames = original;
	return symbol;
}

value original_symbol(value symbol)
{
	while (symbol_of(symbol)->renames != FALSE)
		symbol = symbol_of(symbol)->renames;
	return symbol;
}

value copy_plain(struct scheme *s, value datum)
{
	if (has_type(datum, SYMBOL))
		return original_symbol(datum);
	if (is_pair(datum)) {
		value a = copy_plain(s, car(datum));
		value d = copy_plain(s, cdr(datum));
		if (a == car(datum) && d == cdr(datum))
			return datum;
		return cons(s, a, d);
	}
	if (has_type(datum, VECTOR))
		for (size_t i = 0; i < vector_of(datum)->length; i++)
			vector_of(datum)->items[i] =
				copy_plain(s, vector_of(datum)->items[i]);
	return datum;
}
