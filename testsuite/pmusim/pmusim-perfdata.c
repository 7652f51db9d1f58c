/*
 * pmusim-perfdata - samples as text become a perf.data.
 *
 *	pmusim-perfdata app.samples app.data
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/output.h"
#include "testsuite/pmusim/perfdata.h"
#include "testsuite/pmusim/reader.h"

/*
 * What a perf of a real machine would ask the PMU for: Intel's number of the
 * event, a unit mask, and a threshold (counter mask, inverted for zero).
 */
static uint64_t config_of(const char *name)
{
	static const struct {
		const char *name;
		uint64_t config;
	} known[] = {
		{ "INST_RETIRED:0", 0x018000c0 },
		{ "INST_RETIRED:4", 0x040000c0 },
		{ "INST_RETIRED", 0xc0 },
		{ "CPU_CLK_UNHALTED", 0x3c },
		{ "DTLB_MISS", 0x0108 },
		{ "L1I_MISS", 0x0280 },
		{ "L1D_MISS", 0x08d1 },
		{ "L2_MISS", 0x10d1 },
		{ "BR_MISP", 0xc5 },
		{ "BR_TAKEN", 0x20c4 },
		{ "BR_CALL", 0x02c4 },
		{ "IBS_OP", 0xffff },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strncmp(name, known[i].name, strlen(known[i].name)) == 0)
			return known[i].config;
	return 0;
}

struct writing {
	struct perfdata *to;
	uint64_t lbr, registers, nevents, end;
};

static void add_event(struct writing *w, const struct record *record)
{
	bool interrupts = strcmp(record->word, "-") == 0;
	struct perfdata_event event = {
		.name = record->text,
		.config = config_of(record->text),
		.period = record->period,
		.precise = !interrupts,
		.branches = w->lbr != 0 || strcmp(record->word, "steps") == 0,
		.registers = w->registers && interrupts,
		.weight = strcmp(record->word, "ibs") == 0,
	};

	perfdata_event(w->to, &event);
	w->nevents++;
}

static bool add_sample(struct writing *w, const struct record *record,
		       struct fdo_error *err)
{
	if (record->number >= w->nevents)
		return fdo_fail(err, "a sample of event %llu, which is not",
				(unsigned long long)record->number);
	perfdata_sample(w->to, record);
	return true;
}

static bool add(struct writing *w, const struct record *record,
		struct fdo_error *err)
{
	switch (record->kind) {
	case RECORD_COMMAND:
		perfdata_command(w->to, record->text);
		return true;
	case RECORD_PROCESS:
		perfdata_process(w->to, record->number, record->text);
		return true;
	case RECORD_LBR:
		w->lbr = record->number;
		return true;
	case RECORD_REGISTERS:
		w->registers = record->number;
		return true;
	case RECORD_EVENT:
		add_event(w, record);
		return true;
	case RECORD_MAP:
		perfdata_map(w->to, record);
		return true;
	case RECORD_THREAD:
		perfdata_thread(w->to, record);
		return true;
	case RECORD_SAMPLE:
		return add_sample(w, record, err);
	case RECORD_END:
		w->end = record->time;
		return true;
	}
	return true;
}

static bool write_all(struct reader *reader, FILE *stream,
		      struct fdo_error *err)
{
	struct writing w = { .to = perfdata_new(stream) };
	struct record record;
	bool more, done;

	while ((done = reader_next(reader, &record, &more, err)) && more) {
		done = add(&w, &record, err);
		if (!done)
			break;
	}
	done = done && perfdata_finish(w.to, w.end, err);
	perfdata_free(w.to);
	return done;
}

static bool convert(const char *from, const char *to, struct fdo_error *err)
{
	struct fdo_output out;
	struct reader reader;
	bool done;

	if (!reader_open(&reader, from, err))
		return false;
	if (!fdo_output_open(&out, to, err)) {
		reader_close(&reader);
		return false;
	}
	done = write_all(&reader, out.stream, err);
	reader_close(&reader);
	if (!done) {
		fdo_output_abandon(&out);
		return false;
	}
	return fdo_output_close(&out, err);
}

int main(int argc, char **argv)
{
	struct fdo_error err;

	if (argc != 3) {
		fputs("usage: pmusim-perfdata SAMPLES PERFDATA\n", stderr);
		return 2;
	}
	if (convert(argv[1], argv[2], &err))
		return EXIT_SUCCESS;
	fprintf(stderr, "pmusim-perfdata: %s\n", err.text);
	return EXIT_FAILURE;
}
