/*
 * busy.c - something to sample: threads, a forked child and one that runs
 * the program again, each in a function of its own.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t result;

/* CPU seconds of this thread. */
static double used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

__attribute__((__noinline__)) static void divide(double seconds)
{
	uint64_t x = 1;

	while (used() < seconds)
		for (int i = 0; i < 10000; i++)
			x = ~0ULL / (x | 1) + i;
	result += x;
}

__attribute__((__noinline__)) static void multiply(double seconds)
{
	uint64_t x = 1;

	while (used() < seconds)
		for (int i = 0; i < 10000; i++)
			x = x * 6364136223846793005ULL + i;
	result += x;
}

__attribute__((__noinline__)) static void sort(double seconds)
{
	static char text[2][4096];

	while (used() < seconds)
		for (int i = 0; i < 100; i++) {
			memset(text[0], i, sizeof(text[0]));
			result += memcmp(text[0], text[1], sizeof(text[0]));
		}
}

static void *thread(void *argument)
{
	multiply(*(double *)argument);
	return NULL;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 0.1;
	pthread_t threads[2];
	pid_t child;

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, thread, &seconds);
	child = fork();
	if (child == 0) {
		divide(seconds);
		if (argc > 2)
			execl("/proc/self/exe", argv[0], argv[1], NULL);
		_exit(1);
	}
	sort(seconds);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	waitpid(child, NULL, 0);
	return 0;
}
