/*
 * tracer_start.c - a program is traced before its first instruction; a process
 * is joined thread by thread, until no new ones are found.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "base/error.h"
#include "converter/step/threads.h"
#include "converter/step/tracer_private.h"

static const long follow = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
			   PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;

/* In the child: wait until it is traced, then become the program. */
static void become(char **argv, bool takes_output, const int go[2], int failed)
{
	char byte;
	int error;

	close(go[1]);
	while (read(go[0], &byte, 1) < 0 && errno == EINTR)
		;
	if (takes_output)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	execvp(argv[0], argv);
	error = errno;
	if (write(failed, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

/* What execvp() failed with, or 0. */
static int failure(int fd)
{
	int error = 0;

	if (read(fd, &error, sizeof(error)) != sizeof(error))
		return 0;
	return error;
}

static bool seize(struct tracer *t, pid_t tid, struct fdo_error *err)
{
	if (ptrace(PTRACE_SEIZE, tid, NULL, (void *)follow) == 0) {
		threads_add(&t->threads, tid);
		return true;
	}
	if (errno == EPERM)
		return fdo_fail(err,
				"process %d cannot be traced: it is another "
				"user's, has a tracer, or "
				"/proc/sys/kernel/yama/ptrace_scope forbids it",
				(int)tid);
	return fdo_fail(err, "process %d cannot be traced: %s", (int)tid,
			strerror(errno));
}

bool tracer_run(const struct tracer_options *options, char **argv,
		struct perfwrite *writer, struct tracer_totals *totals,
		int *status, struct fdo_error *err)
{
	struct tracer t = { .options = options,
			    .writer = writer,
			    .totals = totals };
	int go[2], failed[2], error;

	if (pipe2(go, O_CLOEXEC) < 0 || pipe2(failed, O_CLOEXEC) < 0)
		return fdo_fail(err, "pipe: %s", strerror(errno));
	t.program = fork();
	if (t.program < 0)
		return fdo_fail(err, "fork: %s", strerror(errno));
	if (t.program == 0)
		become(argv, options->takes_output, go, failed[1]);
	tracer_begin(&t);
	close(go[0]);
	close(failed[1]);
	if (!seize(&t, t.program, err)) {
		kill(t.program, SIGKILL);
		close(go[1]);
		close(failed[0]);
		return false;
	}
	close(go[1]);
	tracer_trace(&t);
	error = failure(failed[0]);
	close(failed[0]);
	*status = t.status;
	return error ? fdo_fail(err, "%s: %s", argv[0], strerror(error)) : true;
}

/* All threads that a process has now; *n of them are new. */
static bool seize_all(struct tracer *t, pid_t pid, size_t *n,
		      struct fdo_error *err)
{
	struct dirent *entry;
	bool done = true;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	if (!dir)
		return fdo_fail(err, "process %d: %s", (int)pid,
				errno == ENOENT ? "there is none"
						: strerror(errno));
	*n = 0;
	while (done && (entry = readdir(dir))) {
		pid_t tid = strtol(entry->d_name, NULL, 10);

		if (tid <= 0 || threads_find(&t->threads, tid))
			continue;
		done = seize(t, tid, err) || (tid != pid && errno == ESRCH);
		++*n;
	}
	closedir(dir);
	return done;
}

static bool join(struct tracer *t, pid_t pid, struct fdo_error *err)
{
	size_t n = 1;

	while (n)
		if (!seize_all(t, pid, &n, err))
			return false;
	return true;
}

bool tracer_join(const struct tracer_options *options, const pid_t *pids,
		 size_t npids, struct perfwrite *writer,
		 struct tracer_totals *totals, struct fdo_error *err)
{
	struct tracer t = { .options = options,
			    .writer = writer,
			    .totals = totals };

	tracer_begin(&t);
	for (size_t i = 0; i < npids; i++)
		if (!join(&t, pids[i], err)) {
			tracer_let_go(&t);
			threads_free(&t.threads);
			return false;
		}
	tracer_trace(&t);
	return true;
}
