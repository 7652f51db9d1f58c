/*
 * rewrites.c - thunks are known by their names, GCC's and clang's; what Linux
 * writes into its code, by the table that it has for that.
 */
#include "converter/graph/rewrites.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/graph/decode.h"
#include "converter/binary/object.h"

struct rewrites {
	struct fdo_map *thunks; /* REG_..., or REG_NONE: that of a return */
	struct fdo_map *keys;	/* where a jump in that place leads */
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

static void add_thunks(struct rewrites *rewrites, const struct object *o)
{
	uint8_t reg;

	for (size_t f = 0; f < o->nfunctions; f++)
		if (is_thunk(o->functions[f].name, &reg))
			*fdo_map_at(rewrites->thunks, o->functions[f].address) =
				reg;
}

/*
 * As struct jump_entry of Linux has it (include/linux/jump_label.h): where the
 * branch is and where it leads, each from that field on, and whose it is.
 */
enum { ENTRY = 16 };

static int32_t read_distance(const unsigned char *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return (int32_t)le32toh(value);
}

static void add_keys(struct rewrites *rewrites, const struct object *o)
{
	uint64_t at, end;
	size_t left;

	if (!o->kernel || !object_symbol(o, "__start___jump_table", &at) ||
	    !object_symbol(o, "__stop___jump_table", &end))
		return;
	for (; at + ENTRY <= end; at += ENTRY) {
		const unsigned char *bytes = object_bytes(o, at, &left);

		if (!bytes || left < ENTRY)
			break;
		*fdo_map_at(rewrites->keys, at + read_distance(bytes)) =
			at + 4 + read_distance(bytes + 4);
	}
}

struct rewrites *rewrites_new(const struct object *o)
{
	struct rewrites *rewrites = fdo_alloc(1, sizeof(*rewrites));

	rewrites->thunks = fdo_map_new();
	rewrites->keys = fdo_map_new();
	add_thunks(rewrites, o);
	add_keys(rewrites, o);
	return rewrites;
}

void rewrites_free(struct rewrites *rewrites)
{
	if (!rewrites)
		return;
	fdo_map_free(rewrites->thunks);
	fdo_map_free(rewrites->keys);
	free(rewrites);
}

static void apply_thunk(const struct rewrites *rewrites, struct insn *insn)
{
	const uint64_t *reg;

	if (insn->class != INSN_JUMP && insn->class != INSN_CALL)
		return;
	reg = fdo_map_get(rewrites->thunks, insn->target);
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

static void apply_key(const struct rewrites *rewrites, struct insn *insn)
{
	const uint64_t *target;

	if (insn->class != INSN_JUMP && insn->class != INSN_NOP)
		return;
	target = fdo_map_get(rewrites->keys, insn->address);
	if (!target)
		return;
	insn->class = INSN_BRANCH;
	insn->target = *target;
}

void rewrites_apply(const struct rewrites *rewrites, struct insn *insn)
{
	if (fdo_map_size(rewrites->thunks))
		apply_thunk(rewrites, insn);
	if (fdo_map_size(rewrites->keys))
		apply_key(rewrites, insn);
}
