/*
 * attribute_origins.c - the binaries and events that counts are from.
 */
#include "converter/keys/attribute_private.h"

#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "converter/binary/lines.h"
#include "converter/binary/object.h"
#include "converter/count/program.h"

static struct profile_binary origin(const struct program_binary *from)
{
	const struct object *object = from->object;
	const struct lines_stats *stats = lines_stats(from->lines);
	struct profile_binary binary = {
		.name = fdo_file_base(object->path),
		.build_id_size = object->build_id.size,
		.no_frontiers = stats->no_frontiers > stats->frontiers,
	};

	memcpy(binary.build_id, object->build_id.bytes, object->build_id.size);
	return binary;
}

/* Of one event, those in code of the binaries. */
static uint64_t samples_of(const struct program *p, size_t event)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->nbinaries; i++) {
		const struct samples_object *from = p->binaries[i].samples;

		for (size_t j = 0; from && j < from->naddresses; j++)
			sum += samples_count(p->samples, from, j, event)
				       ->samples;
	}
	return sum;
}

void attribute_origins(struct attribution *a)
{
	const struct program *p = a->program;

	a->binaries = fdo_alloc(p->nbinaries, sizeof(*a->binaries));
	for (size_t i = 0; i < p->nbinaries; i++) {
		struct profile_binary binary = origin(&p->binaries[i]);

		a->binaries[i] = profile_add_binary(a->profile, &binary);
	}
	for (size_t e = 0; e < p->samples->nevents; e++) {
		const struct samples_event *from = &p->samples->events[e];
		struct profile_event *event =
			profile_add_event(a->profile, from->name, from->role);

		event->period =
			from->samples ? from->period / from->samples : 0;
		event->samples = from->samples;
		event->mapped = samples_of(p, e);
	}
}
