/*
 * patch_lines.c - a line that was changed a little is still that line.
 *
 * Of the lines that a hunk takes out, each that is at least half the same as
 * one that comes in is taken to have become it, in their order and so that
 * as many characters as possible are kept.  Within a line the beginning and
 * the end that are the same keep their places; how far it is indented does
 * not matter.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "converter/keys/patch.h"

/* Larger edits are rewritten code: only what is the same at their ends. */
enum { MAX_PAIRS = 1 << 20 };

static size_t indent_of(const struct patch_line *line)
{
	size_t n = 0;

	while (n < line->size && isspace((unsigned char)line->text[n]))
		n++;
	return n;
}

static size_t end_of(const struct patch_line *line)
{
	size_t n = line->size;

	while (n && isspace((unsigned char)line->text[n - 1]))
		n--;
	return n;
}

/* What two lines share, without the blanks around them. */
struct common {
	size_t old_indent, new_indent;
	size_t before, after;	 /* characters */
	size_t old_end, new_end; /* of the text */
};

static struct common common_of(const struct patch_line *a,
			       const struct patch_line *b)
{
	struct common c = {
		.old_indent = indent_of(a),
		.new_indent = indent_of(b),
		.old_end = end_of(a),
		.new_end = end_of(b),
	};
	const char *x = a->text + c.old_indent, *y = b->text + c.new_indent;
	size_t na, nb, most;

	na = c.old_end > c.old_indent ? c.old_end - c.old_indent : 0;
	nb = c.new_end > c.new_indent ? c.new_end - c.new_indent : 0;
	most = na < nb ? na : nb;
	while (c.before < most && x[c.before] == y[c.before])
		c.before++;
	while (c.after < most - c.before &&
	       x[na - c.after - 1] == y[nb - c.after - 1])
		c.after++;
	return c;
}

/* Characters that are the same, if these are enough; 0: other lines. */
static uint32_t likeness(const struct patch_line *a, const struct patch_line *b)
{
	struct common c = common_of(a, b);
	size_t same = c.before + c.after;
	size_t na = c.old_end > c.old_indent ? c.old_end - c.old_indent : 0;
	size_t nb = c.new_end > c.new_indent ? c.new_end - c.new_indent : 0;

	return 2 * same >= (na > nb ? na : nb) ? same : 0;
}

static void become(struct patch_edit *e, size_t i, size_t j)
{
	e->old_lines[i].other = (int64_t)j;
	e->new_lines[j].other = (int64_t)i;
}

static bool same_text(const struct patch_line *a, const struct patch_line *b)
{
	return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

/* The longest of all common subsequences, by likeness. */
static void pair_between(struct patch_edit *e, size_t i0, size_t i1, size_t j0,
			 size_t j1)
{
	size_t n = i1 - i0, m = j1 - j0;
	uint32_t *best, *like;

	if (n == 0 || m == 0 || n > MAX_PAIRS / m)
		return;
	best = fdo_alloc((n + 1) * (m + 1), sizeof(*best));
	like = fdo_alloc(n * m, sizeof(*like));
	for (size_t i = n; i-- > 0;)
		for (size_t j = m; j-- > 0;) {
			uint32_t *at = &best[i * (m + 1) + j];
			uint32_t l = likeness(&e->old_lines[i0 + i],
					      &e->new_lines[j0 + j]);

			like[i * m + j] = l;
			*at = at[1] > at[m + 1] ? at[1] : at[m + 1];
			if (l && at[m + 2] + l > *at)
				*at = at[m + 2] + l;
		}
	for (size_t i = 0, j = 0; i < n && j < m;) {
		const uint32_t *at = &best[i * (m + 1) + j];

		if (like[i * m + j] && *at == at[m + 2] + like[i * m + j])
			become(e, i0 + i++, j0 + j++);
		else if (*at == at[m + 1])
			i++;
		else
			j++;
	}
	free(best);
	free(like);
}

void patch_pair(struct patch_edit *e)
{
	size_t first = 0, old_end = e->nold, new_end = e->nnew;

	for (size_t i = 0; i < e->nold; i++)
		e->old_lines[i].other = -1;
	for (size_t j = 0; j < e->nnew; j++)
		e->new_lines[j].other = -1;
	for (; first < old_end && first < new_end &&
	       same_text(&e->old_lines[first], &e->new_lines[first]);
	     first++)
		become(e, first, first);
	for (;
	     old_end > first && new_end > first &&
	     same_text(&e->old_lines[old_end - 1], &e->new_lines[new_end - 1]);
	     old_end--, new_end--)
		become(e, old_end - 1, new_end - 1);
	pair_between(e, first, old_end, first, new_end);
}

uint32_t patch_column(const struct patch_line *old,
		      const struct patch_line *new_, uint32_t column)
{
	struct common c = common_of(old, new_);
	size_t at = column - 1;

	if (at < c.old_indent)
		return 0;
	if (at < c.old_indent + c.before)
		return column + c.new_indent - c.old_indent;
	/* The place behind the last character counts as one of it. */
	if (at + c.after >= c.old_end)
		return column + c.new_end - c.old_end;
	return 0;
}

static bool is_word(int c)
{
	return isalnum(c) || c == '_' || c == '$' || c >= 0x80;
}

/*
 * The linkage name is the word itself, or, of C++, has it after a number that
 * is its length.
 */
static bool is_name(const char *word, size_t size, const char *name)
{
	char number[24];
	int digits;

	if (strlen(name) == size && memcmp(word, name, size) == 0)
		return true;
	if (strncmp(name, "_Z", 2) != 0)
		return false;
	digits = snprintf(number, sizeof(number), "%zu", size);
	for (const char *at = name; (at = strstr(at, number)); at++)
		if (!isdigit((unsigned char)at[-1]) &&
		    strncmp(at + digits, word, size) == 0)
			return true;
	return false;
}

bool patch_names(const struct patch_line *line, const char *name)
{
	for (size_t i = 0, end; i < line->size; i = end + 1) {
		for (end = i; end < line->size &&
			      is_word((unsigned char)line->text[end]);
		     end++)
			;
		if (end > i && !isdigit((unsigned char)line->text[i]) &&
		    is_name(line->text + i, end - i, name))
			return true;
	}
	return false;
}
