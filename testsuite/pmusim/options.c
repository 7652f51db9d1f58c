/*
 * options.c - numbers are a table; events have a small grammar.
 */
#include "testsuite/pmusim/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/error.h"

static const struct number {
	const char *name;
	size_t at;
	uint64_t usual, least, most;
} numbers[] = {
#define NUMBER(name, usual, least, most)                                  \
	{                                                                 \
#name, offsetof(struct options, name), usual, least, most \
	}
	/* 0: only the counts, no samples */
	NUMBER(model, 1, 0, 1),
	NUMBER(seed, 1, 0, UINT64_MAX),
	/* Cycles from an overflow to its interrupt: skid + 0 to jitter. */
	NUMBER(skid, 30, 0, 100000),
	NUMBER(jitter, 1, 0, 100000),
	/* 1: a period begins with the interrupt, not with the overflow. */
	NUMBER(restart, 0, 0, 1),
	/* 1: every sample names the instruction behind the one it hit */
	NUMBER(lag, 0, 0, 1),
	/* Branches recorded with each sample. */
	NUMBER(lbr, 0, 0, LBR_MAX),
	/* 1: registers and flags with each sample of an interrupt */
	NUMBER(registers, 0, 0, 1),
	/* Instructions per cycle that enter, and that retire. */
	NUMBER(fetch, 4, 1, 16),
	NUMBER(width, 4, 1, 16),
	NUMBER(rob, 96, 4, 512),
	/* Cycles from fetch to dispatch, and lost by a wrong guess. */
	NUMBER(depth, 8, 1, 100),
	NUMBER(mispredict, 6, 0, 1000),
	/* Sizes are powers of two, 0 for no third level. */
	NUMBER(l1i_kb, 32, 4, 1024),
	NUMBER(l1d_kb, 32, 4, 1024),
	NUMBER(l2_kb, 512, 16, 65536),
	NUMBER(l3_kb, 4096, 0, 1048576),
	NUMBER(l1_latency, 4, 1, 1000),
	NUMBER(l2_latency, 14, 1, 1000),
	NUMBER(l3_latency, 40, 1, 1000),
	NUMBER(memory_latency, 200, 1, 10000),
	/* Pages in the first and second level. */
	NUMBER(dtlb, 64, 4, 65536),
	NUMBER(stlb, 512, 4, 65536),
	NUMBER(stlb_latency, 7, 0, 1000),
	/* 1: a stream of lines is fetched ahead */
	NUMBER(prefetch, 1, 0, 1),
	NUMBER(gshare_bits, 14, 1, 24),
	NUMBER(indirect_bits, 10, 1, 20),
	NUMBER(return_stack, 16, 1, 256),
#undef NUMBER
};
enum { NUMBERS = sizeof(numbers) / sizeof(numbers[0]) };

static const struct {
	const char *name;
	enum source source;
} sources[] = {
	{ "INST_RETIRED:0", SOURCE_INST_0 },
	{ "INST_RETIRED:4", SOURCE_INST_4 },
	{ "INST_RETIRED", SOURCE_INST },
	{ "CPU_CLK_UNHALTED", SOURCE_CYCLES },
	{ "DTLB_MISS", SOURCE_DTLB },
	{ "L1I_MISS", SOURCE_L1I },
	{ "L1D_MISS", SOURCE_L1D },
	{ "L2_MISS", SOURCE_L2 },
	{ "BR_MISP", SOURCE_MISPREDICT },
	{ "BR_TAKEN", SOURCE_BRANCH },
	{ "BR_CALL", SOURCE_CALL },
	{ "IBS_OP", SOURCE_IBS },
};
enum { SOURCE_NAMES = sizeof(sources) / sizeof(sources[0]) };

static char *copy(const char *text)
{
	char *ret = fdo_alloc(1, strlen(text) + 1);

	return strcpy(ret, text);
}

static bool parse_number(const char *text, uint64_t least, uint64_t most,
			 const char *name, uint64_t *ret, struct fdo_error *err)
{
	char *end;

	errno = 0;
	*ret = strtoull(text, &end, 0);
	if (end == text || *end || errno || *text == '-')
		return fdo_fail(err, "%s: '%s' is not a number", name, text);
	if (*ret < least || *ret > most)
		return fdo_fail(err, "%s: %s is not from %llu to %llu", name,
				text, (unsigned long long)least,
				(unsigned long long)most);
	return true;
}

/* Of an event: as the option of that name, which may come behind it. */
static const uint64_t NOT_SAID = UINT64_MAX;

/* The name may go on behind a full stop or a colon: INST_RETIRED.ANY. */
static bool parse_source(const char *name, enum source *ret,
			 struct fdo_error *err)
{
	for (int i = 0; i < SOURCE_NAMES; i++) {
		size_t length = strlen(sources[i].name);

		if (strncasecmp(name, sources[i].name, length) == 0 &&
		    (!name[length] || strchr(".:", name[length]))) {
			*ret = sources[i].source;
			return true;
		}
	}
	return fdo_fail(err, "event %s is not known", name);
}

static bool parse_flag(struct event_option *event, const char *flag,
		       struct fdo_error *err)
{
	static const struct {
		const char *name;
		size_t at;
	} values[] = {
		{ "rand=", offsetof(struct event_option, rand) },
		{ "burst=", offsetof(struct event_option, burst) },
		{ "steps=", offsetof(struct event_option, steps) },
		{ "pair=", offsetof(struct event_option, pair) },
		{ "skid=", offsetof(struct event_option, skid) },
		{ "jitter=", offsetof(struct event_option, jitter) },
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		size_t length = strlen(values[i].name);

		if (strncmp(flag, values[i].name, length) == 0)
			return parse_number(
				flag + length, 0, UINT32_MAX, event->name,
				(uint64_t *)((char *)event + values[i].at),
				err);
	}
	if (strcmp(flag, "pebs") == 0)
		event->pebs = true;
	else if (strcmp(flag, "lag") == 0)
		event->lag = true;
	else
		return fdo_fail(err, "event %s: flag '%s' is not known",
				event->name, flag);
	return true;
}

/* What is wrong with it as a whole, or NULL. */
static const char *complaint(const struct event_option *event)
{
	if (event->source == SOURCE_IBS && (event->pebs || event->burst))
		return "neither pebs nor burst is for it";
	if (event->source != SOURCE_IBS && event->pair)
		return "pair is only for IBS_OP";
	if (event->pebs &&
	    (event->source == SOURCE_CYCLES || event->source == SOURCE_INST_0 ||
	     event->source == SOURCE_INST_4))
		return "no instruction has this event, so neither pebs nor "
		       "burst can be";
	if (event->steps && event->source != SOURCE_CYCLES)
		return "steps are only for cycles";
	if (event->steps > STEPS_MAX)
		return "so many steps are too many";
	if (event->rand & (event->rand + 1))
		return "rand must be a power of two less one";
	return NULL;
}

static bool parse_event(struct options *options, const char *text,
			struct fdo_error *err)
{
	struct event_option *event = &options->events[options->nevents];
	char *rest, *part;

	if (options->nevents == EVENTS_MAX)
		return fdo_fail(err, "more than %d events", EVENTS_MAX);
	options->nevents++;
	event->skid = event->jitter = NOT_SAID;
	rest = event->name = copy(text);
	strsep(&rest, "/");
	if (!parse_source(event->name, &event->source, err))
		return false;
	part = strsep(&rest, "/");
	if (!parse_number(part ? part : "", 1, UINT32_MAX, event->name,
			  &event->period, err))
		return false;
	while ((part = strsep(&rest, "/")))
		if (!parse_flag(event, part, err))
			return false;
	if (complaint(event))
		return fdo_fail(err, "event %s: %s", event->name,
				complaint(event));
	return true;
}

static uint64_t *number_at(struct options *options, int i)
{
	return (uint64_t *)((char *)options + numbers[i].at);
}

static bool parse_one(struct options *options, const char *name,
		      const char *value, struct fdo_error *err)
{
	if (strcmp(name, "event") == 0)
		return parse_event(options, value, err);
	if (strcmp(name, "out") == 0) {
		free(options->out);
		options->out = copy(value);
		return true;
	}
	for (int i = 0; i < NUMBERS; i++)
		if (strcmp(name, numbers[i].name) == 0)
			return parse_number(value, numbers[i].least,
					    numbers[i].most, name,
					    number_at(options, i), err);
	return fdo_fail(err, "option '%s' is not known", name);
}

static bool is_power(uint64_t size)
{
	return !(size & (size - 1));
}

static bool add_usual_events(struct options *options, struct fdo_error *err)
{
	if (options->nevents || !options->model)
		return true;
	return parse_event(options, "INST_RETIRED/100003/rand=0x3fff", err) &&
	       parse_event(options,
			   "CPU_CLK_UNHALTED.THREAD/100003/rand=0x3fff", err) &&
	       parse_event(options, "DTLB_MISS/1009/rand=0xff", err);
}

static bool check(struct options *options, struct fdo_error *err)
{
	if (!options->out)
		return fdo_fail(err, "out=NAME is missing");
	if (options->registers && !options->model)
		return fdo_fail(err, "registers=1 needs model=1: they are in "
				     "samples");
	if (!is_power(options->l1i_kb) || !is_power(options->l1d_kb) ||
	    !is_power(options->l2_kb) || !is_power(options->l3_kb) ||
	    !is_power(options->dtlb) || !is_power(options->stlb))
		return fdo_fail(err, "sizes of caches must be powers of two");
	if (!add_usual_events(options, err))
		return false;
	for (int i = 0; i < options->nevents; i++) {
		struct event_option *event = &options->events[i];

		if (event->skid == NOT_SAID)
			event->skid = options->skid;
		if (event->jitter == NOT_SAID)
			event->jitter = options->jitter;
	}
	return true;
}

bool options_parse(struct options *ret, int argc, char **argv,
		   struct fdo_error *err)
{
	*ret = (struct options){ 0 };
	for (int i = 0; i < NUMBERS; i++)
		*number_at(ret, i) = numbers[i].usual;
	for (int i = 0; i < argc; i++) {
		char *name = copy(argv[i]), *value = name;
		bool done;

		strsep(&value, "=");
		done = parse_one(ret, name, value ? value : "", err);
		free(name);
		if (!done)
			return false;
	}
	return check(ret, err);
}

void options_clear(struct options *options)
{
	for (int i = 0; i < options->nevents; i++)
		free(options->events[i].name);
	free(options->out);
}
