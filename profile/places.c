#include "profile/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "profile/profile.h"

enum { LINES = 0x10000, DISCRIMINATORS = 0x10000 };

/* False where these formats have no word for the place. */
static bool place_of(const struct profile_key *key, bool discriminators,
		     uint32_t *ret)
{
	uint32_t discriminator = discriminators ? key->discriminator : 0;

	if (key->file || key->line < 0 || key->line >= LINES ||
	    (discriminator >= DISCRIMINATORS && discriminator != PROFILE_ANY))
		return false;
	*ret = (uint32_t)key->line << 16 | (discriminator & 0xffff);
	return true;
}

/* The place's count, or a new one. */
static struct place_count *count_at(struct places *node, uint32_t place)
{
	for (size_t i = node->ncounts; i-- > 0;)
		if (node->counts[i].place == place)
			return &node->counts[i];
	node->counts = fdo_grow(node->counts, node->ncounts, &node->room_counts,
				sizeof(*node->counts));
	node->counts[node->ncounts] = (struct place_count){ .place = place };
	return &node->counts[node->ncounts++];
}

static struct places *add_child(struct places *node, uint32_t call,
				const char *name)
{
	node->inlined = fdo_grow(node->inlined, node->ninlined,
				 &node->room_inlined, sizeof(*node->inlined));
	node->inlined[node->ninlined] =
		(struct places){ .name = name, .call = call };
	return &node->inlined[node->ninlined++];
}

static struct places *child_at(struct places *node, uint32_t call,
			       const char *name)
{
	for (size_t i = node->ninlined; i-- > 0;)
		if (node->inlined[i].call == call &&
		    strcmp(node->inlined[i].name, name) == 0)
			return &node->inlined[i];
	return add_child(node, call, name);
}

/*
 * Of one body, the largest count of a line stands for its columns; what was
 * there before is of another body, and adds up.
 */
static void add_counts(struct places *node, const struct profile_body *body,
		       bool discriminators)
{
	struct places own = { 0 };
	uint32_t place;

	for (size_t i = 0; i < body->ncounts; i++) {
		const struct profile_count *c = &body->counts[i];
		bool any = c->key.discriminator == PROFILE_ANY;
		struct place_count *to;

		if (any == discriminators ||
		    !place_of(&c->key, discriminators, &place))
			continue;
		to = count_at(&own, place);
		if (c->count > to->count)
			to->count = c->count;
	}
	for (size_t i = 0; i < own.ncounts; i++) {
		struct place_count *to = count_at(node, own.counts[i].place);

		to->count = profile_sum(to->count, own.counts[i].count);
	}
	free(own.counts);
}

static void add_body(struct places *node, const struct profile_body *body,
		     bool discriminators)
{
	uint32_t call;

	add_counts(node, body, discriminators);
	for (size_t i = 0; i < body->ninlined; i++) {
		const struct profile_body *inlined = body->inlined[i];

		if (place_of(&inlined->call, discriminators, &call))
			add_body(child_at(node, call, inlined->name), inlined,
				 discriminators);
	}
}

static int compare_counts(const void *a, const void *b)
{
	const struct place_count *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

static int compare_children(const void *a, const void *b)
{
	const struct places *x = a, *y = b;

	if (x->call != y->call)
		return x->call < y->call ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void finish(struct places *node)
{
	node->total = 0;
	for (size_t i = 0; i < node->ncounts; i++)
		node->total = profile_sum(node->total, node->counts[i].count);
	for (size_t i = 0; i < node->ninlined; i++) {
		finish(&node->inlined[i]);
		node->total = profile_sum(node->total, node->inlined[i].total);
	}
	if (node->ncounts)
		qsort(node->counts, node->ncounts, sizeof(*node->counts),
		      compare_counts);
	if (node->ninlined)
		qsort(node->inlined, node->ninlined, sizeof(*node->inlined),
		      compare_children);
}

struct places *places_new(const struct profile *p, bool discriminators)
{
	struct places *root = fdo_alloc(1, sizeof(*root));

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct profile_function *f = p->functions[i];
		struct places *node;

		if (!f->body.ncounts && !f->body.ninlined)
			continue;
		/* Functions come by name: the last one is the only candidate. */
		if (root->ninlined &&
		    strcmp(root->inlined[root->ninlined - 1].name,
			   f->body.name) == 0)
			node = &root->inlined[root->ninlined - 1];
		else
			node = add_child(root, root->ninlined, f->body.name);
		node->entry = profile_sum(node->entry, f->entry);
		add_body(node, &f->body, discriminators);
	}
	finish(root);
	return root;
}

static void release(struct places *node)
{
	for (size_t i = 0; i < node->ninlined; i++)
		release(&node->inlined[i]);
	free(node->inlined);
	free(node->counts);
}

void places_free(struct places *root)
{
	if (!root)
		return;
	release(root);
	free(root);
}
