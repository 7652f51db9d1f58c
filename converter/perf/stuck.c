#include "converter/perf/stuck.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/perf/perfdata.h"

/* States that are remembered: by their low bits, so a loop's all are. */
enum { STATES = 1 << 16 };

/* A state that was seen, how often not in a row, and what is to be left out. */
struct seen {
	uint64_t state;
	uint64_t runs, repeats; /* repeats: while there is one run */
	double owed;		/* -0.5 to 0.5, between samples */
};

/* What a thread did last, if that is known. */
struct thread {
	uint64_t state; /* of its last sample, of that event */
	uint32_t event;
	struct fault {
		uint64_t ip, state, general;
		uint64_t faults; /* that it stands for */
	} fault;		 /* a later one */
};

struct stuck {
	struct fdo_map *numbers; /* thread to 1 + its number */
	struct thread *threads;
	size_t nthreads, room;
	struct seen *seen;	/* STATES; NULL: no sample had one yet */
	uint64_t runs;		/* of states, however long */
	uint64_t once, repeats; /* of those seen in one run, and in it again */
};

struct stuck *stuck_new(void)
{
	struct stuck *s = fdo_alloc(1, sizeof(*s));

	s->numbers = fdo_map_new();
	return s;
}

void stuck_free(struct stuck *s)
{
	if (!s)
		return;
	fdo_map_free(s->numbers);
	free(s->threads);
	free(s->seen);
	free(s);
}

static struct thread *thread_of(struct stuck *s, int32_t tid)
{
	uint64_t *number = fdo_map_at(s->numbers, (uint32_t)tid);

	if (!*number) {
		s->threads = fdo_grow(s->threads, s->nthreads, &s->room,
				      sizeof(*s->threads));
		s->threads[s->nthreads++] = (struct thread){ 0 };
		*number = s->nthreads;
	}
	return &s->threads[*number - 1];
}

void stuck_fault(struct stuck *s, int32_t tid,
		 const struct perfdata_sample *fault)
{
	thread_of(s, tid)->fault = (struct fault){
		.ip = fault->ip,
		.state = fault->state,
		.general = fault->general,
		.faults = fault->period ? fault->period : 1,
	};
}

/*
 * What had to wait for a page may be done when a clock's interrupt comes at
 * last.  If it stores or compares, registers are what they were.
 */
static bool is_done(const struct fault *fault,
		    const struct perfdata_sample *sample)
{
	enum { LONGEST = 15 }; /* bytes of an instruction */

	return fault->state && fault->general == sample->general &&
	       sample->ip - fault->ip - 1 < LONGEST;
}

static struct seen *find(struct stuck *s, uint64_t state)
{
	return &s->seen[state % STATES];
}

/*
 * A state begins, which may have been seen before.  One that is seen often
 * keeps its place, until others want it as often.
 */
static void begin(struct stuck *s, uint64_t state)
{
	struct seen *seen = find(s, state);

	s->runs++;
	if (seen->state == state) {
		if (seen->runs++ == 1) {
			s->once--;
			s->repeats -= seen->repeats;
			seen->repeats = 0;
		}
		return;
	}
	s->once++;
	if (seen->runs > 1)
		s->once += --seen->runs == 1;
	else
		*seen = (struct seen){ .state = state, .runs = 1 };
}

/* As if so many had been seen once: no few say how it is. */
static const double few = 10;

/*
 * The same state once more.  By chance it comes as often as it begins, of all
 * that begin; and because nothing happened, as often as what was seen in no
 * other place has it.
 */
static bool repeat(struct stuck *s, uint64_t state)
{
	struct seen *seen = find(s, state);
	double stuck, chance;

	if (seen->state != state || seen->runs == 1) {
		s->repeats++;
		seen->repeats += seen->state == state;
		return true;
	}
	stuck = (double)s->repeats / (s->repeats + s->once + few);
	chance = (double)seen->runs / s->runs;
	seen->owed += stuck / (stuck + (1 - stuck) * chance);
	if (seen->owed < 0.5)
		return false;
	seen->owed--;
	return true;
}

uint64_t stuck_sample(struct stuck *s, int32_t tid, uint32_t event,
		      const struct perfdata_sample *sample)
{
	struct thread *thread;
	struct fault fault;
	bool again;

	if (!sample->state)
		return 0;
	if (!s->seen)
		s->seen = fdo_alloc(STATES, sizeof(*s->seen));
	thread = thread_of(s, tid);
	again = thread->state == sample->state && thread->event == event;
	fault = thread->fault;
	if (fault.state == sample->state)
		return fault.faults;
	*thread = (struct thread){ .state = sample->state, .event = event };
	if (again)
		return repeat(s, sample->state);
	begin(s, sample->state);
	return is_done(&fault, sample) ? fault.faults : 0;
}
