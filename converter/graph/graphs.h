/*
 * graphs.h - the graphs of a binary's functions, each made once.
 *
 * What samples with registers tell, follows from graphs: these are made as the
 * samples are read, before it is known which functions have some that count.
 *
 *	struct graphs *graphs = graphs_new(cfgs);
 *	const struct cfg *before = graphs_find(graphs, function);
 *	if (!graphs_take(graphs, function, &cfg, err))
 *		...
 *	graphs_free(graphs);
 *
 * Ownership  It borrows the struct cfg_program.  A graph that was found is
 *            there until it is taken: then it is the caller's to cfg_free().
 * Errors     As cfg_build() reports them.
 */
#ifndef CONVERTER_GRAPHS_H
#define CONVERTER_GRAPHS_H

#include <stdbool.h>

struct cfg;
struct cfg_program;
struct fdo_error;
struct graphs;
struct object_function;

struct graphs *graphs_new(struct cfg_program *cfgs);
void graphs_free(struct graphs *graphs);

/* NULL: the function has none, or it was taken. */
const struct cfg *graphs_find(struct graphs *graphs,
			      const struct object_function *function);

/* Once for each function. */
bool graphs_take(struct graphs *graphs, const struct object_function *function,
		 struct cfg *ret, struct fdo_error *err);

#endif
