#include "svr-train/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "base/text.h"

/* Above it, squares and sums of many might no longer be finite. */
#define LARGEST 1e18

/* What a column is: one of these, or FIRST_EVENT + the event's index. */
enum { IGNORED, FUNCTION, ADDRESS, INSTRUCTIONS, TRUTH, FIRST_EVENT };

static const struct known {
	const char *name;
	int kind;
} known[] = {
	{ "function", FUNCTION },
	{ "address", ADDRESS },
	{ "instructions", INSTRUCTIONS },
	{ "true", TRUTH },
	{ "class", IGNORED },
	{ "raw", IGNORED },
	{ "count", IGNORED },
	{ "error", IGNORED },
	{ "binary", IGNORED },
};
enum { KNOWN = sizeof(known) / sizeof(known[0]) };

struct reader {
	struct tables *tables;
	struct fdo_text text;
	uint32_t program;
	char **fields;
	size_t nfields, fields_room;
	int *kinds; /* of each column */
	size_t nkinds;
	size_t rows_room, samples_room, nsamples, events_room;
};

/* The next line in fields; false after the last one. */
static bool next_line(struct reader *r, bool *good, struct fdo_error *err)
{
	char *rest;

	if (!fdo_text_next(&r->text, good, err))
		return false;
	rest = r->text.line;
	for (r->nfields = 0; rest; r->nfields++) {
		r->fields = fdo_grow(r->fields, r->nfields, &r->fields_room,
				     sizeof(*r->fields));
		r->fields[r->nfields] = strsep(&rest, "\t");
	}
	return true;
}

/* The index of an event, or nevents. */
static size_t event_of(const struct tables *tables, const char *name)
{
	size_t e = 0;

	while (e < tables->nevents && strcmp(tables->events[e], name) != 0)
		e++;
	return e;
}

static int kind_of(const char *name)
{
	for (int i = 0; i < KNOWN; i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].kind;
	return FIRST_EVENT;
}

static bool check_name(const struct reader *r, size_t i, struct fdo_error *err)
{
	const char *name = r->fields[i];

	for (const char *c = name; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return fdo_text_fail(
				&r->text, err,
				"a control character in a column's name");
	if (!*name)
		return fdo_text_fail(&r->text, err, "a column has no name");
	for (size_t j = 0; j < i; j++)
		if (strcmp(r->fields[j], name) == 0)
			return fdo_text_fail(&r->text, err,
					     "two columns are named '%s'",
					     name);
	return true;
}

static int compare_texts(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The first table says which events there are; their names, in what order. */
static void take_events(struct reader *r)
{
	struct tables *t = r->tables;

	for (size_t i = 0; i < r->nkinds; i++) {
		if (r->kinds[i] < FIRST_EVENT)
			continue;
		t->events = fdo_grow(t->events, t->nevents, &r->events_room,
				     sizeof(*t->events));
		t->events[t->nevents++] = fdo_intern(t->strings, r->fields[i]);
	}
	if (t->nevents > 0)
		qsort(t->events, t->nevents, sizeof(*t->events), compare_texts);
}

static bool find_event(struct reader *r, size_t column, struct fdo_error *err)
{
	const struct tables *t = r->tables;
	const char *name = r->fields[column];
	size_t e = event_of(t, name);

	if (e == t->nevents)
		return fdo_text_fail(&r->text, err,
				     "there is a column '%s', and none in %s",
				     name, t->paths[0]);
	r->kinds[column] = FIRST_EVENT + e;
	return true;
}

static bool has_kind(const struct reader *r, int kind)
{
	for (size_t i = 0; i < r->nkinds; i++)
		if (r->kinds[i] == kind)
			return true;
	return false;
}

static bool check_header(const struct reader *r, struct fdo_error *err)
{
	const struct tables *t = r->tables;
	bool table = has_kind(r, FUNCTION) || has_kind(r, ADDRESS);

	if (!table)
		return fdo_text_fail(&r->text, err,
				     "not the header of a table of blocks");
	for (int i = 0; i < KNOWN; i++)
		if (known[i].kind != IGNORED && !has_kind(r, known[i].kind))
			return fdo_text_fail(
				&r->text, err, "no column '%s'%s",
				known[i].name,
				known[i].kind == TRUTH
					? "; samplefdo blocks --truth prints it"
					: "");
	if (t->nevents == 0)
		return fdo_text_fail(&r->text, err, "no column of an event");
	for (size_t e = 0; e < t->nevents; e++)
		if (!has_kind(r, FIRST_EVENT + e))
			return fdo_text_fail(
				&r->text, err,
				"no column '%s', and there is one in %s",
				t->events[e], t->paths[0]);
	return true;
}

static bool read_header(struct reader *r, struct fdo_error *err)
{
	bool good = true;

	if (!next_line(r, &good, err))
		return good &&
		       fdo_fail(err, "%s: the file is empty", r->text.path);
	r->nkinds = r->nfields;
	r->kinds = fdo_alloc(r->nkinds, sizeof(*r->kinds));
	for (size_t i = 0; i < r->nkinds; i++) {
		if (!check_name(r, i, err))
			return false;
		r->kinds[i] = kind_of(r->fields[i]);
	}
	if (!has_kind(r, FUNCTION) && !has_kind(r, ADDRESS))
		return fdo_text_fail(&r->text, err,
				     "not the header of a table of blocks");
	if (r->program == 0)
		take_events(r);
	for (size_t i = 0; i < r->nkinds; i++)
		if (r->kinds[i] >= FIRST_EVENT && !find_event(r, i, err))
			return false;
	return check_header(r, err);
}

static bool bad_field(const struct reader *r, size_t i, const char *want,
		      struct fdo_error *err)
{
	return fdo_text_fail(&r->text, err, "'%.40s' is not %s", r->fields[i],
			     want);
}

static bool get_number(const struct reader *r, size_t i, double *ret,
		       struct fdo_error *err)
{
	if (!fdo_text_real(r->fields[i], ret) || *ret > LARGEST)
		return bad_field(r, i, "a number from 0 to 10^18", err);
	return true;
}

static bool get_address(const struct reader *r, size_t i, uint64_t *ret,
			struct fdo_error *err)
{
	const char *text = r->fields[i];

	return (strncmp(text, "0x", 2) == 0 &&
		fdo_text_number(text + 2, 16, ret)) ||
	       bad_field(r, i, "an address in hexadecimal", err);
}

static bool get_field(struct reader *r, size_t i, struct table_row *row,
		      struct fdo_error *err)
{
	struct tables *t = r->tables;

	switch (r->kinds[i]) {
	case IGNORED:
		return true;
	case FUNCTION:
		row->function = fdo_intern(t->strings, r->fields[i]);
		return true;
	case ADDRESS:
		return get_address(r, i, &row->address, err);
	case INSTRUCTIONS:
		if (!get_number(r, i, &row->instructions, err))
			return false;
		return row->instructions == floor(row->instructions) ||
		       bad_field(r, i, "a number of instructions", err);
	case TRUTH:
		return get_number(r, i, &row->truth, err);
	default:
		return get_number(
			r, i,
			&t->samples[row->samples + r->kinds[i] - FIRST_EVENT],
			err);
	}
}

static void make_row(struct reader *r)
{
	struct tables *t = r->tables;
	size_t first = r->nsamples;

	t->rows = fdo_grow(t->rows, t->nrows, &r->rows_room, sizeof(*t->rows));
	for (size_t e = 0; e < t->nevents; e++)
		t->samples = fdo_grow(t->samples, r->nsamples++,
				      &r->samples_room, sizeof(*t->samples));
	t->rows[t->nrows++] =
		(struct table_row){ .program = r->program, .samples = first };
}

/* No-operations are not counted as instructions: a block may have none. */
static void unmake_row(struct reader *r)
{
	r->tables->nrows--;
	r->nsamples -= r->tables->nevents;
}

static bool read_row(struct reader *r, struct fdo_error *err)
{
	if (r->nfields != r->nkinds)
		return fdo_text_fail(&r->text, err,
				     "%zu columns, and %zu in the header",
				     r->nfields, r->nkinds);
	make_row(r);
	for (size_t i = 0; i < r->nkinds; i++)
		if (!get_field(r, i, &r->tables->rows[r->tables->nrows - 1],
			       err))
			return false;
	if (r->tables->rows[r->tables->nrows - 1].instructions == 0)
		unmake_row(r);
	return true;
}

static bool read_lines(struct reader *r, struct fdo_error *err)
{
	size_t before = r->tables->nrows;
	bool good = read_header(r, err);

	while (good && next_line(r, &good, err))
		good = read_row(r, err);
	if (good && r->tables->nrows == before)
		good = fdo_text_fail(&r->text, err,
				     "no block after the header");
	return good;
}

/* One file; the room that arrays have is kept for the next one. */
static bool read_file(struct reader *r, uint32_t program, struct fdo_error *err)
{
	const char **path = &r->tables->paths[program];
	bool good = fdo_text_open_input(&r->text, *path, err);

	*path = r->text.path;
	r->program = program;
	good = good && read_lines(r, err);
	fdo_text_close(&r->text);
	free(r->kinds);
	r->kinds = NULL;
	return good;
}

static bool differ_from_truth(const struct tables *t, uint32_t program)
{
	double first = -1;

	for (size_t i = 0; i < t->nrows; i++) {
		if (t->rows[i].program != program)
			continue;
		if (first < 0)
			first = t->rows[i].truth;
		if (t->rows[i].truth != first)
			return true;
	}
	return false;
}

static bool event_varies(const struct tables *t, size_t event)
{
	for (size_t i = 1; i < t->nrows; i++)
		if (tables_samples(t, i)[event] != tables_samples(t, 0)[event])
			return true;
	return false;
}

/* What never changes cannot explain anything, nor be explained. */
static bool check_values(const struct tables *t, struct fdo_error *err)
{
	for (size_t p = 0; p < t->npaths; p++)
		if (!differ_from_truth(t, p))
			return fdo_fail(err,
					"%s: line 1: column 'true' has the "
					"same value in all lines",
					t->paths[p]);
	for (size_t e = 0; e < t->nevents; e++)
		if (!event_varies(t, e))
			return fdo_fail(err,
					"%s: line 1: column '%s' has the same "
					"value in all lines%s",
					t->paths[0], t->events[e],
					t->npaths > 1 ? " of all tables" : "");
	return true;
}

static int compare_doubles(double a, double b)
{
	return (a > b) - (a < b);
}

static int compare_contents(const struct tables *t, const struct table_row *a,
			    const struct table_row *b)
{
	int order = strcmp(a->function, b->function);

	if (!order)
		order = (a->address > b->address) - (a->address < b->address);
	if (!order)
		order = compare_doubles(a->instructions, b->instructions);
	if (!order)
		order = compare_doubles(a->truth, b->truth);
	for (size_t e = 0; !order && e < t->nevents; e++)
		order = compare_doubles(t->samples[a->samples + e],
					t->samples[b->samples + e]);
	return order;
}

static int compare_rows(const void *left, const void *right, void *context)
{
	const struct table_row *a = left, *b = right;

	if (a->program != b->program)
		return a->program < b->program ? -1 : 1;
	return compare_contents(context, a, b);
}

static void sort_rows(struct tables *t)
{
	qsort_r(t->rows, t->nrows, sizeof(*t->rows), compare_rows, t);
}

/* Where the rows of a table are, once sorted. */
struct span {
	const char *path;
	size_t first, n;
};

static int compare_spans(const void *left, const void *right, void *context)
{
	const struct span *a = left, *b = right;
	const struct tables *t = context;
	int order = 0;

	for (size_t i = 0; !order && i < a->n && i < b->n; i++)
		order = compare_contents(t, &t->rows[a->first + i],
					 &t->rows[b->first + i]);
	if (!order)
		order = (a->n > b->n) - (a->n < b->n);
	return order ? order : strcmp(a->path, b->path);
}

/* Programs by what is in them, whatever their files are called. */
static void sort_programs(struct tables *t)
{
	struct span *spans = fdo_alloc(t->npaths, sizeof(*spans));

	for (size_t p = 0; p < t->npaths; p++)
		spans[p].path = t->paths[p];
	for (size_t i = 0; i < t->nrows; i++) {
		struct span *span = &spans[t->rows[i].program];

		if (span->n++ == 0)
			span->first = i;
	}
	qsort_r(spans, t->npaths, sizeof(*spans), compare_spans, t);
	for (size_t p = 0; p < t->npaths; p++) {
		t->paths[p] = spans[p].path;
		for (size_t i = 0; i < spans[p].n; i++)
			t->rows[spans[p].first + i].program = p;
	}
	free(spans);
}

static bool take_paths(struct tables *t, const char *const *paths,
		       struct fdo_error *err)
{
	memcpy(t->paths, paths, t->npaths * sizeof(*paths));
	qsort(t->paths, t->npaths, sizeof(*t->paths), compare_texts);
	return fdo_file_all_differ(t->paths, t->npaths, err);
}

struct tables *tables_read(const char *const *paths, size_t npaths,
			   struct fdo_error *err)
{
	struct tables *t = fdo_alloc(1, sizeof(*t));
	struct reader r = { .tables = t };
	bool good;

	t->npaths = npaths;
	t->paths = fdo_alloc(npaths, sizeof(*t->paths));
	t->strings = fdo_strings_new();
	good = take_paths(t, paths, err);
	for (size_t i = 0; good && i < npaths; i++)
		good = read_file(&r, i, err);
	free(r.fields);
	if (!good || !check_values(t, err)) {
		tables_free(t);
		return NULL;
	}
	sort_rows(t);
	sort_programs(t);
	sort_rows(t);
	return t;
}

void tables_free(struct tables *t)
{
	if (!t)
		return;
	free(t->paths);
	free(t->events);
	free(t->rows);
	free(t->samples);
	fdo_strings_free(t->strings);
	free(t);
}
