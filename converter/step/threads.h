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

#include "converter/step/pin.h"

struct burst;
struct process;

enum thread_state {
	THREAD_RUNNING,
	THREAD_ASKED,	 /* to stop, for a burst */
	THREAD_STEPPING, /* through its burst */
};

/* What the kernel says of one. */
struct thread_look {
	char state;    /* 'R' runs or could, 'S' sleeps, ...; '?': unknown */
	int processor; /* where it ran last */
};

struct thread {
	pid_t tid;
	struct process *process;
	enum thread_state state;
	struct thread_look look; /* at the last tick */
	struct burst *burst;	 /* while stepping */
	bool alone;		 /* nobody else has its memory */
	struct pin pin;
	uint64_t executions; /* that each branch of the burst stands for */
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

struct thread_look thread_look(const struct thread *t);

/* Is it the only one of all that has its process's memory, for all we know? */
bool threads_alone(const struct threads *threads, const struct thread *t);

#endif
