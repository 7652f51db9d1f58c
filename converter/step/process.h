/*
 * process.h - what must be known of a traced process: the files that its code
 * is in, and its instructions.
 *
 *	struct process *p = process_new(pid);
 *	process_look(p, writer, tid, time);	// its maps, if they are new
 *	const struct insn *insn = process_insn(p, address);
 *	process_free(p);
 *
 * Instructions are read from the process's memory, once each, and forgotten
 * when its maps change.  Code that a program writes over itself is not noticed:
 * it is in no file, so that nothing is made of its branches.
 *
 * Errors     What cannot be read is not there: no map, or NULL.
 */
#ifndef CONVERTER_STEP_PROCESS_H
#define CONVERTER_STEP_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct insn;
struct perfwrite;
struct process;

struct process *process_new(pid_t pid);
void process_free(struct process *p);

pid_t process_pid(const struct process *p);

/* The signals that it ignores, as bits from 0 on; all, if nobody knows. */
uint64_t process_ignores(const struct process *p);

/* It runs another program now: say so. */
void process_begin(struct process *p, struct perfwrite *writer, uint64_t time);

/* Write its name and its executable maps, unless they are as before. */
void process_look(struct process *p, struct perfwrite *writer, pid_t tid,
		  uint64_t time);

/* Valid until the next call. */
const struct insn *process_insn(struct process *p, uint64_t address);

/* All of so many bytes of its memory. */
bool process_read(struct process *p, uint64_t address, void *bytes, size_t n);

/*
 * Stop the process at an instruction: one at a time, and only in code that is
 * mapped from a file and that nobody can write to.  Whoever runs into it gets a
 * SIGTRAP, and is one byte behind it.  No instruction may be asked for until it
 * is taken away.
 */
bool process_set_breakpoint(struct process *p, uint64_t address);
void process_clear_breakpoint(struct process *p);

/* Where it is; 0: there is none. */
uint64_t process_breakpoint(const struct process *p);

#endif
