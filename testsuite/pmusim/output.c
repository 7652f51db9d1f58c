#include "testsuite/pmusim/output.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "testsuite/pmusim/code.h"
#include "testsuite/pmusim/maps.h"
#include "testsuite/pmusim/state.h"

struct output {
	FILE *stream;
	char *path;
	pthread_mutex_t lock;
};

static const char *kind_of(const struct event_option *event)
{
	if (event->source == SOURCE_IBS)
		return "ibs";
	if (event->burst)
		return "burst";
	if (event->steps)
		return "steps";
	return event->pebs ? "pebs" : "-";
}

static void print_head(struct output *o, const struct options *options,
		       const struct output_process *process)
{
	fprintf(o->stream, "pmusim-samples 1\ncommand %s\n", process->command);
	fprintf(o->stream, "process %" PRIu32 " %s\n", process->pid,
		process->comm);
	fprintf(o->stream, "lbr %" PRIu64 "\n", options->lbr);
	if (options->registers)
		fprintf(o->stream, "registers 1\n");
	for (int i = 0; i < options->nevents; i++) {
		const struct event_option *e = &options->events[i];

		fprintf(o->stream, "event %d %" PRIu64 " %" PRIu64 " %s %s\n",
			i, e->period, e->rand, kind_of(e), e->name);
	}
}

struct output *output_open(const char *path, const struct options *options,
			   const struct output_process *process,
			   struct fdo_error *err)
{
	FILE *stream = fopen(path, "we");
	struct output *o;

	if (!stream) {
		fdo_fail(err, "%s: %s", path, strerror(errno));
		return NULL;
	}
	o = fdo_alloc(1, sizeof(*o));
	o->stream = stream;
	o->path = fdo_alloc(1, strlen(path) + 1);
	strcpy(o->path, path);
	pthread_mutex_init(&o->lock, NULL);
	print_head(o, options, process);
	return o;
}

void output_map(struct output *o, const struct mapping *mapping, uint64_t time)
{
	pthread_mutex_lock(&o->lock);
	fprintf(o->stream,
		"map %" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %s %s\n",
		time, mapping->start, mapping->end - mapping->start,
		mapping->offset, mapping->object->build_id,
		mapping->object->path);
	pthread_mutex_unlock(&o->lock);
}

void output_thread(struct output *o, uint32_t thread, uint64_t time)
{
	pthread_mutex_lock(&o->lock);
	fprintf(o->stream, "thread %" PRIu64 " %" PRIu32 "\n", time, thread);
	pthread_mutex_unlock(&o->lock);
}

static void print_flags(FILE *stream, const struct ibs *ibs)
{
	fprintf(stream, " %s%s%s%s", ibs->walked ? "t" : "",
		ibs->missed_l1 ? "1" : "", ibs->missed_l2 ? "2" : "",
		ibs->walked || ibs->missed_l1 || ibs->missed_l2 ? "" : "-");
}

static void print_latencies(FILE *stream, const struct ibs *ibs)
{
	fprintf(stream, " %" PRIu64 " %" PRIu64, ibs->retired - ibs->dispatched,
		ibs->load_latency);
	print_flags(stream, ibs);
}

static void print_watched(FILE *stream, const struct sample *sample)
{
	const struct ibs *first = sample->watched, *second = sample->second;

	fprintf(stream, " latency");
	print_latencies(stream, first);
	if (!second)
		return;
	fprintf(stream, " pair %" PRIx64 " %" PRIu64 " %" PRIu64,
		second->insn->address, second->sequence - first->sequence,
		second->retired - first->retired);
	print_latencies(stream, second);
}

static void print_registers(FILE *stream, const struct state *state)
{
	fprintf(stream, " registers");
	for (int i = 0; i < STATE_REGISTERS; i++)
		fprintf(stream, " %" PRIx64, state->registers[i]);
	fprintf(stream, " %" PRIx64, state_flags(state));
}

static void print_branches(FILE *stream, const struct sample *sample)
{
	fprintf(stream, " branches");
	for (int i = 0; i < sample->nbranches; i++)
		fprintf(stream, " %" PRIx64 " %" PRIx64 " %d",
			sample->branches[i].from, sample->branches[i].to,
			sample->branches[i].mispredicted);
}

void output_sample(struct output *o, const struct sample *sample)
{
	pthread_mutex_lock(&o->lock);
	fprintf(o->stream,
		"sample %" PRIu64 " %d %" PRIu32 " %" PRIx64 " %" PRIu64,
		sample->time, sample->event, sample->thread, sample->ip,
		sample->period);
	if (sample->watched)
		print_watched(o->stream, sample);
	if (sample->state)
		print_registers(o->stream, sample->state);
	if (sample->nbranches)
		print_branches(o->stream, sample);
	putc('\n', o->stream);
	pthread_mutex_unlock(&o->lock);
}

void output_flush(struct output *o)
{
	pthread_mutex_lock(&o->lock);
	fflush(o->stream);
	pthread_mutex_unlock(&o->lock);
}

void output_end(struct output *o, uint64_t time)
{
	pthread_mutex_lock(&o->lock);
	fprintf(o->stream, "end %" PRIu64 "\n", time);
	fflush(o->stream);
	pthread_mutex_unlock(&o->lock);
}

static void output_free(struct output *o)
{
	free(o->path);
	free(o);
}

bool output_close(struct output *o, uint64_t time, struct fdo_error *err)
{
	bool done = true;

	output_end(o, time);
	if (ferror(o->stream))
		done = fdo_fail(err, "%s: cannot write", o->path);
	if (fclose(o->stream) != 0)
		done = fdo_fail(err, "%s: %s", o->path, strerror(errno));
	output_free(o);
	return done;
}

void output_abandon(struct output *o)
{
	fclose(o->stream);
	output_free(o);
}
