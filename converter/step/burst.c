/*
 * burst.c - a step that does not lead to the next instruction was a branch.
 */
#include "converter/step/burst.h"

#include "converter/graph/decode.h"
#include "converter/graph/outcome_run.h"
#include "converter/perf/perfwrite.h"
#include "converter/perf/stacks.h"
#include "converter/step/process.h"

/* Without a branch for so long, there is nothing to be learnt. */
enum { LONGEST_WAY = 10000 };

/* Nobody looks ahead for longer. */
enum { LONGEST_LEG = 500 };

/* As the kernel packs the flags of a record. */
enum { PREDICTED = 2 };

bool burst_may_begin(struct process *p, uint64_t address)
{
	const struct insn *insn = process_insn(p, address);

	return insn && !insn->repeated;
}

void burst_begin(struct burst *b, uint64_t address, unsigned steps)
{
	b->address = address;
	b->made = 0;
	b->steps = steps;
	b->decided = false;
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

/* Between two instructions. */
static bool tells(struct process *p, uint64_t before, uint64_t address)
{
	const struct insn *insn = process_insn(p, before);

	if (insn && insn->divides)
		return true;
	insn = process_insn(p, address);
	if (!insn)
		return false;
	if (insn->class == INSN_CALL_INDIRECT)
		return insn->rip_relative;
	return insn->class == INSN_CALL && is_stub(p, insn->target);
}

bool burst_tells(const struct burst *b, struct process *p, uint64_t address)
{
	return tells(p, b->address, address);
}

bool burst_step(struct burst *b, struct process *p, uint64_t address)
{
	const struct insn *insn = process_insn(p, b->address);
	uint64_t from = b->address;

	b->address = address;
	b->decided = false;
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

/* Not one that changes segments. */
static bool is_near_return(struct process *p, const struct insn *insn)
{
	unsigned char bytes[2] = { 0 };
	unsigned char *first = bytes;

	if (!process_read(p, insn->address, bytes, sizeof(bytes)))
		return false;
	if (*first == 0xf2 || *first == 0xf3) /* bnd, or of no meaning */
		first++;
	return *first == 0xc3 || *first == 0xc2;
}

void burst_decide(struct burst *b, struct process *p, uint64_t flags,
		  uint64_t stack)
{
	const struct insn *insn = process_insn(p, b->address);
	struct outcome_state state = { .known = 0 };
	bool holds;

	if (!insn)
		return;
	if (insn->class == INSN_BRANCH && !insn->xbegin) {
		outcome_set_flags(&state, flags);
		b->decided = outcome_condition(&state, insn->opcode, &holds);
		b->next = b->decided && holds ? insn->target : insn_end(insn);
	} else if (insn->class == INSN_RETURN && is_near_return(p, insn)) {
		b->decided = process_read(p, stack, &b->next, sizeof(b->next));
	}
}

/* Where an instruction leads, if it leads to one place only. */
static bool leads(const struct burst *b, struct process *p, uint64_t address,
		  uint64_t *to)
{
	const struct insn *insn = process_insn(p, address);

	*to = 0;
	if (b->decided && address == b->address)
		*to = b->next;
	else if (!insn)
		return false;
	else if (insn->class == INSN_OTHER || insn->class == INSN_NOP)
		*to = insn_end(insn);
	else if (insn->class == INSN_JUMP || insn->class == INSN_CALL)
		*to = insn->target;
	return *to;
}

uint64_t burst_stop(const struct burst *b, struct process *p)
{
	uint64_t address = b->address, first = 0, to;

	for (unsigned i = 0; i < LONGEST_LEG && leads(b, p, address, &to);
	     i++) {
		bool told = tells(p, address, to);

		/* Around a loop: halfway, since nobody can wait here. */
		if (to == b->address)
			return first ? first : to;
		first = first ? first : to;
		address = to;
		if (told)
			break;
	}
	return address;
}

bool burst_catch_up(struct burst *b, struct process *p, uint64_t stop)
{
	uint64_t to;

	while (leads(b, p, b->address, &to) && to != stop)
		if (!burst_step(b, p, to))
			return false;
	return true;
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
