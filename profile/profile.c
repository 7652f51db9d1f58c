/*
 * profile.c - the model in memory: find or add.
 *
 * Three tables map a hash of what identifies a thing to the thing.  Whether
 * it is the right one is always tested on the thing itself; if not, the next
 * number is the next try.
 */
#include "profile/profile.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "profile/open.h"
#include "profile/private.h"

struct profile *profile_new(void)
{
	struct profile *p = fdo_alloc(1, sizeof(*p));

	p->private_ = fdo_alloc(1, sizeof(*p->private_));
	p->private_->strings = fdo_strings_new();
	return p;
}

void profile_count_deinit(struct profile_count *count)
{
	free(count->targets);
	free(count->values);
}

/* Free what hangs from a body, not the body. */
static void empty_body(struct profile_body *body)
{
	for (size_t i = 0; i < body->ncounts; i++)
		profile_count_deinit(&body->counts[i]);
	free(body->counts);
	for (size_t i = 0; i < body->ninlined; i++) {
		empty_body(body->inlined[i]);
		free(body->inlined[i]);
	}
	free(body->inlined);
}

void profile_function_free(struct profile_function *f)
{
	if (!f)
		return;
	empty_body(&f->body);
	free(f->hosts);
	free(f->binaries);
	free(f);
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->nfunctions; i++)
		profile_function_free(p->functions[i]);
	free(p->functions);
	free(p->events);
	free(p->binaries);
	free(p->cutoffs);
	free(p->unsampled);
	profile_forget_places(p);
	profile_file_close(p->private_->file);
	fdo_strings_free(p->private_->strings);
	free(p->private_);
	free(p);
}

const char *profile_text(struct profile *p, const char *text)
{
	return fdo_intern(p->private_->strings, text);
}

uint64_t profile_sum(uint64_t a, uint64_t b)
{
	if (a >= PROFILE_MAX || b >= PROFILE_MAX - a)
		return PROFILE_MAX;
	return a + b;
}

uint64_t profile_times(uint64_t count, uint64_t times)
{
	return times && count > PROFILE_MAX / times ? PROFILE_MAX
						    : count * times;
}

void profile_use(struct profile_function *function, uint64_t time)
{
	if (time && (!function->first_use || time < function->first_use))
		function->first_use = time;
}

int profile_compare_texts(const char *a, const char *b)
{
	if (a == b)
		return 0;
	if (!a || !b)
		return a ? 1 : -1;
	return strcmp(a, b);
}

int profile_compare_keys(const struct profile_key *a,
			 const struct profile_key *b)
{
	int order = profile_compare_texts(a->file, b->file);

	if (order)
		return order < 0 ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	if (a->discriminator != b->discriminator)
		return a->discriminator < b->discriminator ? -1 : 1;
	return 0;
}

int profile_compare_bodies(const struct profile_body *a,
			   const struct profile_body *b)
{
	int order = profile_compare_texts(a->name, b->name);

	if (!order)
		order = profile_compare_texts(a->file, b->file);
	if (!order && a->start_line != b->start_line)
		order = a->start_line < b->start_line ? -1 : 1;
	return order;
}

int profile_compare_binaries(const struct profile_binary *a,
			     const struct profile_binary *b)
{
	int order = profile_compare_texts(a->name, b->name);

	if (!order && a->build_id_size != b->build_id_size)
		order = a->build_id_size < b->build_id_size ? -1 : 1;
	if (!order)
		order = memcmp(a->build_id, b->build_id, a->build_id_size);
	return order ? order : a->no_frontiers - b->no_frontiers;
}

int profile_compare_inlined(const struct profile_body *a,
			    const struct profile_body *b)
{
	int order = profile_compare_keys(&a->call, &b->call);

	return order ? order : profile_compare_bodies(a, b);
}

/* Hashes over interned texts: their pointers stand for them. */
static uint64_t hash_key(uint64_t hash, const struct profile_key *key)
{
	hash = fdo_hash_mix(hash, (uintptr_t)key->file);
	hash = fdo_hash_mix(hash,
			    (uint64_t)(uint32_t)key->line << 32 | key->column);
	return fdo_hash_mix(hash, key->discriminator);
}

static uint64_t hash_body(uint64_t hash, const struct profile_body *body)
{
	hash = fdo_hash_mix(hash, (uintptr_t)body->name);
	hash = fdo_hash_mix(hash, (uintptr_t)body->file);
	return fdo_hash_mix(hash, body->start_line);
}

static uint64_t hash_inlined(const struct profile_body *in,
			     const struct profile_body *body)
{
	return hash_key(hash_body((uintptr_t)in, body), &body->call);
}

static bool same_key(const struct profile_key *a, const struct profile_key *b)
{
	return a->file == b->file && a->line == b->line &&
	       a->column == b->column && a->discriminator == b->discriminator;
}

static bool same_body(const struct profile_body *a,
		      const struct profile_body *b)
{
	return a->name == b->name && a->file == b->file &&
	       a->start_line == b->start_line;
}

/*
 * In each of the three: the slot of what is asked for, or the slot that it
 * will have, which then is 0.
 */
static uint64_t *function_slot(struct profile *p,
			       const struct profile_body *wanted)
{
	uint64_t hash = hash_body(0, wanted), *slot;
	const struct profile_function *f;

	while (*(slot = fdo_map_at(p->private_->functions, hash++))) {
		f = (const void *)(uintptr_t)*slot;
		if (same_body(&f->body, wanted))
			break;
	}
	return slot;
}

static uint64_t *inlined_slot(struct profile *p, const struct profile_body *in,
			      const struct profile_body *wanted)
{
	uint64_t hash = hash_inlined(in, wanted), *slot;
	const struct inlined_body *found;

	while (*(slot = fdo_map_at(p->private_->inlined, hash++))) {
		found = (const void *)(uintptr_t)*slot;
		if (found->in == in && same_body(&found->body, wanted) &&
		    same_key(&found->body.call, &wanted->call))
			break;
	}
	return slot;
}

/*
 * The slot holds the place in counts, from 1.  It need not say in which
 * body: if the key at that place in ours is the one, it is ours.
 */
static uint64_t *count_slot(struct profile *p, const struct profile_body *body,
			    const struct profile_key *key)
{
	uint64_t hash = hash_key((uintptr_t)body, key), *slot;

	while (*(slot = fdo_map_at(p->private_->counts, hash++)))
		if (*slot <= body->ncounts &&
		    same_key(&body->counts[*slot - 1].key, key))
			break;
	return slot;
}

static void learn_body(struct profile *p, struct profile_body *body)
{
	for (size_t i = 0; i < body->ncounts; i++)
		*count_slot(p, body, &body->counts[i].key) = i + 1;
	for (size_t i = 0; i < body->ninlined; i++) {
		*inlined_slot(p, body, body->inlined[i]) =
			(uintptr_t)body->inlined[i];
		learn_body(p, body->inlined[i]);
	}
}

static void learn_bodies(struct profile *p)
{
	struct profile_private *own = p->private_;

	if (own->inlined)
		return;
	own->inlined = fdo_map_new();
	own->counts = fdo_map_new();
	for (size_t i = 0; i < p->nfunctions; i++)
		learn_body(p, &p->functions[i]->body);
}

static void learn_functions(struct profile *p)
{
	if (p->private_->functions)
		return;
	p->private_->functions = fdo_map_new();
	for (size_t i = 0; i < p->nfunctions; i++)
		*function_slot(p, &p->functions[i]->body) =
			(uintptr_t)p->functions[i];
}

void profile_forget_places(struct profile *p)
{
	fdo_map_free(p->private_->functions);
	fdo_map_free(p->private_->inlined);
	fdo_map_free(p->private_->counts);
	p->private_->functions = NULL;
	p->private_->inlined = NULL;
	p->private_->counts = NULL;
}

void profile_append_function(struct profile *p, struct profile_function *f)
{
	p->functions = fdo_grow(p->functions, p->nfunctions, &p->room_functions,
				sizeof(*p->functions));
	p->functions[p->nfunctions++] = f;
}

struct profile_body *profile_append_inlined(struct profile_body *in)
{
	struct inlined_body *added = fdo_alloc(1, sizeof(*added));

	in->inlined = fdo_grow(in->inlined, in->ninlined, &in->room_inlined,
			       sizeof(*in->inlined));
	in->inlined[in->ninlined++] = &added->body;
	added->in = in;
	return &added->body;
}

struct profile_count *profile_append_count(struct profile_body *body)
{
	struct profile_count *count;

	body->counts = fdo_grow(body->counts, body->ncounts, &body->room_counts,
				sizeof(*body->counts));
	count = &body->counts[body->ncounts++];
	*count = (struct profile_count){ 0 };
	return count;
}

struct profile_function *profile_add_function(struct profile *p,
					      const char *name,
					      const char *file,
					      uint32_t start_line)
{
	struct profile_body wanted = {
		.name = profile_text(p, name),
		.file = profile_text(p, file),
		.start_line = start_line,
	};
	uint64_t *slot;

	assert(name);
	learn_functions(p);
	slot = function_slot(p, &wanted);
	if (!*slot) {
		struct profile_function *f = fdo_alloc(1, sizeof(*f));

		profile_append_function(p, f);
		f->body = wanted;
		*slot = (uintptr_t)f;
	}
	return (void *)(uintptr_t)*slot;
}

/* The one form of a key in this body: its file is not said again. */
static struct profile_key own_key(struct profile *p,
				  const struct profile_body *body,
				  struct profile_key key)
{
	key.file = profile_text(p, key.file);
	if (key.file == body->file)
		key.file = NULL;
	return key;
}

struct profile_body *profile_add_inlined(struct profile *p,
					 struct profile_body *in,
					 struct profile_key call,
					 const char *name, const char *file,
					 uint32_t start_line)
{
	struct profile_body wanted = {
		.name = profile_text(p, name),
		.file = profile_text(p, file),
		.start_line = start_line,
		.call = own_key(p, in, call),
	};
	uint64_t *slot;

	assert(name);
	learn_bodies(p);
	slot = inlined_slot(p, in, &wanted);
	if (!*slot) {
		struct profile_body *body = profile_append_inlined(in);

		*body = wanted;
		*slot = (uintptr_t)body;
	}
	return (void *)(uintptr_t)*slot;
}

/* The key becomes the profile's own. */
static uint64_t *own_count_slot(struct profile *p, struct profile_body *body,
				struct profile_key *key)
{
	*key = own_key(p, body, *key);
	learn_bodies(p);
	return count_slot(p, body, key);
}

struct profile_count *profile_count_at(struct profile *p,
				       struct profile_body *body,
				       struct profile_key key)
{
	uint64_t *slot = own_count_slot(p, body, &key);

	if (!*slot) {
		profile_append_count(body)->key = key;
		*slot = body->ncounts;
	}
	return &body->counts[*slot - 1];
}

struct profile_count *profile_find_count(struct profile *p,
					 struct profile_body *body,
					 struct profile_key key)
{
	uint64_t *slot = own_count_slot(p, body, &key);

	return *slot ? &body->counts[*slot - 1] : NULL;
}

void *profile_grow(void *array, size_t count, size_t size)
{
	size_t room = count;

	if (count && (count < 8 || count & (count - 1)))
		return array;
	return fdo_grow(array, count, &room, size);
}

void profile_add_target(struct profile *p, struct profile_count *count,
			const char *name, uint64_t times)
{
	count->targets = profile_grow(count->targets, count->ntargets,
				      sizeof(*count->targets));
	count->targets[count->ntargets++] = (struct profile_target){
		.name = profile_text(p, name),
		.count = profile_sum(times, 0),
	};
}

struct profile_event *profile_add_event(struct profile *p, const char *name,
					const char *role)
{
	size_t n = p->nevents, room = n;

	name = profile_text(p, name);
	role = profile_text(p, role);
	for (size_t i = 0; i < n; i++)
		if (p->events[i].name == name && p->events[i].role == role)
			return &p->events[i];
	p->events = fdo_grow(p->events, n, &room, sizeof(*p->events));
	p->nevents++;
	p->events[n] = (struct profile_event){ .name = name, .role = role };
	return &p->events[n];
}

uint32_t profile_add_binary(struct profile *p,
			    const struct profile_binary *binary)
{
	size_t n = p->nbinaries, room = n;

	assert(binary->build_id_size <= sizeof(binary->build_id));
	for (size_t i = 0; i < n; i++)
		if (profile_compare_binaries(&p->binaries[i], binary) == 0)
			return i;
	p->binaries = fdo_grow(p->binaries, n, &room, sizeof(*p->binaries));
	p->binaries[n] = *binary;
	p->binaries[n].name = profile_text(p, binary->name);
	p->nbinaries++;
	return n;
}

void profile_add_source(struct profile_function *function, uint32_t binary)
{
	for (size_t i = 0; i < function->nbinaries; i++)
		if (function->binaries[i] == binary)
			return;
	function->binaries =
		profile_grow(function->binaries, function->nbinaries,
			     sizeof(*function->binaries));
	function->binaries[function->nbinaries++] = binary;
}
