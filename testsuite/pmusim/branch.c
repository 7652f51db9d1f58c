#include "testsuite/pmusim/branch.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "testsuite/pmusim/code.h"
#include "testsuite/pmusim/options.h"

void predictor_init(struct predictor *p, const struct options *options)
{
	uint64_t counters = (uint64_t)1 << options->gshare_bits;
	uint64_t targets = (uint64_t)1 << options->indirect_bits;

	*p = (struct predictor){
		.counters = fdo_alloc(counters, sizeof(*p->counters)),
		.targets = fdo_alloc(targets, sizeof(*p->targets)),
		.returns =
			fdo_alloc(options->return_stack, sizeof(*p->returns)),
		.counters_mask = counters - 1,
		.targets_mask = targets - 1,
		.depth = options->return_stack,
	};
}

void predictor_clear(struct predictor *p)
{
	free(p->counters);
	free(p->targets);
	free(p->returns);
}

static bool guess_branch(struct predictor *p, uint64_t address, bool taken)
{
	uint8_t *counter =
		&p->counters[(address ^ p->history) & p->counters_mask];
	bool guess = *counter >= 2;

	if (taken && *counter < 3)
		++*counter;
	else if (!taken && *counter > 0)
		--*counter;
	p->history = p->history << 1 | taken;
	return guess == taken;
}

static bool guess_indirect(struct predictor *p, uint64_t address, uint64_t next)
{
	uint64_t *target = &p->targets[(address ^ p->path) & p->targets_mask];
	bool right = *target == next;

	*target = next;
	p->path = p->path << 3 ^ (next >> 2);
	return right;
}

static void call(struct predictor *p, const struct insn *branch)
{
	p->returns[p->top++ % p->depth] = branch->address + branch->length;
}

static bool guess_return(struct predictor *p, uint64_t next)
{
	return p->top && p->returns[--p->top % p->depth] == next;
}

bool predictor_guess(struct predictor *p, const struct insn *branch,
		     uint64_t next)
{
	switch (branch->flow) {
	case FLOW_BRANCH:
		return guess_branch(p, branch->address,
				    next != branch->address + branch->length);
	case FLOW_CALL:
		call(p, branch);
		return true;
	case FLOW_CALL_INDIRECT:
		call(p, branch);
		return guess_indirect(p, branch->address, next);
	case FLOW_INDIRECT:
		return guess_indirect(p, branch->address, next);
	case FLOW_RETURN:
		return guess_return(p, next);
	default:
		return true;
	}
}
