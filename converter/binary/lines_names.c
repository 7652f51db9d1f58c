/*
 * lines_names.c - what the assembler calls functions that debug information has
 * no linkage name of.
 */
#include "converter/binary/lines_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/binary/object.h"

/* "f.constprop.0.cold" is f. */
static size_t length_without_suffixes(const char *name)
{
	static const char *const suffixes[] = {
		".cold",      ".part",	   ".isra",
		".constprop", ".lto_priv", ".localalias",
	};
	size_t length = strlen(name);

	for (const char *dot = strchr(name + 1, '.'); dot;
	     dot = strchr(dot + 1, '.'))
		for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes);
		     i++) {
			size_t n = strlen(suffixes[i]);

			if (strncmp(dot, suffixes[i], n) == 0 &&
			    (!dot[n] || dot[n] == '.'))
				return dot - name;
		}
	return length;
}

/* Behind a number of an offset, which may be negative; NULL: there is none. */
static const char *skip_number(const char *at)
{
	size_t digits;

	if (*at == 'n')
		at++;
	digits = strspn(at, "0123456789");
	return digits && at[digits] == '_' ? at + digits + 1 : NULL;
}

/* Behind a call offset: h and a number, or v and two. */
static const char *skip_offset(const char *at)
{
	const char *next = NULL;

	if (*at == 'h' || *at == 'v')
		next = skip_number(at + 1);
	return next && *at == 'v' ? skip_number(next) : next;
}

/*
 * What a thunk calls, without the _Z that names begin with (Itanium C++ ABI, 5.1.4.5);
 * NULL: it is none.
 */
static const char *target_of(const char *name)
{
	const char *at;

	if (strncmp(name, "_ZT", 3) != 0)
		return NULL;
	if (name[3] != 'c')
		return skip_offset(name + 3);
	at = skip_offset(name + 4);
	return at ? skip_offset(at) : NULL;
}

const char *lines_name_in_source(struct lines *l, const char *symbol)
{
	const char *target = target_of(symbol);
	const char *rest = target ? target : symbol;
	size_t length = length_without_suffixes(rest);
	size_t before = target ? strlen("_Z") : 0;
	char *name = fdo_alloc(before + length + 1, 1);
	const char *ret;

	memcpy(name, "_Z", before);
	memcpy(name + before, rest, length);
	ret = fdo_intern(l->strings, name);
	free(name);
	return ret;
}

/* A function within a function is NAME.NUMBER, which others before it change. */
static bool is_numbered(const char *name, const char *symbol, size_t length)
{
	size_t n = strlen(name);

	return length > n + 1 && strncmp(symbol, name, n) == 0 &&
	       symbol[n] == '.' &&
	       n + 1 + strspn(symbol + n + 1, "0123456789") == length;
}

/* Does that symbol (up to its suffixes) tell functions of the same name apart? */
static bool fits(const struct lines_entity *e, const char *symbol,
		 size_t length)
{
	switch (e->language) {
	case LINES_FORTRAN:
		return !is_numbered(e->name, symbol, length);
	case LINES_CXX:
		return strncmp(symbol, "_Z", 2) == 0;
	default:
		return false;
	}
}

void lines_name_by_symbol(struct lines *l, struct lines_entity *e,
			  uint64_t address)
{
	const struct object_function *f =
		object_function_at(l->object, address);

	if (e->linkage || !f || f->address != address || f->name[0] == '0' ||
	    !fits(e, f->name, length_without_suffixes(f->name)))
		return;
	e->name = lines_name_in_source(l, f->name);
	e->linkage = true;
}
