#include "converter/count/machine.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "converter/perf/events.h"

struct statement {
	const char *pattern;
	double stall; /* 0: none, by its role */
};

struct machine {
	const char **cpuids;
	size_t ncpuids, room_cpuids;
	struct statement *events;
	size_t nevents, room_events;
	struct fdo_strings *texts;
};

/* Where a statement is. */
struct place {
	const char *path;
	unsigned line;
};

enum { WORDS = 4 };

static bool fail(const struct place *at, struct fdo_error *err, const char *why)
{
	return fdo_fail(err, "%s: line %u: %s", at->path, at->line, why);
}

static bool parse_event(struct machine *m, char **words, int n,
			const struct place *at, struct fdo_error *err)
{
	struct statement event = { 0 };
	bool stalls = n > 2 && strncmp(words[2], "stall:", 6) == 0;
	char *end;

	if (n != (stalls ? 4 : 3))
		return fail(at, err,
			    "not \"event PATTERN ROLE\", or with cycles for a "
			    "role stall:NAME");
	event.pattern = fdo_intern(m->texts, words[1]);
	if (stalls) {
		event.stall = strtod(words[3], &end);
		if (*end || !(event.stall > 0 && event.stall < 1e6))
			return fail(at, err,
				    "the cycles are no number above 0");
	}
	m->events =
		fdo_grow(m->events, m->nevents, &m->room_events, sizeof(event));
	m->events[m->nevents++] = event;
	return true;
}

static void add_cpuid(struct machine *m, const char *pattern)
{
	m->cpuids = fdo_grow(m->cpuids, m->ncpuids, &m->room_cpuids,
			     sizeof(*m->cpuids));
	m->cpuids[m->ncpuids++] = fdo_intern(m->texts, pattern);
}

static bool parse_line(struct machine *m, char *line, const struct place *at,
		       struct fdo_error *err)
{
	char *words[WORDS + 1], *rest, *word;
	int n = 0;

	line[strcspn(line, "#\n")] = '\0';
	rest = line + strspn(line, " \t");
	if (strncmp(rest, "name", 4) == 0 && rest[4] && strchr(" \t", rest[4]))
		return true;
	while (n <= WORDS && (word = strsep(&rest, " \t")))
		if (*word)
			words[n++] = word;
	if (n == 0)
		return true;
	if (strcmp(words[0], "cpuid") == 0 && n == 2) {
		add_cpuid(m, words[1]);
		return true;
	}
	if (strcmp(words[0], "event") == 0)
		return parse_event(m, words, n, at, err);
	return fail(at, err,
		    "not \"name\", \"cpuid PATTERN\" or \"event ...\"");
}

struct machine *machine_read(const char *path, struct fdo_error *err)
{
	struct machine *m = fdo_alloc(1, sizeof(*m));
	struct place at = { .path = path };
	FILE *stream = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	bool done = stream != NULL;

	m->texts = fdo_strings_new();
	if (!done)
		fdo_fail(err, "%s: %s", path, strerror(errno));
	while (done && getline(&line, &room, stream) >= 0) {
		at.line++;
		done = parse_line(m, line, &at, err);
	}
	if (done && ferror(stream))
		done = fdo_fail(err, "%s: %s", path, strerror(errno));
	if (done && m->nevents == 0)
		done = fdo_fail(err, "%s: describes no event", path);
	free(line);
	if (stream)
		fclose(stream);
	if (done)
		return m;
	machine_free(m);
	return NULL;
}

void machine_free(struct machine *m)
{
	if (!m)
		return;
	free(m->cpuids);
	free(m->events);
	fdo_strings_free(m->texts);
	free(m);
}

static bool is_for(const struct machine *m, const char *cpuid)
{
	for (size_t i = 0; i < m->ncpuids; i++)
		if (fnmatch(m->cpuids[i], cpuid, 0) == 0)
			return true;
	return false;
}

static int is_description(const struct dirent *entry)
{
	return fnmatch("*.machine", entry->d_name, 0) == 0;
}

struct machine *machine_find(const char *folder, const char *cpuid,
			     struct fdo_error *err)
{
	struct dirent **entries;
	struct machine *found = NULL;
	int n = scandir(folder, &entries, is_description, alphasort);

	err->text[0] = '\0';
	for (int i = 0; i < n; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", folder,
			 entries[i]->d_name);
		free(entries[i]);
		if (found || err->text[0])
			continue;
		found = machine_read(path, err);
		if (found && !is_for(found, cpuid)) {
			machine_free(found);
			found = NULL;
		}
	}
	if (n >= 0)
		free(entries);
	return found;
}

double machine_stall(const struct machine *m, const char *event)
{
	char core[256];

	event_core(event, core, sizeof(core));
	for (size_t i = 0; i < m->nevents; i++)
		if (fnmatch(m->events[i].pattern, core, FNM_CASEFOLD) == 0)
			return m->events[i].stall;
	return 0;
}
