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

/* Is that symbol (up to its suffixes) what the assembler calls it? */
static bool fits(const struct lines_entity *e, const char *symbol,
		 size_t length)
{
	size_t n = strlen(e->name);

	switch (e->language) {
	case LINES_FORTRAN:
		return true;
	case LINES_CXX:
		return strncmp(symbol, "_Z", 2) == 0;
	default:
		/* A function within a function is NAME.NUMBER. */
		return length > n + 1 && strncmp(symbol, e->name, n) == 0 &&
		       symbol[n] == '.' &&
		       n + 1 + strspn(symbol + n + 1, "0123456789") == length;
	}
}

void lines_name_by_symbol(struct lines *l, struct lines_entity *e,
			  uint64_t address)
{
	const struct object_function *f =
		object_function_at(l->object, address);
	size_t length;
	char *name;

	if (e->linkage || !f || f->address != address || f->name[0] == '0')
		return;
	length = length_without_suffixes(f->name);
	if (!fits(e, f->name, length))
		return;
	name = fdo_copy_part(f->name, length);
	e->name = fdo_intern(l->strings, name);
	e->linkage = true;
	free(name);
}
