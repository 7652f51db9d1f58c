#include "converter/compare/side_by_side.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/count/program.h"

static const struct program_function *head(const struct side_by_side *s,
					   size_t i)
{
	const struct program *p = s->programs[i];

	return s->next[i] < p->nfunctions ? &p->functions[s->next[i]] : NULL;
}

struct side_by_side *side_by_side_new(const struct program *const *programs,
				      size_t n)
{
	struct side_by_side *s = fdo_alloc(1, sizeof(*s));

	s->programs = programs;
	s->n = n;
	s->next = fdo_alloc(n, sizeof(*s->next));
	s->same = fdo_alloc(n, sizeof(*s->same));
	return s;
}

void side_by_side_free(struct side_by_side *s)
{
	free(s->next);
	free(s->same);
	free(s);
}

const struct program_function *side_by_side_next(struct side_by_side *s)
{
	const struct program_function *first = NULL;

	for (size_t i = 0; i < s->n; i++) {
		const struct program_function *f = head(s, i);

		if (f && (!first || program_compare_places(f, first) < 0))
			first = f;
	}
	for (size_t i = 0; first && i < s->n; i++) {
		const struct program_function *f = head(s, i);
		bool same = f && program_compare_places(f, first) == 0;

		s->same[i] = same ? f : NULL;
		s->next[i] += same;
	}
	return first;
}
