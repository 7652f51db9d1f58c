/* Records come out in order of time, as soon as they can. */
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "converter/perf/perfqueue.h"
#include "testsuite/lib/tap.h"

static void push(struct perfqueue *queue, uint64_t time, const char *text)
{
	struct cursor bytes = cursor_new("", text, strlen(text) + 1);

	perfqueue_push(queue, time, 0, 0, &bytes);
}

/* All texts that can be popped, one after the other. */
static const char *pop_all(struct perfqueue *queue)
{
	static char texts[256];
	struct perfqueued record;

	texts[0] = 0;
	while (perfqueue_pop(queue, &record))
		strcat(texts, (const char *)record.bytes);
	return texts;
}

static void test_rounds(void)
{
	struct perfqueue *queue = perfqueue_new(1 << 20);

	push(queue, 10, "a");
	push(queue, 30, "c");
	push(queue, 20, "b");
	push(queue, 20, "B");
	check(!*pop_all(queue), "nothing within a round");
	perfqueue_round(queue);
	check(!*pop_all(queue), "nor after the first");
	push(queue, 40, "e");
	push(queue, 30, "d");
	push(queue, 25, "x");
	perfqueue_round(queue);
	check(strcmp(pop_all(queue), "abBxcd") == 0,
	      "what is as early as the round before, ties as they came");
	perfqueue_round(queue);
	check(strcmp(pop_all(queue), "e") == 0, "a round of nothing counts");
	push(queue, 50, "f");
	perfqueue_end(queue);
	check(strcmp(pop_all(queue), "f") == 0, "the end hands out all");
	check_int(perfqueue_late(queue), 0, "nothing was late");
	perfqueue_free(queue);
}

static void test_late(void)
{
	struct perfqueue *queue = perfqueue_new(1 << 20);

	push(queue, 10, "a");
	push(queue, 30, "b");
	perfqueue_round(queue);
	perfqueue_round(queue);
	pop_all(queue);
	push(queue, 20, "c");
	push(queue, 30, "d");
	perfqueue_end(queue);
	check(strcmp(pop_all(queue), "cd") == 0, "what is late still comes");
	check_int(perfqueue_late(queue), 1, "and is counted");
	perfqueue_free(queue);
}

/* The caller knows up to when all are there. */
static void test_until(void)
{
	struct perfqueue *queue = perfqueue_new(1 << 20);

	push(queue, 10, "a");
	push(queue, 40, "d");
	push(queue, 20, "b");
	push(queue, 30, "c");
	perfqueue_until(queue, 9);
	check(!*pop_all(queue), "nothing is that early");
	push(queue, 20, "B");
	perfqueue_until(queue, 20);
	check(strcmp(pop_all(queue), "abB") == 0, "what is as early comes out");
	push(queue, 25, "x");
	perfqueue_until(queue, 30);
	check(strcmp(pop_all(queue), "xc") == 0, "then more");
	perfqueue_end(queue);
	check(strcmp(pop_all(queue), "d") == 0, "and at the end the rest");
	check_int(perfqueue_late(queue), 0, "nothing was late");
	perfqueue_free(queue);
}

/* Where many wait and few come, these come out, but not each time. */
static void test_until_among_many(void)
{
	enum { N = 400 };
	struct perfqueue *queue = perfqueue_new(1 << 20);
	struct perfqueued record;
	int popped = 0, turns = 0, wrong = 0;

	for (int i = 0; i < N; i++)
		push(queue, 100000 + i, "later");
	for (int i = 1; i <= N; i++) {
		int before = popped;

		push(queue, i, "now");
		perfqueue_until(queue, i);
		while (perfqueue_pop(queue, &record))
			wrong += record.time != (uint64_t)++popped;
		turns += popped > before;
	}
	check_int(wrong, 0, "in order");
	check(popped > N / 2, "most come out before the end");
	check(turns < N / 50, "many at a time");
	perfqueue_free(queue);
}

/* Without any round the memory is bounded, and little is out of order. */
static void test_limit(void)
{
	enum { N = 100000, LIMIT = 10000 };
	struct perfqueue *queue = perfqueue_new(LIMIT);
	struct perfqueued record;
	uint64_t last = 0, popped = 0, wrong = 0, waiting = 0;

	for (uint64_t i = 0; i < N; i++) {
		push(queue, 10 + (i ^ 15), "record");
		while (perfqueue_pop(queue, &record)) {
			wrong += record.time < last;
			last = record.time;
			popped++;
		}
		if (i + 1 - popped > waiting)
			waiting = i + 1 - popped;
	}
	check(waiting <= LIMIT / 7 + 1, "the limit holds");
	perfqueue_end(queue);
	while (perfqueue_pop(queue, &record)) {
		wrong += record.time < last;
		last = record.time;
		popped++;
	}
	check_int(popped, N, "all come out");
	check_int(wrong, 0, "in order");
	check_int(perfqueue_late(queue), 0, "none was late");
	perfqueue_free(queue);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void test_random(void)
{
	enum { N = 5000 };
	static uint64_t times[N];
	struct perfqueue *queue = perfqueue_new(1 << 20);
	struct perfqueued record;
	unsigned int seed = 1;
	int wrong = 0, n = 0;

	for (int i = 0; i < N; i++) {
		struct cursor bytes = cursor_new("", &times[i], 8);

		bytes.base = 2 * i;
		times[i] = 1 + rand_r(&seed) % 1000;
		perfqueue_push(queue, times[i], i, i % 7, &bytes);
	}
	perfqueue_end(queue);
	qsort(times, N, sizeof(*times), compare);
	while (perfqueue_pop(queue, &record)) {
		wrong += record.time != times[n++] ||
			 record.place != 2 * record.event ||
			 record.part != record.event % 7 || record.size != 8;
	}
	check_int(n, N, "all come out");
	check_int(wrong, 0, "sorted");
	perfqueue_free(queue);
}

int main(void)
{
	test_rounds();
	test_late();
	test_until();
	test_until_among_many();
	test_limit();
	test_random();
	return done();
}
