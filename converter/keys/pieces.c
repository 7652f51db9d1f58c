/*
 * pieces.c - pieces by body, and those of a body by key: bodies are many, and
 * each has few.
 */
#include "converter/keys/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/keys/instances.h"
#include "converter/keys/rounds.h"
#include "converter/keys/vectors.h"

struct pieces {
	struct piece *pieces;
	size_t n, room;
	struct fdo_map *last; /* of each body, 1 + its last piece */
	uint16_t *opcodes;
	size_t nopcodes, room_opcodes;
	uint32_t *around; /* loops */
	size_t naround, room_around;
	struct fdo_map *numbers; /* class of a function: from 1 */
};

struct pieces *pieces_new(void)
{
	struct pieces *all = fdo_alloc(1, sizeof(*all));

	all->last = fdo_map_new();
	all->numbers = fdo_map_new();
	return all;
}

void pieces_free(struct pieces *all)
{
	if (!all)
		return;
	free(all->pieces);
	free(all->opcodes);
	free(all->around);
	fdo_map_free(all->last);
	fdo_map_free(all->numbers);
	free(all);
}

static int compare_opcodes(const void *a, const void *b)
{
	return *(const uint16_t *)a - *(const uint16_t *)b;
}

static void sort_opcodes(uint16_t *opcodes, size_t n)
{
	if (n > 1)
		qsort(opcodes, n, sizeof(*opcodes), compare_opcodes);
}

static uint32_t number_of_class(struct pieces *all, const struct piece *piece)
{
	uint64_t *number = fdo_map_at(
		all->numbers, (uint64_t)piece->function << 32 | piece->class);

	if (*number == 0)
		*number = fdo_map_size(all->numbers);
	return *number - 1;
}

/* Keep the loops around a piece, which are often those around the one before. */
static void add_around(struct pieces *all, const struct piece *piece,
		       struct piece *added)
{
	const struct piece *before = added - (all->n > 1);

	added->first_around = before->first_around;
	if (before != added && before->naround == piece->naround &&
	    (!piece->naround ||
	     memcmp(&all->around[before->first_around], piece->around,
		    piece->naround * sizeof(*piece->around)) == 0))
		return;
	added->first_around = all->naround;
	for (uint32_t i = 0; i < piece->naround; i++) {
		all->around = fdo_grow(all->around, all->naround,
				       &all->room_around, sizeof(*all->around));
		all->around[all->naround++] = piece->around[i];
	}
}

void pieces_add(struct pieces *all, const struct piece *piece,
		const uint16_t *opcodes, size_t n)
{
	uint64_t *last = fdo_map_at(all->last, (uintptr_t)piece->body);
	struct piece *added;

	all->pieces =
		fdo_grow(all->pieces, all->n, &all->room, sizeof(*all->pieces));
	added = &all->pieces[all->n++];
	*added = *piece;
	added->number = number_of_class(all, piece);
	added->first_opcode = all->nopcodes;
	added->nopcodes = n;
	added->last = *last;
	*last = all->n;
	for (size_t i = 0; i < n; i++) {
		all->opcodes =
			fdo_grow(all->opcodes, all->nopcodes,
				 &all->room_opcodes, sizeof(*all->opcodes));
		all->opcodes[all->nopcodes++] = opcodes[i];
	}
	sort_opcodes(all->opcodes + all->nopcodes - n, n);
	add_around(all, piece, added);
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

/* Of one body. */
static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = *(const struct piece *const *)a;
	const struct piece *y = *(const struct piece *const *)b;
	int order = profile_compare_keys(&x->key, &y->key);

	if (order)
		return order;
	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	return (x->block > y->block) - (x->block < y->block);
}

/* Those of a key are together, and in it those of an instance. */
static const struct piece **sorted(const struct pieces *all)
{
	const struct piece **pieces = fdo_alloc(all->n, sizeof(*pieces));
	uint64_t *bodies = fdo_map_keys(all->last);
	size_t n = 0;

	for (size_t i = 0; i < fdo_map_size(all->last); i++) {
		size_t first = n;
		uint32_t last = *fdo_map_get(all->last, bodies[i]);

		for (; last; last = all->pieces[last - 1].last)
			pieces[n++] = &all->pieces[last - 1];
		qsort(&pieces[first], n - first, sizeof(*pieces),
		      compare_pieces);
	}
	free(bodies);
	return pieces;
}

static bool same_instance(const struct piece *x, const struct piece *y)
{
	return x->function == y->function && x->class == y->class;
}

/*
 * The opcodes of one instance, sorted.  Those of several pieces are copied to
 * *room, which moves on.
 */
static void join_opcodes(const struct pieces *all, const struct piece **pieces,
			 size_t n, uint16_t **room, struct instance *ret)
{
	uint16_t *begin = *room;

	if (n == 1) {
		ret->opcodes = &all->opcodes[pieces[0]->first_opcode];
		ret->nopcodes = pieces[0]->nopcodes;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		memcpy(*room, &all->opcodes[pieces[i]->first_opcode],
		       pieces[i]->nopcodes * sizeof(**room));
		*room += pieces[i]->nopcodes;
	}
	ret->opcodes = begin;
	ret->nopcodes = *room - begin;
	sort_opcodes(begin, ret->nopcodes);
}

/* A number of the loop by vectors that a piece is in or behind. */
static uint64_t near_of(const struct piece *piece)
{
	return (uint64_t)piece->function << 32 |
	       (piece->loop ? piece->block + 1 : piece->rest);
}

/* One instance of n pieces. */
static struct instance instance_of(const struct pieces *all,
				   const struct piece **pieces, size_t n,
				   uint16_t **room)
{
	struct instance instance = {
		.function = pieces[0]->function,
		.class = pieces[0]->number,
		.merged = true,
		.astray = true,
		.goes_on = true,
		.movable = true,
	};

	join_opcodes(all, pieces, n, room, &instance);
	for (size_t i = 0; i < n; i++) {
		const struct piece *piece = pieces[i];

		instance.conditional |= piece->conditional;
		if (piece->test)
			instance.test = piece->test;
		instance.merged &= piece->merged;
		instance.astray &= piece->astray;
		instance.goes_on &= piece->goes_on;
		instance.assigns |= piece->assigns;
		instance.movable &= piece->movable;
		vectors_see(&instance.look, &piece->look);
		instance.is_loop |= piece->look.has && piece->loop;
		if (piece->test && piece->loop)
			instance.tests = true;
		if (piece->rest || (piece->test && piece->loop))
			instance.near = near_of(piece);
		if (piece->count >= instance.count) {
			instance.count = piece->count;
			instance.error = piece->error;
		}
	}
	return instance;
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

/* Of all pieces of one key.  Returns how many. */
static size_t find_instances(const struct pieces *all,
			     const struct piece **pieces, size_t n,
			     struct instance *ret, uint16_t *room)
{
	size_t ninstances = 0;

	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n; next++)
			if (!same_instance(pieces[i], pieces[next]))
				break;
		ret[ninstances++] =
			instance_of(all, &pieces[i], next - i, &room);
	}
	return ninstances;
}

/* What is called for the pieces of each key, with room for its work. */
struct job {
	struct pieces *all;
	const struct piece **pieces; /* all of them, sorted */
	struct profile *profile;
	struct instance *instances;
	uint16_t *room;
	struct rounds *rounds;
	struct vectors *vectors;
	struct rounds_code *codes;
	struct vectors_code *by_vectors;
};

/* An instance as often as it goes round. */
static void multiply(const struct job *job, struct instance *one)
{
	bool has = one->look.element || one->look.moved;
	unsigned rounds = vectors_rounds(job->vectors, one->class, has);

	one->by_vectors = has && rounds;
	one->loop = vectors_loop(job->vectors, one->class, one->by_vectors,
				 &one->part);
	one->goes_on &= !one->by_vectors;
	one->rounds = rounds ? rounds : rounds_of(job->rounds, one->class);
	one->count = profile_times(one->count, one->rounds);
	one->error *= one->rounds;
}

/* The longest vector of memory that does rounds of a loop. */
static unsigned moved_by_loops(const struct instance *instances, size_t n)
{
	unsigned moved = 0;

	for (size_t i = 0; i < n; i++)
		if (instances[i].is_loop && instances[i].look.moved > moved)
			moved = instances[i].look.moved;
	return moved;
}

/*
 * The loop by vectors of which all of a key is, and not only an arm; or 0.  What comes
 * before it says nothing, nor where vectors in registers are put together behind it.
 */
static size_t whole_loop(const struct instance *instances, size_t n)
{
	unsigned moved = moved_by_loops(instances, n);
	size_t loop = 0;
	bool is_whole = false;

	for (size_t i = 0; i < n; i++) {
		const struct instance *one = &instances[i];

		if (!one->loop && !vectors_may_be_left(&one->look, moved))
			continue;
		if (!one->loop || (loop && one->loop != loop))
			return 0;
		loop = one->loop;
		is_whole |= one->part != VECTORS_LEFT_ARM;
	}
	return is_whole ? loop : 0;
}

/* All rounds of it: those by vectors, and what the others say of what is left. */
static struct instance settle_loop(const struct job *job, size_t loop,
				   struct instance *instances, size_t n)
{
	struct instance ret;
	size_t left = 0;
	double error;
	uint64_t rounds = vectors_total(job->vectors, loop, &error);

	for (size_t i = 0; i < n; i++)
		if (instances[i].loop && instances[i].part != VECTORS_ROUNDS)
			instances[left++] = instances[i];
	ret = instances_settle(instances, left);
	ret.count = profile_sum(ret.count, rounds);
	ret.error = hypot(ret.error, error);
	return ret;
}

static bool is_around(const struct pieces *all, const struct piece *piece,
		      uint32_t head)
{
	for (uint32_t i = 0; i < piece->naround; i++)
		if (all->around[piece->first_around + i] == head)
			return true;
	return false;
}

/* Are both in loops, and none of these in the other? */
static bool are_beside(const struct pieces *all, const struct piece *a,
		       const struct piece *b)
{
	return a->function == b->function && a->naround && b->naround &&
	       !is_around(all, a, all->around[b->first_around]) &&
	       !is_around(all, b, all->around[a->first_around]);
}

/* Of code without a discriminator, is it a version of what has one, and never ran? */
static bool is_version(const struct pieces *all, const struct piece *copy,
		       const struct piece *original)
{
	return are_beside(all, copy, original) &&
	       (double)copy->count > copy->error &&
	       (double)original->count <= original->error;
}

static bool is_numbered(const struct piece *piece)
{
	return piece->key.discriminator < PROFILE_BEGIN;
}

/* Of one place, whatever their discriminators. */
static void find_lost(struct pieces *all, const struct piece **pieces, size_t n)
{
	bool lost = false;

	for (size_t i = 0; i < n && !lost && pieces[i]->key.discriminator == 0;
	     i++)
		for (size_t j = i + 1; j < n && !lost; j++)
			lost = pieces[j]->key.discriminator &&
			       is_numbered(pieces[j]) &&
			       is_version(all, pieces[i], pieces[j]);
	for (size_t i = 0; i < n && lost; i++)
		all->pieces[pieces[i] - all->pieces].lost =
			is_numbered(pieces[i]);
}

static void find_all_lost(struct pieces *all, const struct piece **pieces)
{
	for (size_t i = 0, next; i < all->n; i = next) {
		struct profile_key place = pieces[i]->key;

		for (next = i + 1; next < all->n; next++) {
			place.discriminator = pieces[next]->key.discriminator;
			if (pieces_compare_keys(pieces[i]->body, &place,
						pieces[next]->body,
						&pieces[next]->key) != 0)
				break;
		}
		find_lost(all, &pieces[i], next - i);
	}
}

static void settle_key(struct job *job, const struct piece **pieces, size_t n)
{
	struct instance *instances = job->instances, settled;
	size_t ninstances =
		find_instances(job->all, pieces, n, instances, job->room);
	size_t loop = 0;

	for (size_t i = 0; i < ninstances; i++)
		multiply(job, &instances[i]);
	if (pieces[0]->key.discriminator == PROFILE_ANY)
		loop = whole_loop(instances, ninstances);
	settled = loop ? settle_loop(job, loop, instances, ninstances)
		       : instances_settle(instances, ninstances);
	if (!pieces[0]->lost)
		record(job->profile, pieces[0], &settled);
}

static size_t find_codes(struct job *job, const struct piece **pieces, size_t n)
{
	size_t ninstances;

	if (pieces[0]->key.discriminator != PROFILE_ANY)
		return 0;
	ninstances =
		find_instances(job->all, pieces, n, job->instances, job->room);
	for (size_t i = 0; i < ninstances; i++) {
		const struct instance *one = &job->instances[i];

		job->by_vectors[i] = (struct vectors_code){
			.class = one->class,
			.look = one->look,
			.is_loop = one->is_loop,
			.tests = one->tests,
			.near = one->near,
			.count = one->count,
			.error = one->error,
		};
		job->codes[i] = (struct rounds_code){
			one->class,
			one->opcodes,
			one->nopcodes,
		};
	}
	return ninstances;
}

static void compare_rounds(struct job *job, const struct piece **pieces,
			   size_t n)
{
	size_t ncodes = find_codes(job, pieces, n);

	if (ncodes) {
		rounds_compare(job->rounds, job->codes, ncodes);
		vectors_compare(job->vectors, job->by_vectors, ncodes);
	}
}

static void join_loops(struct job *job, const struct piece **pieces, size_t n)
{
	size_t ncodes = find_codes(job, pieces, n);

	if (ncodes)
		vectors_join(job->vectors, job->by_vectors, ncodes);
}

/* Calls f for each key; returns how many there are. */
static size_t each_key(struct job *job,
		       void (*f)(struct job *, const struct piece **, size_t))
{
	const struct piece **pieces = job->pieces;
	size_t keys = 0;

	for (size_t i = 0, next; i < job->all->n; i = next) {
		for (next = i + 1; next < job->all->n; next++)
			if (pieces_compare_keys(pieces[i]->body,
						&pieces[i]->key,
						pieces[next]->body,
						&pieces[next]->key) != 0)
				break;
		f(job, &pieces[i], next - i);
		keys++;
	}
	return keys;
}

size_t pieces_settle(struct pieces *all, struct profile *profile)
{
	struct job job = {
		.all = all,
		.pieces = sorted(all),
		.profile = profile,
		.instances = fdo_alloc(all->n, sizeof(*job.instances)),
		.room = fdo_alloc(all->nopcodes, sizeof(*job.room)),
		.codes = fdo_alloc(all->n, sizeof(*job.codes)),
		.by_vectors = fdo_alloc(all->n, sizeof(*job.by_vectors)),
		.rounds = rounds_new(fdo_map_size(all->numbers)),
		.vectors = vectors_new(fdo_map_size(all->numbers)),
	};
	size_t keys;

	for (size_t i = 0; i < all->n; i++) {
		const struct piece *piece = &all->pieces[i];

		vectors_note(job.vectors,
			     &(struct vectors_code){ .class = piece->number,
						     .look = piece->look,
						     .count = piece->count,
						     .error = piece->error });
	}

	find_all_lost(all, job.pieces);
	each_key(&job, compare_rounds);
	each_key(&job, join_loops);
	vectors_settle(job.vectors);
	keys = each_key(&job, settle_key);
	free(job.codes);
	free(job.by_vectors);
	rounds_free(job.rounds);
	vectors_free(job.vectors);
	free(job.pieces);
	free(job.room);
	free(job.instances);
	return keys;
}
