/* weights.c - the file that is kept.  Its description is in svr-train(1). */
#include "svr-train/classes.h"
#include "svr-train/report.h"
#include "svr-train/role.h"
#include "svr-train/study.h"
#include "svr-train/table.h"
#include "svr-train/training.h"

static void put_events(const struct report *r, FILE *out)
{
	const struct tables *tables = r->study->training->tables;

	for (size_t e = 0; e < tables->nevents; e++)
		if (r->study->events[e].kept)
			fprintf(out, "weight\t%s\t%s\t%.6g\n",
				tables->events[e], role_name(r->roles[e].kind),
				r->study->events[e].combining);
}

static void put_classes(const struct report *r, FILE *out)
{
	const struct tables *tables = r->study->training->tables;
	const struct classes *c = r->classes;

	if (!c->known)
		return;
	fprintf(out, "cycles\t%s\t%.0f\n", tables->events[c->cycles],
		r->roles[c->cycles].period);
	for (size_t e = 0; e < tables->nevents; e++)
		if (c->stall[e] > 0)
			fprintf(out, "stall\t%s\t%.0f\t%.3g\n",
				tables->events[e], r->roles[e].period,
				c->stall[e]);
	fprintf(out, "under\t%.3g\nover\t%.3g\n", c->under, c->over);
	for (int kind = 0; kind < CLASSES; kind++)
		fprintf(out, "price\t%s\t%.3g\t%.3g\n", class_name(kind),
			c->price[kind].raise, c->price[kind].lower);
}

void report_weights(const struct report *r, FILE *out)
{
	const struct training *t = r->study->training;

	fprintf(out,
		"samplefdo-weights\t1\n"
		"# by svr-train " PACKAGE_VERSION ", from %zu blocks of "
		"%zu program%s\n",
		t->nsampled, t->nprograms, t->nprograms == 1 ? "" : "s");
	fprintf(out, "base\t%s\t%.0f\n", t->tables->events[r->study->base],
		r->roles[r->study->base].period);
	put_events(r, out);
	put_classes(r, out);
	fputs("end\n", out);
}
