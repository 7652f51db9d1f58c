/*
 * simulation.h - one process of the guest: its code, threads and files.
 *
 *	struct simulation *s = simulation_new(argc, argv, err);
 *	simulation_begin_thread(s, 0);
 *	...				// QEMU runs the program
 *	simulation_write(s);
 *
 * Units      A thread has the number of its virtual CPU.
 * Ownership  QEMU has no end of a plugin: a simulation lives as long as the
 *            process.
 * Errors     What cannot be written ends the process with one message, since
 *            the guest must not seem to have been measured.
 * Threads    Any thread may call; a thread's own trace is its own.
 */
#ifndef PMUSIM_SIMULATION_H
#define PMUSIM_SIMULATION_H

#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>

#include "testsuite/pmusim/options.h"

struct block;
struct block_text;
struct code;
struct fdo_error;
struct maps;
struct output;
struct text_room;
struct thread;

enum { THREADS_MAX = 4096 };

struct simulation {
	struct thread *threads[THREADS_MAX];
	pthread_mutex_t lock;
	struct options options;
	struct maps *maps;
	struct code *code;
	struct output *output; /* NULL: no samples */
	pid_t real_pid;
	uint32_t pid, forks; /* the same in every run */
	char command[1024], comm[16];
	uint64_t now;		/* cycles: no later event is before it */
	struct text_room *room; /* of the block that is being translated */
	/* Of the threads that are gone: */
	uint64_t end, lost;
};

struct simulation *simulation_new(int argc, char **argv, struct fdo_error *err);

/* The guest's file, as soon as it is known. */
void simulation_program(struct simulation *s, const char *program);

/* "base" is what QEMU adds to an address of the guest. */
struct block *simulation_block(struct simulation *s,
			       const struct block_text *text, uint64_t base);

void simulation_begin_thread(struct simulation *s, unsigned number);
void simulation_end_thread(struct simulation *s, unsigned number);

/* Look at what is in a thread's trace and empty it. */
void simulation_flush(struct simulation *s, struct thread *thread);

void simulation_before_fork(struct simulation *s, unsigned number);
void simulation_in_child(struct simulation *s, unsigned number);
void simulation_maps_changed(struct simulation *s, unsigned number);

/* At the end, when no thread runs. */
void simulation_write(struct simulation *s);

/* A thread is about to replace the program; but that can fail. */
void simulation_write_before_exec(struct simulation *s, unsigned number);

#endif
