/*
 * unsampled.c - what was sampled is known by the same hashes: of two functions
 * with one name in files of one name (in different folders), the one that has
 * samples speaks for both.
 */
#include "profile/unsampled.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "profile/format.h"

uint32_t profile_hash_name(const char *name)
{
	uint64_t hash = fdo_hash_text(name);

	return hash ^ hash >> 32;
}

uint32_t profile_hash_file(const char *path)
{
	const char *slash = strrchr(path, '/');

	return profile_hash_name(slash ? slash + 1 : path);
}

void profile_add_unsampled(struct profile *p,
			   const struct profile_unsampled *function)
{
	p->unsampled = fdo_grow(p->unsampled, p->nunsampled, &p->room_unsampled,
				sizeof(*p->unsampled));
	p->unsampled[p->nunsampled++] = *function;
}

static int compare(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

int unsampled_compare(const struct profile_unsampled *a,
		      const struct profile_unsampled *b)
{
	int order = compare(a->name, b->name);

	if (!order)
		order = compare(a->file, b->file);
	if (!order)
		order = compare(a->line, b->line);
	return order ? order : compare(a->lines, b->lines);
}

static int by_all(const void *a, const void *b)
{
	return unsampled_compare(a, b);
}

uint64_t unsampled_key(uint32_t name, uint32_t file)
{
	return (uint64_t)name << 32 | file;
}

static void note(struct fdo_map *sampled, const struct profile_body *body)
{
	if (body->file)
		*fdo_map_at(sampled,
			    unsampled_key(profile_hash_name(body->name),
					  profile_hash_file(body->file))) = 1;
}

static void note_inlined(struct fdo_map *sampled,
			 const struct profile_body *body)
{
	for (size_t i = 0; i < body->ninlined; i++) {
		if (body->inlined[i]->total)
			note(sampled, body->inlined[i]);
		note_inlined(sampled, body->inlined[i]);
	}
}

static struct fdo_map *find_sampled(const struct profile *p)
{
	struct fdo_map *sampled = fdo_map_new();

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct profile_function *f = p->functions[i];

		if (f->samples || f->entry || f->body.total)
			note(sampled, &f->body);
		note_inlined(sampled, &f->body);
	}
	return sampled;
}

static uint32_t sum(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

void unsampled_sort(struct profile *p)
{
	struct profile_unsampled *all = p->unsampled;
	struct fdo_map *sampled;
	size_t n = 0;

	if (p->nunsampled == 0)
		return;
	sampled = find_sampled(p);
	qsort(all, p->nunsampled, sizeof(*all), by_all);
	for (size_t i = 0; i < p->nunsampled; i++) {
		if (fdo_map_get(sampled,
				unsampled_key(all[i].name, all[i].file)))
			continue;
		if (n && unsampled_compare(&all[n - 1], &all[i]) == 0)
			all[n - 1].samples =
				sum(all[n - 1].samples, all[i].samples);
		else
			all[n++] = all[i];
	}
	p->nunsampled = n;
	fdo_map_free(sampled);
}

void unsampled_encode(const struct profile_unsampled *u, struct bytes *out)
{
	bytes_u64(out, unsampled_key(u->name, u->file));
	bytes_u32(out, u->line);
	bytes_u32(out, u->lines);
	bytes_u32(out, u->samples);
}

bool unsampled_decode(struct profile_unsampled *u, struct cursor *c,
		      struct fdo_error *err)
{
	uint64_t key = 0;

	if (!cursor_u64(c, &key, err) || !cursor_u32(c, &u->line, err) ||
	    !cursor_u32(c, &u->lines, err) || !cursor_u32(c, &u->samples, err))
		return false;
	u->name = key >> 32;
	u->file = key;
	return true;
}
