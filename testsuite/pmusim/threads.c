/*
 * threads.c - a program whose counts are known: "work" runs STEPS times in
 * each of two threads, then in a child that ends and in one that execs.
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 200000 };

static long counts[4];

__attribute__((noinline)) static void *work(void *count)
{
	volatile long *n = count;

	for (int i = 0; i < STEPS; i++)
		*n += i & 3;
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, &counts[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (fork() == 0) {
		work(&counts[2]);
		_exit(0);
	}
	wait(NULL);
	if (fork() == 0) {
		work(&counts[3]);
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	wait(NULL);
	printf("%ld %ld\n", counts[0], counts[1]);
	return 0;
}
