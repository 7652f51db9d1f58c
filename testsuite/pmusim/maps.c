/*
 * maps.c - a mapping is entered when code of it is seen.  It holds until the
 * guest changes its memory; after that, the first look at an address asks the
 * kernel again.
 */
#include "testsuite/pmusim/maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "testsuite/pmusim/buildid.h"

enum { LINE_MAX_SIZE = 4352 }; /* a path and what is before it */

struct maps *maps_new(void)
{
	return fdo_alloc(1, sizeof(struct maps));
}

void maps_free(struct maps *maps)
{
	if (!maps)
		return;
	for (struct mapping *m = maps->newest, *next; m; m = next) {
		next = m->next;
		free(m);
	}
	for (struct object *o = maps->objects, *next; o; o = next) {
		next = o->next;
		free(o->path);
		free(o);
	}
	free(maps);
}

static struct object *object_at(struct maps *maps, const char *path)
{
	struct object **at = &maps->objects, *object;

	while (*at && strcmp((*at)->path, path) < 0)
		at = &(*at)->next;
	if (*at && strcmp((*at)->path, path) == 0)
		return *at;
	object = fdo_alloc(1, sizeof(*object));
	object->path = fdo_alloc(1, strlen(path) + 1);
	strcpy(object->path, path);
	build_id_of(path, object->build_id);
	object->next = *at;
	*at = object;
	return object;
}

/* START-END rights OFFSET device inode PATH: only files have a "/". */
static bool parse(char *line, uint64_t address, uint64_t base,
		  struct mapping *ret, char **path)
{
	unsigned long long start, end, offset;

	line[strcspn(line, "\n")] = '\0';
	*path = strchr(line, '/');
	if (sscanf(line, "%llx-%llx %*s %llx", &start, &end, &offset) != 3)
		return false;
	ret->start = start - base;
	ret->end = end - base;
	ret->offset = offset;
	return address >= ret->start && address < ret->end;
}

/* The line of /proc/self/maps that has this address, if a file is there. */
static bool ask(uint64_t address, uint64_t base, struct mapping *ret,
		char *line, char **path)
{
	FILE *stream = fopen("/proc/self/maps", "re");
	bool found = false;

	if (!stream)
		return false;
	while (!found && fgets(line, LINE_MAX_SIZE, stream))
		found = parse(line, address, base, ret, path);
	fclose(stream);
	return found && *path;
}

static struct mapping *known(const struct maps *maps, uint64_t address)
{
	struct mapping *m = maps->newest;

	while (m && (address < m->start || address >= m->end))
		m = m->next;
	return m;
}

static bool is_same(const struct mapping *a, const struct mapping *b)
{
	return a->object == b->object &&
	       a->offset - a->start == b->offset - b->start;
}

struct mapping *maps_find(struct maps *maps, uint64_t address, uint64_t base)
{
	struct mapping *m = known(maps, address), found = { 0 };
	char line[LINE_MAX_SIZE], *path;

	if (m && m->checked == maps->generation)
		return m;
	if (!ask(address, base, &found, line, &path))
		return NULL;
	found.object = object_at(maps, path);
	if (m && is_same(m, &found)) {
		m->checked = maps->generation;
		return m;
	}
	found.checked = maps->generation;
	m = fdo_alloc(1, sizeof(*m));
	*m = found;
	m->next = maps->newest;
	maps->newest = m;
	return m;
}
