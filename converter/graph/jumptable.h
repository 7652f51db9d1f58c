/*
 * jumptable.h - where the indirect jumps of a function go.
 *
 *	struct jumptables *tables = jumptables_new(code, &switches);
 *	struct jumptable_result result;
 *	jumptables_resolve(tables, i, &result);
 *	for (size_t k = 0; k < result.ntargets; k++)
 *		...	// result.targets[k]
 *	jumptables_free(tables);
 *
 * A switch is a table of differences (of addresses without PIC) behind a
 * comparison; a computed goto is a table of addresses of labels with no
 * comparison at all, shared by all jumps of the function.
 *
 * Ownership  Results live until the next call with the same tables; the code
 *            and the addresses are borrowed.
 * Errors     None: JUMP_UNRESOLVED is an answer.
 */
#ifndef CONVERTER_JUMPTABLE_H
#define CONVERTER_JUMPTABLE_H

#include <stddef.h>
#include <stdint.h>

struct addresses;
struct code;
struct jumptables;

enum jump_kind {
	JUMP_TABLE,	 /* the targets here, from a table of known length */
	JUMP_LABELS,	 /* from tables as long as their entries make sense */
	JUMP_TAIL_CALL,	 /* to another function: nothing here is a target */
	JUMP_UNRESOLVED, /* the targets, if any, are not all */
};

struct jumptable_result {
	enum jump_kind kind;
	const uint32_t *targets; /* instructions; ascending, each once */
	size_t ntargets;
};

/*
 * Looks at all indirect jumps of the code, which must be sorted.  Where switches
 * of any function have their tables others end.
 */
struct jumptables *jumptables_new(const struct code *code,
				  const struct addresses *switches);
void jumptables_free(struct jumptables *tables);

/* Where the indirect jump i goes. */
void jumptables_resolve(struct jumptables *tables, uint32_t i,
			struct jumptable_result *ret);

#endif
