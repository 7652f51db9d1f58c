#include "converter/count/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/text.h"
#include "converter/count/classify.h"
#include "converter/perf/events.h"
#include "converter/perf/samples.h"

static const char magic[] = "samplefdo-weights";

enum { FIELDS = 5 };

/* A line of the file, in fields. */
struct line {
	struct fdo_text text;
	char *fields[FIELDS];
	int n;
};

bool weights_is(const char *path)
{
	return fdo_text_begins(path, magic);
}

static bool number(const struct line *at, int field, double least, double most,
		   double *ret, struct fdo_error *err)
{
	char *end;

	*ret = strtod(at->fields[field], &end);
	if (end != at->fields[field] && !*end && *ret >= least && *ret <= most)
		return true;
	return fdo_text_fail(&at->text, err,
			     "'%s' is not a number from %g to %g",
			     at->fields[field], least, most);
}

static bool limit(const struct line *at, double *ret, struct fdo_error *err)
{
	return number(at, 1, -EVENT_LIMIT_MOST, EVENT_LIMIT_MOST, ret, err);
}

static bool check_role(const struct line *at, struct fdo_error *err)
{
	static const char *const roles[] = { "inst", "cycles", "stall",
					     "other" };

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (strcmp(at->fields[2], roles[i]) == 0)
			return true;
	return fdo_text_fail(&at->text, err,
			     "'%s': the role is inst, cycles, stall or other",
			     at->fields[2]);
}

static bool add_event(struct weights *w, const struct line *at,
		      struct fdo_error *err)
{
	struct weights_event event = { fdo_intern(w->texts, at->fields[1]) };

	if (!check_role(at, err) ||
	    !number(at, 3, -1e6, 1e6, &event.weight, err))
		return false;
	for (size_t i = 0; i < w->nevents; i++)
		if (w->events[i].name == event.name)
			return fdo_text_fail(&at->text, err,
					     "the event had a weight already");
	w->events =
		fdo_grow(w->events, w->nevents, &w->room_events, sizeof(event));
	w->events[w->nevents++] = event;
	return true;
}

/* Samples or events: one period says which, and the others have to agree. */
static bool take_period(struct weights *w, const struct line *at,
			struct fdo_error *err)
{
	bool first = !w->base.name && !w->cycles.name && !w->nstalls;
	double period;

	if (!number(at, 2, 1, 1e18, &period, err))
		return false;
	if (!first && w->by_samples != (period == 1))
		return fdo_text_fail(&at->text, err,
				     "the period is %s1, unlike those above: "
				     "all are 1 or none is",
				     period == 1 ? "" : "not ");
	w->by_samples = period == 1;
	return true;
}

static bool add_stall(struct weights *w, const struct line *at,
		      struct fdo_error *err)
{
	struct weights_event event = { fdo_intern(w->texts, at->fields[1]) };

	if (!take_period(w, at, err) ||
	    !number(at, 3, 0, EVENT_STALL_MOST, &event.weight, err))
		return false;
	for (size_t i = 0; i < w->nstalls; i++)
		if (w->stalls[i].name == event.name)
			return fdo_text_fail(&at->text, err,
					     "the event had a stall already");
	w->stalls =
		fdo_grow(w->stalls, w->nstalls, &w->room_stalls, sizeof(event));
	w->stalls[w->nstalls++] = event;
	return true;
}

static bool set_price(struct weights *w, const struct line *at,
		      struct fdo_error *err)
{
	int class = 0;

	while (class < WEIGHTS_CLASSES &&
	       strcmp(at->fields[1], classify_name(class)) != 0)
		class ++;
	if (class == WEIGHTS_CLASSES)
		return fdo_text_fail(&at->text, err, "no class of that name");
	if (w->price[class].raise > 0)
		return fdo_text_fail(&at->text, err,
				     "the class had a price already");
	return number(at, 2, 1, 1000, &w->price[class].raise, err) &&
	       number(at, 3, 1, 1000, &w->price[class].lower, err);
}

static bool set_event(struct weights *w, struct weights_event *event,
		      const struct line *at, struct fdo_error *err)
{
	if (!take_period(w, at, err))
		return false;
	event->name = fdo_intern(w->texts, at->fields[1]);
	return true;
}

enum { BASE, WEIGHT, CYCLES, STALL, UNDER, OVER, PRICE, END, STATEMENTS };

static bool find_statement(const struct line *at, int *ret,
			   struct fdo_error *err)
{
	static const struct {
		const char *name;
		int fields;
	} statements[STATEMENTS] = {
		{ "base", 3 },	{ "weight", 4 }, { "cycles", 3 },
		{ "stall", 4 }, { "under", 2 },	 { "over", 2 },
		{ "price", 4 }, { "end", 1 },
	};
	int s = BASE;

	while (s <= END && strcmp(at->fields[0], statements[s].name) != 0)
		s++;
	*ret = s;
	return (s <= END && at->n == statements[s].fields) ||
	       fdo_text_fail(&at->text, err,
			     "no statement of a weights file (svr-train(1))");
}

/* Those that may be there once and are already. */
static bool check_first_time(const struct weights *w, int statement,
			     const struct line *at, struct fdo_error *err)
{
	const bool had[STATEMENTS] = {
		[BASE] = w->base.name,
		[CYCLES] = w->classes,
		[UNDER] = !isnan(w->under),
		[OVER] = !isnan(w->over),
	};

	return !had[statement] ||
	       fdo_text_fail(&at->text, err, "a second line \"%s\"",
			     at->fields[0]);
}

/* One statement; *done: it was the last. */
static bool parse(struct weights *w, const struct line *at, bool *done,
		  struct fdo_error *err)
{
	int s;

	if (*done)
		return fdo_text_fail(&at->text, err, "a line after \"end\"");
	if (!find_statement(at, &s, err) || !check_first_time(w, s, at, err))
		return false;
	switch (s) {
	case BASE:
		return set_event(w, &w->base, at, err);
	case WEIGHT:
		return add_event(w, at, err);
	case CYCLES:
		w->classes = true;
		return set_event(w, &w->cycles, at, err);
	case STALL:
		return add_stall(w, at, err);
	case UNDER:
		return limit(at, &w->under, err);
	case OVER:
		return limit(at, &w->over, err);
	case PRICE:
		return set_price(w, at, err);
	default:
		*done = true;
		return true;
	}
}

static bool next_line(struct line *at, bool *good, struct fdo_error *err)
{
	char *rest;

	if (!fdo_text_next(&at->text, good, err))
		return false;
	rest = at->text.line;
	for (at->n = 0; rest && at->n < FIELDS; at->n++)
		at->fields[at->n] = strsep(&rest, "\t");
	return true;
}

static bool check_first(const struct line *at, struct fdo_error *err)
{
	if (at->n != 2 || strcmp(at->fields[0], magic) != 0)
		return fdo_text_fail(&at->text, err,
				     "not the first line of a weights file");
	if (strcmp(at->fields[1], "1") != 0)
		return fdo_text_fail(&at->text, err,
				     "weights of version %s; known is 1",
				     at->fields[1]);
	return true;
}

static bool check_whole(const struct weights *w, bool done,
			struct fdo_error *err)
{
	const char *lacks = NULL;

	if (!w->base.name)
		lacks = "base";
	else if (w->nevents == 0)
		lacks = "weight";
	else if (w->classes && (isnan(w->under) || isnan(w->over)))
		lacks = isnan(w->under) ? "under" : "over";
	for (int class = 0; w->classes && class < WEIGHTS_CLASSES; class ++)
		if (w->price[class].raise == 0)
			lacks = "price";
	if (!done)
		lacks = "end";
	return !lacks ||
	       fdo_fail(err, "%s: line \"%s\" is missing", w->path, lacks);
}

static bool read_lines(struct weights *w, struct line *at,
		       struct fdo_error *err)
{
	bool done = false, good = true;

	while (good && next_line(at, &good, err))
		if (at->text.number == 1)
			good = check_first(at, err);
		else if (done || at->fields[0][0] != '#')
			good = parse(w, at, &done, err);
	return good && check_whole(w, done, err);
}

struct weights *weights_read(const char *path, struct fdo_error *err)
{
	struct weights *w = fdo_alloc(1, sizeof(*w));
	struct line at;
	bool done = fdo_text_open(&at.text, path, err);

	w->path = path;
	w->under = w->over = NAN;
	w->texts = fdo_strings_new();
	done = done && read_lines(w, &at, err);
	fdo_text_close(&at.text);
	if (done)
		return w;
	weights_free(w);
	return NULL;
}

void weights_free(struct weights *w)
{
	if (!w)
		return;
	free(w->events);
	free(w->stalls);
	fdo_strings_free(w->texts);
	free(w);
}

/* By the name that perf prints, or else without PMU and modifiers. */
static bool bind(struct weights_event *event, const struct samples *samples)
{
	char want[256], core[256];

	event_core(event->name, want, sizeof(want));
	for (size_t e = 0; e < samples->nevents; e++)
		if (strcmp(samples->events[e].name, event->name) == 0 &&
		    samples->events[e].samples) {
			event->event = e;
			return true;
		}
	for (size_t e = 0; e < samples->nevents; e++) {
		event_core(samples->events[e].name, core, sizeof(core));
		if (strcasecmp(core, want) == 0 && samples->events[e].samples) {
			event->event = e;
			return true;
		}
	}
	return false;
}

static bool bind_classes(struct weights *w, const struct samples *samples)
{
	if (!bind(&w->cycles, samples))
		return false;
	for (size_t i = 0; i < w->nstalls; i++)
		if (!bind(&w->stalls[i], samples))
			return false;
	return true;
}

bool weights_bind(struct weights *w, const struct samples *samples,
		  struct fdo_error *err)
{
	bool base = bind(&w->base, samples);

	for (size_t i = 0; i < w->nevents; i++)
		if (!bind(&w->events[i], samples)) {
			w->alone = true;
			if (!base)
				return fdo_fail(err,
						"%s: no samples of the event "
						"%s, nor of the base %s",
						w->path, w->events[i].name,
						w->base.name);
		}
	w->classes = w->classes && base && bind_classes(w, samples);
	return true;
}
