/*
 * threads.h - the threads that are traced, and their processes.
 *
 *	struct threads all = { 0 };
 *	struct thread *t = threads_add(&all, tid);
 *	threads_remove(&all, t);
 *	threads_free(&all);
 *
 * A process is known as long as one of its threads is.
 *
 * Ownership  Threads and processes are the table's; a thread dies when it is
 *            removed, and others may move then.
 */
#ifndef CONVERTER_STEP_THREADS_H
#define CONVERTER_STEP_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct burst;
struct process;

enum thread_state {
	THREAD_RUNNING,
	THREAD_ASKED,	 /* to stop, for a burst */
	THREAD_STEPPING, /* through its burst */
};

struct thread {
	pid_t tid;
	struct process *process;
	enum thread_state state;
	struct burst *burst; /* while stepping */
	uint64_t executions; /* that each branch of it stands for */
	uint64_t begun;	     /* when */
};

struct threads {
	struct thread *all;
	size_t n, room;
};

/* The thread, or NULL. */
struct thread *threads_find(const struct threads *threads, pid_t tid);

/* One that is not there yet. */
struct thread *threads_add(struct threads *threads, pid_t tid);
void threads_remove(struct threads *threads, struct thread *t);
void threads_free(struct threads *threads);

/* What the kernel calls its state: 'R' runs or could, 'S' sleeps, ... */
char thread_kernel_state(const struct thread *t);

#endif
