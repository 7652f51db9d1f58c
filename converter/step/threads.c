#include "converter/step/threads.h"

#include <linux/kcmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "converter/step/process.h"

struct thread *threads_find(const struct threads *threads, pid_t tid)
{
	for (size_t i = 0; i < threads->n; i++)
		if (threads->all[i].tid == tid)
			return &threads->all[i];
	return NULL;
}

/* The process that a thread is of; itself if nobody knows. */
static pid_t process_of(pid_t tid)
{
	char path[64], line[256];
	int pid = tid;
	FILE *stream;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);
	stream = fopen(path, "re");
	if (!stream)
		return tid;
	while (fgets(line, sizeof(line), stream))
		if (sscanf(line, "Tgid: %d", &pid) == 1)
			break;
	fclose(stream);
	return pid;
}

static struct process *find_process(const struct threads *threads, pid_t pid)
{
	for (size_t i = 0; i < threads->n; i++)
		if (process_pid(threads->all[i].process) == pid)
			return threads->all[i].process;
	return NULL;
}

struct thread *threads_add(struct threads *threads, pid_t tid)
{
	pid_t pid = process_of(tid);
	struct process *process = find_process(threads, pid);
	struct thread *t;

	threads->all = fdo_grow(threads->all, threads->n, &threads->room,
				sizeof(*threads->all));
	t = &threads->all[threads->n++];
	*t = (struct thread){
		.tid = tid,
		.process = process ? process : process_new(pid),
	};
	return t;
}

void threads_remove(struct threads *threads, struct thread *t)
{
	struct process *process = t->process;
	size_t at = t - threads->all;

	free(t->burst);
	threads->n--;
	memmove(t, t + 1, (threads->n - at) * sizeof(*t));
	if (!find_process(threads, process_pid(process)))
		process_free(process);
}

void threads_free(struct threads *threads)
{
	while (threads->n)
		threads_remove(threads, &threads->all[threads->n - 1]);
	free(threads->all);
}

/*
 * The fields of /proc/PID/task/TID/stat behind the name, which may have
 * anything in it and ends in the last ")": the first is the state, the 37th the
 * processor.
 */
static void parse_stat(char *text, struct thread_look *look)
{
	char *rest, *field = strtok_r(text, " ", &rest);

	if (field)
		look->state = *field;
	for (int i = 1; field && i < 37; i++)
		field = strtok_r(NULL, " ", &rest);
	if (field)
		look->processor = strtol(field, NULL, 10);
}

struct thread_look thread_look(const struct thread *t)
{
	struct thread_look look = { .state = '?', .processor = -1 };
	char path[64], text[1024], *name_end = NULL;
	FILE *stream;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat",
		 (int)process_pid(t->process), (int)t->tid);
	stream = fopen(path, "re");
	if (!stream)
		return look;
	if (fgets(text, sizeof(text), stream))
		name_end = strrchr(text, ')');
	fclose(stream);
	if (name_end)
		parse_stat(name_end + 1, &look);
	return look;
}

/* A child of vfork(2) has its parent's. */
static bool share_memory(pid_t a, pid_t b)
{
	long order = syscall(SYS_kcmp, a, b, KCMP_VM, 0, 0);

	return order <= 0; /* the same, or it cannot be told */
}

bool threads_alone(const struct threads *threads, const struct thread *t)
{
	for (size_t i = 0; i < threads->n; i++) {
		const struct thread *other = &threads->all[i];

		if (other != t && (other->process == t->process ||
				   share_memory(process_pid(other->process),
						process_pid(t->process))))
			return false;
	}
	return true;
}
