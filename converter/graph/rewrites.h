/*
 * rewrites.h - instructions that run as others than they look like.
 *
 *	struct rewrites *rewrites = rewrites_new(object);
 *	rewrites_apply(rewrites, &insn);
 *	rewrites_free(rewrites);
 *
 * Against attacks by speculation, compilers write "jmp __x86_indirect_thunk_rax"
 * for "jmp *%rax", likewise with call, and "jmp __x86_return_thunk" for "ret".
 * Linux has branches that it writes into its own code, as a jump or as a nop
 * (static keys); the file does not say which it is when it runs.
 *
 * Errors     None: without a name in the symbol table they are like any function.
 */
#ifndef CONVERTER_REWRITES_H
#define CONVERTER_REWRITES_H

struct insn;
struct object;
struct rewrites;

struct rewrites *rewrites_new(const struct object *o);
void rewrites_free(struct rewrites *rewrites);

/*
 * A jump or call of a thunk becomes what the thunk does; a jump or nop that
 * Linux may turn into the other, a branch.
 */
void rewrites_apply(const struct rewrites *rewrites, struct insn *insn);

#endif
