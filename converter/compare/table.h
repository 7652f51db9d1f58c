/*
 * table.h - counts from what "samplefdo blocks" printed.
 *
 * A table of blocks fills their counts, and classes, raw counts and errors if
 * it has them, one with --edges the counts of edges.
 * Other columns may stand in it, in any order: "function" is not looked at,
 * "address" and "count" are needed for blocks, "from", "to" and "count" for
 * edges.  Of a table of several binaries, which has a column "binary", lines of
 * others are left out.
 *
 * Errors     Name the file and the line: columns that are missing or there
 *            twice, numbers that are none, addresses that are no block or edge, a line that is
 *            cut off.
 */
#ifndef CONVERTER_TABLE_H
#define CONVERTER_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct fdo_error;
struct program;

/* What was in the table. */
struct table_result {
	bool blocks, edges;
	bool trust; /* classes, raw counts and errors */
};

/* Does the file begin as a table does? */
bool table_is(const char *path);

/* Make all functions of a binary that the table names, with its counts. */
bool table_read(struct program *p, size_t binary, const char *path,
		struct table_result *ret, struct fdo_error *err);

#endif
