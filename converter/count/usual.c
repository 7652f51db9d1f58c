/*
 * usual.c - first which registers are of interest where, then what was in them.
 *
 * The first is asked when nothing of the program is known but its binaries, so
 * a function's graph is made for it, and once more when it has samples: only
 * of functions that have samples with registers.
 */
#include "converter/count/usual.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/binary/object.h"
#include "converter/graph/graphs.h"
#include "converter/count/program.h"
#include "converter/graph/cfg.h"
#include "converter/graph/decode.h"
#include "converter/perf/samples.h"

_Static_assert((int)PERFDATA_REGISTERS == (int)REG_R15 + 1,
	       "registers are numbered alike");

struct usual {
	const struct program *program;
	struct decoder *decoder;
	struct fdo_map *seen;	 /* functions whose sites are known */
	struct fdo_map **places; /* of each binary: address to a set */
	size_t nplaces;
};

struct usual *usual_new(const struct program *p)
{
	struct usual *u = fdo_alloc(1, sizeof(*u));

	u->program = p;
	u->decoder = decoder_new();
	u->seen = fdo_map_new();
	u->nplaces = p->nbinaries;
	u->places = fdo_alloc(u->nplaces, sizeof(*u->places));
	for (size_t i = 0; i < u->nplaces; i++)
		u->places[i] = fdo_map_new();
	return u;
}

void usual_free(struct usual *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < u->nplaces; i++)
		fdo_map_free(u->places[i]);
	free(u->places);
	fdo_map_free(u->seen);
	decoder_free(u->decoder);
	free(u);
}

/* The registers at all addresses of the function. */
static void learn(struct usual *u, size_t binary,
		  const struct object_function *f)
{
	const struct cfg *cfg =
		graphs_find(u->program->binaries[binary].graphs, f);
	struct sites sites;

	if (!cfg)
		return;
	sites_find(cfg, u->decoder, &sites);
	for (size_t i = 0; i < sites.nviews; i++) {
		const struct site_view *view = &sites.views[i];

		*fdo_map_at(u->places[binary],
			    cfg->insns[view->insn].address) |=
			REG_BIT(view->number);
	}
	sites_free(&sites);
}

static uint32_t registers_in(struct usual *u, size_t binary, uint64_t offset)
{
	const struct object *o = u->program->binaries[binary].object;
	const struct object_function *f;
	const uint64_t *set;
	uint64_t address, *seen;

	if (!object_address(o, offset, &address))
		return 0;
	f = object_whole_function_at(o, address);
	if (!f)
		return 0;
	seen = fdo_map_at(u->seen, (uintptr_t)f);
	if (!*seen)
		learn(u, binary, f);
	*seen = 1;
	set = fdo_map_get(u->places[binary], address);
	return set ? *set : 0;
}

uint32_t usual_registers(void *usual, const char *path,
			 const struct fdo_build_id *build_id, uint64_t offset)
{
	struct usual *u = usual;
	uint32_t set = 0;

	for (size_t i = 0; i < u->nplaces; i++)
		if (program_may_be(u->program, i, path, build_id))
			set |= registers_in(u, i, offset);
	return set;
}

struct list {
	struct usual_value *values;
	size_t n, room;
};

/* Nobody divides for a quotient that is not 0 or 1. */
static void leave_out(struct usual_value *value)
{
	value->other |= value->kind == SITE_QUOTIENT && value->value != 0 &&
			value->value != 1;
	if (value->other)
		value->value = 0;
}

/* All views of a site, and each value as often as it was seen there. */
static struct list gather(const struct program_binary *binary,
			  const struct program_function *f,
			  const struct sites *sites, uint32_t site,
			  size_t *view)
{
	struct list list = { 0 };
	const struct site *s = &sites->sites[site];

	for (; *view < sites->nviews && sites->views[*view].site == site;
	     ++*view) {
		const struct site_view *v = &sites->views[*view];
		const struct samples_value *seen;
		uint64_t offset;
		size_t n = 0;

		if (!object_offset(binary->object,
				   f->cfg.insns[v->insn].address, &offset))
			continue;
		seen = samples_values_at(binary->samples, offset, v->number,
					 &n);
		for (size_t i = 0; i < n; i++) {
			list.values = fdo_grow(list.values, list.n, &list.room,
					       sizeof(*list.values));
			list.values[list.n++] = (struct usual_value){
				.insn = s->insn,
				.block = s->block,
				.kind = s->kind,
				.other = seen[i].other,
				.value = site_value(s, v, seen[i].value),
				.samples = seen[i].samples,
			};
			leave_out(&list.values[list.n - 1]);
		}
	}
	return list;
}

static int by_value(const void *a, const void *b)
{
	const struct usual_value *x = a, *y = b;

	if (x->other != y->other)
		return x->other ? 1 : -1;
	return (x->value > y->value) - (x->value < y->value);
}

/* Of those with as many, any: the smallest would have too small a mean. */
static int by_samples(const void *a, const void *b)
{
	const struct usual_value *x = a, *y = b;
	uint64_t one = fdo_hash_mix(0, x->value), other;

	if (x->other == y->other && x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	other = fdo_hash_mix(0, y->value);
	return x->other == y->other && one != other ? one < other ? -1 : 1
						    : by_value(a, b);
}

/* Each value once, the most frequent first; returns the sum. */
static uint64_t join(struct list *list)
{
	uint64_t all = 0;
	size_t n = 0;

	qsort(list->values, list->n, sizeof(*list->values), by_value);
	for (size_t i = 0; i < list->n; i++) {
		all += list->values[i].samples;
		if (n && by_value(&list->values[n - 1], &list->values[i]) == 0)
			list->values[n - 1].samples += list->values[i].samples;
		else
			list->values[n++] = list->values[i];
	}
	list->n = n;
	qsort(list->values, n, sizeof(*list->values), by_samples);
	return all;
}

/*
 * The first few; what is more is one of the others.  Of sizes it is the mean that
 * tells how to copy, and where many are small, rare ones are most of it.
 */
static void cut(struct list *list)
{
	size_t most = list->values[0].kind == SITE_SIZE ? USUAL_MOST_SIZES
							: USUAL_MOST;
	struct usual_value *rest = &list->values[most];

	if (list->n <= most)
		return;
	for (size_t i = most + 1; i < list->n; i++)
		rest->samples += list->values[i].samples;
	rest->other = true;
	rest->value = 0;
	list->n = most + 1;
}

/*
 * So many more samples, of another value, might there have been: with few, what
 * is a little more than half of them is not known to be the usual value.
 */
static void doubt(struct list *list, uint64_t *all)
{
	uint64_t doubt = sqrt(*all);
	struct usual_value *last = &list->values[list->n - 1];

	*all += doubt;
	if (last->other) {
		last->samples += doubt;
		return;
	}
	list->values = fdo_grow(list->values, list->n, &list->room,
				sizeof(*list->values));
	last = &list->values[list->n++];
	*last = last[-1];
	last->other = true;
	last->value = 0;
	last->samples = doubt;
}

/*
 * Of values that differ, it is their mean that is of use, or that all are
 * powers of 2, and a few samples say little of that: of sizes, few are long, by
 * which a copy takes most of its time.
 */
static bool tells(const struct list *list, uint64_t all)
{
	if (all < USUAL_SAMPLES)
		return false;
	return all >= USUAL_OF_MANY || 2 * list->values[0].samples >= all;
}

static void append(struct list *to, struct list *from)
{
	uint64_t all = from->n ? join(from) : 0;

	if (tells(from, all)) {
		cut(from);
		doubt(from, &all);
		for (size_t i = 0; i < from->n; i++) {
			from->values[i].all = all;
			to->values = fdo_grow(to->values, to->n, &to->room,
					      sizeof(*to->values));
			to->values[to->n++] = from->values[i];
		}
	}
	free(from->values);
}

void usual_find(const struct usual *u, const struct program_function *f,
		struct usual_value **ret, size_t *n_ret)
{
	const struct program_binary *binary = &u->program->binaries[f->binary];
	struct list all = { 0 };
	struct sites sites;
	size_t view = 0;

	*ret = NULL;
	*n_ret = 0;
	if (!binary->samples || !binary->samples->nvalues)
		return;
	sites_find(&f->cfg, u->decoder, &sites);
	for (uint32_t i = 0; i < sites.nsites; i++) {
		struct list one = gather(binary, f, &sites, i, &view);

		append(&all, &one);
	}
	sites_free(&sites);
	*ret = all.values;
	*n_ret = all.n;
}
