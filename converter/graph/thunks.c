/*
 * thunks.c - known by their names, GCC's and clang's.
 */
#include "converter/graph/thunks.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/graph/decode.h"
#include "converter/binary/object.h"

struct thunks {
	struct fdo_map *by_address; /* REG_..., or REG_NONE: that of a return */
};

/* What is behind a prefix, or NULL. */
static const char *behind(const char *name, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

static bool find_register(const char *name, uint8_t *ret)
{
	static const char *const names[] = {
		"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
		"r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15",
	};

	for (uint8_t reg = 0; reg <= REG_R15; reg++)
		if (strcmp(names[reg], name) == 0) {
			*ret = reg;
			return true;
		}
	return false;
}

static bool is_thunk(const char *name, uint8_t *reg_ret)
{
	const char *reg = behind(name, "__x86_indirect_thunk_");

	*reg_ret = REG_NONE;
	if (!reg)
		reg = behind(name, "__llvm_retpoline_");
	return reg ? find_register(reg, reg_ret)
		   : strcmp(name, "__x86_return_thunk") == 0;
}

struct thunks *thunks_new(const struct object *o)
{
	struct thunks *thunks = fdo_alloc(1, sizeof(*thunks));
	uint8_t reg;

	thunks->by_address = fdo_map_new();
	for (size_t f = 0; f < o->nfunctions; f++)
		if (is_thunk(o->functions[f].name, &reg))
			*fdo_map_at(thunks->by_address,
				    o->functions[f].address) = reg;
	return thunks;
}

void thunks_free(struct thunks *thunks)
{
	if (!thunks)
		return;
	fdo_map_free(thunks->by_address);
	free(thunks);
}

void thunks_replace(const struct thunks *thunks, struct insn *insn)
{
	const uint64_t *reg;

	if ((insn->class != INSN_JUMP && insn->class != INSN_CALL) ||
	    !fdo_map_size(thunks->by_address))
		return;
	reg = fdo_map_get(thunks->by_address, insn->target);
	if (!reg || (*reg == REG_NONE && insn->class == INSN_CALL))
		return;
	insn->target = 0;
	if (*reg == REG_NONE) {
		insn->class = INSN_RETURN;
		return;
	}
	insn->class = insn->class == INSN_JUMP ? INSN_JUMP_INDIRECT
					       : INSN_CALL_INDIRECT;
	insn->by_thunk = true;
	insn->immediate = *reg;
}
