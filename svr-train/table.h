/*
 * table.h - what the samples of many blocks were, and how often they ran.
 *
 *	struct tables *tables = tables_read(paths, npaths, &err);
 *	for (size_t i = 0; i < tables->nrows; i++)
 *		use(tables_samples(tables, i), tables->rows[i].truth);
 *	tables_free(tables);
 *
 * A file, or standard input for "-", is what "samplefdo blocks --truth" prints
 * of one program: a line of column names and a line for each block, with tabs
 * between the columns.  "function", "address", "instructions" and "true" are
 * needed; "class", "raw", "count" and "error" are not looked at; each other
 * column is an event, with the samples of it in the block.
 *
 * Units      Samples and executions as they are in the files.
 * Range      All numbers are finite, none is negative; blocks without
 *            instructions (nothing but no-operations) are left out.  Each
 *            event, and the truth of each program, has more than one value.
 * Ownership  tables_read() gives, tables_free() takes back and accepts NULL.
 *            All texts but the paths are in it.
 * Errors     Name the file and the line.
 *
 * Programs and rows are in the order of their contents and events in that of
 * their names, so that neither the names of files nor the order of arguments,
 * lines or columns makes a difference.
 */
#ifndef SVR_TRAIN_TABLE_H
#define SVR_TRAIN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fdo_error;
struct fdo_strings;

struct table_row {
	const char *function;
	uint64_t address;
	uint32_t program; /* index into paths */
	double instructions;
	double truth;
	size_t samples; /* where its samples begin */
};

struct tables {
	const char **paths;
	size_t npaths;
	const char **events;
	size_t nevents;
	struct table_row *rows;
	size_t nrows;
	double *samples;
	struct fdo_strings *strings;
};

struct tables *tables_read(const char *const *paths, size_t npaths,
			   struct fdo_error *err);
void tables_free(struct tables *tables);

/* Of row i, one for each event. */
static inline const double *tables_samples(const struct tables *tables,
					   size_t i)
{
	return tables->samples + tables->rows[i].samples;
}

#endif
