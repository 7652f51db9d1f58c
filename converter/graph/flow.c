/*
 * flow.c - the ways of control through one function, beyond those that its
 * instructions show.
 *
 * Each round looks at all indirect jumps and calls that are not done yet.
 * The sweep has mostly found all of the function, so that there is one
 * round; what following the new ways decodes on top needs another.
 */
#include "base/map.h"
#include "converter/graph/cfg_program.h"
#include "converter/graph/code.h"
#include "converter/graph/jumptable.h"
#include "converter/graph/landing.h"
#include "converter/binary/object.h"

/* jmp *NAME@GOTPCREL(%rip) is a direct jump in disguise. */
static bool is_got_jump(const struct code *code, const struct insn *insn)
{
	return insn->rip_relative &&
	       object_got_name(code->object, insn_data(insn));
}

static void resolve(struct code *code, struct jumptables *tables, uint32_t i)
{
	static const uint16_t marks[] = {
		[JUMP_TABLE] = CODE_TABLE,
		[JUMP_LABELS] = CODE_LABELS,
		[JUMP_TAIL_CALL] = CODE_TAIL_CALL,
		[JUMP_UNRESOLVED] = CODE_UNRESOLVED,
	};
	struct jumptable_result result;

	if (is_got_jump(code, &code->insns[i]))
		return;
	jumptables_resolve(tables, i, &result);
	code->marks[i] |= marks[result.kind];
	code_add_switch(code, i, result.targets, result.ntargets);
}

static void resolve_all(const struct cfg_program *program, struct code *code)
{
	struct jumptables *tables = jumptables_new(code, &program->switches);

	for (uint32_t i = 0; i < code->ninsns; i++) {
		if (code->insns[i].class != INSN_JUMP_INDIRECT ||
		    code->marks[i] & CODE_TRIED)
			continue;
		code->marks[i] |= CODE_TRIED;
		resolve(code, tables, i);
	}
	jumptables_free(tables);
}

/* All calls of a stretch can go on at its landing pad. */
static void add_pad(struct code *code, const struct landing_site *site)
{
	uint32_t pad = code_at(code, site->pad);

	if (pad == CODE_NONE)
		return;
	code->marks[pad] |= CODE_PAD;
	for (uint32_t i = code_from(code, site->address);
	     i < code->ninsns && code->insns[i].address < site->end; i++) {
		if (!insn_is_call(&code->insns[i]) ||
		    code->marks[i] & CODE_TRIED)
			continue;
		code->marks[i] |= CODE_TRIED;
		code_add_way(code, i, pad);
	}
}

static void add_pads(const struct cfg_program *program, struct code *code)
{
	for (size_t p = 0; p < code->nparts; p++) {
		const struct landing_site *sites;
		size_t n =
			landing_pads_of(program->pads, code->parts[p].address,
					code->parts[p].size, &sites);

		for (size_t s = 0; s < n; s++)
			add_pad(code, &sites[s]);
	}
}

/*
 * Where others come in, or the function itself by a call.  The references
 * come from sweeps, some over data: only what two sweeps agree on counts.
 */
static void enter_part(const struct cfg_program *program, uint32_t f,
		       struct code *code, const struct cfg_part *part)
{
	size_t r, end;

	cfg_program_references(program, part->address,
			       part->address + part->size, &r, &end);
	for (; r < end; r++) {
		const struct cfg_program_reference *ref =
			&program->references[r];
		uint32_t i = code_at(code, ref->target);

		if (ref->target == code->parts[0].address || i == CODE_NONE ||
		    (!ref->call &&
		     program->functions[ref->function].owner == f))
			continue;
		code->marks[i] |= CODE_ENTERED;
		code_reach(code, ref->target);
	}
}

void cfg_program_code(const struct cfg_program *program, uint32_t f,
		      const struct cfg_part *parts, size_t nparts,
		      struct code *code)
{
	code_init(code, program->object, program->decoder, program->rewrites,
		  program->noreturn, parts, nparts);
	code_reach(code, parts[0].address);
	for (size_t p = 0; p < nparts; p++)
		enter_part(program, f, code, &parts[p]);
	do {
		code_sort(code);
		add_pads(program, code);
		resolve_all(program, code);
		code_follow(code);
	} while (!code->sorted);
	code_drop(code);
}
