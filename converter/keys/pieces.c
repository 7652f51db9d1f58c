#include "converter/keys/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct pieces {
	struct piece *pieces;
	size_t n, room;
	uint16_t *opcodes;
	size_t nopcodes, room_opcodes;
};

/* Code of one key that runs equally often, wherever it is. */
struct instance {
	const uint16_t *opcodes; /* sorted */
	size_t nopcodes;
	uint64_t count;
	double error;
	bool conditional;
	bool merged;
	bool counted; /* already in a group */
};

struct pieces *pieces_new(void)
{
	return fdo_alloc(1, sizeof(struct pieces));
}

void pieces_free(struct pieces *all)
{
	if (!all)
		return;
	free(all->pieces);
	free(all->opcodes);
	free(all);
}

void pieces_add(struct pieces *all, const struct piece *piece,
		const uint16_t *opcodes, size_t n)
{
	all->pieces =
		fdo_grow(all->pieces, all->n, &all->room, sizeof(*all->pieces));
	all->pieces[all->n] = *piece;
	all->pieces[all->n].first_opcode = all->nopcodes;
	all->pieces[all->n].nopcodes = n;
	all->n++;
	for (size_t i = 0; i < n; i++) {
		all->opcodes =
			fdo_grow(all->opcodes, all->nopcodes,
				 &all->room_opcodes, sizeof(*all->opcodes));
		all->opcodes[all->nopcodes++] = opcodes[i];
	}
}

int pieces_compare_keys(const struct profile_body *x_body,
			const struct profile_key *x,
			const struct profile_body *y_body,
			const struct profile_key *y)
{
	if (x_body != y_body)
		return (uintptr_t)x_body < (uintptr_t)y_body ? -1 : 1;
	return profile_compare_keys(x, y);
}

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;
	int order = pieces_compare_keys(x->body, &x->key, y->body, &y->key);

	if (order)
		return order;
	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	return (x->block > y->block) - (x->block < y->block);
}

static bool same_instance(const struct piece *x, const struct piece *y)
{
	return x->function == y->function && x->class == y->class;
}

static int compare_opcodes(const void *a, const void *b)
{
	return *(const uint16_t *)a - *(const uint16_t *)b;
}

/*
 * One instance of n pieces.  The pieces' opcodes are copied to *room, which
 * moves on.
 */
static struct instance instance_of(const struct pieces *all,
				   const struct piece *pieces, size_t n,
				   uint16_t **room)
{
	struct instance instance = { .opcodes = *room, .merged = true };

	for (size_t i = 0; i < n; i++) {
		memcpy(*room, &all->opcodes[pieces[i].first_opcode],
		       pieces[i].nopcodes * sizeof(**room));
		*room += pieces[i].nopcodes;
		instance.conditional |= pieces[i].conditional;
		instance.merged &= pieces[i].merged;
		if (pieces[i].count >= instance.count) {
			instance.count = pieces[i].count;
			instance.error = pieces[i].error;
		}
	}
	instance.nopcodes = *room - instance.opcodes;
	qsort(*room - instance.nopcodes, instance.nopcodes, sizeof(**room),
	      compare_opcodes);
	return instance;
}

/* Alike code: at least 30 % of all opcodes of both, as multisets. */
static bool alike(const struct instance *x, const struct instance *y)
{
	size_t i = 0, j = 0, common = 0;

	while (i < x->nopcodes && j < y->nopcodes) {
		if (x->opcodes[i] == y->opcodes[j]) {
			common++;
			i++;
			j++;
		} else if (x->opcodes[i] < y->opcodes[j]) {
			i++;
		} else {
			j++;
		}
	}
	return 10 * common >= 3 * (x->nopcodes + y->nopcodes - common);
}

/* The largest first, so that it leads its group. */
static int compare_instances(const void *a, const void *b)
{
	const struct instance *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->nopcodes != y->nopcodes)
		return x->nopcodes > y->nopcodes ? -1 : 1;
	return memcmp(x->opcodes, y->opcodes,
		      x->nopcodes * sizeof(*x->opcodes));
}

/* The sum over the group of copies that instances[first] leads. */
static struct instance sum_copies(struct instance *instances, size_t n,
				  size_t first)
{
	struct instance sum = instances[first];

	for (size_t i = first + 1; i < n; i++) {
		if (instances[i].counted ||
		    !alike(&instances[first], &instances[i]))
			continue;
		instances[i].counted = true;
		sum.count = profile_sum(sum.count, instances[i].count);
		sum.error = hypot(sum.error, instances[i].error);
		sum.conditional |= instances[i].conditional;
		sum.merged &= instances[i].merged;
	}
	return sum;
}

/*
 * The count of one key.  Code that nothing else was merged with speaks for
 * the key where there is such code.
 */
static struct instance settle(struct instance *instances, size_t n)
{
	struct instance best = { 0 };
	bool any_sound = false, found = false;

	for (size_t i = 0; i < n; i++)
		any_sound |= !instances[i].merged;
	for (size_t i = 0; i < n; i++)
		instances[i].counted = any_sound && instances[i].merged;
	qsort(instances, n, sizeof(*instances), compare_instances);
	for (size_t i = 0; i < n; i++) {
		struct instance sum;

		if (instances[i].counted)
			continue;
		sum = sum_copies(instances, n, i);
		if (!found || sum.count > best.count)
			best = sum;
		found = true;
	}
	return best;
}

static void record(struct profile *profile, const struct piece *piece,
		   const struct instance *settled)
{
	struct profile_count *count =
		profile_count_at(profile, piece->body, piece->key);

	count->count = settled->count;
	count->error = llround(settled->error);
	count->flags = (settled->conditional ? PROFILE_COND : 0) |
		       (settled->merged ? PROFILE_MERGED : 0);
}

/* All pieces of one key. */
static void settle_key(const struct pieces *all, const struct piece *pieces,
		       size_t n, struct instance *instances, uint16_t *room,
		       struct profile *profile)
{
	size_t ninstances = 0;
	struct instance settled;

	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n; next++)
			if (!same_instance(&pieces[i], &pieces[next]))
				break;
		instances[ninstances++] =
			instance_of(all, &pieces[i], next - i, &room);
	}
	settled = settle(instances, ninstances);
	record(profile, pieces, &settled);
}

size_t pieces_settle(struct pieces *all, struct profile *profile)
{
	size_t keys = 0;
	struct instance *instances = fdo_alloc(all->n, sizeof(*instances));
	uint16_t *room = fdo_alloc(all->nopcodes, sizeof(*room));

	qsort(all->pieces, all->n, sizeof(*all->pieces), compare_pieces);
	for (size_t i = 0, next; i < all->n; i = next) {
		const struct piece *first = &all->pieces[i];

		for (next = i + 1; next < all->n; next++)
			if (pieces_compare_keys(first->body, &first->key,
						all->pieces[next].body,
						&all->pieces[next].key) != 0)
				break;
		settle_key(all, first, next - i, instances, room, profile);
		keys++;
	}
	free(room);
	free(instances);
	return keys;
}
