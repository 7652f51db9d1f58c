/*
 * compared.h - our counts of a compilation beside exact ones, for
 * "samplefdo compare".
 *
 *	struct compared *c = compared_new();
 *	struct compared_function *f = compared_add(c, "main", 17, nblocks);
 *	f->blocks[2].is_here = true;
 *	compared_add_edge(f, 2, 3);
 *	...	// our counts, then exact ones
 *	compared_flow(f, 2, 3, 100);
 *	if (!compared_write(c, "app.compared", "/src/app", err))
 *		...
 *	compared_free(c);
 *
 * A unit is added to the file in one piece, whatever other compilations add
 * at the same time; samplefdo-gcc(1) describes the file.
 *
 * Units      Our counts and votes as in the profile, exact ones executions.
 * Range      Blocks have the compiler's numbers: 0 the entry, 1 the exit.
 * Ownership  The struct owns all that is in it, but for names.
 * Errors     Only writing can fail.
 */
#ifndef PLUGIN_COMPARED_H
#define PLUGIN_COMPARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ballot;
struct fdo_error;
struct fdo_map;

/* Why a block has the count it has; each can be mended by itself. */
enum cause {
	CAUSE_FLOW, /* nothing else */
	CAUSE_KEY,
	CAUSE_COPY,
	CAUSE_ZERO,
	CAUSE_VOTE,
	CAUSES,
};

struct compared_block {
	bool is_here;  /* or a number without a block */
	bool is_gone;  /* when the exact counts came */
	uint32_t size; /* statements */
	uint32_t line;
	uint32_t places; /* in the source */
	uint64_t *votes; /* of those places; none: a bound or nothing */
	size_t nvotes;
	uint64_t vote; /* the outcome */
	bool bounded;
	uint64_t bound;
	double ours, exact;
	enum cause cause;
};

/* mended: ours with exact votes in the blocks of a cause; of FLOW, in all. */
struct compared_edge {
	uint32_t from, to;
	double ours, exact;
	double mended[CAUSES];
};

struct compared_function {
	const char *name;
	uint32_t line;
	uint64_t samples;
	bool is_shared; /* other units may have it, and one's be linked */
	bool is_annotated, is_exact; /* has counts of ours, exact ones */
	double entry, exact_entry;
	double astray; /* exact counts that go a way which was not there */
	struct compared_block *blocks;
	uint32_t nblocks;
	struct compared_edge *edges;
	size_t nedges, room_edges;
	struct fdo_map *by_ends; /* edge + 1 */
};

struct compared {
	struct compared_function **functions;
	size_t nfunctions, room_functions;
};

struct compared *compared_new(void);
void compared_free(struct compared *c);

struct compared_function *compared_add(struct compared *c, const char *name,
				       uint32_t line, uint32_t nblocks);

struct compared_edge *compared_add_edge(struct compared_function *f,
					uint32_t from, uint32_t to);

/* NULL: there is none. */
struct compared_edge *compared_edge(struct compared_function *f, uint32_t from,
				    uint32_t to);

/* What a block's places say, after the vote. */
void compared_set_votes(struct compared_block *b, struct ballot *ballot,
			uint64_t vote);

/*
 * Add to the exact counts what goes from a block to another: over their
 * edge, or over blocks between them that are gone.  Those get counts from
 * this, too.  false: there is no such way.
 */
bool compared_flow(struct compared_function *f, uint32_t from, uint32_t to,
		   double amount);

/*
 * Executions that a count of ours stands for: the median over all blocks
 * that both have, weighted by the exact counts.  1 if there are none.
 */
double compared_scale(const struct compared *c);

/* Say of each block, with that scale, what its count suffers from. */
void compared_find_causes(struct compared *c, double scale);

/* Add the unit of that name to a file. */
bool compared_write(const struct compared *c, const char *path,
		    const char *unit, struct fdo_error *err);

#ifdef __cplusplus
}
#endif
#endif
