#include "converter/perf/firsts.h"

#include <stdint.h>

#include "converter/perf/addrmap.h"
#include "converter/perf/perfdata.h"
#include "converter/perf/stacks.h"
#include "converter/perf/tally.h"

struct moment {
	struct tally *tally;
	struct addrmap *maps;
	int32_t pid;
	uint64_t time; /* of the sample, from the beginning */
};

static void note(const struct moment *m, uint64_t address, uint64_t before)
{
	const struct addrmap_range *range =
		addrmap_find(m->maps, m->pid, address);

	if (range && range->object != ADDRMAP_NO_FILE)
		tally_first(&m->tally->objects[range->object],
			    addrmap_offset(range, address),
			    m->time > before ? m->time - before : 1);
}

static void note_chain(const struct moment *m, const struct perfdata_sample *s)
{
	/* Behind a call there may be another function. */
	for (size_t i = 0; i < s->nchain; i++)
		note(m, s->chain[i] - (i > 0), i);
}

static void note_branches(const struct moment *m,
			  const struct perfdata_sample *s)
{
	for (size_t i = 0; i < s->nbranches; i++)
		if (stacks_ran(&s->branches[i]))
			note(m, s->branches[i].to, i + 1);
}

uint64_t firsts_time(struct addrmap *maps, const struct perfdata_record *r)
{
	uint64_t begun = addrmap_begun(maps, r->pid);

	return begun && r->time > begun ? r->time - begun : 0;
}

void firsts_ran(struct tally *tally, struct addrmap *maps,
		const struct perfdata_record *r, uint64_t time)
{
	struct moment m = { tally, maps, r->pid, time };

	if (time)
		note(&m, r->sample.ip, 0);
}

void firsts_take(struct tally *tally, struct addrmap *maps,
		 const struct perfdata_record *r, uint64_t time)
{
	struct moment m = { tally, maps, r->pid, time };

	if (!time)
		return;
	note_chain(&m, &r->sample);
	note_branches(&m, &r->sample);
}
