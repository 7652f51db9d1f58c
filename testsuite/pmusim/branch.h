/*
 * branch.h - guesses where branches go: gshare, a table for indirect jumps,
 * a stack for returns.
 *
 *	struct predictor p;
 *	predictor_init(&p, &options);
 *	bool right = predictor_guess(&p, branch, next);
 *	predictor_clear(&p);
 *
 * Units      Addresses of the guest.
 * Range      Direct jumps and calls are always guessed right.
 */
#ifndef PMUSIM_BRANCH_H
#define PMUSIM_BRANCH_H

#include <stdbool.h>
#include <stdint.h>

struct insn;
struct options;

struct predictor {
	uint8_t *counters; /* 0 to 3; taken from 2 on */
	uint64_t *targets;
	uint64_t *returns;
	uint64_t counters_mask, targets_mask, depth;
	uint64_t history, path, top;
};

void predictor_init(struct predictor *p, const struct options *options);
void predictor_clear(struct predictor *p);

/* Was it guessed that "next" comes after the branch?  And learn it. */
bool predictor_guess(struct predictor *p, const struct insn *branch,
		     uint64_t next);

#endif
