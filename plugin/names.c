#include "plugin/names.h"

#include <string.h>

bool names_has(const struct function_id *function, const char *name)
{
	for (size_t i = 0; i < FUNCTION_NAMES; i++)
		if (name && function->names[i] == name)
			return true;
	return false;
}

/* How many of the last parts of two paths are the same. */
static unsigned common_parts(const char *a, const char *b)
{
	size_t na, nb;
	unsigned parts = 0;

	if (!a || !b)
		return 0;
	for (na = strlen(a), nb = strlen(b); na && nb; na--, nb--) {
		if (a[na - 1] != b[nb - 1])
			return parts;
		parts += a[na - 1] == '/';
	}
	if ((na == 0 || a[na - 1] == '/') && (nb == 0 || b[nb - 1] == '/'))
		parts++;
	return parts;
}

bool names_is_plain(const struct function_id *f, const char *name)
{
	return name != f->names[0] && name != f->names[1];
}

bool names_are_sure(const struct function_id *f,
		    const struct profile_body *body)
{
	return f->start_line == body->start_line ||
	       !names_is_plain(f, body->name);
}

unsigned names_common_parts(const struct function_id *f,
			    const struct profile_body *body)
{
	return common_parts(f->file, body->file);
}

bool names_may_have_moved(const struct function_id *f,
			  const struct profile_body *body)
{
	return !f->is_public && names_has(f, body->name) &&
	       !names_are_sure(f, body) && names_common_parts(f, body);
}

unsigned names_likeness(const struct function_id *f,
			const struct profile_body *body)
{
	unsigned common;

	if (!names_has(f, body->name))
		return 0;
	/* The compiler's own functions (OpenMP's) are declared nowhere. */
	if (!body->file || !*body->file)
		return body->name == f->names[0];
	if (!names_are_sure(f, body))
		return 0;
	common = names_common_parts(f, body);
	if (common == 0 && !(f->is_public && body->name == f->names[0]))
		return 0;
	return 1 + 2 * common + (f->start_line == body->start_line);
}
