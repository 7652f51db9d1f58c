/*
 * callgrind.c - the text that callgrind writes.
 *
 * Positions are "ADDRESS LINE", each absolute, or relative to that of the
 * last line of costs ("+n", "-n"), or the same ("*").  A jump stands on a
 * line of its own and is followed by a position without a cost; a call is
 * followed by a position with an inclusive cost, which is not its own.
 */
#include "testsuite/asm/callgrind.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"

struct reader {
	struct callgrind *c;
	const char *name;
	struct fdo_map *ours; /* numbers of names of our object */
	uint64_t at;	      /* address of the last position */
	bool inside;	      /* costs belong to our object */
	bool called_inside;   /* so does the function called next */
	bool noted;	      /* the last jump waits for its position */
	bool after_jump;      /* the next position has no cost of its own */
};

static uint64_t position(const struct reader *r, const char **text)
{
	char *end;
	uint64_t value;
	char sign = **text;

	if (sign == '*') {
		++*text;
		return r->at;
	}
	if (sign == '+' || sign == '-')
		++*text;
	value = strtoull(*text, &end, sign == '+' || sign == '-' ? 10 : 0);
	*text = end;
	if (sign == '+')
		return r->at + value;
	return sign == '-' ? r->at - value : value;
}

static void add_jump(struct reader *r, uint64_t count, uint64_t to, bool call)
{
	struct callgrind *c = r->c;

	c->jumps = fdo_grow(c->jumps, c->njumps, &c->room, sizeof(*c->jumps));
	c->jumps[c->njumps++] = (struct callgrind_jump){ 0, to, count, call };
}

/* "(12) /path/name" defines number 12, "(12)" uses it. */
static bool is_ours(struct reader *r, const char *value)
{
	uint64_t number = strtoull(value + 1, NULL, 10);
	const char *path = strchr(value, '/');
	size_t length;

	if (path) {
		length = strlen(path);
		if (length > strlen(r->name) &&
		    strcmp(path + length - strlen(r->name), r->name) == 0 &&
		    path[length - strlen(r->name) - 1] == '/')
			*fdo_map_at(r->ours, number) = 1;
	}
	return fdo_map_get(r->ours, number);
}

/* jump=COUNT TARGET LINE, jcnd=TAKEN/EXECUTED TARGET LINE, calls= */
static void read_jump(struct reader *r, const char *line)
{
	bool call = line[0] == 'c';
	const char *text = strchr(line, '=') + 1;
	char *end;
	uint64_t count = strtoull(text, &end, 10), to;

	if (*end == '/')
		strtoull(end + 1, &end, 10);
	while (*end == ' ')
		end++;
	text = end;
	to = position(r, &text);
	r->after_jump = true;
	r->noted = r->inside && count && (!call || r->called_inside);
	if (r->noted)
		add_jump(r, count, to, call);
	r->called_inside = r->inside;
}

static void read_position(struct reader *r, const char *line)
{
	uint64_t count;

	r->at = position(r, &line);
	while (*line == ' ')
		line++;
	line += strcspn(line, " ");
	count = strtoull(line, NULL, 10);
	if (r->after_jump && r->noted)
		r->c->jumps[r->c->njumps - 1].from = r->at;
	else if (!r->after_jump && r->inside)
		*fdo_map_at(r->c->executed, r->at) += count;
	r->after_jump = false;
}

static void read_line(struct reader *r, const char *line)
{
	if (strncmp(line, "ob=", 3) == 0) {
		r->inside = r->called_inside = is_ours(r, line + 3);
	} else if (strncmp(line, "cob=", 4) == 0) {
		r->called_inside = is_ours(r, line + 4);
	} else if (strncmp(line, "jump=", 5) == 0 ||
		   strncmp(line, "jcnd=", 5) == 0 ||
		   strncmp(line, "calls=", 6) == 0) {
		read_jump(r, line);
	} else if (isdigit((unsigned char)line[0]) || line[0] == '+' ||
		   line[0] == '-' || line[0] == '*') {
		read_position(r, line);
	}
}

static int compare_jumps(const void *a, const void *b)
{
	const struct callgrind_jump *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->call - y->call;
}

static void merge_jumps(struct callgrind *c)
{
	size_t n = 0;

	if (!c->njumps)
		return;
	qsort(c->jumps, c->njumps, sizeof(*c->jumps), compare_jumps);
	for (size_t i = 0; i < c->njumps; i++)
		if (n && compare_jumps(&c->jumps[n - 1], &c->jumps[i]) == 0)
			c->jumps[n - 1].count += c->jumps[i].count;
		else
			c->jumps[n++] = c->jumps[i];
	c->njumps = n;
}

bool callgrind_read(struct callgrind *c, const char *path, const char *name)
{
	struct reader r = { .c = c, .name = name, .ours = fdo_map_new() };
	FILE *in = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;

	*c = (struct callgrind){ .executed = fdo_map_new() };
	if (!in) {
		fdo_map_free(r.ours);
		return false;
	}
	while (getline(&line, &room, in) > 0) {
		line[strcspn(line, "\n")] = '\0';
		read_line(&r, line);
	}
	free(line);
	fclose(in);
	fdo_map_free(r.ours);
	merge_jumps(c);
	return true;
}

void callgrind_free(struct callgrind *c)
{
	fdo_map_free(c->executed);
	free(c->jumps);
}
