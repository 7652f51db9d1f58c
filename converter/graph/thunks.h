/*
 * thunks.h - functions that stand in for one instruction (retpolines).
 *
 *	struct thunks *thunks = thunks_new(object);
 *	thunks_replace(thunks, &insn);
 *	thunks_free(thunks);
 *
 * Against attacks by speculation, compilers write "jmp __x86_indirect_thunk_rax"
 * for "jmp *%rax", likewise with call, and "jmp __x86_return_thunk" for "ret".
 *
 * Errors     None: without a name in the symbol table they are like any function.
 */
#ifndef CONVERTER_THUNKS_H
#define CONVERTER_THUNKS_H

struct insn;
struct object;
struct thunks;

struct thunks *thunks_new(const struct object *o);
void thunks_free(struct thunks *thunks);

/* A jump or call of a thunk becomes what the thunk does. */
void thunks_replace(const struct thunks *thunks, struct insn *insn);

#endif
