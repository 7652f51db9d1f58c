#include "converter/compare/table.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "converter/binary/object.h"
#include "converter/count/classify.h"
#include "converter/count/program.h"

enum { COLUMNS = 512 };

/* A line in columns; texts are in the line itself. */
struct row {
	char *texts[COLUMNS];
	int n;
	bool cut; /* there are more columns */
};

struct table {
	struct fdo_text text;
	/* Columns, or -1. */
	int address, from, to, count;
	int class, raw, error;
	int binary;
	const char *twice; /* a name that two columns have; NULL: none */
	bool trust;	   /* has class, raw and error */
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
	row->cut = rest != NULL;
	return true;
}

/* The first column of that name, or -1. */
static int find_column(struct table *t, const struct row *header,
		       const char *name)
{
	int found = -1;

	for (int i = 0; i < header->n; i++) {
		if (strcmp(header->texts[i], name) != 0)
			continue;
		if (found >= 0)
			t->twice = name;
		else
			found = i;
	}
	return found;
}

/* Find all columns; false: it is no header. */
static bool find_columns(struct table *t, const struct row *header)
{
	t->twice = NULL;
	t->address = find_column(t, header, "address");
	t->from = find_column(t, header, "from");
	t->to = find_column(t, header, "to");
	t->count = find_column(t, header, "count");
	t->class = find_column(t, header, "class");
	t->raw = find_column(t, header, "raw");
	t->error = find_column(t, header, "error");
	t->binary = find_column(t, header, "binary");
	t->trust = t->address >= 0 && t->class >= 0 && t->raw >= 0 &&
		   t->error >= 0;
	return t->count >= 0 &&
	       (t->address >= 0 || (t->from >= 0 && t->to >= 0));
}

static bool read_header(struct table *t, struct fdo_error *err)
{
	struct row header;
	bool good = true;

	if (!next_row(t, &header, &good, err))
		return good &&
		       fdo_fail(err, "%s: the file is empty", t->text.path);
	if (!find_columns(t, &header))
		return fdo_text_fail(
			&t->text, err,
			"not the header of a table of blocks or edges");
	/* An event may be called as a column is. */
	if (t->twice)
		return fdo_text_fail(&t->text, err,
				     "two columns are named '%s'", t->twice);
	return !header.cut ||
	       fdo_text_fail(&t->text, err, "there are more than %d columns",
			     COLUMNS);
}

bool table_is(const char *path)
{
	struct fdo_error ignored;
	struct table t;
	struct row header;
	bool good = true;
	bool is = fdo_text_open(&t.text, path, &ignored) &&
		  next_row(&t, &header, &good, &ignored) &&
		  find_columns(&t, &header);

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

/* Of a table of several binaries: is the row of that one? */
static bool is_of(const struct table *t, const struct row *row,
		  const struct object *object)
{
	const char *name = "";

	if (t->binary < 0)
		return true;
	if (t->binary < row->n)
		name = row->texts[t->binary];
	return strcmp(name, object->path) == 0 ||
	       strcmp(name, object->real_path) == 0;
}

bool table_read(struct program *p, size_t binary, const char *path,
		struct table_result *ret, struct fdo_error *err)
{
	const struct object *object = p->binaries[binary].object;
	struct table t;
	struct row row;
	bool done = fdo_text_open(&t.text, path, err) && read_header(&t, err);
	bool others = false, any = false;

	while (done && next_row(&t, &row, &done, err)) {
		if (!is_of(&t, &row, object)) {
			others = true;
			continue;
		}
		any = true;
		done = read_row(&t, p, binary, &row, err);
	}
	if (done && others && !any)
		done = fdo_fail(err, "%s: no line is of the binary %s", path,
				object->path);
	if (done)
		*ret = (struct table_result){ .blocks = t.address >= 0,
					      .edges = t.address < 0,
					      .trust = t.trust };
	fdo_text_close(&t.text);
	return done;
}
