#include "svr-train/report.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "svr-train/classes.h"
#include "svr-train/role.h"
#include "svr-train/study.h"
#include "svr-train/table.h"
#include "svr-train/training.h"

static const char *event_name(const struct report *r, size_t e)
{
	return r->study->training->tables->events[e];
}

/* Wide enough for the longest name. */
static int name_width(const struct report *r)
{
	size_t width = strlen("event");

	for (size_t e = 0; e < r->study->training->nevents; e++)
		if (strlen(event_name(r, e)) > width)
			width = strlen(event_name(r, e));
	return width;
}

static void print_remark(const struct report *r, size_t e, FILE *out)
{
	const struct study_event *event = &r->study->events[e];
	const char *separator = "  ";

	if (e == r->study->base) {
		fprintf(out, "%sbase", separator);
		separator = ", ";
	}
	if (event->inflation > STUDY_COLLINEAR) {
		fprintf(out, "%slike %s", separator,
			event_name(r, event->twin));
		separator = ", ";
	}
	if (!event->kept)
		fprintf(out, "%s%s", separator,
			event->helps ? "left out" : "does not help");
}

static void print_inflation(double inflation, FILE *out)
{
	if (inflation < 1000)
		fprintf(out, "  %6.1f", inflation);
	else
		fprintf(out, "  %6s", ">1000");
}

static void print_events(const struct report *r, FILE *out)
{
	const struct study *s = r->study;
	int width = name_width(r);

	fprintf(out, "%-*s  %8s  %9s  %8s  %7s  %6s  remark\n", width, "event",
		"weight", "combining", "alone", "gain", "VIF");
	for (size_t e = 0; e < s->training->nevents; e++) {
		const struct study_event *event = &s->events[e];

		fprintf(out, "%-*s  %8.4f", width, event_name(r, e),
			event->weight);
		if (event->kept)
			fprintf(out, "  %9.4f", event->combining);
		else
			fprintf(out, "  %9s", "-");
		fprintf(out, "  %6.2f %%  %5.1f %%", 100 * event->alone.overlap,
			100 * event->gain.overlap);
		print_inflation(event->inflation, out);
		print_remark(r, e, out);
		fputc('\n', out);
	}
	fprintf(out, "%-*s  %8.4f  %9s\n\n", width, "(offset)", s->offset, "-");
}

static void print_metrics(const char *what, const struct metrics *m, FILE *out)
{
	fprintf(out, "%-42s  %7.4f  %7.4f  %6.2f %%\n", what, m->r2,
		m->spearman, 100 * m->overlap);
}

static void print_fit(const struct report *r, FILE *out)
{
	const struct study *s = r->study;
	const struct metrics *base = &s->events[s->base].alone;

	fprintf(out, "%-42s  %7s  %7s  %8s\n", "fit", "R^2", "rank", "overlap");
	print_metrics("all events and offset, what was learnt", &s->table_fit,
		      out);
	print_metrics("all events and offset, folds", &s->table_folds, out);
	print_metrics("combination, what was learnt", &s->fit, out);
	print_metrics("combination, folds", &s->folds, out);
	print_metrics("base event alone, folds", base, out);
	if (s->training->nprograms > 1)
		print_metrics("combination, other programs", &s->programs, out);
	fputc('\n', out);
}

static void print_programs(const struct report *r, FILE *out)
{
	const struct study *s = r->study;
	const struct training *t = s->training;

	if (t->nprograms == 1) {
		fputs("One table is one program: there is no other one to try "
		      "the weights on.\n\n",
		      out);
		return;
	}
	fputs("each program by the others        R^2     rank   overlap  base "
	      "alone\n",
	      out);
	for (size_t p = 0; p < t->nprograms; p++)
		fprintf(out, "%-28s  %7.4f  %7.4f  %6.2f %%    %6.2f %%\n",
			t->tables->paths[p], s->program[p].r2,
			s->program[p].spearman, 100 * s->program[p].overlap,
			100 * s->alone[p].overlap);
	fputc('\n', out);
}

static void print_likeness(const struct report *r, FILE *out)
{
	const struct study *s = r->study;
	bool warned = false;

	for (size_t e = 0; e < s->training->nevents; e++) {
		const struct study_event *event = &s->events[e];

		if (event->inflation <= STUDY_COLLINEAR)
			continue;
		fprintf(out,
			"warning: %s says nearly the same as other events "
			"(most like %s, correlation %.3f): their weights "
			"cannot be told apart\n",
			event_name(r, e), event_name(r, event->twin),
			event->correlation);
		warned = true;
	}
	if (s->condition < 1e6)
		fprintf(out, "condition number of the events: %.1f\n",
			s->condition);
	else
		fputs("condition number of the events: above 10^6\n", out);
	if (warned)
		fputs("30 and more are many for a regression\n", out);
	fputc('\n', out);
}

static void print_score(const char *what, const struct class_score *scores,
			FILE *out)
{
	for (int kind = CLASS_OVER; kind <= CLASS_UNDER; kind++)
		fprintf(out, "%-7s  %-28s  %9.3f  %6.3f  %6.3f\n",
			class_name(kind), what, scores[kind].precision,
			scores[kind].recall, scores[kind].f1);
}

static void print_classes(const struct report *r, FILE *out)
{
	const struct classes *c = r->classes;

	if (!c->known) {
		fputs("No classes: they need cycles, and retired instructions "
		      "as base event.\n",
		      out);
		return;
	}
	for (size_t e = 0; e < r->study->training->nevents; e++)
		if (c->stall[e] > 0)
			fprintf(out, "stall: %s costs %.3g cycles\n",
				event_name(r, e), c->stall[e]);
	fprintf(out,
		"under-sampled above %.3g times the instructions, over-sampled "
		"above %.3g of the cycles\n\n"
		"class    limits                        precision  recall      "
		"F1\n",
		c->under, c->over);
	print_score("2 and 0.5", c->paper, out);
	print_score("tuned", c->tuned, out);
	if (r->study->training->nprograms > 1)
		print_score("tuned on other programs", c->others, out);
	fputs("\nclass    price: raise   lower\n", out);
	for (int kind = 0; kind < CLASSES; kind++)
		fprintf(out, "%-7s  %12.3g  %6.3g\n", class_name(kind),
			c->price[kind].raise, c->price[kind].lower);
}

void report_print(const struct report *r, FILE *out)
{
	const struct training *t = r->study->training;

	fprintf(out,
		"%zu blocks of %zu program%s, %zu of them with samples; C %g, "
		"epsilon %g\n\n",
		t->nrows, t->nprograms, t->nprograms == 1 ? "" : "s",
		t->nsampled, r->study->choice.c, r->study->choice.epsilon);
	print_events(r, out);
	print_fit(r, out);
	print_programs(r, out);
	print_likeness(r, out);
	print_classes(r, out);
}
