#include "svr-train/training.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "svr-train/table.h"

/* So many blocks for each number that is to be found. */
enum { ROWS_PER_WEIGHT = 10 };

/* Sums over a program. */
struct totals {
	double *samples; /* of each event */
	double instructions;
	double executed; /* instructions, in truth */
};

static struct totals sum_program(const struct tables *tables, uint32_t program)
{
	struct totals sum = { fdo_alloc(tables->nevents, sizeof(double)) };

	for (size_t i = 0; i < tables->nrows; i++) {
		const struct table_row *row = &tables->rows[i];

		if (row->program != program)
			continue;
		sum.instructions += row->instructions;
		sum.executed += row->instructions * row->truth;
		for (size_t e = 0; e < tables->nevents; e++)
			sum.samples[e] += tables_samples(tables, i)[e];
	}
	return sum;
}

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static void fill_row(struct training *t, size_t i, const struct totals *sum)
{
	const struct table_row *row = &t->tables->rows[i];

	for (size_t e = 0; e < t->nevents; e++) {
		double samples = tables_samples(t->tables, i)[e];

		t->x[i * t->nevents + e] = ratio(samples, sum->samples[e]) *
					   sum->instructions /
					   row->instructions;
		t->sampled[i] |= samples > 0;
	}
	t->y[i] = ratio(row->truth, sum->executed) * sum->instructions;
	t->instructions[i] = row->instructions;
	t->program[i] = row->program;
	t->nsampled += t->sampled[i];
}

static void fill_program(struct training *t, uint32_t program)
{
	struct totals sum = sum_program(t->tables, program);

	for (size_t i = 0; i < t->nrows; i++)
		if (t->tables->rows[i].program == program)
			fill_row(t, i, &sum);
	free(sum.samples);
}

struct ticket {
	uint64_t hash;
	size_t row;
};

/* Bits of both sides in all bits (the finalizer of MurmurHash3). */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
	x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
	return x ^ x >> 33;
}

static int compare_tickets(const void *left, const void *right)
{
	const struct ticket *a = left, *b = right;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/*
 * Rank by hash, those with samples and those without apart: folds are as equal
 * as can be, however few rows there are.  So all rows have a say in which fold
 * a row is in, and one block in two tables is in two folds.
 */
static void deal_folds(struct training *t)
{
	struct ticket *tickets = fdo_alloc(t->nrows, sizeof(*tickets));
	size_t rank = 0, unsampled = 0;

	for (size_t i = 0; i < t->nrows; i++) {
		const struct table_row *row = &t->tables->rows[i];

		tickets[i].hash =
			mix(fdo_hash_text(row->function) ^ mix(row->address));
		tickets[i].row = i;
	}
	qsort(tickets, t->nrows, sizeof(*tickets), compare_tickets);
	for (size_t i = 0; i < t->nrows; i++) {
		size_t row = tickets[i].row;

		t->fold[row] = (t->sampled[row] ? rank++ : unsampled++) %
			       TRAINING_FOLDS;
	}
	free(tickets);
}

static bool has_enough(const struct training *t, struct fdo_error *err)
{
	size_t need = ROWS_PER_WEIGHT * (t->nevents + 1);

	if (t->nsampled >= need)
		return true;
	return fdo_fail(err,
			"%s%s: %zu blocks have samples, and %zu are needed "
			"for %zu event%s",
			t->tables->paths[0],
			t->nprograms > 1 ? " and the other tables" : "",
			t->nsampled, need, t->nevents,
			t->nevents == 1 ? "" : "s");
}

struct training *training_new(const struct tables *tables,
			      struct fdo_error *err)
{
	struct training *t = fdo_alloc(1, sizeof(*t));
	size_t n = tables->nrows;

	*t = (struct training){
		.tables = tables,
		.nrows = n,
		.nevents = tables->nevents,
		.nprograms = tables->npaths,
		.x = fdo_alloc(n * tables->nevents, sizeof(double)),
		.y = fdo_alloc(n, sizeof(double)),
		.instructions = fdo_alloc(n, sizeof(double)),
		.program = fdo_alloc(n, sizeof(uint32_t)),
		.sampled = fdo_alloc(n, sizeof(bool)),
		.fold = fdo_alloc(n, sizeof(uint8_t)),
	};
	for (size_t p = 0; p < t->nprograms; p++)
		fill_program(t, p);
	if (!has_enough(t, err)) {
		training_free(t);
		return NULL;
	}
	deal_folds(t);
	return t;
}

void training_free(struct training *t)
{
	if (!t)
		return;
	free(t->x);
	free(t->y);
	free(t->instructions);
	free(t->program);
	free(t->sampled);
	free(t->fold);
	free(t);
}
