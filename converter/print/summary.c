#include "converter/print/summary.h"

#include <inttypes.h>
#include <math.h>

#include "base/json.h"
#include "converter/binary/lines.h"
#include "converter/binary/object.h"
#include "converter/count/prepass.h"
#include "converter/count/program.h"
#include "converter/count/weights.h"
#include "converter/keys/attribute.h"
#include "converter/print/ranking.h"

/* Few samples leave much to chance: from here on a profile is good. */
enum { GOOD = 5000 };

/* A share that is worth a word.  Assembly has lines without functions. */
static const double MUCH = .1;

struct sums {
	uint64_t in_binaries, in_blocks, in_others, held; /* samples */
	uint64_t blocks;
	uint64_t undecodable;
	unsigned indirect, resolved, orphans;
};

static struct sums summarize(const struct program *p)
{
	struct sums sum = { .in_others = program_all_other_samples(p) };

	for (size_t i = 0; i < p->nbinaries; i++) {
		if (p->binaries[i].samples)
			sum.in_binaries += p->binaries[i].samples->samples;
		sum.in_blocks += p->binaries[i].in_blocks;
		sum.held += p->binaries[i].held;
	}
	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];
		const struct cfg *cfg = &f->cfg;

		sum.blocks += cfg->nblocks;
		sum.indirect += cfg->counters.indirect_jumps;
		sum.resolved +=
			cfg->counters.indirect_jumps - cfg->counters.unresolved;
		/* Without samples it is dead code behind a noreturn call. */
		for (size_t b = 0; b < cfg->nblocks; b++)
			sum.orphans += (cfg->blocks[b].flags & CFG_ORPHAN) &&
				       f->blocks[b].samples;
		sum.undecodable += cfg->counters.undecodable;
	}
	return sum;
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void print_others(const struct program *p, size_t binary, FILE *out)
{
	const char *name = p->binaries[binary].object->path, *path;
	uint64_t others = program_other_samples(p, binary, &path);

	if (!p->binaries[binary].samples)
		fprintf(out, "samplefdo: %s: no sample is of this file\n",
			name);
	if (others)
		fprintf(out,
			"samplefdo: %s: %" PRIu64
			" samples (%.1f %%) are of other files of its name, "
			"as of another build of it, and are left out: %s\n",
			name, others, percent(others, p->samples->totals.read),
			path);
}

/* As of all but the first of a group that is sampled by that one (":S"). */
static void print_unsampled(const struct samples *samples, FILE *out)
{
	for (size_t i = 0; i < samples->nevents; i++) {
		const struct samples_event *event = &samples->events[i];

		if (!event->samples && !samples_are_aside(event))
			fprintf(out,
				"samplefdo: no samples of %s; what others' "
				"have read of it is not used\n",
				event->name);
	}
}

static void print_samples(const struct summary *s, const struct sums *sum,
			  FILE *out)
{
	const struct samples_totals *totals = &s->samples->totals;
	uint64_t lost = samples_lost(s->samples);

	fprintf(out,
		"samplefdo: %" PRIu64 " samples read, %" PRIu64
		" (%.1f %%) in the %s, %" PRIu64 " (%.1f %%) in known blocks\n",
		totals->read, sum->in_binaries,
		percent(sum->in_binaries, totals->read),
		s->program->nbinaries > 1 ? "binaries" : "binary",
		sum->in_blocks, percent(sum->in_blocks, totals->read));
	print_unsampled(s->samples, out);
	for (size_t i = 0; i < s->program->nbinaries; i++)
		print_others(s->program, i, out);
	if (percent(totals->unmapped, totals->read) >= 1)
		fprintf(out,
			"samplefdo: %" PRIu64
			" samples (%.1f %%) are where the recording knows of "
			"no file: left out\n",
			totals->unmapped,
			percent(totals->unmapped, totals->read));
	if (totals->stuck)
		fprintf(out,
			"samplefdo: %" PRIu64
			" samples (%.1f %%) are of a thread that had not got "
			"on%s: left out\n",
			totals->stuck, percent(totals->stuck, totals->read),
			totals->faults ? " since the last or a page fault"
				       : " since the last");
	if (sum->held)
		fprintf(out,
			"samplefdo: %" PRIu64
			" samples (%.1f %%) are where Linux lets interrupts in "
			"again, and of what ran before: left out\n",
			sum->held, percent(sum->held, totals->read));
	if (totals->doubled)
		fprintf(out,
			"samplefdo: %" PRIu64
			" samples (%.1f %%) are of a second clock, at the "
			"moments of the first: left out (record one of "
			"cpu-clock and task-clock)\n",
			totals->doubled,
			percent(totals->doubled, totals->read));
	if (totals->lost || totals->late)
		fprintf(out,
			"samplefdo: %" PRIu64 " records were lost, %" PRIu64
			" came too late to be placed in time\n",
			totals->lost, totals->late);
	if (lost)
		fprintf(out,
			"samplefdo: %" PRIu64
			" samples were lost, as the kernel counts them: lower "
			"-F, or give perf record more room by -m\n",
			lost);
	if (totals->throttled)
		fprintf(out,
			"samplefdo: the kernel stopped sampling %" PRIu64
			" times, since it took too long: lower -F\n",
			totals->throttled);
	if (sum->in_blocks < GOOD)
		fprintf(out,
			"samplefdo: so few in known blocks tell little: %d "
			"or more make a good profile (a longer run, or "
			"record -F)\n",
			GOOD);
}

/* Registers cost nothing, and next to nothing else tells as much. */
static void print_outcomes(const struct summary *s, FILE *out)
{
	const struct samples_totals *totals = &s->samples->totals;

	if (s->program->without & PROGRAM_OUTCOMES)
		return;
	if (totals->registers)
		fprintf(out,
			"samplefdo: registers of %" PRIu64
			" samples (%.1f %%) tell how a branch came out\n",
			totals->told, percent(totals->told, totals->registers));
	else if (!totals->stacks.stacks)
		fprintf(out,
			"samplefdo: no registers: by samples that have them, "
			"as those of samplefdo record, counts are much "
			"better\n");
}

static size_t count_missing(const struct program *p)
{
	size_t sum = 0;

	for (size_t i = 0; i < p->nbinaries; i++)
		sum += lines_stats(p->binaries[i].lines)->missing;
	return sum;
}

/* What cannot be is a sign of another binary, or of a broken recording. */
static void print_branches(const struct summary *s, FILE *out)
{
	const struct samples_stacks *stacks = &s->samples->totals.stacks;
	const struct program *p = s->program;
	uint64_t unfit = p->anchored.misaligned + p->anchored.interrupted;

	if (stacks->filtered)
		fprintf(out,
			"samplefdo: branch records of %" PRIu64 " samples are "
			"of some branches only, and not used\n",
			stacks->filtered);
	if (stacks->stacks)
		fprintf(out,
			"samplefdo: %" PRIu64 " branch records of %" PRIu64
			" samples; %" PRIu64 " of the kernel, %" PRIu64
			" in no file, %" PRIu64 " impossible\n",
			stacks->records, stacks->stacks, stacks->kernel,
			stacks->empty + stacks->unmapped, stacks->impossible);
	if (p->anchored.ranges)
		fprintf(out,
			"samplefdo: %" PRIu64 " records in the binary, of "
			"which %" PRIu64 " (%.2f %%) are in no function, as in "
			"stubs of calls, and %" PRIu64
			" (%.2f %%) do not fit its code; %" PRIu64
			" of %" PRIu64 " jumps are no known edges\n",
			p->anchored.ranges, p->anchored.outside,
			percent(p->anchored.outside, p->anchored.ranges), unfit,
			percent(unfit, p->anchored.ranges),
			p->anchored.unknown_edges, p->anchored.jumps);
}

static void print_graphs(const struct program *p, const struct sums *sum,
			 FILE *out)
{
	fprintf(out,
		"samplefdo: %zu functions, %" PRIu64
		" blocks; %u of %u indirect jumps resolved",
		p->nfunctions, sum->blocks, sum->resolved, sum->indirect);
	if (sum->orphans)
		fprintf(out, "; %u sampled blocks that no known way leads to",
			sum->orphans);
	if (sum->undecodable)
		fprintf(out, "; %" PRIu64 " bytes that are no code",
			sum->undecodable);
	fputc('\n', out);
}

const struct program_binary *summary_lacking(const struct program *p)
{
	for (size_t i = 0; i < p->nbinaries; i++)
		if (lines_stats(p->binaries[i].lines)->missing)
			return &p->binaries[i];
	return NULL;
}

static void print_unread(const struct program *p, FILE *out)
{
	for (size_t i = 0; i < p->nbinaries; i++) {
		const struct lines_stats *stats =
			lines_stats(p->binaries[i].lines);

		if (stats->missing)
			fprintf(out,
				"samplefdo: %s: %zu .dwo files were not found "
				"or could not be read, as %s; what is in them "
				"has no place in the source\n",
				p->binaries[i].object->path, stats->missing,
				stats->missing_name);
		if (stats->folded)
			fprintf(out,
				"samplefdo: %s: %zu functions have the code of "
				"others, put together by the compiler or the "
				"linker, and no counts of their own\n",
				p->binaries[i].object->path, stats->folded);
		if (stats->damaged)
			fprintf(out,
				"samplefdo: %s: the debug information of %zu "
				"of %zu units is damaged; what could not be "
				"read of it has no place in the source\n",
				p->binaries[i].object->path, stats->damaged,
				stats->units);
	}
}

static void print_error(const struct program *p, FILE *out)
{
	struct prepass_error error = prepass_error(p);

	fprintf(out,
		"samplefdo: a count is off by %.0f %% of it, at the mean (one "
		"standard error); ",
		100 * error.relative);
	if (isfinite(error.times))
		fprintf(out, "%.1f times as many samples would halve that\n",
			error.times);
	else
		fprintf(out,
			"no number of samples would halve that: %.0f %% would "
			"stay\n",
			100 * error.bias);
}

static bool has_line(const struct program *p, const struct program_function *f)
{
	struct lines_place place;

	return lines_at(p->binaries[f->binary].lines, f->cfg.parts[0].address,
			&place);
}

/* Of the functions without a line, the one that executes most; or NULL. */
static const struct program_function *most_without(const struct program *p)
{
	struct ranking *r = ranking_new(p);
	const struct program_function *found = NULL;

	for (size_t i = 0; !found && i < r->nfunctions; i++)
		if (!has_line(p, r->functions[i].function))
			found = r->functions[i].function;
	ranking_free(r);
	return found;
}

static void print_without(const struct program *p,
			  const struct attribute_result *placed, FILE *out)
{
	uint64_t lines = placed->placed + placed->nowhere + placed->no_line;
	const struct program_function *f;

	if (placed->no_line > MUCH * placed->executed)
		fprintf(out,
			"samplefdo: %.1f %% are of lines that the debug "
			"information does not tell, as in thunks and in "
			"functions made of equal ones (-fipa-icf)\n",
			percent(placed->no_line, placed->executed));
	if (lines >= placed->executed / 2)
		return;
	f = most_without(p);
	if (f)
		fprintf(out,
			"samplefdo: %.1f %% have none, most of them in %s: "
			"what is built without -g gets no counts\n",
			percent(placed->executed - lines, placed->executed),
			f->cfg.name);
}

void summary_print(const struct summary *s, FILE *out)
{
	const struct attribute_result *placed = s->placed;
	const struct prepass_result *flow = s->flow;
	struct sums sum = summarize(s->program);

	/* Exact counts need none. */
	if (s->samples) {
		print_samples(s, &sum, out);
		print_outcomes(s, out);
		print_branches(s, out);
	}
	print_graphs(s->program, &sum, out);
	print_unread(s->program, out);
	if (flow->measured > 0)
		fprintf(out,
			"samplefdo: the flow moved %.1f %% of the executed "
			"instructions, repaired %.2f %%, connected %u "
			"hot spots\n",
			percent(flow->moved, flow->measured),
			percent(flow->repaired, flow->measured),
			flow->connected);
	if (isfinite(s->misfit))
		fprintf(out,
			"samplefdo: the samples differ from what the counts "
			"predict by %.2f (0 is perfect)\n",
			s->misfit);
	if (flow->measured > 0)
		print_error(s->program, out);
	if (s->weights)
		fprintf(out, "samplefdo: counted by the weights of %s%s\n",
			s->weights->path,
			s->weights->alone
				? ", of which only the base event was recorded"
				: "");
	fprintf(out,
		"samplefdo: %.1f %% of the executed instructions have a "
		"source line; %" PRIu64 " keys\n",
		percent(placed->placed, placed->executed), placed->keys);
	print_without(s->program, placed, out);
	if (placed->nowhere > MUCH * placed->executed)
		fprintf(out,
			"samplefdo: %.1f %% have a line, but are in no "
			"function that the debug information has, and are left "
			"out%s\n",
			percent(placed->nowhere, placed->executed),
			summary_lacking(s->program)
				? ", as those of the .dwo files"
				: ": clang -g1 leaves out most, so build "
				  "with -g");
	if (placed->with_column < placed->placed / 2)
		fprintf(out,
			"samplefdo: only %.1f %% of the executed instructions "
			"with a source line have a column, too: GCC finds "
			"little of the others; build without "
			"-gno-column-info\n",
			percent(placed->with_column, placed->placed));
}

static void json_samples(const struct samples *samples, const struct sums *sum,
			 FILE *out)
{
	const struct samples_totals *totals = &samples->totals;

	fprintf(out,
		"\"samples\": {\"read\": %" PRIu64 ", \"mapped\": %" PRIu64
		", \"kernel\": %" PRIu64 ", \"anonymous\": %" PRIu64
		", \"unmapped\": %" PRIu64 ", \"stuck\": %" PRIu64
		", \"faults\": %" PRIu64 ", \"lost\": %" PRIu64
		", \"lost_samples\": %" PRIu64 ", \"in_binary\": %" PRIu64
		", \"in_other_builds\": %" PRIu64 ", \"in_blocks\": %" PRIu64,
		totals->read, totals->mapped, totals->kernel, totals->anonymous,
		totals->unmapped, totals->stuck, totals->faults, totals->lost,
		samples_lost(samples), sum->in_binaries, sum->in_others,
		sum->in_blocks);
	if (sum->held)
		fprintf(out, ", \"held\": %" PRIu64, sum->held);
	if (totals->doubled)
		fprintf(out, ", \"doubled\": %" PRIu64, totals->doubled);
	fputs("},\n ", out);
}

static void json_branches(const struct summary *s, FILE *out)
{
	const struct samples_stacks *stacks = &s->samples->totals.stacks;
	const struct anchors_totals *a = &s->program->anchored;

	fprintf(out,
		"\"branches\": {\"stacks\": %" PRIu64 ", \"filtered\": %" PRIu64
		", \"records\": %" PRIu64 ", \"kernel\": %" PRIu64
		", \"empty\": %" PRIu64 ", \"unmapped\": %" PRIu64
		", \"impossible\": %" PRIu64 ", \"in_binary\": %" PRIu64
		", \"outside\": %" PRIu64 ", \"misaligned\": %" PRIu64
		", \"interrupted\": %" PRIu64 ", \"jumps\": %" PRIu64
		", \"unknown_edges\": %" PRIu64 "},\n ",
		stacks->stacks, stacks->filtered, stacks->records,
		stacks->kernel, stacks->empty, stacks->unmapped,
		stacks->impossible, a->ranges, a->outside, a->misaligned,
		a->interrupted, a->jumps, a->unknown_edges);
}

/* null: no number of samples halves it. */
static void json_error(const struct summary *s, FILE *out)
{
	struct prepass_error error = prepass_error(s->program);

	if (s->flow->measured <= 0)
		return;
	fprintf(out, " \"error\": {\"mean\": %.4f, \"bias\": %.4f, ",
		error.relative, error.bias);
	if (isfinite(error.times))
		fprintf(out, "\"samples_to_halve\": %.2f},\n", error.times);
	else
		fprintf(out, "\"samples_to_halve\": null},\n");
}

/* null: the misfit is not known. */
static void json_flow(const struct summary *s, FILE *out)
{
	const struct prepass_result *flow = s->flow;

	fprintf(out,
		" \"flow\": {\"measured\": %.0f, \"moved\": %.0f, "
		"\"repaired\": %.0f, \"connected\": %u, \"misfit\": ",
		flow->measured, flow->moved, flow->repaired, flow->connected);
	if (isfinite(s->misfit))
		fprintf(out, "%.4f},\n", s->misfit);
	else
		fputs("null},\n", out);
}

static void json_left_out(const struct program *p, FILE *out)
{
	fputs("\"left_out\": [", out);
	for (size_t i = 0; i < p->nleft_out; i++) {
		fputs(i ? ", " : "", out);
		json_text(p->left_out[i].object->path, out);
	}
	fputs("],\n ", out);
}

void summary_json(const struct summary *s, FILE *out)
{
	const struct attribute_result *placed = s->placed;
	struct sums sum = summarize(s->program);

	fputc('{', out);
	if (s->samples)
		json_samples(s->samples, &sum, out);
	if (s->samples && s->samples->totals.stacks.stacks +
				  s->samples->totals.stacks.filtered)
		json_branches(s, out);
	if (s->program->nleft_out)
		json_left_out(s->program, out);
	fprintf(out,
		"\"functions\": %zu, \"blocks\": %" PRIu64
		", \"indirect_jumps\": %u, \"indirect_jumps_resolved\": %u"
		", \"orphans\": %u, \"undecodable_bytes\": %" PRIu64 ",\n",
		s->program->nfunctions, sum.blocks, sum.indirect, sum.resolved,
		sum.orphans, sum.undecodable);
	json_flow(s, out);
	json_error(s, out);
	fprintf(out,
		" \"executed\": %" PRIu64 ", \"placed\": %" PRIu64
		", \"with_column\": %" PRIu64 ", \"nowhere\": %" PRIu64
		", \"keys\": %" PRIu64 ", \"dwo_missing\": %zu}\n",
		placed->executed, placed->placed, placed->with_column,
		placed->nowhere, placed->keys, count_missing(s->program));
}
