/*
 * unit_lines.c - what a body has of each line and discriminator, whatever the
 * column.
 */
#include "base/alloc.h"
#include "base/map.h"
#include "plugin/unit_private.h"

static bool is_of_line(const struct profile_key *key)
{
	return profile_is_code_key(key) && key->discriminator &&
	       key->discriminator != PROFILE_ANY;
}

static uint64_t line_of(const struct profile_key *key)
{
	uint64_t hash = fdo_hash_mix(unit_key(key->file), key->discriminator);

	return fdo_hash_mix(hash, (uint32_t)key->line);
}

bool *unit_largest_of_lines(const struct profile_body *body)
{
	struct fdo_map *largest = fdo_map_new();
	bool *ret = fdo_alloc(body->ncounts, sizeof(*ret));

	for (size_t i = 0; i < body->ncounts; i++) {
		const struct profile_count *c = &body->counts[i];
		uint64_t *at;

		if (!is_of_line(&c->key))
			continue;
		at = fdo_map_at(largest, line_of(&c->key));
		if (*at && body->counts[*at - 1].count >= c->count)
			continue;
		if (*at)
			ret[*at - 1] = false;
		ret[i] = true;
		*at = i + 1;
	}
	fdo_map_free(largest);
	return ret;
}
