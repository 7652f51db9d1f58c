/*
 * entered.c - how often bodies that were inlined were entered.
 */
#include "plugin/entered.h"

#include <stddef.h>

/* Deeper than that, what a body begins with is looked for no further. */
enum { MAX_DEPTH = 50 };

static struct entered of_count(const struct profile_count *c)
{
	return (struct entered){ true, c->count, c->error };
}

/* By the code of the call itself. */
static struct entered by_call(const struct profile_body *body,
			      const struct profile_key *call)
{
	for (size_t i = 0; i < body->ncounts; i++) {
		const struct profile_key *key = &body->counts[i].key;

		if (key->line == call->line && key->column == call->column &&
		    key->discriminator == PROFILE_ANY &&
		    key->file == call->file && !body->counts[i].flags)
			return of_count(&body->counts[i]);
	}
	return (struct entered){ 0 };
}

static bool is_before(const struct profile_key *a, const struct profile_key *b)
{
	return a->line < b->line ||
	       (a->line == b->line && a->column < b->column);
}

/* In its own lines: what is of another file may be anywhere. */
static bool is_own(const struct profile_key *key)
{
	return !key->file && key->line >= 0;
}

/* By what comes first in the source of the callee. */
static struct entered by_start(const struct profile_body *callee,
			       unsigned depth)
{
	const struct profile_key *first = NULL;
	struct entered ret = { 0 };

	for (size_t i = 0; i < callee->ncounts; i++) {
		const struct profile_count *c = &callee->counts[i];

		if (c->key.discriminator != PROFILE_ANY || c->flags ||
		    !is_own(&c->key) || (first && !is_before(&c->key, first)))
			continue;
		first = &c->key;
		ret = of_count(c);
	}
	for (size_t i = 0; depth < MAX_DEPTH && i < callee->ninlined; i++) {
		const struct profile_key *call = &callee->inlined[i]->call;
		struct entered inner;

		if (!is_own(call) || (first && !is_before(call, first)))
			continue;
		inner = by_start(callee->inlined[i], depth + 1);
		if (!inner.is_known)
			continue;
		first = call;
		ret = inner;
	}
	return ret;
}

struct entered entered_by(const struct profile_body *body,
			  const struct profile_body *callee)
{
	struct entered call = by_call(body, &callee->call);
	struct entered start = by_start(callee, 0);

	if (!call.is_known || call.count == 0 ||
	    (start.is_known && start.count < call.count))
		return start.is_known ? start : call;
	return call;
}
