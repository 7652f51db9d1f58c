/*
 * truth.c - a block was executed as often as control came to it.  So only
 * the ways from block to block are counted; everything else is arithmetic at
 * the end.
 */
#include "testsuite/pmusim/truth.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/output.h"
#include "base/map.h"
#include "testsuite/pmusim/maps.h"

/* One line "e" or "x". */
struct edge {
	uint64_t from, to;
	const struct object *other; /* where "to" is, if it is not here */
	const char *kind;
	uint64_t count;
};

/* What is written of one object. */
struct sums {
	const struct object *object;
	struct fdo_map *executions; /* by offset */
	struct edge *edges;
	size_t nedges, room;
};

void truth_other(struct block *from, struct block *to)
{
	for (int i = 0; i < 2; i++)
		if (!from->next[i].to) {
			from->next[i] = (struct successor){ to, 1 };
			return;
		}
	if (!from->others)
		from->others = fdo_map_new();
	*fdo_map_at(from->others, (uintptr_t)to) += 1;
}

void truth_clear(struct code *code)
{
	for (struct block *b = code->newest; b; b = b->entered_before) {
		memset(b->next, 0, sizeof(b->next));
		fdo_map_free(b->others);
		b->others = NULL;
		b->starts = 0;
	}
}

typedef void successor_fn(struct block *from, struct block *to, uint64_t count,
			  void *data);

static void each_other(struct block *from, successor_fn *f, void *data)
{
	uint64_t *keys = fdo_map_keys(from->others);

	for (size_t i = 0; i < fdo_map_size(from->others); i++)
		f(from, (struct block *)(uintptr_t)keys[i],
		  *fdo_map_get(from->others, keys[i]), data);
	free(keys);
}

static void each_successor(const struct code *code, successor_fn *f, void *data)
{
	for (struct block *b = code->newest; b; b = b->entered_before) {
		for (int i = 0; i < 2; i++)
			if (b->next[i].count)
				f(b, b->next[i].to, b->next[i].count, data);
		if (b->others)
			each_other(b, f, data);
	}
}

/* How often a block was entered, by its pointer; and without its first. */
struct entries {
	struct fdo_map *all, *repeated;
};

static void add_entry(struct block *from, struct block *to, uint64_t count,
		      void *data)
{
	struct entries *entries = data;

	*fdo_map_at(entries->all, (uintptr_t)to) += count;
	if (block_repeats(from, to))
		*fdo_map_at(entries->repeated, (uintptr_t)to) += count;
}

static uint64_t value_at(const struct fdo_map *map, const void *key)
{
	const uint64_t *value = fdo_map_get(map, (uintptr_t)key);

	return value ? *value : 0;
}

static uint64_t offset_of(const struct block *block, uint64_t address)
{
	return address - block->mapping->start + block->mapping->offset;
}

static bool is_in(const struct block *block, const struct object *object)
{
	return block->mapping && block->mapping->object == object;
}

static void add_executions(const struct code *code,
			   const struct entries *entries, struct sums *sums)
{
	for (struct block *b = code->newest; b; b = b->entered_before) {
		uint64_t count = b->starts + value_at(entries->all, b);
		uint64_t once = count - value_at(entries->repeated, b);

		if (!count || !is_in(b, sums->object))
			continue;
		for (int i = 0; i < b->size; i++) {
			uint64_t n = i == 0 ? once : count;

			if (n)
				*fdo_map_at(
					sums->executions,
					offset_of(b, b->insns[i].address)) += n;
		}
	}
}

static uint64_t instructions(const struct code *code,
			     const struct entries *entries)
{
	uint64_t sum = 0;

	for (struct block *b = code->newest; b; b = b->entered_before)
		sum += (b->starts + value_at(entries->all, b)) * b->size -
		       value_at(entries->repeated, b);
	return sum;
}

/* NULL: no edge, or one that a signal made. */
static const char *kind_of(const struct insn *last, const struct block *to)
{
	switch (last->flow) {
	case FLOW_BRANCH:
		if (to->address == last->target)
			return "taken";
		return to->address == last->address + last->length ? "fall"
								   : NULL;
	case FLOW_JUMP:
		return to->address == last->target ? "jump" : NULL;
	case FLOW_INDIRECT:
		return "indirect";
	case FLOW_CALL:
		return to->address == last->target ? "call" : NULL;
	case FLOW_CALL_INDIRECT:
		return "call";
	case FLOW_RETURN:
		return "return";
	default:
		return NULL;
	}
}

static void add_edge(struct block *from, struct block *to, uint64_t count,
		     void *data)
{
	struct sums *sums = data;
	const struct insn *last = block_last(from);
	const char *kind = kind_of(last, to);
	struct edge *edge;

	if (!kind || !to->mapping || !is_in(from, sums->object))
		return;
	sums->edges = fdo_grow(sums->edges, sums->nedges, &sums->room,
			       sizeof(*sums->edges));
	edge = &sums->edges[sums->nedges++];
	*edge = (struct edge){
		.from = offset_of(from, last->address),
		.to = offset_of(to, to->address),
		.kind = kind,
		.count = count,
	};
	if (to->mapping->object != sums->object)
		edge->other = to->mapping->object;
}

static int compare_objects(const struct object *a, const struct object *b)
{
	if (!a || !b)
		return !!a - !!b;
	return strcmp(a->path, b->path);
}

static int compare_edges(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	int others = compare_objects(x->other, y->other);

	if (others)
		return others;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return strcmp(x->kind, y->kind);
}

/* Blocks that overlap have the same edge more than once. */
static void merge_edges(struct sums *sums)
{
	size_t n = 0;

	if (sums->nedges)
		qsort(sums->edges, sums->nedges, sizeof(*sums->edges),
		      compare_edges);
	for (size_t i = 0; i < sums->nedges; i++)
		if (n && !compare_edges(&sums->edges[n - 1], &sums->edges[i]))
			sums->edges[n - 1].count += sums->edges[i].count;
		else
			sums->edges[n++] = sums->edges[i];
	sums->nedges = n;
}

static void print_edge(const struct edge *edge, FILE *stream)
{
	if (edge->other)
		fprintf(stream, "x %" PRIx64 " %s %" PRIu64 " %s %" PRIx64 "\n",
			edge->from, edge->kind, edge->count, edge->other->path,
			edge->to);
	else
		fprintf(stream, "e %" PRIx64 " %" PRIx64 " %s %" PRIu64 "\n",
			edge->from, edge->to, edge->kind, edge->count);
}

static void print_sums(const struct sums *sums, FILE *stream)
{
	uint64_t *keys = fdo_map_keys(sums->executions);

	fprintf(stream, "object %s build-id %s\n", sums->object->path,
		sums->object->build_id);
	for (size_t i = 0; i < fdo_map_size(sums->executions); i++)
		fprintf(stream, "i %" PRIx64 " %" PRIu64 "\n", keys[i],
			*fdo_map_get(sums->executions, keys[i]));
	for (size_t i = 0; i < sums->nedges; i++)
		print_edge(&sums->edges[i], stream);
	free(keys);
}

static void write_object(const struct code *code, const struct entries *entries,
			 const struct object *object, FILE *stream)
{
	struct sums sums = { .object = object, .executions = fdo_map_new() };

	add_executions(code, entries, &sums);
	each_successor(code, add_edge, &sums);
	merge_edges(&sums);
	if (fdo_map_size(sums.executions))
		print_sums(&sums, stream);
	free(sums.edges);
	fdo_map_free(sums.executions);
}

bool truth_write(const struct code *code, const struct object *objects,
		 const char *command, const char *path, struct fdo_error *err)
{
	struct entries entries = { fdo_map_new(), fdo_map_new() };
	struct fdo_output out;

	if (!fdo_output_open(&out, path, err))
		return false;
	each_successor(code, add_entry, &entries);
	fprintf(out.stream, "pmusim-truth 1\ncommand %s\n", command);
	fprintf(out.stream, "instructions %" PRIu64 "\n",
		instructions(code, &entries));
	for (const struct object *o = objects; o; o = o->next)
		write_object(code, &entries, o, out.stream);
	fdo_map_free(entries.all);
	fdo_map_free(entries.repeated);
	return fdo_output_close(&out, err);
}
