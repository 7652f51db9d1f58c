#include "converter/compare/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "converter/count/classify.h"
#include "converter/count/program.h"

enum { COLUMNS = 64 };

/* A line in columns; texts are in the line itself. */
struct row {
	char *texts[COLUMNS];
	int n;
};

struct table {
	const char *path;
	FILE *stream;
	char *line;
	size_t room;
	unsigned number;
	/* Columns, or -1. */
	int address, from, to, count;
	int class, raw, error;
	bool trust; /* has these three */
};

static bool fail(const struct table *t, struct fdo_error *err, const char *what)
{
	return fdo_fail(err, "%s: line %u: %s", t->path, t->number, what);
}

static bool next_row(struct table *t, struct row *row)
{
	char *rest;

	if (getline(&t->line, &t->room, t->stream) < 0)
		return false;
	t->number++;
	t->line[strcspn(t->line, "\n")] = '\0';
	rest = t->line;
	for (row->n = 0; rest && row->n < COLUMNS; row->n++)
		row->texts[row->n] = strsep(&rest, "\t");
	return true;
}

static int column(const struct row *header, const char *name)
{
	for (int i = 0; i < header->n; i++)
		if (strcmp(header->texts[i], name) == 0)
			return i;
	return -1;
}

static bool table_open(struct table *t, const char *path, struct fdo_error *err)
{
	*t = (struct table){ .path = path, .stream = fopen(path, "r") };
	return t->stream || fdo_fail(err, "%s: %s", path, strerror(errno));
}

static void table_close(struct table *t)
{
	if (t->stream)
		fclose(t->stream);
	free(t->line);
}

static bool read_header(struct table *t, struct fdo_error *err)
{
	struct row header;

	if (!next_row(t, &header))
		return fdo_fail(err, "%s: the file is empty", t->path);
	t->address = column(&header, "address");
	t->from = column(&header, "from");
	t->to = column(&header, "to");
	t->count = column(&header, "count");
	t->class = column(&header, "class");
	t->raw = column(&header, "raw");
	t->error = column(&header, "error");
	t->trust = t->address >= 0 && t->class >= 0 && t->raw >= 0 &&
		   t->error >= 0;
	if (t->count < 0 || (t->address < 0 && (t->from < 0 || t->to < 0)))
		return fail(t, err,
			    "not the header of a table of blocks or edges");
	return true;
}

bool table_is(const char *path)
{
	struct fdo_error ignored;
	struct table t;
	bool is = table_open(&t, path, &ignored) && read_header(&t, &ignored);

	table_close(&t);
	return is;
}

static bool number(const struct row *row, int column, int base, uint64_t *ret)
{
	char *end;

	if (column >= row->n)
		return false;
	errno = 0;
	*ret = strtoull(row->texts[column], &end, base);
	return errno == 0 && end != row->texts[column] && *end == '\0';
}

static bool set_trust(const struct table *t, const struct row *row,
		      struct program_block *block)
{
	uint64_t raw, error;

	if (!number(row, t->raw, 10, &raw) ||
	    !number(row, t->error, 10, &error) || t->class >= row->n ||
	    !classify_named(row->texts[t->class], &block->class))
		return false;
	block->raw = raw;
	block->error = error;
	return true;
}

static bool set_block(struct program_function *f, uint64_t address,
		      uint64_t count, struct program_block **ret)
{
	size_t b = f ? cfg_block_at(&f->cfg, address) : CFG_NO_BLOCK;

	if (b == CFG_NO_BLOCK || f->cfg.blocks[b].address != address)
		return false;
	*ret = &f->blocks[b];
	(*ret)->count = count;
	return true;
}

static bool set_edge(struct program_function *f, uint64_t from, uint64_t to,
		     uint64_t count)
{
	size_t b = f ? cfg_block_at(&f->cfg, from) : CFG_NO_BLOCK;
	const struct cfg_block *block;

	if (b == CFG_NO_BLOCK)
		return false;
	block = &f->cfg.blocks[b];
	for (uint32_t e = block->first_edge;
	     e < block->first_edge + block->nedges; e++) {
		if (f->cfg.blocks[f->cfg.edges[e].to].address != to)
			continue;
		f->edges[e] = count;
		return true;
	}
	return false;
}

static bool read_row(struct table *t, struct program *p, size_t binary,
		     const struct row *row, struct fdo_error *err)
{
	bool edges = t->address < 0;
	struct program_function *f;
	struct program_block *block = NULL;
	uint64_t at, to = 0, count;

	if (!number(row, edges ? t->from : t->address, 16, &at) ||
	    (edges && !number(row, t->to, 16, &to)) ||
	    !number(row, t->count, 10, &count))
		return fail(t, err, "an address or a count is no number");
	if (!program_function_at(p, binary, at, &f, err))
		return false;
	if (!(edges ? set_edge(f, at, to, count)
		    : set_block(f, at, count, &block)))
		return fail(t, err, "the binary has no such block or edge");
	return !t->trust || set_trust(t, row, block) ||
	       fail(t, err, "a class, raw count or error is none");
}

bool table_read(struct program *p, size_t binary, const char *path,
		struct table_result *ret, struct fdo_error *err)
{
	struct table t;
	struct row row;
	bool done = table_open(&t, path, err) && read_header(&t, err);

	while (done && next_row(&t, &row))
		done = read_row(&t, p, binary, &row, err);
	if (done)
		*ret = (struct table_result){ .blocks = t.address >= 0,
					      .edges = t.address < 0,
					      .trust = t.trust };
	table_close(&t);
	return done;
}
