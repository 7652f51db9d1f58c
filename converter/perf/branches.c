/*
 * branches.c - a table for each event and kind.
 */
#include "converter/perf/branches.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/perf/tally.h"

struct row {
	uint64_t records, stacks, last; /* last: stack + 1 */
	struct branches_weights weight;
};

struct table {
	struct fdo_map *rows; /* from and to: 1 + a row */
	struct row *row;
	size_t nrows, room;
};

struct branches {
	struct table *tables; /* nevents times BRANCHES_KINDS */
	size_t nevents;
};

struct branches *branches_new(void)
{
	return fdo_alloc(1, sizeof(struct branches));
}

void branches_free(struct branches *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->nevents * BRANCHES_KINDS; i++) {
		fdo_map_free(b->tables[i].rows);
		free(b->tables[i].row);
	}
	free(b->tables);
	free(b);
}

static struct table *table_of(struct branches *b, size_t event,
			      enum branches_kind kind)
{
	struct table *wider;

	if (event >= b->nevents) {
		wider = fdo_alloc((event + 1) * BRANCHES_KINDS, sizeof(*wider));
		for (size_t i = 0; i < b->nevents * BRANCHES_KINDS; i++)
			wider[i] = b->tables[i];
		free(b->tables);
		b->tables = wider;
		b->nevents = event + 1;
	}
	return &b->tables[event * BRANCHES_KINDS + kind];
}

static struct row *row_of(struct table *table, uint64_t key)
{
	uint64_t *row;

	if (!table->rows)
		table->rows = fdo_map_new();
	row = fdo_map_at(table->rows, key);
	if (!*row) {
		table->row = fdo_grow(table->row, table->nrows, &table->room,
				      sizeof(*table->row));
		table->row[table->nrows] = (struct row){ 0 };
		*row = ++table->nrows;
	}
	return &table->row[*row - 1];
}

static void add_weights(struct branches_weights *sum,
			const struct branches_weights *weights)
{
	for (int v = 0; v < BRANCHES_VIEWS; v++)
		sum->of[v] = tally_sum(sum->of[v], weights->of[v]);
}

void branches_add(struct branches *b, size_t event, enum branches_kind kind,
		  uint32_t from, uint32_t to, uint64_t stack,
		  const struct branches_weights *weights)
{
	struct row *row =
		row_of(table_of(b, event, kind), (uint64_t)from << 32 | to);

	row->records++;
	row->stacks += row->last != stack + 1;
	row->last = stack + 1;
	add_weights(&row->weight, weights);
}

static void add_table(struct table *to, const struct table *from)
{
	uint64_t *keys;

	if (!from->rows)
		return;
	keys = fdo_map_keys(from->rows);
	for (size_t i = 0; i < from->nrows; i++) {
		const struct row *row =
			&from->row[*fdo_map_get(from->rows, keys[i]) - 1];
		struct row *sum = row_of(to, keys[i]);

		sum->records = tally_sum(sum->records, row->records);
		sum->stacks = tally_sum(sum->stacks, row->stacks);
		add_weights(&sum->weight, &row->weight);
	}
	free(keys);
}

void branches_add_all(struct branches *b, const struct branches *from,
		      const size_t *events)
{
	for (size_t e = 0; e < from->nevents; e++)
		for (int kind = 0; kind < BRANCHES_KINDS; kind++) {
			const struct table *table =
				&from->tables[e * BRANCHES_KINDS + kind];

			if (table->nrows)
				add_table(table_of(b, events ? events[e] : e,
						   kind),
					  table);
		}
}

struct branches_way *branches_sorted(const struct branches *b, size_t event,
				     enum branches_kind kind, size_t *n)
{
	const struct table *table;
	struct branches_way *ways;
	uint64_t *keys;

	*n = 0;
	if (!b || event >= b->nevents)
		return NULL;
	table = &b->tables[event * BRANCHES_KINDS + kind];
	if (!table->nrows)
		return NULL;
	*n = table->nrows;
	ways = fdo_alloc(*n, sizeof(*ways));
	keys = fdo_map_keys(table->rows);
	for (size_t i = 0; i < *n; i++) {
		const struct row *row =
			&table->row[*fdo_map_get(table->rows, keys[i]) - 1];

		ways[i] = (struct branches_way){
			.from = keys[i] >> 32,
			.to = (uint32_t)keys[i],
			.records = row->records,
			.stacks = row->stacks,
			.weight = row->weight,
		};
	}
	free(keys);
	return ways;
}
