/*
 * registers.c - runs the code of registers.s, and prints the flags that its
 * operations leave: the address of what is behind each, and of its flags those
 * that every processor sets.  A thread and a child run it too, but if there is
 * an argument: then nothing races.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CARRY = 1, PARITY = 4, ZERO = 64, SIGN = 128, OVERFLOW = 2048 };
enum { DEFINED = CARRY | PARITY | ZERO | SIGN | OVERFLOW };

extern const uint64_t behind[], behind_end[];
void known(void);
void operations(uint64_t *flags);

static void try_operations(void)
{
	uint64_t flags[64];

	for (int i = 0; i < 500; i++)
		operations(flags);
	for (int i = 0; i < behind_end - behind; i++)
		printf("%016" PRIx64 " %" PRIu64 "\n", behind[i],
		       flags[i] & DEFINED);
	fflush(stdout);
}

static void *run(void *unused)
{
	known();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	(void)argv;
	known();
	try_operations();
	if (argc > 1)
		return 0;
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	if (fork() == 0) {
		known();
		_exit(0);
	}
	wait(NULL);
	return 0;
}
