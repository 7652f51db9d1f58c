/*
 * ranking.h - the functions of a program, those that execute most first.
 *
 *	struct ranking *r = ranking_new(program);
 *	for (size_t i = 0; i < r->nfunctions; i++)
 *		...	// r->functions[i].function->cfg.name
 *	ranking_free(r);
 *
 * Units      Instructions executed, by the counts; shares of their sum.
 * Ownership  The program must outlive the ranking.
 * Errors     None.
 */
#ifndef CONVERTER_PRINT_RANKING_H
#define CONVERTER_PRINT_RANKING_H

#include <stddef.h>

struct program;
struct program_function;

struct ranked {
	const struct program_function *function;
	double executed;
	double share; /* 0 .. 1 */
	double error; /* of an instruction's count, at the mean, as its part;
			 of each block 1 at most */
	double moved; /* by the flow, from what was measured; likewise */
};

struct ranking {
	struct ranked *functions; /* equal ones by name, then address */
	size_t nfunctions;
	double executed; /* by all */
};

struct ranking *ranking_new(const struct program *p);
void ranking_free(struct ranking *r);

#endif
