/*
 * program_samples.c - which samples are of which file of a program, and in which of its
 * blocks.
 */
#include "converter/count/program.h"

#include "base/error.h"
#include "base/progress.h"
#include "converter/binary/object.h"
#include "converter/graph/masked.h"

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
