/*
 * noreturn.c - functions that never come back to their caller.
 *
 * Two sources: what the debug information and the names of the C library say,
 * and the code itself.  Most functions are settled by having a return
 * instruction or not.  One that has none leaves only by jumping to another
 * function, and never returns if none of these does.  One that has some, all
 * behind calls of functions found out just now, is followed from its entry.
 *
 * That a function ends in a call says that this call does not come back, but
 * of whom it calls nothing: after __builtin_unreachable(), or at the end of a
 * C++ function that lacks its return, there is no code either.
 *
 * The set only grows, and a function enters it only for reasons already in
 * it: recursion that nothing ends is left out.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/graph/cfg_program.h"
#include "converter/graph/code.h"
#include "converter/binary/object.h"

/* Functions whose callers must be looked at again. */
struct worklist {
	uint32_t *functions;
	size_t n, room;
};

static bool known(const struct cfg_program *program, uint64_t address)
{
	return fdo_map_get(program->noreturn, address);
}

static void enter(struct cfg_program *program, uint32_t f,
		  struct worklist *work)
{
	uint64_t address = program->object->functions[f].address;

	if (known(program, address))
		return;
	*fdo_map_at(program->noreturn, address) = 1;
	work->functions = fdo_grow(work->functions, work->n, &work->room,
				   sizeof(*work->functions));
	work->functions[work->n++] = f;
}

static bool in_own_part(const struct cfg_program *program, uint32_t owner,
			uint64_t address)
{
	const struct object_function *f =
		object_function_at(program->object, address);

	return f && program->functions[f - program->object->functions].owner ==
			    owner;
}

/* Does the function, without any look at its flow, never return? */
static bool has_no_way_out(const struct cfg_program *program, uint32_t owner,
			   const uint32_t *first_jump,
			   const struct cfg_program_reference *jumps)
{
	for (uint32_t f = owner; f != CFG_PROGRAM_NONE;
	     f = program->functions[f].next_fragment) {
		if (program->functions[f].may_return)
			return false;
		for (uint32_t j = first_jump[f]; j < first_jump[f + 1]; j++)
			if (!in_own_part(program, owner, jumps[j].target) &&
			    !known(program, jumps[j].target))
				return false;
	}
	return true;
}

/* The jumps out of each function: references by function, calls left out. */
static struct cfg_program_reference *
jumps_by_function(const struct cfg_program *program, uint32_t *first_jump)
{
	size_t n = program->object->nfunctions;
	struct cfg_program_reference *jumps =
		fdo_alloc(program->nreferences, sizeof(*jumps));

	for (size_t r = 0; r < program->nreferences; r++)
		if (!program->references[r].call)
			first_jump[program->references[r].function + 1]++;
	for (size_t f = 0; f < n; f++)
		first_jump[f + 1] += first_jump[f];
	for (size_t r = program->nreferences; r-- > 0;) {
		const struct cfg_program_reference *ref =
			&program->references[r];

		if (!ref->call)
			jumps[--first_jump[ref->function + 1]] = *ref;
	}
	/* Each now holds its own beginning, one place too far to the right. */
	for (size_t f = 0; f < n; f++)
		first_jump[f] = first_jump[f + 1];
	first_jump[n] = 0;
	for (size_t r = 0; r < program->nreferences; r++)
		first_jump[n] += !program->references[r].call;
	return jumps;
}

/* Does instruction i lead out of the function, perhaps to the caller? */
static bool leaves(const struct cfg_program *program, const struct code *code,
		   uint32_t i)
{
	const struct insn *insn = &code->insns[i];

	if (code->marks[i] & (CODE_TAIL_CALL | CODE_UNRESOLVED) ||
	    insn->class == INSN_RETURN)
		return true;
	if ((insn->class == INSN_JUMP || insn->class == INSN_BRANCH) &&
	    code_at(code, insn->target) == CODE_NONE &&
	    !known(program, insn->target))
		return true;
	return code_goes_on(code, i) &&
	       code_at(code, insn_end(insn)) == CODE_NONE;
}

/* Can control, followed from the entry, get back to the caller? */
static bool comes_back(const struct cfg_program *program, uint32_t owner)
{
	struct cfg_part *parts;
	struct code code;
	size_t nparts;
	bool ret = false;

	parts = cfg_program_parts(program, owner, &nparts);
	if (!nparts)
		return true;
	cfg_program_code(program, owner, parts, nparts, &code);
	for (uint32_t i = 0; i < code.ninsns && !ret; i++)
		ret = code.marks[i] & CODE_REACHED && leaves(program, &code, i);
	code_free(&code);
	free(parts);
	return ret;
}

static uint32_t owner_at(const struct cfg_program *program, uint32_t f)
{
	return program->functions[f].owner;
}

/* Look again at everyone who calls or jumps to f. */
static void look_at_callers(struct cfg_program *program, uint32_t f,
			    const uint32_t *first_jump,
			    const struct cfg_program_reference *jumps,
			    struct worklist *work)
{
	uint64_t address = program->object->functions[f].address;
	size_t r, end;
	uint32_t last = CFG_PROGRAM_NONE;

	cfg_program_references(program, address, address + 1, &r, &end);
	for (; r < end; r++) {
		uint32_t owner =
			owner_at(program, program->references[r].function);

		if (owner == last ||
		    known(program, program->object->functions[owner].address))
			continue;
		last = owner;
		if (has_no_way_out(program, owner, first_jump, jumps) ||
		    !comes_back(program, owner))
			enter(program, owner, work);
	}
}

void cfg_program_find_noreturn(struct cfg_program *program)
{
	const struct object *o = program->object;
	uint32_t *first_jump =
		fdo_alloc(o->nfunctions + 1, sizeof(*first_jump));
	struct cfg_program_reference *jumps =
		jumps_by_function(program, first_jump);
	struct worklist work = { 0 };

	for (size_t f = 0; f < o->nfunctions; f++)
		if (object_noreturn(o, o->functions[f].name))
			*fdo_map_at(program->noreturn,
				    o->functions[f].address) = 1;
	for (size_t f = 0; f < o->nfunctions; f++)
		if (owner_at(program, f) == f &&
		    has_no_way_out(program, f, first_jump, jumps))
			enter(program, f, &work);
	while (work.n)
		look_at_callers(program, work.functions[--work.n], first_jump,
				jumps, &work);
	free(work.functions);
	free(first_jump);
	free(jumps);
}
