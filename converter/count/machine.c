#include "converter/count/machine.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/text.h"
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

enum { WORDS = 4 };

/* Those that do not stall (events.h). */
static bool is_role(const char *word)
{
	static const char *const roles[] = { "inst",  "cycles", "taken",
					     "steps", "faults", "other" };

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (strcmp(word, roles[i]) == 0)
			return true;
	return false;
}

static bool parse_stall(struct statement *event, char **words,
			const struct fdo_text *at, struct fdo_error *err)
{
	char *end;

	if (!words[2][strlen("stall:")])
		return fdo_text_fail(at, err, "a stall has a name: stall:NAME");
	event->stall = strtod(words[3], &end);
	if (*end || !(event->stall > 0 && event->stall < 1e6))
		return fdo_text_fail(at, err,
				     "the cycles are not a number above 0");
	return true;
}

/* Of two events with one pattern the second would never count. */
static bool check_new(const struct machine *m, const char *pattern,
		      const struct fdo_text *at, struct fdo_error *err)
{
	for (size_t i = 0; i < m->nevents; i++)
		if (strcasecmp(m->events[i].pattern, pattern) == 0)
			return fdo_text_fail(at, err,
					     "the pattern '%s' was there "
					     "already",
					     pattern);
	return true;
}

static bool parse_event(struct machine *m, char **words, int n,
			const struct fdo_text *at, struct fdo_error *err)
{
	struct statement event = { 0 };
	bool stalls = n > 2 && strncmp(words[2], "stall:", 6) == 0;

	if (n != (stalls ? 4 : 3))
		return fdo_text_fail(
			at, err,
			"not \"event PATTERN ROLE\", or with cycles for a "
			"role stall:NAME");
	if (stalls && !parse_stall(&event, words, at, err))
		return false;
	if (!stalls && !is_role(words[2]))
		return fdo_text_fail(at, err,
				     "'%s': the role is stall:NAME, inst, "
				     "cycles, taken, steps, faults or other",
				     words[2]);
	if (!check_new(m, words[1], at, err))
		return false;
	event.pattern = fdo_intern(m->texts, words[1]);
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

static bool parse_line(struct machine *m, const struct fdo_text *at,
		       struct fdo_error *err)
{
	char *words[WORDS + 1], *rest, *word;
	int n = 0;

	at->line[strcspn(at->line, "#")] = '\0';
	if (strchr(at->line, '\r'))
		return fdo_text_fail(at, err,
				     "a carriage return, as lines of another "
				     "system end");
	rest = at->line + strspn(at->line, " \t");
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
	return fdo_text_fail(
		at, err, "not \"name\", \"cpuid PATTERN\" or \"event ...\"");
}

struct machine *machine_read(const char *path, struct fdo_error *err)
{
	struct machine *m = fdo_alloc(1, sizeof(*m));
	struct fdo_text text;
	bool done = fdo_text_open(&text, path, err);

	m->texts = fdo_strings_new();
	while (done && fdo_text_next(&text, &done, err))
		done = parse_line(m, &text, err);
	if (done && m->nevents == 0)
		done = fdo_fail(err, "%s: describes no event", path);
	fdo_text_close(&text);
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

/* The description in a file, if it is for that processor. */
static bool read_for(const char *folder, const char *name, const char *cpuid,
		     struct machine **ret, struct fdo_error *err)
{
	struct machine *m;
	char *path;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		abort();
	m = machine_read(path, err);
	free(path);
	if (!m)
		return false;
	if (is_for(m, cpuid))
		*ret = m;
	else
		machine_free(m);
	return true;
}

bool machine_find(const char *folder, const char *cpuid, struct machine **ret,
		  struct fdo_error *err)
{
	struct dirent **entries = NULL;
	int n = scandir(folder, &entries, is_description, alphasort);
	bool read = true;

	*ret = NULL;
	for (int i = 0; i < n; i++) {
		read = read && (*ret || read_for(folder, entries[i]->d_name,
						 cpuid, ret, err));
		free(entries[i]);
	}
	free(entries);
	return read;
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
