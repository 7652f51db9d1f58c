/*
 * simulation.c - traces become counts and samples here.
 */
#include "testsuite/pmusim/simulation.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "testsuite/pmusim/code.h"
#include "testsuite/pmusim/command.h"
#include "testsuite/pmusim/core.h"
#include "testsuite/pmusim/maps.h"
#include "testsuite/pmusim/output.h"
#include "testsuite/pmusim/state.h"
#include "testsuite/pmusim/thread.h"
#include "testsuite/pmusim/truth.h"

enum {
	FIRST_PID = 1000,
	PIDS = 4000000,
	IN_FLIGHT_CYCLES = 10000, /* longer than any instruction takes */
};

struct simulation *simulation_new(int argc, char **argv, struct fdo_error *err)
{
	struct simulation *s = fdo_alloc(1, sizeof(*s));

	if (!options_parse(&s->options, argc, argv, err) ||
	    (s->options.registers && !state_can_be_read(err))) {
		options_clear(&s->options);
		free(s);
		return NULL;
	}
	pthread_mutex_init(&s->lock, NULL);
	s->maps = maps_new();
	s->code = code_new();
	s->real_pid = getpid();
	s->pid = FIRST_PID;
	return s;
}

/* OUT.truth, or OUT.PID.truth of what was forked. */
static void name_of(const struct simulation *s, const char *suffix, char *ret,
		    size_t size)
{
	if (s->pid == FIRST_PID)
		snprintf(ret, size, "%s.%s", s->options.out, suffix);
	else
		snprintf(ret, size, "%s.%" PRIu32 ".%s", s->options.out, s->pid,
			 suffix);
}

static void give_up(const struct fdo_error *err)
{
	fprintf(stderr, "pmusim: %s\n", err->text);
	_exit(1);
}

static void begin_output(struct simulation *s)
{
	struct output_process process = { s->command, s->comm, s->pid };
	char path[PATH_MAX];
	struct fdo_error err;

	name_of(s, "samples", path, sizeof(path));
	s->output = output_open(path, &s->options, &process, &err);
	if (!s->output)
		give_up(&err);
	for (struct mapping *m = s->maps->newest; m; m = m->next) {
		output_map(s->output, m, s->now);
		m->announced = true;
	}
}

void simulation_program(struct simulation *s, const char *program)
{
	command_read(program, s->command, sizeof(s->command));
	command_comm(program, s->comm);
	if (s->options.model)
		begin_output(s);
}

struct block *simulation_block(struct simulation *s,
			       const struct block_text *text, uint64_t base)
{
	struct mapping *mapping;
	struct block *block;

	pthread_mutex_lock(&s->lock);
	mapping = maps_find(s->maps, text->address, base);
	if (mapping && !mapping->announced && s->output) {
		output_map(s->output, mapping, s->now);
		mapping->announced = true;
	}
	block = code_block(s->code, text, mapping);
	pthread_mutex_unlock(&s->lock);
	return block;
}

/* Of a batch. */
static int words_of(const struct options *options)
{
	if (options->registers)
		return TRACE_STATE_WORDS;
	return options->model ? TRACE_WORDS : TRACE_BLOCKS;
}

void simulation_begin_thread(struct simulation *s, unsigned number)
{
	struct thread *t = fdo_alloc(1, sizeof(*t));

	if (number >= THREADS_MAX) {
		fprintf(stderr, "pmusim: more than %d threads\n", THREADS_MAX);
		_exit(1);
	}
	t->number = number;
	t->at = t->words;
	t->full = t->words + words_of(&s->options);
	if (s->options.registers)
		t->states = fdo_alloc(TRACE_STATES, sizeof(*t->states));
	t->end = t->words + TRACE_WORDS + TRACE_BLOCK_WORDS;
	s->threads[number] = t;
}

static void count(struct thread *t)
{
	for (uint64_t *w = t->words; w < t->at; w++)
		if (trace_is_block(*w))
			truth_step(&t->previous, trace_block(*w));
}

/* The core begins when there is something for it to do. */
static void simulate(struct simulation *s, struct thread *t)
{
	if (!t->core) {
		t->core = core_new(&s->options, s->output, s->pid + t->number,
				   s->now, t->states);
		if (t->number)
			output_thread(s->output, s->pid + t->number, s->now);
	}
	*t->at = 0;
	core_run(t->core, t->words, t->at - t->words);
	t->cycle = core_cycle(t->core);
}

/*
 * Nothing that comes after this happens before "now": it is where the
 * slowest thread is, less what can be in flight.
 */
static void pass_time(struct simulation *s)
{
	uint64_t slowest = UINT64_MAX;

	for (unsigned i = 0; i < THREADS_MAX; i++)
		if (s->threads[i] && s->threads[i]->core &&
		    s->threads[i]->cycle < slowest)
			slowest = s->threads[i]->cycle;
	if (slowest != UINT64_MAX && slowest > s->now + IN_FLIGHT_CYCLES)
		s->now = slowest - IN_FLIGHT_CYCLES;
}

void simulation_flush(struct simulation *s, struct thread *t)
{
	if (s->output && t->at > t->words)
		simulate(s, t);
	pthread_mutex_lock(&s->lock);
	count(t);
	if (s->output)
		pass_time(s);
	pthread_mutex_unlock(&s->lock);
	t->at = t->words;
}

static void thread_free(struct thread *t)
{
	core_free(t->core);
	free(t->states);
	free(t);
}

/* What is said of a process at its end. */
static void add_up(struct simulation *s, const struct thread *t)
{
	if (t->cycle > s->end)
		s->end = t->cycle;
	if (t->core)
		s->lost += core_lost(t->core);
}

void simulation_end_thread(struct simulation *s, unsigned number)
{
	struct thread *t = s->threads[number];

	if (!t)
		return;
	simulation_flush(s, t);
	pthread_mutex_lock(&s->lock);
	add_up(s, t);
	s->threads[number] = NULL;
	pthread_mutex_unlock(&s->lock);
	thread_free(t);
}

void simulation_before_fork(struct simulation *s, unsigned number)
{
	simulation_flush(s, s->threads[number]);
	s->forks++;
	if (s->output)
		output_flush(s->output);
}

/* Only the thread that forked is in the child, with a new core. */
static void keep_thread(struct simulation *s, unsigned number)
{
	struct thread *t = s->threads[number];

	for (unsigned i = 0; i < THREADS_MAX; i++)
		if (s->threads[i] && s->threads[i] != t) {
			thread_free(s->threads[i]);
			s->threads[i] = NULL;
		}
	core_free(t->core);
	t->core = NULL;
	t->nstates = 0;
	t->number = 0;
	t->at = t->words;
	t->previous = NULL;
}

/* The lock may have been another thread's. */
void simulation_in_child(struct simulation *s, unsigned number)
{
	pthread_mutex_init(&s->lock, NULL);
	keep_thread(s, number);
	truth_clear(s->code);
	s->real_pid = getpid();
	s->pid = (s->pid * 31 + s->forks * 1000) % PIDS;
	s->forks = 0;
	s->end = s->lost = 0;
	if (s->output) {
		output_abandon(s->output);
		begin_output(s);
	}
}

/* What ran so far is put down before other code is in its place. */
void simulation_maps_changed(struct simulation *s, unsigned number)
{
	simulation_flush(s, s->threads[number]);
	pthread_mutex_lock(&s->lock);
	s->maps->generation++;
	pthread_mutex_unlock(&s->lock);
}

static void write_truth(struct simulation *s)
{
	char path[PATH_MAX];
	struct fdo_error err;

	name_of(s, "truth", path, sizeof(path));
	if (!truth_write(s->code, s->maps->objects, s->command, path, &err))
		give_up(&err);
}

static void end_output(struct simulation *s)
{
	struct fdo_error err;

	for (unsigned i = 0; i < THREADS_MAX; i++)
		if (s->threads[i])
			add_up(s, s->threads[i]);
	if (s->lost)
		fprintf(stderr,
			"pmusim: %" PRIu64 " samples were lost: periods are "
			"much shorter than the skid\n",
			s->lost);
	if (!output_close(s->output, s->end, &err))
		give_up(&err);
	s->output = NULL;
}

void simulation_write_before_exec(struct simulation *s, unsigned number)
{
	simulation_flush(s, s->threads[number]);
	pthread_mutex_lock(&s->lock);
	write_truth(s);
	if (s->output)
		output_end(s->output, s->threads[number]->cycle);
	pthread_mutex_unlock(&s->lock);
}

void simulation_write(struct simulation *s)
{
	for (unsigned i = 0; i < THREADS_MAX; i++)
		if (s->threads[i])
			simulation_flush(s, s->threads[i]);
	write_truth(s);
	if (s->output)
		end_output(s);
}
