/*
 * burst.c - a step that does not lead to the next instruction was a branch.
 */
#include "converter/step/burst.h"

#include "converter/graph/decode.h"
#include "converter/perf/perfwrite.h"
#include "converter/perf/stacks.h"
#include "converter/step/process.h"

/* Without a branch for so long, there is nothing to be learnt. */
enum { LONGEST_WAY = 10000 };

/* As the kernel packs the flags of a record. */
enum { PREDICTED = 2 };

void burst_begin(struct burst *b, uint64_t address, unsigned steps)
{
	b->begin = b->address = address;
	b->made = 0;
	b->steps = steps;
	b->nbranches = 0;
}

/* A jump or a call always is one, even to the instruction behind it. */
static bool is_taken(const struct insn *insn, uint64_t address)
{
	switch (insn->class) {
	case INSN_BRANCH:
		return address != insn_end(insn);
	case INSN_JUMP:
	case INSN_JUMP_INDIRECT:
	case INSN_CALL:
	case INSN_CALL_INDIRECT:
	case INSN_RETURN:
		return true;
	default:
		return false;
	}
}

bool burst_moves(const struct burst *b, struct process *p, uint64_t address)
{
	const struct insn *insn = process_insn(p, b->address);

	return insn && insn->class != INSN_TRAP &&
	       insn->class != INSN_SYSCALL && address != b->address;
}

bool burst_enters_kernel(const struct burst *b, struct process *p)
{
	const struct insn *insn = process_insn(p, b->address);

	return insn && insn->class == INSN_SYSCALL;
}

/* Is there a jump by a pointer, as functions of other files are called? */
static bool is_stub(struct process *p, uint64_t address)
{
	const struct insn *insn = process_insn(p, address);

	if (insn && insn->class == INSN_NOP)
		insn = process_insn(p, insn_end(insn));
	return insn && insn->class == INSN_JUMP_INDIRECT && insn->rip_relative;
}

bool burst_tells(const struct burst *b, struct process *p, uint64_t address)
{
	const struct insn *insn = process_insn(p, b->address);

	if (insn && insn->divides)
		return true;
	insn = process_insn(p, address);
	if (!insn)
		return false;
	if (insn->class == INSN_CALL_INDIRECT)
		return insn->rip_relative;
	return insn->class == INSN_CALL && is_stub(p, insn->target);
}

bool burst_step(struct burst *b, struct process *p, uint64_t address)
{
	const struct insn *insn = process_insn(p, b->address);
	uint64_t from = b->address;

	b->address = address;
	b->made++;
	if (!insn)
		return false;
	if (!is_taken(insn, address)) /* on, or one round of many */
		return (address == insn_end(insn) || address == from) &&
		       b->made < LONGEST_WAY;
	b->branches[b->nbranches++] =
		(struct perfdata_branch){ from, address, PREDICTED };
	return b->made < b->steps;
}

/* Branches "first" to "last" as one sample. */
static void write_stack(const struct burst *b, struct perfwrite *writer,
			struct perfwrite_who who, size_t first, size_t last,
			uint64_t executions)
{
	struct perfdata_branch newest_first[STACKS_DEEPEST];
	struct perfdata_sample sample = {
		.ip = b->branches[last].to,
		.period = (last - first) * executions,
		.nbranches = last - first + 1,
		.branches = newest_first,
	};

	for (size_t i = 0; i < sample.nbranches; i++)
		newest_first[i] = b->branches[last - i];
	perfwrite_sample(writer, who, &sample);
}

void burst_write(const struct burst *b, struct perfwrite *writer,
		 struct perfwrite_who who, uint64_t executions)
{
	size_t first = 0;

	/* The last of a stack is the oldest of the next one. */
	while (first + 1 < b->nbranches) {
		size_t last = first + STACKS_DEEPEST - 1;

		if (last >= b->nbranches)
			last = b->nbranches - 1;
		write_stack(b, writer, who, first, last, executions);
		first = last;
	}
}
