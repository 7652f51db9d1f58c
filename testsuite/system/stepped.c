/*
 * What a program can do while another one steps through it.
 *
 *	stepped work N		branches, by chance; a checksum
 *	stepped beside N	the same, with a thread that sleeps
 *	stepped itself N	the same, and whether its code is still the same
 *	stepped phases N	as many rounds of slow code as of fast code
 *	stepped signals		handlers, breakpoints and an alarm of its own
 *	stepped threads N	that wait for each other, and a child process
 *	stepped endless		until SIGTERM, which it says
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4 };

static volatile sig_atomic_t traps, alarms, over;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn;
static long rounds;

__attribute__((noinline)) static unsigned often(unsigned x)
{
	return x % 7 ? x * 3 + 1 : x >> 3;
}

__attribute__((noinline)) static unsigned seldom(unsigned x)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < (x & 15); i++)
		sum += x ^ (sum << 1);
	return sum;
}

static unsigned work(long n)
{
	unsigned x = 1, sum = 0;

	for (long i = 0; i < n; i++) {
		x = x * 1103515245 + 12345;
		sum += (x >> 16) % 8 ? often(x >> 16) : seldom(x >> 16);
	}
	return sum;
}

static void *sleep_on(void *unused)
{
	(void)unused;
	for (;;)
		pause();
}

static unsigned beside(long n)
{
	pthread_t thread;

	pthread_create(&thread, NULL, sleep_on, NULL);
	return work(n);
}

/* Of often(), seldom() and work(), which are beside each other. */
static void copy_code(unsigned char *to, size_t n)
{
	memcpy(to, (void *)often, n);
}

static unsigned itself(long n)
{
	static unsigned char before[64], after[sizeof(before)];
	unsigned ret;

	copy_code(before, sizeof(before));
	ret = work(n);
	copy_code(after, sizeof(after));
	if (memcmp(before, after, sizeof(before)) != 0)
		puts("changed");
	return ret;
}

/* Each division waits for the one before. */
__attribute__((noinline)) static unsigned long slow(long n, unsigned long by)
{
	unsigned long x = ~0ul;

	for (long i = 0; i < n; i++)
		x = x / by + (x << 40) + i;
	return x;
}

__attribute__((noinline)) static unsigned long fast(long n, unsigned long by)
{
	unsigned long x = by;

	for (long i = 0; i < n; i++) {
		x = (x >> 3) ^ i;
		if (x & 16)
			x += by;
	}
	return x;
}

static void handle(int number)
{
	if (number == SIGTRAP)
		traps++;
	else if (number == SIGALRM)
		alarms++;
	else
		over = 1;
}

static void catch (int number)
{
	struct sigaction action = { .sa_handler = handle };

	sigaction(number, &action, NULL);
}

/* Where an instruction of its own stops it, it goes on behind that. */
static void signals(void)
{
	struct itimerval timer = { { 0, 2000 }, { 0, 2000 } };
	unsigned sum = 0;

	catch (SIGTRAP);
	catch (SIGALRM);
	setitimer(ITIMER_REAL, &timer, NULL);
	for (int i = 0; i < 100; i++) {
		sum += work(10000);
		__asm__ volatile("int3");
		raise(SIGTRAP);
	}
	while (alarms < 100)
		sum += work(1000);
	printf("%d traps\n", (int)traps);
}

/* Each has its turn, and sleeps until then. */
static void *take_turns(void *argument)
{
	int mine = *(int *)argument;

	for (long i = 0; i < rounds; i++) {
		work(300);
		pthread_mutex_lock(&lock);
		while (turn % THREADS != mine)
			pthread_cond_wait(&turned, &lock);
		turn++;
		pthread_cond_broadcast(&turned);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void threads(void)
{
	pthread_t thread[THREADS];
	int number[THREADS], status;
	pid_t child = fork();

	if (child == 0) {
		alarms = work(30000000);
		execlp("sh", "sh", "-c",
		       "i=0; while test $i -lt 500000; do i=$((i + 1)); done; "
		       "exit 5",
		       (char *)NULL);
		_exit(1);
	}
	for (int i = 0; i < THREADS; i++) {
		number[i] = i;
		pthread_create(&thread[i], NULL, take_turns, &number[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	waitpid(child, &status, 0);
	printf("%d turns, child %d\n", turn, WEXITSTATUS(status));
}

static void endless(void)
{
	catch (SIGTERM);
	puts("begun");
	fflush(stdout);
	while (!over)
		work(1000);
	puts("over");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	rounds = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	if (strcmp(what, "work") == 0)
		printf("%u\n", work(rounds));
	else if (strcmp(what, "beside") == 0)
		printf("%u\n", beside(rounds));
	else if (strcmp(what, "itself") == 0)
		printf("%u\n", itself(rounds));
	else if (strcmp(what, "phases") == 0)
		printf("%lu\n", slow(rounds, 3 + argc) + fast(rounds, argc));
	else if (strcmp(what, "signals") == 0)
		signals();
	else if (strcmp(what, "threads") == 0)
		threads();
	else
		endless();
	return 0;
}
