#include "converter/compare/table.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "converter/count/classify.h"
#include "converter/count/program.h"

enum { COLUMNS = 64 };

/* A line in columns; texts are in the line itself. */
struct row {
	char *texts[COLUMNS];
	int n;
};

struct table {
	struct fdo_text text;
	/* Columns, or -1. */
	int address, from, to, count;
	int class, raw, error;
	bool trust; /* has these three */
};

static bool next_row(struct table *t, struct row *row, bool *good,
		     struct fdo_error *err)
{
	char *rest;

	if (!fdo_text_next(&t->text, good, err))
		return false;
	rest = t->text.line;
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

static bool read_header(struct table *t, struct fdo_error *err)
{
	struct row header;
	bool good = true;

	if (!next_row(t, &header, &good, err))
		return good &&
		       fdo_fail(err, "%s: the file is empty", t->text.path);
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
		return fdo_text_fail(
			&t->text, err,
			"not the header of a table of blocks or edges");
	return true;
}

bool table_is(const char *path)
{
	struct fdo_error ignored;
	struct table t;
	bool is = fdo_text_open(&t.text, path, &ignored) &&
		  read_header(&t, &ignored);

	fdo_text_close(&t.text);
	return is;
}

static bool number(const struct row *row, int column, uint64_t *ret)
{
	return column < row->n && fdo_text_number(row->texts[column], 10, ret);
}

static bool address(const struct row *row, int column, uint64_t *ret)
{
	const char *text = column < row->n ? row->texts[column] : "";

	if (strncmp(text, "0x", 2) == 0)
		text += 2;
	return fdo_text_number(text, 16, ret);
}

static bool set_trust(const struct table *t, const struct row *row,
		      struct program_block *block)
{
	uint64_t raw, error;

	if (!number(row, t->raw, &raw) || !number(row, t->error, &error) ||
	    t->class >= row->n ||
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

	if (!address(row, edges ? t->from : t->address, &at) ||
	    (edges && !address(row, t->to, &to)) ||
	    !number(row, t->count, &count))
		return fdo_text_fail(&t->text, err,
				     "an address or a count is not a number");
	/* What leaves a hub leads into its function. */
	if (!program_function_at(p, binary, at < CFG_NOWHERE ? at : to, &f,
				 err))
		return false;
	if (!(edges ? set_edge(f, at, to, count)
		    : set_block(f, at, count, &block)))
		return fdo_text_fail(&t->text, err,
				     "the binary has no such block or edge");
	return !t->trust || set_trust(t, row, block) ||
	       fdo_text_fail(&t->text, err,
			     "a class, raw count or error is none");
}

bool table_read(struct program *p, size_t binary, const char *path,
		struct table_result *ret, struct fdo_error *err)
{
	struct table t;
	struct row row;
	bool done = fdo_text_open(&t.text, path, err) && read_header(&t, err);

	while (done && next_row(&t, &row, &done, err))
		done = read_row(&t, p, binary, &row, err);
	if (done)
		*ret = (struct table_result){ .blocks = t.address >= 0,
					      .edges = t.address < 0,
					      .trust = t.trust };
	fdo_text_close(&t.text);
	return done;
}
