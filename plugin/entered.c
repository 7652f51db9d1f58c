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

/* What comes first in the source of a callee. */
struct start {
	const struct profile_key *first; /* NULL: nothing has a count */
	struct entered entered;
	const struct profile_key *bounded; /* of what has but a bound; NULL */
	uint64_t bound;
};

static bool comes_first(const struct profile_key *key,
			const struct profile_key *first)
{
	return is_own(key) && (!first || is_before(key, first));
}

static void note_entered(struct start *s, const struct profile_key *key,
			 struct entered entered)
{
	if (!comes_first(key, s->first))
		return;
	s->first = key;
	s->entered = entered;
}

static void note_bound(struct start *s, const struct profile_key *key,
		       uint64_t bound)
{
	if (!comes_first(key, s->bounded))
		return;
	s->bounded = key;
	s->bound = bound;
}

/*
 * What comes first and has a count may be an arm of a test before it, of
 * which there is but a bound: where that allows more, nothing is known.
 */
static bool is_an_arm(const struct start *s)
{
	return s->first && s->bounded && is_before(s->bounded, s->first) &&
	       s->bound - s->bound / 10 > s->entered.count;
}

/* Bodies that were inlined where a body's own code begins. */
struct called {
	unsigned n;
	struct entered most;
};

static bool is_beside(const struct profile_key *call,
		      const struct profile_key *own)
{
	return own && own->column && is_own(call) && call->line == own->line &&
	       call->column == own->column;
}

static void note_called(struct called *called, struct entered entered)
{
	called->n++;
	if (entered.count >= called->most.count)
		called->most = entered;
}

/*
 * A loop over a list is of one place, with what it begins with and its test,
 * which is made as often as there are rounds, and more.  But where the list
 * begins and where it ends are asked for as often as the loop is entered.
 */
static bool begins_list(const struct start *s, const struct profile_key *own,
			const struct called *called)
{
	return s->first == own && called->n >= 2 && called->most.count > 0 &&
	       called->most.count < s->entered.count;
}

/* The first statement of which it is marked that it begins. */
struct mark {
	const struct profile_key *first; /* NULL: none */
	struct entered entered;
};

static void note_mark(struct mark *mark, const struct profile_count *c)
{
	if (!comes_first(&c->key, mark->first))
		return;
	mark->first = &c->key;
	mark->entered = of_count(c);
}

/*
 * What begins before all that has code did so at least as often as is marked:
 * the code may be an arm, and what leads there have none.
 */
static void raise_entered(struct start *s, const struct profile_key *own,
			  const struct mark *mark)
{
	if (mark->first && (!own || !is_before(own, mark->first)) &&
	    (!s->entered.is_known || s->entered.count < mark->entered.count))
		s->entered = mark->entered;
}

/* By what comes first in the source of the callee. */
static struct start by_start(const struct profile_body *callee, unsigned depth)
{
	struct start s = { 0 };
	struct called called = { 0 };
	struct entered told = { 0 };
	struct mark mark = { 0 };
	const struct profile_key *own;

	for (size_t i = 0; i < callee->ncounts; i++) {
		const struct profile_count *c = &callee->counts[i];

		if (profile_is_entry_key(&c->key))
			told = of_count(c);
		else if (c->key.discriminator == PROFILE_BEGIN)
			note_mark(&mark, c);
		else if (c->key.discriminator != PROFILE_ANY)
			continue;
		else if (c->flags)
			note_bound(&s, &c->key, c->count);
		else
			note_entered(&s, &c->key, of_count(c));
	}
	own = s.first;
	for (size_t i = 0; depth < MAX_DEPTH && i < callee->ninlined; i++) {
		const struct profile_body *inner = callee->inlined[i];
		bool beside = is_beside(&inner->call, own);
		struct start start;

		if (!beside && !comes_first(&inner->call, s.first))
			continue;
		start = by_start(inner, depth + 1);
		if (beside && start.entered.is_known)
			note_called(&called, start.entered);
		if (start.entered.is_known)
			note_entered(&s, &inner->call, start.entered);
		else if (start.bounded)
			note_bound(&s, &inner->call, start.bound);
	}
	if (begins_list(&s, own, &called))
		s.entered = called.most;
	if (is_an_arm(&s))
		s.entered = (struct entered){ 0 };
	raise_entered(&s, own, &mark);
	if (told.is_known &&
	    (!s.entered.is_known || told.count < s.entered.count))
		s.entered = told;
	return s;
}

/* Of the call's own code and what the body begins with, what says less. */
static struct entered by_code(const struct profile_body *body,
			      const struct profile_body *callee)
{
	struct entered call = by_call(body, &callee->call);
	struct entered start = by_start(callee, 0).entered;

	if (!call.is_known || call.count == 0 ||
	    (start.is_known && start.count < call.count))
		return start.is_known ? start : call;
	return call;
}

/*
 * A body is marked to begin where its function is declared: no loop of it is
 * there, and what is left of the call may be an argument that only an arm needs.
 */
static struct entered by_mark(const struct profile_body *callee)
{
	struct mark mark = { 0 };

	for (size_t i = 0; i < callee->ncounts; i++) {
		const struct profile_count *c = &callee->counts[i];

		if (c->key.discriminator == PROFILE_BEGIN && c->key.line == 0)
			note_mark(&mark, c);
	}
	return mark.entered;
}

struct entered entered_by(const struct profile_body *body,
			  const struct profile_body *callee)
{
	struct entered code = by_code(body, callee), mark = by_mark(callee);

	return mark.is_known && (!code.is_known || code.count < mark.count)
		       ? mark
		       : code;
}
