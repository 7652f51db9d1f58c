#include "converter/record/choice.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

extern char **environ;

/* How often an event happens in a second of a busy CPU, roughly. */
static const struct {
	const char *name;
	double per_second;
} wanted[] = {
	{ "instructions", 4e9 },
	{ "cycles", 3e9 },
	{ "dTLB-load-misses", 2e7 },
};
enum { WANTED = sizeof(wanted) / sizeof(wanted[0]) };

static bool is_prime(uint64_t n)
{
	if (n % 2 == 0)
		return n == 2;
	for (uint64_t d = 3; d <= n / d; d += 2)
		if (n % d == 0)
			return false;
	return n > 1;
}

/* A prime near the number, not always the same. */
static uint64_t prime_near(double number, unsigned int *seed)
{
	uint64_t n = number * (0.97 + 0.06 * rand_r(seed) / RAND_MAX);

	if (n < 2)
		n = 2;
	while (!is_prime(n))
		n++;
	return n;
}

static unsigned int new_seed(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_nsec ^ now.tv_sec ^ getpid();
}

static int spawn(char **argv, int errors, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
					 O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
					 O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
	error = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* All that comes from fd; the text is what there is room for. */
static void drain(int fd, char *text, size_t size)
{
	size_t used = 0;
	char byte;

	while (read(fd, &byte, 1) == 1)
		if (used + 1 < size)
			text[used++] = byte;
	text[used] = 0;
}

/*
 * Run a command whose output nobody shall see; *worked if it exits with 0.
 * The text is what it says on its standard error.
 */
static bool run_quietly(char **argv, bool *worked, char *text, size_t size,
			struct fdo_error *err)
{
	int ends[2], error, status;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return fdo_fail(err, "pipe: %s", strerror(errno));
	error = spawn(argv, ends[1], &pid);
	close(ends[1]);
	drain(ends[0], text, size);
	close(ends[0]);
	if (error == ENOENT)
		return fdo_fail(err, "perf is not installed; Debian has it in "
				     "the package linux-perf");
	if (error)
		return fdo_fail(err, "perf: %s", strerror(error));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return fdo_fail(err, "perf: %s", strerror(errno));
	*worked = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	return true;
}

/* As perf has it in the name of an event. */
static char whose(const struct choice *choice)
{
	return choice->kernel ? 'k' : 'u';
}

/* Does this event happen at all?  perf stat writes "COUNT,,EVENT,...". */
static bool counts(const struct choice *choice, const char *event, bool *works,
		   struct fdo_error *err)
{
	char modified[64], text[4096];
	char *argv[] = { (char *)"perf", (char *)"stat",
			 (char *)"-x,",	 (char *)"-e",
			 modified,	 (char *)"--",
			 (char *)"true", NULL };

	snprintf(modified, sizeof(modified), "%s:%c", event, whose(choice));
	if (!run_quietly(argv, works, text, sizeof(text), err))
		return false;
	*works = *works && strtoull(text, NULL, 10) > 0;
	return true;
}

/*
 * All that a divisor, a size or what decides a branch may be in, and what tells
 * whether they are of the same moment as the address.
 */
#define REGISTERS \
	"-regs=ax,bx,cx,dx,si,di,bp,ip,flags,r8,r9,r10,r11,r12,r13,r14,r15"
static const char registers[] = "--user" REGISTERS;
static const char registers_of_kernel[] = "--intr" REGISTERS;

static const char without_bpf[] = "--no-bpf-event";

void choice_arguments(const struct choice *choice, const char *output,
		      char **argv, int *n)
{
	*n = 0;
	argv[(*n)++] = (char *)"perf";
	argv[(*n)++] = (char *)"record";
	argv[(*n)++] = (char *)"-o";
	argv[(*n)++] = (char *)output;
	argv[(*n)++] = (char *)"-e";
	argv[(*n)++] = (char *)choice->events;
	if (choice->clock) {
		argv[(*n)++] = (char *)"-F";
		argv[(*n)++] = (char *)choice->frequency;
	}
	if (choice->branches) {
		argv[(*n)++] = (char *)"-j";
		argv[(*n)++] = (char *)(choice->kernel ? "any,k" : "any,u");
	}
	if (choice->registers)
		argv[(*n)++] = (char *)(choice->kernel ? registers_of_kernel
						       : registers);
	if (choice->without_bpf)
		argv[(*n)++] = (char *)without_bpf;
	if (choice->build_ids)
		argv[(*n)++] = (char *)"--buildid-mmap";
	if (choice->all_cpus)
		argv[(*n)++] = (char *)"-a";
}

/*
 * What perf says of programs in the kernel is of no use here, and to end the
 * thread that listens for it takes perf almost a second.  Of an older perf, a
 * dry run says that it has no such option.
 */
static bool avoid_bpf(struct choice *choice, struct fdo_error *err)
{
	char *argv[] = { (char *)"perf",
			 (char *)"record",
			 (char *)"--dry-run",
			 (char *)without_bpf,
			 (char *)"--",
			 (char *)"true",
			 NULL };
	char text[256];

	return run_quietly(argv, &choice->without_bpf, text, sizeof(text), err);
}

/* Can perf record this?  Standard output is a place without a file. */
static bool try(const struct choice *choice, bool *works, struct fdo_error *err)
{
	char *argv[CHOICE_ARGUMENTS + 3], text[256];
	int n;

	choice_arguments(choice, "-", argv, &n);
	argv[n++] = (char *)"--";
	argv[n++] = (char *)"true";
	argv[n] = NULL;
	return run_quietly(argv, works, text, sizeof(text), err);
}

static bool add_event(struct choice *choice, int event, double frequency,
		      unsigned int *seed, struct fdo_error *err)
{
	struct choice more = *choice;
	size_t length = strlen(more.events);
	double period = wanted[event].per_second / frequency;
	bool works;

	if (!counts(choice, wanted[event].name, &works, err))
		return false;
	if (!works)
		return true;
	snprintf(more.events + length, sizeof(more.events) - length,
		 "%s%s/period=%llu/%c", length ? "," : "", wanted[event].name,
		 (unsigned long long)prime_near(period, seed), whose(choice));
	if (!try(&more, &works, err))
		return false;
	if (works) {
		*choice = more;
		choice->nevents++;
	}
	return true;
}

static bool choose_clock(struct choice *choice, double frequency,
			 unsigned int *seed, struct fdo_error *err)
{
	bool works;

	sprintf(choice->events, "cpu-clock:%c", whose(choice));
	choice->clock = true;
	snprintf(choice->frequency, sizeof(choice->frequency), "%llu",
		 (unsigned long long)prime_near(frequency, seed));
	if (!try(choice, &works, err))
		return false;
	if (works)
		return true;
	return fdo_fail(err,
			"perf can record nothing here; 'perf record %s-e "
			"cpu-clock:%c true' says why (often it is "
			"/proc/sys/kernel/perf_event_paranoid above %s)",
			choice->all_cpus ? "-a " : "", whose(choice),
			choice->all_cpus ? "0"
			: choice->kernel ? "1"
					 : "2");
}

/* Take the other one if perf can record it. */
static bool prefer(struct choice *choice, const struct choice *other,
		   struct fdo_error *err)
{
	bool works;

	if (!try(other, &works, err))
		return false;
	if (works)
		*choice = *other;
	return true;
}

static bool choose_events(struct choice *choice, double frequency,
			  struct fdo_error *err)
{
	unsigned int seed = new_seed();
	struct choice more;

	for (int i = 0; i < WANTED; i++)
		if (!add_event(choice, i, frequency, &seed, err))
			return false;
	if (!choice->nevents)
		return choose_clock(choice, frequency, &seed, err);
	more = *choice;
	more.branches = true;
	return prefer(choice, &more, err);
}

/*
 * A clock goes on in a page fault, and its samples there look as if they were
 * of code: by the registers of both, "samplefdo convert" knows them.
 */
static bool add_faults(struct choice *choice, struct fdo_error *err)
{
	struct choice more = *choice;

	strcat(more.events, ",page-faults:u");
	return prefer(choice, &more, err);
}

/*
 * Which build of a file ran is certain only when it is mapped: later it may be
 * replaced or gone, and a pipe has no place for it behind the samples.  But
 * kernels then say the same to all others who record the same process, and perf
 * aborts when it reads that; so who records all that runs does not ask for it.
 * Nor is it known of the kernel then.
 */
static bool add_build_ids(struct choice *choice, struct fdo_error *err)
{
	struct choice more = *choice;

	if (choice->all_cpus || choice->kernel)
		return true;
	more.build_ids = true;
	return prefer(choice, &more, err);
}

bool choice_make(struct choice *choice, double frequency, struct fdo_error *err)
{
	struct choice more;

	if (!avoid_bpf(choice, err) || !choose_events(choice, frequency, err) ||
	    !add_build_ids(choice, err))
		return false;
	more = *choice;
	more.registers = true;
	if (!prefer(choice, &more, err))
		return false;
	return !choice->clock || !choice->registers || choice->kernel ||
	       add_faults(choice, err);
}

void choice_announce(const struct choice *choice)
{
	fprintf(stderr, "samplefdo: recording %s", choice->events);
	if (choice->clock)
		fprintf(stderr,
			", %s samples each second (this machine has "
			"no hardware counters)",
			choice->frequency);
	if (choice->branches)
		fputs(", with branch records", stderr);
	if (choice->registers)
		fputs(", with registers", stderr);
	putc('\n', stderr);
}
