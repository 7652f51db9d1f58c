/* json.c - the report as one JSON object. */
#include <math.h>

#include "base/json.h"
#include "svr-train/classes.h"
#include "svr-train/report.h"
#include "svr-train/role.h"
#include "svr-train/study.h"
#include "svr-train/table.h"
#include "svr-train/training.h"

/* JSON has no infinity. */
static void put_number(double x, FILE *out)
{
	if (isfinite(x))
		fprintf(out, "%.6g", x);
	else
		fputs("null", out);
}

static void put_field(const char *name, double x, FILE *out)
{
	fprintf(out, ",\"%s\":", name);
	put_number(x, out);
}

static void put_metrics(const struct metrics *m, FILE *out)
{
	fputs("{\"error\":", out);
	put_number(m->error, out);
	put_field("r2", m->r2, out);
	put_field("rank", m->spearman, out);
	put_field("overlap", m->overlap, out);
	fputc('}', out);
}

static void put_named_metrics(const char *name, const struct metrics *m,
			      FILE *out)
{
	fprintf(out, ",\"%s\":", name);
	put_metrics(m, out);
}

static void put_event(const struct report *r, size_t e, FILE *out)
{
	const struct study *s = r->study;
	const struct study_event *event = &s->events[e];
	const char *const *names = s->training->tables->events;

	fputs("{\"event\":", out);
	json_text(names[e], out);
	fprintf(out, ",\"role\":\"%s\"", role_name(r->roles[e].kind));
	put_field("period", r->roles[e].period, out);
	put_field("weight", event->weight, out);
	put_field("combining", event->combining, out);
	fprintf(out, ",\"kept\":%s,\"helps\":%s",
		event->kept ? "true" : "false",
		event->helps ? "true" : "false");
	put_named_metrics("alone", &event->alone, out);
	put_field("gain", event->gain.overlap, out);
	put_field("gain_deviation", event->gain.deviation, out);
	put_field("vif", event->inflation, out);
	fputs(",\"twin\":", out);
	json_text(names[event->twin], out);
	put_field("correlation", event->correlation, out);
	fputc('}', out);
}

static void put_events(const struct report *r, FILE *out)
{
	fputs(",\"events\":[", out);
	for (size_t e = 0; e < r->study->training->nevents; e++) {
		if (e)
			fputc(',', out);
		put_event(r, e, out);
	}
	fputc(']', out);
}

static void put_programs(const struct report *r, FILE *out)
{
	const struct study *s = r->study;
	const struct training *t = s->training;

	fputs(",\"programs\":[", out);
	for (size_t p = 0; p < t->nprograms; p++) {
		fputs(p ? ",{\"table\":" : "{\"table\":", out);
		json_text(t->tables->paths[p], out);
		if (t->nprograms > 1) {
			put_named_metrics("by_others", &s->program[p], out);
			put_named_metrics("base_alone", &s->alone[p], out);
		}
		fputc('}', out);
	}
	fputc(']', out);
}

static void put_scores(const char *name, const struct class_score *score,
		       FILE *out)
{
	fprintf(out, ",\"%s\":{\"precision\":", name);
	put_number(score->precision, out);
	put_field("recall", score->recall, out);
	put_field("f1", score->f1, out);
	fputc('}', out);
}

static void put_class(const struct report *r, enum class_kind kind, FILE *out)
{
	const struct classes *c = r->classes;

	fprintf(out, ",\"%s\":{\"raise\":", class_name(kind));
	put_number(c->price[kind].raise, out);
	put_field("lower", c->price[kind].lower, out);
	if (kind != CLASS_TRUSTED) {
		put_field("limit", kind == CLASS_OVER ? c->over : c->under,
			  out);
		put_scores("paper", &c->paper[kind], out);
		put_scores("tuned", &c->tuned[kind], out);
		if (r->study->training->nprograms > 1)
			put_scores("by_others", &c->others[kind], out);
	}
	fputc('}', out);
}

static void put_classes(const struct report *r, FILE *out)
{
	const struct tables *tables = r->study->training->tables;
	const struct classes *c = r->classes;

	if (!c->known) {
		fputs(",\"classes\":null", out);
		return;
	}
	fputs(",\"classes\":{\"cycles\":", out);
	json_text(tables->events[c->cycles], out);
	fputs(",\"stalls\":{", out);
	for (size_t e = 0, n = 0; e < tables->nevents; e++) {
		if (c->stall[e] <= 0)
			continue;
		if (n++)
			fputc(',', out);
		json_text(tables->events[e], out);
		fprintf(out, ":%.3g", c->stall[e]);
	}
	fputc('}', out);
	for (int kind = 0; kind < CLASSES; kind++)
		put_class(r, kind, out);
	fputc('}', out);
}

void report_json(const struct report *r, FILE *out)
{
	const struct study *s = r->study;
	const struct training *t = s->training;

	fprintf(out, "{\"blocks\":%zu,\"sampled\":%zu", t->nrows, t->nsampled);
	put_field("c", s->choice.c, out);
	put_field("epsilon", s->choice.epsilon, out);
	put_field("offset", s->offset, out);
	put_field("condition", s->condition, out);
	fputs(",\"base\":", out);
	json_text(t->tables->events[s->base], out);
	put_events(r, out);
	put_named_metrics("table_fit", &s->table_fit, out);
	put_named_metrics("table_folds", &s->table_folds, out);
	put_named_metrics("fit", &s->fit, out);
	put_named_metrics("folds", &s->folds, out);
	if (t->nprograms > 1)
		put_named_metrics("by_others", &s->programs, out);
	put_programs(r, out);
	put_classes(r, out);
	fputs("}\n", out);
}
