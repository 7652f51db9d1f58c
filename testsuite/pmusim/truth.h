/*
 * truth.h - exact counts: what was executed, and where control went.
 *
 *	struct block *previous = NULL;		// of a thread
 *	for (...)
 *		truth_step(&previous, block);
 *	if (!truth_write(code, objects, command, "app.truth", err))
 *		...
 *
 * The file is text, one record per line, sorted:
 *
 *	pmusim-truth 1
 *	command app arguments
 *	instructions 512345678
 *	object /bin/app build-id 0123abcd
 *	i 1040 17			instruction at file offset, executions
 *	e 1048 1060 taken 3		from, to, kind, count
 *
 * Units      Offsets are of the file, in hex.  A kind is fall (a conditional
 *            branch that was not taken), taken, jump, indirect, call or
 *            return.  Edges are within one object: what leaves it is in lines
 *            "x FROM KIND COUNT PATH TO", which readers may skip.
 * Range      A repeated string instruction counts once, however many steps it
 *            takes.  An instruction that faults counts, and so does what is
 *            behind it in its block.  Edges of signals are not there, except
 *            behind indirect jumps and returns.
 * Threads    One at a time.
 */
#ifndef PMUSIM_TRUTH_H
#define PMUSIM_TRUTH_H

#include <stdbool.h>

#include "testsuite/pmusim/code.h"

struct fdo_error;
struct object;

/* The rare half of truth_step(). */
void truth_other(struct block *from, struct block *to);

/* Which way a branch went is hard to guess, so that nothing depends on it. */
static inline void truth_step(struct block **previous, struct block *block)
{
	struct block *from = *previous;
	struct successor *next;

	*previous = block;
	if (!from) {
		block->starts++;
		return;
	}
	next = &from->next[from->next[0].to != block];
	if (next->to == block)
		next->count++;
	else
		truth_other(from, block);
}

/* Begin again: all counts are 0. */
void truth_clear(struct code *code);

bool truth_write(const struct code *code, const struct object *objects,
		 const char *command, const char *path, struct fdo_error *err);

#endif
