/*
 * frames.c - found in a function's code, and put in order, once they are asked
 * for: of many functions they never are.
 */
#include "converter/keys/frames.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/binary/lines.h"
#include "converter/count/program.h"

struct frames {
	const struct lines *lines;
	const struct cfg *cfg;
	const struct lines_frame **all; /* by file and line, each once */
	size_t n, room;
	bool ready;
};

struct frames *frames_new(const struct lines *lines,
			  const struct program_function *f)
{
	struct frames *s = fdo_alloc(1, sizeof(*s));

	s->lines = lines;
	s->cfg = &f->cfg;
	return s;
}

void frames_free(struct frames *s)
{
	if (!s)
		return;
	free(s->all);
	free(s);
}

static int compare(const void *a, const void *b)
{
	const struct lines_frame *x = *(const struct lines_frame *const *)a;
	const struct lines_frame *y = *(const struct lines_frame *const *)b;

	if (x->file != y->file)
		return (uintptr_t)x->file < (uintptr_t)y->file ? -1 : 1;
	if (x->decl_line != y->decl_line)
		return x->decl_line < y->decl_line ? -1 : 1;
	return x == y ? 0 : (uintptr_t)x < (uintptr_t)y ? -1 : 1;
}

static void add(struct frames *s, const struct lines_frame *frame)
{
	s->all = fdo_grow(s->all, s->n, &s->room, sizeof(*s->all));
	s->all[s->n++] = frame;
}

/* From each stretch of a block's code that is in one frame, its way out. */
static void find(struct frames *s)
{
	const struct lines_frame *last = NULL;

	for (size_t b = 0; b < s->cfg->nblocks; b++) {
		const struct cfg_block *block = &s->cfg->blocks[b];
		uint64_t at = block->address, end = at + block->size;

		for (; at && at < end; at = lines_next(s->lines, at)) {
			struct lines_place place;

			if (!lines_at(s->lines, at, &place) ||
			    place.frame == last)
				continue;
			last = place.frame;
			for (const struct lines_frame *f = last; f;
			     f = f->parent)
				add(s, f);
		}
	}
}

static void make_ready(struct frames *s)
{
	size_t n = 0;

	if (s->ready)
		return;
	find(s);
	if (s->n)
		qsort(s->all, s->n, sizeof(*s->all), compare);
	for (size_t i = 0; i < s->n; i++)
		if (i == 0 || s->all[i] != s->all[i - 1])
			s->all[n++] = s->all[i];
	s->n = n;
	s->ready = true;
}

const struct lines_frame *const *
frames_around(struct frames *s, const char *file, unsigned line, size_t *n_ret)
{
	size_t from = 0, to, middle;

	make_ready(s);
	for (to = s->n; from < to;) {
		middle = from + (to - from) / 2;
		if ((uintptr_t)s->all[middle]->file < (uintptr_t)file ||
		    (s->all[middle]->file == file &&
		     s->all[middle]->decl_line <= line))
			from = middle + 1;
		else
			to = middle;
	}
	while (from && s->all[from - 1]->file == file &&
	       s->all[from - 1]->decl_line == s->all[to - 1]->decl_line)
		from--;
	*n_ret = to - from;
	return s->all + from;
}
