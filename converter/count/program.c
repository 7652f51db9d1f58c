/*
 * program.c - from addresses to blocks.  Samples come sorted by address, and
 * so do functions and blocks; a function is made when its first sample comes,
 * and NAME.cold counts as NAME.
 */
#include "converter/count/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "base/search.h"
#include "converter/binary/lines.h"
#include "converter/binary/object.h"
#include "converter/graph/graphs.h"
#include "converter/graph/masked.h"
#include "mcf/classes.h"
#include "mcf/smooth.h"

static const struct samples none;

struct program *program_new(const struct samples *samples)
{
	struct program *p = fdo_alloc(1, sizeof(*p));

	p->samples = samples ? samples : &none;
	p->inst = .5;
	return p;
}

static void function_deinit(struct program_function *f)
{
	cfg_free(&f->cfg);
	free(f->insns);
	free(f->events);
	free(f->blocks);
	free(f->edges);
	anchors_free(&f->anchors);
	trips_clear(&f->trips);
	outcomes_clear(&f->outcomes);
}

void program_free(struct program *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->nfunctions; i++)
		function_deinit(&p->functions[i]);
	for (size_t i = 0; i < p->nbinaries; i++) {
		graphs_free(p->binaries[i].graphs);
		cfg_program_free(p->binaries[i].cfgs);
		fdo_map_free(p->binaries[i].known);
		masked_free(p->binaries[i].masked);
		lines_free(p->binaries[i].lines);
		object_free(p->binaries[i].object);
	}
	for (size_t i = 0; i < p->nleft_out; i++)
		object_free(p->left_out[i].object);
	free(p->functions);
	free(p->binaries);
	free(p->left_out);
	free(p);
}

static void find_groups(struct program_function *f)
{
	const struct cfg *cfg = &f->cfg;
	struct flow_link *links =
		fdo_alloc(cfg->nedges + 2 * cfg->nblocks, sizeof(*links));
	uint32_t *group = fdo_alloc(cfg->nblocks, sizeof(*group));
	uint32_t n = 0;

	for (uint32_t e = 0; e < cfg->nedges; e++)
		links[n++] = (struct flow_link){ cfg->edges[e].from,
						 cfg->edges[e].to };
	for (uint32_t b = 0; b < cfg->nblocks; b++) {
		uint32_t flags = cfg->blocks[b].flags;

		if (flags & (CFG_ENTRY | CFG_ENTERED | CFG_ORPHAN))
			links[n++] = (struct flow_link){ FLOW_OUTSIDE, b };
		if (flags & CFG_EXITS)
			links[n++] = (struct flow_link){ b, FLOW_OUTSIDE };
	}
	flow_classes(cfg->nblocks, links, n, group);
	for (uint32_t b = 0; b < cfg->nblocks; b++)
		f->blocks[b].group = group[b];
	free(group);
	free(links);
}

static bool add_function(struct program *p, size_t binary,
			 const struct object_function *symbol,
			 struct fdo_error *err)
{
	const struct object *object = p->binaries[binary].object;
	struct program_function f = { .binary = binary };

	if (!graphs_take(p->binaries[binary].graphs, symbol, &f.cfg, err))
		return false;
	f.events = fdo_alloc(f.cfg.nblocks * p->samples->nevents,
			     sizeof(*f.events));
	f.blocks = fdo_alloc(f.cfg.nblocks, sizeof(*f.blocks));
	f.edges = fdo_alloc(f.cfg.nedges, sizeof(*f.edges));
	find_groups(&f);
	f.pointed = cfg_program_points_to(p->binaries[binary].cfgs,
					  symbol->address);
	f.given = object->type == OBJECT_SHARED &&
		  object_export(object, symbol->name) == symbol->address;
	p->functions = fdo_grow(p->functions, p->nfunctions, &p->room_functions,
				sizeof(f));
	p->functions[p->nfunctions++] = f;
	return true;
}

bool program_function_at(struct program *p, size_t binary, uint64_t address,
			 struct program_function **ret, struct fdo_error *err)
{
	const struct object_function *symbol =
		object_whole_function_at(p->binaries[binary].object, address);
	uint64_t *number;

	*ret = NULL;
	if (!symbol)
		return true;
	number = fdo_map_at(p->binaries[binary].known, (uintptr_t)symbol);
	if (!*number) {
		if (!add_function(p, binary, symbol, err))
			return false;
		*number = p->nfunctions;
	}
	*ret = &p->functions[*number - 1];
	return true;
}

int program_compare_places(const struct program_function *a,
			   const struct program_function *b)
{
	uint64_t x = a->cfg.parts[0].address, y = b->cfg.parts[0].address;

	if (a->binary != b->binary)
		return a->binary < b->binary ? -1 : 1;
	return (x > y) - (x < y);
}

static int compare_functions(const void *a, const void *b)
{
	return program_compare_places(a, b);
}

static void add_binary(struct program *p, struct object *object,
		       struct lines *lines)
{
	struct cfg_program *cfgs = cfg_program_new(object);

	p->binaries = fdo_grow(p->binaries, p->nbinaries, &p->room_binaries,
			       sizeof(*p->binaries));
	p->binaries[p->nbinaries++] = (struct program_binary){
		.object = object,
		.lines = lines,
		.cfgs = cfgs,
		.graphs = graphs_new(cfgs),
		.known = fdo_map_new(),
	};
}

bool program_open(struct program *p, const char *path,
		  const struct object_options *options, size_t *ret,
		  struct fdo_error *err)
{
	struct object *object = object_open(path, options, err);
	struct lines *lines = object ? lines_new(object, err) : NULL;

	if (!lines) {
		object_free(object);
		return false;
	}
	*ret = p->nbinaries;
	add_binary(p, object, lines);
	return true;
}

bool program_open_one_of(struct program *p, const char *path,
			 const struct object_options *options,
			 struct fdo_error *err)
{
	struct object *object = object_open(path, options, err);
	struct fdo_error why;
	struct lines *lines;

	if (!object)
		return false;
	lines = lines_new(object, &why);
	if (lines) {
		add_binary(p, object, lines);
		return true;
	}
	p->left_out = fdo_grow(p->left_out, p->nleft_out, &p->room_left_out,
			       sizeof(*p->left_out));
	p->left_out[p->nleft_out++] = (struct program_left_out){ object, why };
	return true;
}

static int compare_binaries(const void *a, const void *b)
{
	const struct object *x = ((const struct program_binary *)a)->object;
	const struct object *y = ((const struct program_binary *)b)->object;
	int order = strcmp(fdo_file_base(x->real_path),
			   fdo_file_base(y->real_path));

	if (!order)
		order = fdo_build_id_compare(&x->build_id, &y->build_id);
	return order ? order : strcmp(x->path, y->path);
}

void program_sort_binaries(struct program *p)
{
	assert(p->nfunctions == 0);
	if (p->nbinaries)
		qsort(p->binaries, p->nbinaries, sizeof(*p->binaries),
		      compare_binaries);
}

void program_sort(struct program *p)
{
	if (p->nfunctions)
		qsort(p->functions, p->nfunctions, sizeof(*p->functions),
		      compare_functions);
	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];
		const struct program_binary *binary = &p->binaries[f->binary];
		const struct object_function *symbol = object_whole_function_at(
			binary->object, f->cfg.parts[0].address);

		*fdo_map_at(binary->known, (uintptr_t)symbol) = i + 1;
	}
}

const struct samples_count *program_samples_at(const struct program *p,
					       const struct program_function *f,
					       uint64_t address)
{
	const struct program_binary *binary = &p->binaries[f->binary];
	const struct samples_object *o = binary->samples;
	uint64_t offset;
	size_t i;

	if (!o || !object_offset(binary->object, address, &offset) ||
	    (binary->masked && masked_ends(binary->masked, address)))
		return NULL;
	i = fdo_lower_bound(o->offsets, o->naddresses, sizeof(*o->offsets),
			    offset);
	return i < o->naddresses && o->offsets[i] == offset
		       ? samples_count(p->samples, o, i, 0)
		       : NULL;
}

static struct samples_count sum_of(const struct program *p,
				   const struct samples_count *counts,
				   const char *role)
{
	struct samples_count sum = { 0 };

	for (size_t e = 0; counts && e < p->samples->nevents; e++) {
		if (!counts[e].samples ||
		    strcmp(p->samples->events[e].role, role) != 0)
			continue;
		sum.samples += counts[e].samples;
		sum.period += counts[e].period;
	}
	return sum;
}

struct samples_count program_role_at(const struct program *p,
				     const struct program_function *f,
				     uint64_t address, const char *role)
{
	return sum_of(p, program_samples_at(p, f, address), role);
}

struct samples_count program_role(const struct program *p,
				  const struct program_function *f,
				  size_t block, const char *role)
{
	return sum_of(p, program_event(p, f, block, 0), role);
}

bool program_has(const struct program *p, const char *role)
{
	for (size_t e = 0; p->samples && e < p->samples->nevents; e++)
		if (strcmp(p->samples->events[e].role, role) == 0 &&
		    p->samples->events[e].mapped)
			return true;
	return false;
}
