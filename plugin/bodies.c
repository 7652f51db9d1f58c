#include "plugin/bodies.h"

/* Of those that have it inlined, so many are looked at. */
enum { MAX_HOSTS = 8 };

enum { MAX_DEPTH = 500 };

bool bodies_are_same(const struct profile_body *a, const struct profile_body *b)
{
	return a->name == b->name && a->file == b->file &&
	       a->start_line == b->start_line;
}

static const struct profile_body *find_in(const struct profile_body *body,
					  const struct profile_body *wanted,
					  unsigned depth)
{
	const struct profile_body *found = NULL;

	if (body->ncounts && bodies_are_same(body, wanted))
		return body;
	for (size_t i = 0; i < body->ninlined && !found && depth < MAX_DEPTH;
	     i++)
		found = find_in(body->inlined[i], wanted, depth + 1);
	return found;
}

bool bodies_find(struct profile *p, const struct profile_function *f,
		 const struct profile_body **ret, struct fdo_error *err)
{
	*ret = find_in(&f->body, &f->body, 0);
	for (size_t i = 0; i < f->nhosts && i < MAX_HOSTS && !*ret; i++) {
		struct profile_function **hosts;
		size_t n;

		if (!profile_load(p, f->hosts[i], &hosts, &n, err))
			return false;
		for (size_t k = 0; k < n && !*ret; k++)
			*ret = find_in(&hosts[k]->body, &f->body, 0);
	}
	return true;
}
