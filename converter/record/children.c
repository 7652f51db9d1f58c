#include "converter/record/children.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_in(const pid_t *pids, size_t n, pid_t pid)
{
	for (size_t i = 0; i < n; i++)
		if (pids[i] == pid)
			return true;
	return false;
}

/* Of "PID (NAME) STATE PARENT ...", where a name may have any characters; or 0. */
static pid_t parent_of(const char *pid)
{
	char path[300], text[512], *end;
	size_t size = 0;
	FILE *file;
	int parent;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	file = fopen(path, "r");
	if (file) {
		size = fread(text, 1, sizeof(text) - 1, file);
		fclose(file);
	}
	text[size] = '\0';
	end = strrchr(text, ')');
	return end && sscanf(end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

size_t children_left_out(const pid_t *pids, size_t n)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	size_t found = 0;

	while (proc && (entry = readdir(proc))) {
		pid_t pid;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		pid = (pid_t)strtol(entry->d_name, NULL, 10);
		found += pid != getpid() && !is_in(pids, n, pid) &&
			 is_in(pids, n, parent_of(entry->d_name));
	}
	if (proc)
		closedir(proc);
	return found;
}
