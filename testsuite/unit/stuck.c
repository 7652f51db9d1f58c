/* Samples that are left out, since their thread has not got on. */
#include "converter/perf/stuck.h"

#include <math.h>
#include <stdlib.h>

#include "converter/perf/perfdata.h"
#include "testsuite/lib/tap.h"

enum { EVENT, OTHER_EVENT };

static bool left_out(struct stuck *s, int32_t tid, uint64_t state)
{
	struct perfdata_sample sample = { .state = state };

	return stuck_sample(s, tid, EVENT, &sample);
}

static void fault(struct stuck *s, int32_t tid, uint64_t state, uint64_t faults)
{
	struct perfdata_sample sample = { .state = state, .period = faults };

	stuck_fault(s, tid, &sample);
}

static void test_in_a_row(void)
{
	struct stuck *s = stuck_new();
	struct perfdata_sample again = { .state = 7 };

	check(!left_out(s, 1, 7), "the first sample counts");
	check(left_out(s, 1, 7), "the same once more does not");
	check(left_out(s, 1, 7), "and once more");
	check(!left_out(s, 2, 17), "another thread's does");
	check(left_out(s, 1, 7), "whatever that one does");
	check(!left_out(s, 2, 7), "also if it is the same");
	check(!stuck_sample(s, 1, OTHER_EVENT, &again), "and another event's");
	check(!left_out(s, 1, 9), "what comes next does");
	check(!left_out(s, 1, 0) && !left_out(s, 1, 0),
	      "what is not known counts always");
	stuck_free(s);
	stuck_free(NULL);
}

static void test_faults(void)
{
	struct stuck *s = stuck_new();

	check(!left_out(s, 1, 7), "before a fault");
	fault(s, 1, 7, 1);
	check(left_out(s, 1, 7), "what is in a fault does not count");
	fault(s, 1, 8, 1);
	check(left_out(s, 1, 8), "nor the first sample, and it was elsewhere");
	check(left_out(s, 1, 8), "nor the second");
	check(!left_out(s, 2, 8), "the fault is that thread's");
	check(!left_out(s, 1, 9), "what comes after it counts");
	check(!left_out(s, 1, 8), "the fault is over then");
	fault(s, 1, 0, 1);
	check(!left_out(s, 1, 0), "nothing is known of either");
	stuck_free(s);
}

static void test_faults_that_stand_for_others(void)
{
	struct stuck *s = stuck_new();
	struct perfdata_sample sample = { .state = 7 };

	fault(s, 1, 7, 4);
	check_int(stuck_sample(s, 1, EVENT, &sample), 4,
		  "one of four faults is seen");
	check_int(stuck_sample(s, 1, EVENT, &sample), 4, "for longer");
	fault(s, 1, 7, 0);
	check_int(stuck_sample(s, 1, EVENT, &sample), 1,
		  "what stands for none is one");
	stuck_free(s);
}

/* How many are left out of a sample behind a fault at 100, by its registers. */
static uint64_t left_behind(struct stuck *s, uint64_t ip, uint64_t general)
{
	struct perfdata_sample fault = {
		.ip = 100, .state = 7, .general = 70, .period = 4
	};
	struct perfdata_sample sample = { .ip = ip,
					  .state = 1000 * ip + general,
					  .general = general };

	stuck_fault(s, 1, &fault);
	return stuck_sample(s, 1, EVENT, &sample);
}

static void test_instruction_with_a_fault_that_is_done(void)
{
	struct perfdata_sample sample = { .ip = 103,
					  .state = 103070,
					  .general = 70 };
	struct stuck *s = stuck_new();

	check_int(left_behind(s, 103, 70), 4,
		  "the instruction with it is done");
	check_int(left_behind(s, 115, 70), 4, "the longest that there is");
	check_int(left_behind(s, 116, 70), 0, "none is as long");
	check_int(left_behind(s, 99, 70), 0, "what is before it is elsewhere");
	check_int(left_behind(s, 103, 71), 0, "another register has changed");
	check_int(left_behind(s, 106, 70), 4, "and once more");
	check_int(stuck_sample(s, 1, EVENT, &sample), 0,
		  "the fault is over then");
	stuck_free(s);
}

/* Of one to four states of a loop, all in memory: the same again by chance. */
static double share_left_out(uint64_t states, double stuck, double in_loop)
{
	struct stuck *s = stuck_new();
	uint64_t state = 0, next = 1000;
	int all = 0, left = 0;

	srand48(1);
	for (int i = 0; i < 100000; i++) {
		bool loops = state && state < 1000;

		if (drand48() >= stuck) {
			loops = drand48() < in_loop;
			state = loops ? 1 + (uint64_t)lrand48() % states
				      : next++;
		}
		all += loops;
		left += left_out(s, 1, state) && loops;
	}
	stuck_free(s);
	return (double)left / all;
}

static bool is_near(double got, double want)
{
	if (fabs(got - want) < .02)
		return true;
	printf("# %g instead of %g\n", got, want);
	return false;
}

static void test_loops_in_memory(void)
{
	for (uint64_t states = 2; states <= 4; states++) {
		check_int(1000 * share_left_out(states, 0, 1), 0,
			  "a loop that goes on counts");
		check(is_near(share_left_out(states, .2, .5), .2),
		      "and if it is stuck, as often as others are");
	}
	check(is_near(share_left_out(100, .3, .9), .3), "a long one as well");
	check(share_left_out(3, .001, .5) < .02, "or hardly ever");
}

/* Two states want one place: what is known of the first is not forgotten twice. */
static void test_states_that_share_a_place(void)
{
	enum { FIRST = 1, OTHER = FIRST + (1 << 16), ELSEWHERE = 2 };
	struct stuck *s = stuck_new();
	int left = 0;

	for (int i = 0; i < 6; i++)
		left += left_out(s, 1, FIRST);
	check_int(left, 5, "in a row it does not count");
	left_out(s, 1, ELSEWHERE);
	left_out(s, 1, FIRST);
	left_out(s, 1, OTHER);
	left_out(s, 1, FIRST);
	check(!left_out(s, 1, FIRST), "what comes back all the time does");
	stuck_free(s);
}

int main(void)
{
	test_in_a_row();
	test_faults();
	test_faults_that_stand_for_others();
	test_instruction_with_a_fault_that_is_done();
	test_loops_in_memory();
	test_states_that_share_a_place();
	return done();
}
