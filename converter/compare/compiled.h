/*
 * compiled.h - counts in the compiler, ours and exact ones, as the plugin
 * writes them with -fplugin-arg-samplefdo-compare=FILE.
 *
 *	struct compiled *c = compiled_new();
 *	if (!compiled_read(c, "app.compared", err))
 *		...
 *	compiled_finish(c);
 *	... compiled_edge_overlap(c, COMPILED_OURS) ...
 *	compiled_free(c);
 *
 * Of a unit that was compiled more than once, the last one counts; of a
 * function that several units have, such as an inline one of C++, the first of
 * those of which most was executed.  Functions without exact counts are left
 * out.
 *
 * Units      Counts may have any unit: shares of their sums are compared.
 * Ownership  compiled_free() frees all, names too, and accepts NULL.
 * Errors     A file that cannot be read, is damaged or is cut off; the text
 *            has file and line.
 */
#ifndef CONVERTER_COMPILED_H
#define CONVERTER_COMPILED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fdo_error;
struct fdo_map;
struct fdo_strings;

/* Columns of an edge: what was counted, and what with a cause mended. */
enum compiled_column {
	COMPILED_OURS,
	COMPILED_EXACT,
	COMPILED_ALL, /* exact votes in all blocks: what is left is the flow */
	COMPILED_KEY,
	COMPILED_COPY,
	COMPILED_ZERO,
	COMPILED_VOTE,
	COMPILED_COLUMNS,
};

/* The word for a cause, from COMPILED_KEY. */
extern const char *const compiled_causes[COMPILED_COLUMNS];

struct compiled_edge {
	uint32_t from, to;
	double counts[COMPILED_COLUMNS];
};

struct compiled_function {
	const char *name;
	uint32_t unit;
	bool is_shared, is_annotated, is_exact;
	double entry, exact_entry;
	size_t first_block, nblocks, first_edge, nedges;
	double weight, exact_weight;	/* statements executed */
	double lost;			/* of the edge overlap */
	double gains[COMPILED_COLUMNS]; /* of edge overlap, by causes */
};

struct compiled_block {
	double ours, exact;
};

struct compiled {
	struct compiled_function *functions;
	size_t nfunctions, room_functions;
	struct compiled_block *blocks;
	size_t nblocks, room_blocks;
	struct compiled_edge *edges;
	size_t nedges, room_edges;
	struct fdo_strings *names;
	struct fdo_map *units; /* name: number of the last one of it */
	uint32_t nunits;
	size_t nunknown; /* functions without exact counts */
};

struct compiled *compiled_new(void);
void compiled_free(struct compiled *c);

/* Does a file begin as one of these? */
bool compiled_is(const char *path);

/* Add what a file has. */
bool compiled_read(struct compiled *c, const char *path, struct fdo_error *err);

/* When all files were read: leave out what is there twice, and add up. */
void compiled_finish(struct compiled *c);

/* Overlap with the exact counts, as in metrics.h. */
double compiled_edge_overlap(const struct compiled *c,
			     enum compiled_column column);
double compiled_block_overlap(const struct compiled *c);
double compiled_function_overlap(const struct compiled *c);

/*
 * The share of what was executed (in statements) in functions that were
 * entered, but have no entry in our counts.
 */
double compiled_no_entry(const struct compiled *c);

#endif
