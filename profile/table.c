#include "profile/table.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "profile/format.h"

bool table_init(struct table *t, const struct cursor *entries,
		const struct cursor *checks, size_t size, const char *what,
		struct fdo_error *err)
{
	size_t piece = size * FORMAT_CHECKED_ENTRIES;
	size_t pieces = (entries->size + piece - 1) / piece;

	*t = (struct table){
		.entries = *entries,
		.checks = *checks,
		.what = what,
		.n = entries->size / size,
		.size = size,
	};
	if (entries->size % size)
		return cursor_fail(entries, err,
				   "%s does not end with an entry", what);
	if (checks->size / 4 != pieces || checks->size % 4)
		return cursor_fail(checks, err,
				   "%s has %zu pieces, not this many", what,
				   pieces);
	t->tested = fdo_alloc(pieces, sizeof(*t->tested));
	return true;
}

void table_deinit(struct table *t)
{
	free(t->tested);
	t->tested = NULL;
}

/* The piece in which the entry is. */
static bool test_piece(struct table *t, size_t number, struct fdo_error *err)
{
	size_t piece = number / FORMAT_CHECKED_ENTRIES;
	size_t size = t->size * FORMAT_CHECKED_ENTRIES;
	struct cursor entries = t->entries, checks = t->checks, part;
	uint32_t crc = 0;

	if (t->tested[piece])
		return true;
	entries.at = piece * size;
	checks.at = piece * 4;
	if (size > cursor_left(&entries))
		size = cursor_left(&entries);
	if (!cursor_part(&entries, size, &part, err) ||
	    !cursor_u32(&checks, &crc, err))
		return false;
	if (profile_crc(part.data, part.size) != crc)
		return cursor_fail(&part, err, "the checksum of %s is wrong",
				   t->what);
	t->tested[piece] = true;
	return true;
}

bool table_entry(struct table *t, size_t number, struct cursor *ret,
		 struct fdo_error *err)
{
	struct cursor entries = t->entries;

	entries.at = number * t->size;
	return test_piece(t, number, err) &&
	       cursor_part(&entries, t->size, ret, err);
}

/* Looks at where a number should be, before the rest is halved. */
enum { CLEVER_STEPS = 8 };

/* The part of the table, and of the numbers, in which one is. */
struct range {
	size_t low, high;
	uint64_t low_key, high_key;
};

static size_t expected(const struct range *r, uint64_t key)
{
	double share = (double)(key - r->low_key) /
		       ((double)(r->high_key - r->low_key) + 1);
	size_t at = r->low + (size_t)(share * (double)(r->high - r->low));

	return at < r->high ? at : r->high - 1;
}

bool table_find(struct table *t, uint64_t key, size_t *ret,
		struct fdo_error *err)
{
	struct range r = { 0, t->n, 0, UINT64_MAX };

	for (int step = 0; r.low < r.high; step++) {
		bool clever = step < CLEVER_STEPS && r.low_key <= key &&
			      key <= r.high_key;
		size_t at = clever ? expected(&r, key)
				   : r.low + (r.high - r.low) / 2;
		struct cursor entry;
		uint64_t found = 0;

		if (!table_entry(t, at, &entry, err) ||
		    !cursor_u64(&entry, &found, err))
			return false;
		if (found < key) {
			r.low = at + 1;
			r.low_key = found;
		} else {
			r.high = at;
			r.high_key = found;
		}
	}
	*ret = r.low;
	return true;
}
