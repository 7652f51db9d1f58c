/*
 * simplex_tour.c - a tree whose parts move at once.
 *
 * Where everything that was measured contradicts, a pivot moves a large part
 * of the tree, and to go through its nodes for their potentials is most of
 * the work.  So such a tree is kept as a tour (Henzinger and King, "Randomized
 * fully dynamic graph algorithms with polylogarithmic time per operation",
 * Journal of the ACM 46(4), 1999, section 2): a circle of entries, one for
 * each node and two for each arc, which are passed in this order by who walks
 * around the tree.  What hangs below an arc is what is between its two
 * entries; and however a part hangs, from whichever of its nodes, its tour is
 * the same circle.  So a part is taken out with two cuts and put back with two
 * others, whatever its size.
 *
 * The circle is in chunks of some dozens of entries.  A chunk has a lift, which
 * all potentials in it lack; to change them is one addition.  Only where
 * chunks are cut or put together are entries looked at.  Two chunks that
 * follow each other have more than one could hold, so there are at most twice
 * as many as it takes.
 *
 * Lifts and what potentials have beside them may grow beyond 64 bits; they
 * are added as if there were no more than 64, and the sum, which is a
 * potential, is right again.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mcf/simplex.h"

enum { CHUNK = 64 };

#define ARC_ENTRY ((uint32_t)1 << 31)

struct chunk {
	uint32_t next, previous; /* around the circle */
	uint32_t n;
};

/* What the tour has beside s->line, s->tree and s->lift. */
struct tour {
	uint32_t (*entries)[CHUNK];
	struct chunk *chunks;
	uint32_t *sides; /* the chunk of each entry of an arc */
	uint32_t nchunks;
	uint32_t free; /* the first of those in no circle, or NONE */
	size_t chunk_room;
	struct room room; /* where the simplex has none left for it */
};

void simplex_tour_free(struct tour *t)
{
	if (!t)
		return;
	room_free(&t->room);
	free(t);
}

static uint32_t *chunk_of(struct simplex *s, uint32_t entry)
{
	return entry & ARC_ENTRY ? &s->tour->sides[entry & ~ARC_ENTRY]
				 : &s->line[entry].chunk;
}

static int64_t add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static uint32_t place_in(const struct tour *t, uint32_t chunk, uint32_t entry)
{
	const uint32_t *entries = t->entries[chunk];
	uint32_t i = 0;

	while (entries[i] != entry)
		i++;
	return i;
}

static void follow(struct tour *t, uint32_t chunk, uint32_t next)
{
	t->chunks[chunk].next = next;
	t->chunks[next].previous = chunk;
}

/* An empty chunk behind one that is in a circle, or by itself. */
static uint32_t new_chunk(struct simplex *s, uint32_t behind)
{
	struct tour *t = s->tour;
	uint32_t chunk = t->free;

	if (chunk != NONE)
		t->free = t->chunks[chunk].next;
	else
		chunk = t->nchunks++;
	assert(chunk < t->chunk_room);
	t->chunks[chunk].n = 0;
	s->lift[chunk] = 0;
	if (behind == NONE) {
		follow(t, chunk, chunk);
		return chunk;
	}
	follow(t, chunk, t->chunks[behind].next);
	follow(t, behind, chunk);
	s->lift[chunk] = s->lift[behind];
	return chunk;
}

static void drop_chunk(struct tour *t, uint32_t chunk)
{
	struct chunk *c = &t->chunks[chunk];

	follow(t, c->previous, c->next);
	c->next = t->free;
	t->free = chunk;
}

/* These entries, which another chunk had, are in this one now. */
static void settle(struct simplex *s, uint32_t chunk, uint32_t from,
		   const uint32_t *entries, uint32_t n)
{
	int64_t less = add(s->lift[from], -(uint64_t)s->lift[chunk]);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t entry = entries[i];

		*chunk_of(s, entry) = chunk;
		if (!(entry & ARC_ENTRY))
			s->line[entry].potential =
				add(s->line[entry].potential, less);
	}
}

/* Entries of a chunk from a place on, behind the last one of another. */
static void move_tail(struct simplex *s, uint32_t from, uint32_t place,
		      uint32_t to)
{
	struct tour *t = s->tour;
	struct chunk *c = &t->chunks[to];
	uint32_t n = t->chunks[from].n - place;
	uint32_t *end = t->entries[to] + c->n;

	memcpy(end, t->entries[from] + place, n * sizeof(*end));
	settle(s, to, from, end, n);
	c->n += n;
	t->chunks[from].n = place;
}

/* The first entries of a chunk, before those of another. */
static void move_head(struct simplex *s, uint32_t from, uint32_t n, uint32_t to)
{
	struct tour *t = s->tour;
	uint32_t *begin = t->entries[to], *old = t->entries[from];
	struct chunk *c = &t->chunks[to];

	memmove(begin + n, begin, c->n * sizeof(*begin));
	memcpy(begin, old, n * sizeof(*begin));
	settle(s, to, from, begin, n);
	c->n += n;
	c = &t->chunks[from];
	c->n -= n;
	memmove(old, old + n, c->n * sizeof(*old));
}

/* Divide a chunk; 0 < place < n. */
static void split(struct simplex *s, uint32_t chunk, uint32_t place)
{
	struct tour *t = s->tour;

	if (place > t->chunks[chunk].n / 2)
		move_tail(s, chunk, place, new_chunk(s, chunk));
	else
		move_head(s, chunk, place,
			  new_chunk(s, t->chunks[chunk].previous));
}

/* Make an entry the last of its chunk, which is returned. */
static uint32_t split_behind(struct simplex *s, uint32_t entry)
{
	uint32_t chunk = *chunk_of(s, entry);
	uint32_t place = place_in(s->tour, chunk, entry) + 1;

	if (place < s->tour->chunks[chunk].n)
		split(s, chunk, place);
	return *chunk_of(s, entry);
}

static uint32_t split_before(struct simplex *s, uint32_t entry)
{
	uint32_t chunk = *chunk_of(s, entry);
	uint32_t place = place_in(s->tour, chunk, entry);

	if (place > 0)
		split(s, chunk, place);
	return *chunk_of(s, entry);
}

/* Put a chunk and the next one together if they fit: *chunk has both then. */
static bool join_next(struct simplex *s, uint32_t *chunk)
{
	struct tour *t = s->tour;
	uint32_t from = *chunk, next = t->chunks[from].next;

	if (next == from || t->chunks[from].n + t->chunks[next].n > CHUNK)
		return false;
	if (t->chunks[from].n >= t->chunks[next].n) {
		move_tail(s, next, 0, from);
		drop_chunk(t, next);
		return true;
	}
	move_head(s, from, t->chunks[from].n, next);
	drop_chunk(t, from);
	*chunk = next;
	return true;
}

/* That, from the chunk before this one to the one behind. */
static void tidy(struct simplex *s, uint32_t chunk)
{
	const struct tour *t = s->tour;

	chunk = t->chunks[chunk].previous;
	for (int i = 0; i < 3; i++)
		if (!join_next(s, &chunk))
			chunk = t->chunks[chunk].next;
}

/* Add an entry behind a chunk's last. */
static void append(struct simplex *s, uint32_t chunk, uint32_t entry)
{
	struct tour *t = s->tour;

	if (t->chunks[chunk].n == CHUNK)
		chunk = new_chunk(s, chunk);
	t->entries[chunk][t->chunks[chunk].n++] = entry;
	*chunk_of(s, entry) = chunk;
}

static void remove_first(struct tour *t, uint32_t chunk)
{
	uint32_t *entries = t->entries[chunk];

	t->chunks[chunk].n--;
	memmove(entries, entries + 1, t->chunks[chunk].n * sizeof(*entries));
}

void simplex_tour_cut(struct simplex *s, uint32_t top)
{
	uint32_t down = s->tree[top].edge, up = down ^ 1;
	uint32_t before, behind, first, last;
	struct tour *t = s->tour;

	split_behind(s, down);
	behind = split_before(s, up);
	before = *chunk_of(s, down);
	first = t->chunks[before].next;
	last = t->chunks[behind].previous;
	t->chunks[before].n--;
	remove_first(t, behind);
	follow(t, before, behind);
	follow(t, last, first);
	tidy(s, before);
	tidy(s, last);
}

void simplex_tour_link(struct simplex *s, uint32_t u, uint32_t parent)
{
	uint32_t down = s->tree[u].edge, up = down ^ 1;
	uint32_t last = split_behind(s, u);
	uint32_t before = split_behind(s, parent);
	struct tour *t = s->tour;
	uint32_t first = t->chunks[last].next;
	uint32_t behind = t->chunks[before].next;

	follow(t, before, first);
	follow(t, last, behind);
	append(s, before, down);
	append(s, last, up);
	tidy(s, *chunk_of(s, down));
	tidy(s, *chunk_of(s, up));
}

/* Add to the potentials of some entries of a chunk. */
static void raise_some(struct simplex *s, uint32_t chunk, uint32_t from,
		       uint32_t to, int64_t change)
{
	const uint32_t *entries = s->tour->entries[chunk];

	for (uint32_t i = from; i < to; i++)
		if (!(entries[i] & ARC_ENTRY))
			s->line[entries[i]].potential =
				add(s->line[entries[i]].potential, change);
}

/* Where an entry is. */
struct spot {
	uint32_t chunk, place;
};

static struct spot find(struct simplex *s, uint32_t entry)
{
	struct spot spot = { .chunk = *chunk_of(s, entry) };

	spot.place = place_in(s->tour, spot.chunk, entry);
	return spot;
}

/*
 * Add to the lifts of all chunks between two, from both ends, since each way
 * waits for one chunk to say which is the next.
 */
static void raise_between(struct simplex *s, uint32_t from, uint32_t to,
			  int64_t change)
{
	const struct chunk *chunks = s->tour->chunks;
	uint32_t first = chunks[from].next, last = chunks[to].previous;

	if (first == to)
		return;
	for (;;) {
		s->lift[first] = add(s->lift[first], change);
		if (first == last)
			return;
		s->lift[last] = add(s->lift[last], change);
		first = chunks[first].next;
		if (first == last)
			return;
		last = chunks[last].previous;
	}
}

/* Add to the potentials between two entries, on the way round. */
static void raise(struct simplex *s, struct spot from, struct spot to,
		  int64_t change)
{
	const struct tour *t = s->tour;
	uint32_t chunk = from.chunk;

	if (chunk == to.chunk && from.place < to.place) {
		raise_some(s, chunk, from.place, to.place, change);
		return;
	}
	raise_some(s, chunk, from.place, t->chunks[chunk].n, change);
	raise_some(s, to.chunk, 0, to.place, change);
	raise_between(s, chunk, to.chunk, change);
}

void simplex_tour_raise(struct simplex *s, const struct tour_step *steps,
			size_t n)
{
	struct spot first = find(s, steps[0].entry), from = first;

	for (size_t i = 0; i < n; i++) {
		struct spot to =
			i + 1 < n ? find(s, steps[i + 1].entry) : first;

		if (steps[i].change)
			raise(s, from, to, steps[i].change);
		from = to;
	}
}

static void lay_out(struct simplex *s, struct tour *t, struct room *room)
{
	size_t nodes = (size_t)s->root + 1;

	t->chunk_room = 2 * (3 * nodes) / CHUNK + 16;
	t->sides = room_take(room, 2 * nodes, sizeof(*t->sides));
	t->chunks = room_take(room, t->chunk_room, sizeof(*t->chunks));
	t->entries = room_take(room, t->chunk_room, sizeof(*t->entries));
	s->lift = room_take(room, t->chunk_room, sizeof(*s->lift));
}

/* Behind what the simplex has, if there is room yet; or in one of its own. */
static void reserve(struct simplex *s)
{
	struct room plan = simplex_plan(s), *room = &s->room;

	if (!s->tour)
		s->tour = fdo_alloc(1, sizeof(*s->tour));
	room->front = plan.front;
	room->back = plan.back;
	lay_out(s, s->tour, &plan);
	if (plan.front + plan.back > room->size) {
		room_open(&s->tour->room, plan.front - room->front);
		room = &s->tour->room;
	}
	lay_out(s, s->tour, room);
	s->tour->nchunks = 0;
	s->tour->free = NONE;
}

/* Chunks are filled to three quarters at first. */
static void put(struct simplex *s, uint32_t *chunk, uint32_t entry)
{
	if (s->tour->chunks[*chunk].n >= CHUNK / 4 * 3)
		*chunk = new_chunk(s, *chunk);
	append(s, *chunk, entry);
}

void simplex_tour_begin(struct simplex *s)
{
	struct rank *line = s->line;
	uint32_t chunk, next;

	reserve(s);
	chunk = new_chunk(s, NONE);
	for (uint32_t u = s->root; u != NONE; u = next) {
		next = line[u].next;
		if (u != s->root) {
			s->tree[u].edge = ARC_ENTRY | 2 * u;
			put(s, &chunk, s->tree[u].edge);
		}
		put(s, &chunk, u);
		for (uint32_t v = u; v != s->root && line[v].last == u;
		     v = s->up[v].parent)
			put(s, &chunk, s->tree[v].edge ^ 1);
	}
}

void simplex_tour_end(struct simplex *s)
{
	struct tour *t = s->tour;
	uint32_t last = s->root, begin = s->line[last].chunk, chunk = begin;
	uint32_t i = place_in(t, begin, last), start = i;
	struct node *tree = s->tree;

	for (uint32_t u = 0; u <= s->root; u++)
		s->line[u].potential = simplex_potential(s, u);
	for (uint32_t u = 0; u < s->root; u++) {
		t->sides[tree[u].edge & ~ARC_ENTRY] = u;
		t->sides[(tree[u].edge ^ 1) & ~ARC_ENTRY] = NONE;
	}
	do {
		uint32_t entry;

		if (++i == t->chunks[chunk].n) {
			chunk = t->chunks[chunk].next;
			i = 0;
		}
		entry = t->entries[chunk][i];
		if (!(entry & ARC_ENTRY) ||
		    t->sides[entry & ~ARC_ENTRY] == NONE)
			continue;
		s->line[last].next = t->sides[entry & ~ARC_ENTRY];
		last = s->line[last].next;
	} while (chunk != begin || i != start);
	s->line[last].next = NONE;
	s->lift = NULL;
}
