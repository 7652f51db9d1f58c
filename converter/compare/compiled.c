#include "converter/compare/compiled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/text.h"
#include "converter/compare/metrics.h"

/* Of a file, and of a unit in it. */
static const char first_words[] = "samplefdo compared";
static const char unit_words[] = "samplefdo compared 1 ";

const char *const compiled_causes[COMPILED_COLUMNS] = {
	[COMPILED_KEY] = "key",
	[COMPILED_COPY] = "copy",
	[COMPILED_ZERO] = "zero",
	[COMPILED_VOTE] = "vote",
};

struct compiled *compiled_new(void)
{
	struct compiled *c = fdo_alloc(1, sizeof(*c));

	c->names = fdo_strings_new();
	c->units = fdo_map_new();
	return c;
}

void compiled_free(struct compiled *c)
{
	if (!c)
		return;
	free(c->functions);
	free(c->blocks);
	free(c->edges);
	fdo_strings_free(c->names);
	fdo_map_free(c->units);
	free(c);
}

/* As many words of a line are looked at; the longest are edges. */
enum { WORDS = 9 };

struct reader {
	struct compiled *c;
	struct fdo_text text;
	char *words[WORDS];
	int nwords;
	bool in_unit;
};

static bool fail(const struct reader *r, struct fdo_error *err,
		 const char *what)
{
	return fdo_text_fail(&r->text, err, "%s", what);
}

static void split(struct reader *r, char *rest)
{
	for (r->nwords = 0; rest && r->nwords < WORDS; r->nwords++)
		r->words[r->nwords] = strsep(&rest, " ");
}

static bool get_count(const struct reader *r, int word, double *ret)
{
	return word < r->nwords && fdo_text_real(r->words[word], ret);
}

static bool get_number(const struct reader *r, int word, uint32_t *ret)
{
	uint64_t number;

	if (word >= r->nwords ||
	    !fdo_text_number(r->words[word], 10, &number) ||
	    number > UINT32_MAX)
		return false;
	*ret = number;
	return true;
}

/* Is it the first of two words, where only these can stand? */
static bool get_choice(const struct reader *r, int word, const char *first,
		       const char *second, bool *ret)
{
	if (word >= r->nwords)
		return false;
	*ret = strcmp(r->words[word], first) == 0;
	return *ret || strcmp(r->words[word], second) == 0;
}

static bool read_unit(struct reader *r, const char *name, struct fdo_error *err)
{
	name = fdo_intern(r->c->names, name);
	if (r->in_unit)
		return fail(r, err, "the unit before has no end");
	r->in_unit = true;
	*fdo_map_at(r->c->units, (uint64_t)(uintptr_t)name) = ++r->c->nunits;
	return true;
}

/* NAME LINE shared|own annotated|guessed SAMPLES ENTRY EXACT|- [ASTRAY] */
static bool read_function(struct reader *r, struct fdo_error *err)
{
	struct compiled *c = r->c;
	struct compiled_function f = {
		.unit = c->nunits,
		.first_block = c->nblocks,
		.first_edge = c->nedges,
	};
	double astray = 0;

	if (!get_choice(r, 2, "shared", "own", &f.is_shared) ||
	    !get_choice(r, 3, "annotated", "guessed", &f.is_annotated) ||
	    !get_count(r, 5, &f.entry) || r->nwords < 7)
		return fail(r, err, "not a function");
	f.is_exact = strcmp(r->words[6], "-") != 0;
	if (f.is_exact &&
	    (!get_count(r, 6, &f.exact_entry) || !get_count(r, 7, &astray)))
		return fail(r, err, "not a function");
	f.name = fdo_intern(c->names, r->words[0]);
	c->nunknown += !f.is_exact;
	c->functions = fdo_grow(c->functions, c->nfunctions, &c->room_functions,
				sizeof(f));
	c->functions[c->nfunctions++] = f;
	return true;
}

static struct compiled_function *last_function(const struct reader *r)
{
	struct compiled_function *f =
		r->c->nfunctions ? &r->c->functions[r->c->nfunctions - 1]
				 : NULL;

	return f && f->is_exact && f->unit == r->c->nunits ? f : NULL;
}

/* NUMBER SIZE LINE PLACES CAUSE OURS EXACT, and the evidence */
static bool read_block(struct reader *r, struct fdo_error *err)
{
	struct compiled *c = r->c;
	struct compiled_function *f = last_function(r);
	struct compiled_block b;
	uint32_t size;

	if (!f || !get_number(r, 1, &size) || !get_count(r, 5, &b.ours) ||
	    !get_count(r, 6, &b.exact))
		return fail(r, err, "not a block");
	/* A block is never free: it is where the jump to it goes. */
	f->weight += b.ours * (size + 1.0);
	f->exact_weight += b.exact * (size + 1.0);
	f->nblocks++;
	c->blocks = fdo_grow(c->blocks, c->nblocks, &c->room_blocks, sizeof(b));
	c->blocks[c->nblocks++] = b;
	return true;
}

/* FROM TO OURS EXACT, and mended: ALL KEY COPY ZERO VOTE */
static bool read_edge(struct reader *r, struct fdo_error *err)
{
	struct compiled *c = r->c;
	struct compiled_function *f = last_function(r);
	struct compiled_edge e;
	bool good = f && get_number(r, 0, &e.from) && get_number(r, 1, &e.to);

	for (int column = 0; good && column < COMPILED_COLUMNS; column++)
		good = get_count(r, 2 + column, &e.counts[column]);
	if (!good)
		return fail(r, err, "not an edge");
	/* As in the binary: edges between blocks.  0 and 1 are outside. */
	if (e.from < 2 || e.to < 2)
		return true;
	f->nedges++;
	c->edges = fdo_grow(c->edges, c->nedges, &c->room_edges, sizeof(e));
	c->edges[c->nedges++] = e;
	return true;
}

static char *after(char *line, const char *words)
{
	size_t length = strlen(words);

	return strncmp(line, words, length) == 0 ? line + length : NULL;
}

static bool read_line(struct reader *r, struct fdo_error *err)
{
	static const struct {
		const char *word;
		bool (*read)(struct reader *r, struct fdo_error *err);
	} kinds[] = {
		{ "function ", read_function },
		{ "block ", read_block },
		{ "edge ", read_edge },
	};
	char *rest = after(r->text.line, unit_words);

	if (rest)
		return read_unit(r, rest, err);
	if (!r->in_unit)
		return fail(r, err, "not the beginning of a unit");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		rest = after(r->text.line, kinds[i].word);
		if (!rest)
			continue;
		split(r, rest);
		return kinds[i].read(r, err);
	}
	if (strcmp(r->text.line, "end") != 0)
		return fail(r, err, "not a function, block, edge or end");
	r->in_unit = false;
	return true;
}

bool compiled_is(const char *path)
{
	return fdo_text_begins(path, first_words);
}

bool compiled_read(struct compiled *c, const char *path, struct fdo_error *err)
{
	struct reader r = { .c = c };
	bool done = fdo_text_open(&r.text, path, err);

	while (done && fdo_text_next(&r.text, &done, err))
		done = read_line(&r, err);
	if (done && (r.in_unit || r.text.number == 0))
		done = fail(&r, err, "the file ends within a unit");
	fdo_text_close(&r.text);
	return done;
}

/* Its numbers are those of the last unit of its name. */
static bool is_current(const struct fdo_map *current,
		       const struct compiled_function *f)
{
	return fdo_map_get(current, f->unit) != NULL;
}

static struct fdo_map *current_units(const struct compiled *c)
{
	struct fdo_map *current = fdo_map_new();
	uint64_t *names = fdo_map_keys(c->units);

	for (size_t i = 0; i < fdo_map_size(c->units); i++)
		fdo_map_at(current, *fdo_map_get(c->units, names[i]));
	free(names);
	return current;
}

/* Of a shared function, the first of those of which most was executed. */
static struct fdo_map *shared_functions(const struct compiled *c,
					const struct fdo_map *current)
{
	struct fdo_map *chosen = fdo_map_new();

	for (size_t i = 0; i < c->nfunctions; i++) {
		const struct compiled_function *f = &c->functions[i];
		uint64_t *best;

		if (!f->is_shared || !f->is_exact || !is_current(current, f))
			continue;
		best = fdo_map_at(chosen, (uint64_t)(uintptr_t)f->name);
		if (*best == 0 ||
		    c->functions[*best - 1].exact_weight < f->exact_weight)
			*best = i + 1;
	}
	return chosen;
}

static double column_sum(const struct compiled *c, enum compiled_column column)
{
	double sum = 0;

	for (size_t i = 0; i < c->nfunctions; i++) {
		const struct compiled_function *f = &c->functions[i];

		for (size_t e = 0; e < f->nedges; e++)
			sum += c->edges[f->first_edge + e].counts[column];
	}
	return sum;
}

static double share(double count, double sum)
{
	return sum > 0 ? count / sum : 0;
}

/* Overlap of a function's edges, in shares of the program. */
static double edges_overlap(const struct compiled *c,
			    const struct compiled_function *f,
			    enum compiled_column column, double sum,
			    double exact_sum)
{
	double overlap = 0;

	for (size_t i = 0; i < f->nedges; i++) {
		const double *counts = c->edges[f->first_edge + i].counts;

		overlap += fmin(share(counts[column], sum),
				share(counts[COMPILED_EXACT], exact_sum));
	}
	return overlap;
}

static void find_losses(struct compiled *c)
{
	double sums[COMPILED_COLUMNS];

	for (int column = 0; column < COMPILED_COLUMNS; column++)
		sums[column] = column_sum(c, column);
	for (size_t i = 0; i < c->nfunctions; i++) {
		struct compiled_function *f = &c->functions[i];
		double whole = 0;
		double ours =
			edges_overlap(c, f, COMPILED_OURS, sums[COMPILED_OURS],
				      sums[COMPILED_EXACT]);

		for (size_t e = 0; e < f->nedges; e++)
			whole += share(c->edges[f->first_edge + e]
					       .counts[COMPILED_EXACT],
				       sums[COMPILED_EXACT]);
		f->lost = whole - ours;
		for (int column = COMPILED_ALL; column < COMPILED_COLUMNS;
		     column++)
			f->gains[column] =
				edges_overlap(c, f, column, sums[column],
					      sums[COMPILED_EXACT]) -
				ours;
	}
}

void compiled_finish(struct compiled *c)
{
	struct fdo_map *current = current_units(c);
	struct fdo_map *shared = shared_functions(c, current);
	size_t n = 0;

	for (size_t i = 0; i < c->nfunctions; i++) {
		const struct compiled_function *f = &c->functions[i];

		if (!f->is_exact || !is_current(current, f))
			continue;
		if (f->is_shared &&
		    *fdo_map_get(shared, (uint64_t)(uintptr_t)f->name) != i + 1)
			continue;
		c->functions[n++] = *f;
	}
	c->nfunctions = n;
	fdo_map_free(shared);
	fdo_map_free(current);
	find_losses(c);
}

double compiled_edge_overlap(const struct compiled *c,
			     enum compiled_column column)
{
	double sum = column_sum(c, column), overlap = 0;
	double exact_sum = column_sum(c, COMPILED_EXACT);

	for (size_t i = 0; i < c->nfunctions; i++)
		overlap += edges_overlap(c, &c->functions[i], column, sum,
					 exact_sum);
	return overlap;
}

double compiled_block_overlap(const struct compiled *c)
{
	double *ours = fdo_alloc(c->nblocks, sizeof(*ours));
	double *exact = fdo_alloc(c->nblocks, sizeof(*exact));
	size_t n = 0;
	double overlap;

	for (size_t i = 0; i < c->nfunctions; i++) {
		const struct compiled_function *f = &c->functions[i];

		for (size_t b = 0; b < f->nblocks; b++) {
			ours[n] = c->blocks[f->first_block + b].ours;
			exact[n++] = c->blocks[f->first_block + b].exact;
		}
	}
	overlap = metrics_overlap(ours, exact, n);
	free(ours);
	free(exact);
	return overlap;
}

double compiled_function_overlap(const struct compiled *c)
{
	double *ours = fdo_alloc(c->nfunctions, sizeof(*ours));
	double *exact = fdo_alloc(c->nfunctions, sizeof(*exact));
	double overlap;

	for (size_t i = 0; i < c->nfunctions; i++) {
		ours[i] = c->functions[i].weight;
		exact[i] = c->functions[i].exact_weight;
	}
	overlap = metrics_overlap(ours, exact, c->nfunctions);
	free(ours);
	free(exact);
	return overlap;
}

double compiled_no_entry(const struct compiled *c)
{
	double all = 0, without = 0;

	for (size_t i = 0; i < c->nfunctions; i++) {
		const struct compiled_function *f = &c->functions[i];

		all += f->exact_weight;
		if (f->entry <= 0)
			without += f->exact_weight;
	}
	return share(without, all);
}
