#include "testsuite/lib/samples_print.h"

#include "converter/perf/branches.h"
#include "converter/perf/samples.h"

static void print_totals(const struct samples_totals *totals, FILE *out)
{
	fprintf(out,
		"files %llu\nread %llu\nmapped %llu\nkernel %llu\n"
		"anonymous %llu\nunmapped %llu\nunknown %llu\nstuck %llu\n"
		"faults %llu\nlost %llu\n"
		"throttled %llu\nlate %llu\n",
		(unsigned long long)totals->files,
		(unsigned long long)totals->read,
		(unsigned long long)totals->mapped,
		(unsigned long long)totals->kernel,
		(unsigned long long)totals->anonymous,
		(unsigned long long)totals->unmapped,
		(unsigned long long)totals->unknown,
		(unsigned long long)totals->stuck,
		(unsigned long long)totals->faults,
		(unsigned long long)totals->lost,
		(unsigned long long)totals->throttled,
		(unsigned long long)totals->late);
	if (totals->doubled)
		fprintf(out, "doubled %llu\n",
			(unsigned long long)totals->doubled);
}

static void print_event(const struct samples_event *event, FILE *out)
{
	fprintf(out,
		"event %s role=%s%s samples=%llu mapped=%llu period=%llu "
		"lost=%llu\n",
		event->name, event->role, event->nanoseconds ? " unit=ns" : "",
		(unsigned long long)event->samples,
		(unsigned long long)event->mapped,
		(unsigned long long)event->period,
		(unsigned long long)event->lost);
}

static void print_ways(const char *kind, const char *event,
		       const struct samples_ways *ways, FILE *out)
{
	for (size_t i = 0; i < ways->n; i++) {
		const struct branches_way *way = &ways->ways[i];

		fprintf(out, "\t%s 0x%x 0x%x %s %llu/%llu", kind, way->from,
			way->to, event, (unsigned long long)way->records,
			(unsigned long long)way->stacks);
		for (int v = 0; v < BRANCHES_VIEWS; v++)
			fprintf(out, " %llu",
				(unsigned long long)way->weight.of[v]);
		putc('\n', out);
	}
}

static void print_stacks(const struct samples_stacks *s, FILE *out)
{
	if (s->stacks || s->filtered)
		fprintf(out,
			"stacks %llu filtered %llu records %llu used %llu "
			"empty %llu kernel %llu unmapped %llu impossible "
			"%llu\n",
			(unsigned long long)s->stacks,
			(unsigned long long)s->filtered,
			(unsigned long long)s->records,
			(unsigned long long)s->used,
			(unsigned long long)s->empty,
			(unsigned long long)s->kernel,
			(unsigned long long)s->unmapped,
			(unsigned long long)s->impossible);
}

static void print_values(const struct samples_object *object, FILE *out)
{
	for (size_t i = 0; i < object->nvalues; i++) {
		const struct samples_value *value = &object->values[i];

		fprintf(out, "\tvalue 0x%llx %u ",
			(unsigned long long)value->offset, value->number);
		if (value->other)
			fputs("other", out);
		else
			fprintf(out, "0x%llx",
				(unsigned long long)value->value);
		fprintf(out, " %llu\n", (unsigned long long)value->samples);
	}
}

static void print_object(const struct samples *samples,
			 const struct samples_object *object, FILE *out)
{
	char build_id[FDO_BUILD_ID_TEXT];

	fdo_build_id_text(&object->build_id, build_id);
	fprintf(out, "object %s build-id=%s samples=%llu\n", object->path,
		build_id, (unsigned long long)object->samples);
	for (size_t i = 0; i < object->naddresses; i++) {
		fprintf(out, "\t0x%llx",
			(unsigned long long)object->offsets[i]);
		for (size_t e = 0; e < samples->nevents; e++) {
			const struct samples_count *count =
				samples_count(samples, object, i, e);

			fprintf(out, " %llu/%llu",
				(unsigned long long)count->samples,
				(unsigned long long)count->period);
		}
		putc('\n', out);
	}
	for (size_t e = 0; e < samples->nevents; e++) {
		const char *name = samples->events[e].name;

		print_ways("jump", name, &object->jumps[e], out);
		print_ways("range", name, &object->ranges[e], out);
	}
	print_values(object, out);
	for (size_t i = 0; i < object->nfirsts; i++)
		fprintf(out, "\tfirst 0x%llx %llu\n",
			(unsigned long long)object->firsts[i].offset,
			(unsigned long long)object->firsts[i].time);
}

void samples_print(const struct samples *samples, FILE *out)
{
	static const char *const kinds[PERFDATA_TEXTS] = {
		[PERFDATA_HOSTNAME] = "hostname",
		[PERFDATA_OSRELEASE] = "osrelease",
		[PERFDATA_ARCH] = "arch",
		[PERFDATA_CPUDESC] = "cpudesc",
		[PERFDATA_CPUID] = "cpuid",
	};

	print_totals(&samples->totals, out);
	print_stacks(&samples->totals.stacks, out);
	for (int kind = 0; kind < PERFDATA_TEXTS; kind++)
		if (samples->texts[kind])
			fprintf(out, "%s %s\n", kinds[kind],
				samples->texts[kind]);
	for (size_t i = 0; i < samples->nevents; i++)
		print_event(&samples->events[i], out);
	for (size_t i = 0; i < samples->nobjects; i++)
		print_object(samples, &samples->objects[i], out);
}
