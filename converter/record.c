/*
 * record.c - "samplefdo record": perf record with the best events there are.
 *
 * What a machine can count is not written anywhere one could trust: virtual
 * machines list events that never happen, and perf record quietly takes a
 * clock where there are no cycles.  So each event is tried, first by counting
 * and then by recording "true".  Then this process becomes perf: signals and
 * the exit status go straight between the caller and perf.
 *
 * Periods are primes, since a loop whose length divides the period would give
 * all its samples to one instruction, and differ from run to run, so that the
 * runs of a fleet do not all repeat the same bias.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/output.h"
#include "converter/arguments.h"
#include "converter/command.h"

extern char **environ;

static const char help[] =
	"Usage: samplefdo record [OPTION]... [--] COMMAND [ARGUMENT]...\n"
	"       samplefdo record [OPTION]... -p PID[,PID]... [--] "
	"[COMMAND\n"
	"           [ARGUMENT]...]\n"
	"       samplefdo record [OPTION]... -a [--] [COMMAND [ARGUMENT]...]\n"
	"\n"
	"Run COMMAND under 'perf record', or record processes or all that "
	"runs,\n"
	"with the best events that this machine has: retired instructions, "
	"CPU\n"
	"cycles and data TLB misses with prime periods, and branch records if\n"
	"there are any; CPU time and page faults where there is no hardware\n"
	"counter; and what is in registers.  Says on standard error which it "
	"took.\n"
	"\n"
	"Options:\n"
	"  -o, --output=FILE      write the samples here (default: "
	"perf.data);\n"
	"                         '-' is standard output\n"
	"  -F, --frequency=N      about N samples of each event in a second of "
	"a\n"
	"                         busy processor, 1 to 100000 (default: 2000)\n"
	"  -p, --pid=PID[,PID]... these processes, until they end, or COMMAND "
	"does,\n"
	"                         or at an interrupt\n"
	"  -a, --all-cpus         all that runs on the machine, likewise; perf "
	"has to\n"
	"                         be allowed to\n"
	"  -s, --step             also step through bursts of instructions, "
	"into\n"
	"                         FILE.step: branch records without a "
	"counter\n"
	"  -h, --help             print this and exit\n"
	"      --version          print the version and exit\n"
	"\n"
	"Exit status: that of perf record, which is COMMAND's own; 1 if "
	"nothing\n"
	"can be recorded.\n"
	"\n"
	"Examples:\n"
	"  samplefdo record -o app.data -- ./app input.txt\n"
	"  samplefdo record -o app.data -p $(pgrep -d, -x app) sleep 60\n"
	"  samplefdo record -o all.data -F 200 -a sleep 60\n";

enum { FREQUENCY = 2000, FREQUENCY_MAX = 100000 };

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

/* What perf is called with. */
struct choice {
	char events[256]; /* -e's argument */
	int nevents;
	bool branches;
	bool registers;
	bool clock;
	bool without_bpf;
	bool build_ids; /* with each map */
	bool all_cpus;
	char frequency[16]; /* -F's, for the clock */
};

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

/* Does this event happen at all?  perf stat writes "COUNT,,EVENT,...". */
static bool counts(const char *event, bool *works, struct fdo_error *err)
{
	char modified[64], text[4096];
	char *argv[] = { (char *)"perf", (char *)"stat",
			 (char *)"-x,",	 (char *)"-e",
			 modified,	 (char *)"--",
			 (char *)"true", NULL };

	snprintf(modified, sizeof(modified), "%s:u", event);
	if (!run_quietly(argv, works, text, sizeof(text), err))
		return false;
	*works = *works && strtoull(text, NULL, 10) > 0;
	return true;
}

/*
 * All that a divisor, a size or what decides a branch may be in, and what tells
 * whether they are of the same moment as the address.
 */
static const char registers[] = "--user-regs=ax,bx,cx,dx,si,di,bp,ip,flags,r8,"
				"r9,r10,r11,r12,r13,r14,r15";

static const char without_bpf[] = "--no-bpf-event";

/* perf's arguments for the samples; *n is their number. */
static void build(const struct choice *choice, const char *output, char **argv,
		  int *n)
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
		argv[(*n)++] = (char *)"any,u";
	}
	if (choice->registers)
		argv[(*n)++] = (char *)registers;
	if (choice->without_bpf)
		argv[(*n)++] = (char *)without_bpf;
	if (choice->build_ids)
		argv[(*n)++] = (char *)"--buildid-mmap";
	if (choice->all_cpus)
		argv[(*n)++] = (char *)"-a";
}

enum { ARGUMENTS_MAX = 16, STEP_MAX = 5 };

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
	char *argv[ARGUMENTS_MAX + 2], text[256];
	int n;

	build(choice, "-", argv, &n);
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

	if (!counts(wanted[event].name, &works, err))
		return false;
	if (!works)
		return true;
	snprintf(more.events + length, sizeof(more.events) - length,
		 "%s%s/period=%llu/u", length ? "," : "", wanted[event].name,
		 (unsigned long long)prime_near(period, seed));
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

	strcpy(choice->events, "cpu-clock:u");
	choice->clock = true;
	snprintf(choice->frequency, sizeof(choice->frequency), "%llu",
		 (unsigned long long)prime_near(frequency, seed));
	if (!try(choice, &works, err))
		return false;
	if (works)
		return true;
	return fdo_fail(err,
			"perf can record nothing here; 'perf record %s-e "
			"cpu-clock:u true' says why (often it is "
			"/proc/sys/kernel/perf_event_paranoid above %s)",
			choice->all_cpus ? "-a " : "",
			choice->all_cpus ? "0" : "2");
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
 */
static bool add_build_ids(struct choice *choice, struct fdo_error *err)
{
	struct choice more = *choice;

	if (choice->all_cpus)
		return true;
	more.build_ids = true;
	return prefer(choice, &more, err);
}

static bool choose(struct choice *choice, double frequency,
		   struct fdo_error *err)
{
	struct choice more;

	if (!avoid_bpf(choice, err) || !choose_events(choice, frequency, err) ||
	    !add_build_ids(choice, err))
		return false;
	more = *choice;
	more.registers = true;
	if (!prefer(choice, &more, err))
		return false;
	return !choice->clock || !choice->registers || add_faults(choice, err);
}

static void announce(const struct choice *choice)
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

/* This program's file; perf runs it in the place of the command. */
static bool find_self(char *ret, size_t size, struct fdo_error *err)
{
	ssize_t length = readlink("/proc/self/exe", ret, size - 1);

	if (length < 0)
		return fdo_fail(err, "/proc/self/exe: %s", strerror(errno));
	ret[length] = '\0';
	return true;
}

/* Before the command: that it is stepped through. */
static void add_step(const char *self, const char *output, char **argv, int *n)
{
	char *steps = fdo_alloc(strlen(output) + sizeof(".step"), 1);

	sprintf(steps, "%s.step", output);
	argv[(*n)++] = (char *)self;
	argv[(*n)++] = (char *)"step";
	argv[(*n)++] = (char *)"-o";
	argv[(*n)++] = steps;
	argv[(*n)++] = (char *)"--";
}

struct options {
	const char *output;
	uint64_t frequency;
	const char *pids; /* as perf takes them, or NULL */
	bool all_cpus;
	bool step;
};

static bool is_program(const char *path)
{
	struct stat at;

	if (stat(path, &at) == 0 && S_ISDIR(at.st_mode)) {
		errno = EISDIR;
		return false;
	}
	return access(path, X_OK) == 0;
}

/* As execvp() looks for it; otherwise errno. */
static bool is_in_path(const char *name)
{
	const char *path = getenv("PATH");
	char *full = fdo_alloc(1, PATH_MAX);
	bool found = false;

	for (const char *p = path ? path : "/bin:/usr/bin"; p && !found;) {
		size_t length = strcspn(p, ":");

		snprintf(full, PATH_MAX, "%.*s/%s", length ? (int)length : 1,
			 length ? p : ".", name);
		found = is_program(full);
		p = p[length] ? p + length + 1 : NULL;
	}
	free(full);
	if (!found)
		errno = ENOENT;
	return found;
}

static bool is_alive(pid_t pid)
{
	return kill(pid, 0) == 0 || errno != ESRCH;
}

/* perf would leave a file that holds nothing. */
static bool can_begin(const struct options *options, const char *command,
		      struct fdo_error *err)
{
	pid_t *pids = NULL;
	size_t n = 0;
	bool done = true;

	if (command &&
	    !(strchr(command, '/') ? is_program(command) : is_in_path(command)))
		return fdo_fail(err, "%s: %s", command, strerror(errno));
	if (options->pids && !argument_pids(options->pids, &pids, &n, err))
		return false;
	for (size_t i = 0; i < n && done; i++)
		done = is_alive(pids[i]) ||
		       fdo_fail(err, "process %ld: %s", (long)pids[i],
				strerror(ESRCH));
	free(pids);
	return done;
}

static int record(const struct options *options, int argc, char **argv,
		  struct fdo_error *err)
{
	char **arguments =
		fdo_alloc(ARGUMENTS_MAX + STEP_MAX + argc + 1, sizeof(*argv));
	struct choice choice = { .all_cpus = options->all_cpus };
	char self[PATH_MAX];
	int n;

	if (can_begin(options, argv[0], err) &&
	    find_self(self, sizeof(self), err) &&
	    choose(&choice, options->frequency, err)) {
		announce(&choice);
		build(&choice, options->output, arguments, &n);
		if (options->pids) {
			arguments[n++] = (char *)"-p";
			arguments[n++] = (char *)options->pids;
		}
		arguments[n++] = (char *)"--";
		if (options->step)
			add_step(self, options->output, arguments, &n);
		memcpy(arguments + n, argv, argc * sizeof(*argv));
		execvp(arguments[0], arguments);
		fdo_fail(err, "perf: %s", strerror(errno));
	}
	free(arguments);
	return COMMAND_FAILED;
}

/* What --step cannot do beside the rest. */
static bool check_step(const struct options *options, struct fdo_error *err)
{
	if (!options->step)
		return true;
	if (fdo_output_is_standard(options->output))
		return fdo_fail(err, "--step writes a second file: --output "
				     "must be one, too");
	if (options->all_cpus)
		return fdo_fail(err, "--step is for COMMAND, and not for all "
				     "that runs");
	return !options->pids ||
	       fdo_fail(err,
			"--step is not for a process that runs; "
			"'samplefdo step -p %s' beside this is",
			options->pids);
}

static bool check(const struct options *options, const char *command,
		  struct fdo_error *err)
{
	const char *output = options->output;
	struct stat at;

	if (options->pids && options->all_cpus)
		return fdo_fail(err, "either --pid or --all-cpus");
	if (!command && !options->pids && !options->all_cpus)
		return fdo_fail(err, "no command given");
	if (command && fdo_file_same(command, output))
		return fdo_fail(err, "--output %s: is the command itself",
				output);
	if (stat(output, &at) == 0 && S_ISDIR(at.st_mode))
		return fdo_fail(err,
				"--output %s: is a folder, and perf would "
				"rename it",
				output);
	return check_step(options, err);
}

static bool take_pids(const char *argument, struct options *options,
		      struct fdo_error *err)
{
	pid_t *pids;
	size_t n;
	bool done = argument_pids(argument, &pids, &n, err);

	options->pids = argument;
	free(pids);
	return done;
}

/* 0, or how it ends. */
static int take_option(int option, struct options *options,
		       struct fdo_error *err)
{
	switch (option) {
	case 'o':
		options->output = optarg;
		return 0;
	case 'F':
		return argument_number_in("frequency", optarg, 1, FREQUENCY_MAX,
					  &options->frequency, err)
			       ? 0
			       : COMMAND_USAGE;
	case 'p':
		return take_pids(optarg, options, err) ? 0 : COMMAND_USAGE;
	case 'a':
		options->all_cpus = true;
		return 0;
	case 's':
		options->step = true;
		return 0;
	case COMMAND_HELP:
	case COMMAND_VERSION:
		return option;
	default:
		return COMMAND_USAGE;
	}
}

static int run(int argc, char **argv, struct fdo_error *err)
{
	static const struct option long_options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "frequency", required_argument, NULL, 'F' },
		{ "pid", required_argument, NULL, 'p' },
		{ "all-cpus", no_argument, NULL, 'a' },
		{ "step", no_argument, NULL, 's' },
		COMMAND_OPTIONS,
	};
	struct options options = { .output = "perf.data",
				   .frequency = FREQUENCY };
	int option, end;

	/* The "+" leaves the command's own options alone. */
	while ((option = getopt_long(argc, argv, "+o:F:p:ash", long_options,
				     NULL)) != -1) {
		end = take_option(option, &options, err);
		if (end)
			return end;
	}
	if (!check(&options, argv[optind], err))
		return COMMAND_USAGE;
	return record(&options, argc - optind, argv + optind, err);
}

const struct command command_record = {
	.name = "record",
	.summary = "run a program under perf with the best events there are",
	.help = help,
	.run = run,
};
