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
#include "base/progress.h"
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

/* Add what was sampled at one address to the block that it is in. */
static void add_samples(struct program *p, struct program_function *f,
			uint64_t address, const struct samples_count *counts)
{
	size_t block = cfg_block_at(&f->cfg, address);
	struct samples_count *to;
	bool astray;

	if (block == CFG_NO_BLOCK)
		return;
	astray = !cfg_insn_at(&f->cfg, block, address);
	to = &f->events[block * p->samples->nevents];
	for (size_t e = 0; e < p->samples->nevents; e++) {
		to[e].samples += counts[e].samples;
		to[e].period += counts[e].period;
		f->blocks[block].samples += counts[e].samples;
		f->samples += counts[e].samples;
		p->binaries[f->binary].in_blocks += counts[e].samples;
		if (astray)
			p->binaries[f->binary].astray += counts[e].samples;
	}
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

/* The samples of a binary, whatever it was called when it ran. */
static const struct samples_object *find_samples(const struct samples *samples,
						 const struct object *object)
{
	const struct samples_object *found =
		samples_object(samples, object->real_path, &object->build_id);

	return found ? found : samples_object(samples, object->path, NULL);
}

static bool has_build_ids(const struct samples *samples)
{
	for (size_t i = 0; i < samples->nobjects; i++)
		if (samples->objects[i].build_id.size)
			return true;
	return false;
}

/*
 * The file was gone when perf looked for its build-id, or was never asked for
 * one.  Where no file has any, nobody looked.
 */
static bool may_be_another(const struct samples *samples,
			   const struct object *object,
			   const struct samples_object *from)
{
	return !from->build_id.size &&
	       (samples_was_deleted(from) ||
		(object->build_id.size && has_build_ids(samples)));
}

static bool check_build(const struct samples *samples,
			const struct object *object,
			const struct samples_object *from,
			struct fdo_error *err)
{
	char have[FDO_BUILD_ID_TEXT], want[FDO_BUILD_ID_TEXT];

	if (may_be_another(samples, object, from))
		return fdo_fail(
			err,
			"%s: the samples are of '%s', and do not say of "
			"which build (perf record --buildid-mmap does; "
			"--force takes this one)",
			object->path, from->path);
	if (fdo_build_id_same(&object->build_id, &from->build_id))
		return true;
	fdo_build_id_text(&object->build_id, have);
	fdo_build_id_text(&from->build_id, want);
	return fdo_fail(err,
			"%s: not the build that was sampled: its build-id is "
			"%.12s..., that of the samples %.12s... (--force takes "
			"it all the same)",
			object->path, have, want);
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

static bool is_taken(const struct program *p, const struct samples_object *o)
{
	for (size_t i = 0; i < p->nbinaries; i++)
		if (p->binaries[i].samples == o)
			return true;
	return false;
}

uint64_t program_left_out_samples(const struct program *p, size_t i)
{
	const struct samples_object *o =
		find_samples(p->samples, p->left_out[i].object);

	return o && !is_taken(p, o) ? o->samples : 0;
}

/* Had a file the name that a binary has, or had where it was sampled? */
static bool has_name(const struct samples_object *o,
		     const struct program_binary *binary)
{
	const struct samples_object *from = binary->samples;

	return samples_has_name(o->path, binary->object->real_path) ||
	       samples_has_name(o->path, binary->object->path) ||
	       (from && (samples_has_name(o->path, from->path) ||
			 samples_has_name(from->path, o->path)));
}

uint64_t program_other_samples(const struct program *p, size_t binary,
			       const char **path_ret)
{
	uint64_t sum = 0, most = 0;

	for (size_t i = 0; i < p->samples->nobjects; i++) {
		const struct samples_object *o = &p->samples->objects[i];

		if (is_taken(p, o) || !has_name(o, &p->binaries[binary]))
			continue;
		if (o->samples > most)
			*path_ret = o->path;
		most = o->samples > most ? o->samples : most;
		sum += o->samples;
	}
	return sum;
}

uint64_t program_all_other_samples(const struct program *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->samples->nobjects; i++) {
		const struct samples_object *o = &p->samples->objects[i];
		size_t b = 0;

		while (b < p->nbinaries && !has_name(o, &p->binaries[b]))
			b++;
		if (b < p->nbinaries && !is_taken(p, o))
			sum += o->samples;
	}
	return sum;
}

/* Of a name that several have, it takes more to know which is meant. */
static bool is_of_one_name(const struct program *p, const struct object *o,
			   struct fdo_error *err)
{
	const struct samples_object *first = NULL;

	for (size_t i = 0; i < p->samples->nobjects; i++) {
		const struct samples_object *from = &p->samples->objects[i];

		if (!samples_has_name(from->path, o->real_path) &&
		    !samples_has_name(from->path, o->path))
			continue;
		if (first)
			return fdo_fail(err,
					"%s: samples are of several files of "
					"that name, as %s and %s; neither a "
					"build-id nor its path says which it "
					"is",
					o->path, first->path, from->path);
		first = from;
	}
	return true;
}

bool program_has_samples(const struct program *p, struct fdo_error *err)
{
	const char *path = p->binaries[0].object->path;
	const struct samples *samples = p->samples;
	const struct samples_object *most = NULL;

	for (size_t i = 0; i < p->nbinaries; i++)
		if (p->binaries[i].samples)
			return true;
	for (size_t i = 0; i < p->nbinaries; i++)
		if (!is_of_one_name(p, p->binaries[i].object, err))
			return false;
	/* Most users then named the wrong file: say which one to name. */
	for (size_t i = 0; i < samples->nobjects; i++)
		if (!most || samples->objects[i].samples > most->samples)
			most = &samples->objects[i];
	if (!most && samples->totals.kernel == samples->totals.read)
		return fdo_fail(err,
				"%s: no sample is of this file: all are of the "
				"kernel, as by perf record -e cycles:k",
				path);
	if (!most)
		return fdo_fail(err,
				"%s: no sample is of this file, nor of any "
				"other that was mapped",
				path);
	return fdo_fail(err, "%s: no sample is of this file; most are of %s",
			path, most->path);
}

/* Another name of a file that was given, too. */
static bool check_other(const struct program *p, size_t number,
			const struct samples_object *from,
			struct fdo_error *err)
{
	for (size_t i = 0; i < number; i++)
		if (p->binaries[i].samples == from)
			return fdo_fail(err,
					"%s: its samples are those of %s, and "
					"would count twice",
					p->binaries[number].object->path,
					p->binaries[i].object->path);
	return true;
}

/*
 * What has no build-id may be another build nevertheless.  A sample names where
 * an instruction begins, but in code that was patched when it ran.
 */
static bool check_places(const struct program_binary *binary,
			 struct fdo_error *err)
{
	static const double most = .05;
	enum { FEW = 20 };
	double all = binary->in_blocks;

	if (binary->astray < FEW || binary->astray <= most * all)
		return true;
	return fdo_fail(err,
			"%s: not the build that was sampled: %.0f percent of "
			"the samples in its code are within instructions "
			"(--force takes it all the same)",
			binary->object->path, 100 * binary->astray / all);
}

/* Of all events, at one of the object's addresses. */
static uint64_t all_of(const struct samples *samples,
		       const struct samples_object *from, size_t i)
{
	const struct samples_count *counts = samples_count(samples, from, i, 0);
	uint64_t sum = 0;

	for (size_t e = 0; e < samples->nevents; e++)
		sum += counts[e].samples;
	return sum;
}

static bool has_only_clocks(const struct samples *samples)
{
	for (size_t e = 0; e < samples->nevents; e++)
		if (samples->events[e].mapped &&
		    !samples->events[e].nanoseconds)
			return false;
	return true;
}

bool program_add_samples(struct program *p, size_t number,
			 struct progress *progress, struct fdo_error *err)
{
	struct program_binary *binary = &p->binaries[number];
	const struct object *object = binary->object;
	const struct samples_object *from = find_samples(p->samples, object);

	if (!from)
		return true;
	if (!check_other(p, number, from, err) ||
	    !(p->force || check_build(p->samples, object, from, err)))
		return false;
	binary->samples = from;
	if (object->kernel && has_only_clocks(p->samples))
		binary->masked = masked_new(object);
	for (size_t i = 0; i < from->naddresses; i++) {
		struct program_function *f;
		uint64_t address;

		progress_show(progress, "graphs", i, from->naddresses);
		if (!object_address(object, from->offsets[i], &address))
			continue;
		if (binary->masked && masked_ends(binary->masked, address)) {
			binary->held += all_of(p->samples, from, i);
			continue;
		}
		if (!program_function_at(p, number, address, &f, err))
			return false;
		if (f)
			add_samples(p, f, address,
				    samples_count(p->samples, from, i, 0));
	}
	return p->force || check_places(binary, err);
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

bool program_may_be(const struct program *p, size_t binary, const char *path,
		    const struct fdo_build_id *id)
{
	const struct object *o = p->binaries[binary].object;
	bool both = o->build_id.size && id->size;

	if (both && fdo_build_id_same(&o->build_id, id))
		return true;
	if (both && !p->force)
		return false;
	return samples_has_name(path, o->real_path) ||
	       samples_has_name(path, o->path);
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
