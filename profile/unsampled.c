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

static void each_body(const struct profile_body *body,
		      void (*take)(void *context, uint64_t key), void *context)
{
	if (body->file)
		take(context, unsampled_key(profile_hash_name(body->name),
					    profile_hash_file(body->file)));
}

static void each_inlined(const struct profile_body *body,
			 void (*take)(void *context, uint64_t key),
			 void *context)
{
	for (size_t i = 0; i < body->ninlined; i++) {
		if (body->inlined[i]->total)
			each_body(body->inlined[i], take, context);
		each_inlined(body->inlined[i], take, context);
	}
}

void unsampled_each_sampled(const struct profile_function *f,
			    void (*take)(void *context, uint64_t key),
			    void *context)
{
	if (f->samples || f->entry || f->body.total)
		each_body(&f->body, take, context);
	each_inlined(&f->body, take, context);
}

/*
 * Bits for each entry: of the keys that are not there, one in so many looks as
 * if it were, and is searched for.
 */
enum { FILTER_BITS = 16 };

struct unsampled_filter {
	const struct profile_unsampled *list;
	size_t n;
	bool *sampled;	 /* of each */
	uint64_t *seems; /* a bit for a hash of the key */
	uint64_t mask;	 /* of the hash */
};

static uint64_t key_of(const struct profile_unsampled *u)
{
	return unsampled_key(u->name, u->file);
}

/* Keys are hashes, but of a few files. */
static uint64_t bit_of(const struct unsampled_filter *filter, uint64_t key)
{
	return (key >> 32 ^ key * 0x9e3779b1) & filter->mask;
}

struct unsampled_filter *unsampled_filter_new(const struct profile *p)
{
	struct unsampled_filter *filter = fdo_alloc(1, sizeof(*filter));
	uint64_t bits = 64;

	while (bits < FILTER_BITS * (uint64_t)p->nunsampled)
		bits *= 2;
	filter->list = p->unsampled;
	filter->n = p->nunsampled;
	filter->sampled = fdo_alloc(filter->n, sizeof(*filter->sampled));
	filter->seems = fdo_alloc(bits / 64, sizeof(*filter->seems));
	filter->mask = bits - 1;
	for (size_t i = 0; i < filter->n; i++) {
		uint64_t bit = bit_of(filter, key_of(&filter->list[i]));

		filter->seems[bit / 64] |= (uint64_t)1 << bit % 64;
	}
	return filter;
}

void unsampled_filter_free(struct unsampled_filter *filter)
{
	if (!filter)
		return;
	free(filter->sampled);
	free(filter->seems);
	free(filter);
}

/* The first entry whose key is at least this. */
static size_t first_of(const struct unsampled_filter *filter, uint64_t key)
{
	size_t low = 0, high = filter->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (key_of(&filter->list[middle]) < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool unsampled_filter_note(struct unsampled_filter *filter, uint64_t key)
{
	uint64_t bit = bit_of(filter, key);
	bool found = false;

	if (!(filter->seems[bit / 64] >> bit % 64 & 1))
		return false;
	for (size_t i = first_of(filter, key);
	     i < filter->n && key_of(&filter->list[i]) == key; i++) {
		filter->sampled[i] = true;
		found = true;
	}
	return found;
}

void unsampled_filter_take_out(const struct unsampled_filter *filter,
			       struct profile *p)
{
	size_t n = 0;

	for (size_t i = 0; i < filter->n; i++)
		if (!filter->sampled[i])
			p->unsampled[n++] = p->unsampled[i];
	p->nunsampled = n;
}

static uint32_t sum(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static void add_up(struct profile *p)
{
	struct profile_unsampled *all = p->unsampled;
	size_t n = 0;

	for (size_t i = 0; i < p->nunsampled; i++) {
		if (n && unsampled_compare(&all[n - 1], &all[i]) == 0)
			all[n - 1].samples =
				sum(all[n - 1].samples, all[i].samples);
		else
			all[n++] = all[i];
	}
	p->nunsampled = n;
}

static void note(void *filter, uint64_t key)
{
	unsampled_filter_note(filter, key);
}

void unsampled_sort(struct profile *p)
{
	struct unsampled_filter *filter;

	if (p->nunsampled == 0)
		return;
	qsort(p->unsampled, p->nunsampled, sizeof(*p->unsampled), by_all);
	add_up(p);
	filter = unsampled_filter_new(p);
	for (size_t i = 0; i < p->nfunctions; i++)
		unsampled_each_sampled(p->functions[i], note, filter);
	unsampled_filter_take_out(filter, p);
	unsampled_filter_free(filter);
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
