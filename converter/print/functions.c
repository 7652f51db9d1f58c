#include "converter/print/functions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/text.h"
#include "profile/profile.h"
#include "profile/stream.h"

/* What is kept of a function: all of them fit in memory then. */
struct shown {
	const char *name, *file; /* "": not known */
	uint32_t line;
	uint64_t executed, samples, entered;
};

struct list {
	struct profile *texts; /* only what names and files are kept in */
	struct shown *functions;
	size_t n, room;
	uint64_t executed; /* by all */
};

static void add(struct list *list, const struct profile_function *f)
{
	list->functions = fdo_grow(list->functions, list->n, &list->room,
				   sizeof(*list->functions));
	list->functions[list->n++] = (struct shown){
		.name = profile_text(list->texts, f->body.name),
		.file = f->body.file ? profile_text(list->texts, f->body.file)
				     : "",
		.line = f->body.start_line,
		.executed = f->body.total,
		.samples = f->samples,
		.entered = f->entry,
	};
	list->executed = profile_sum(list->executed, f->body.total);
}

/* Those that execute most first, equal ones by name, file and line. */
static int compare(const void *a, const void *b)
{
	const struct shown *x = a, *y = b;
	int order;

	if (x->executed != y->executed)
		return x->executed > y->executed ? -1 : 1;
	order = strcmp(x->name, y->name);
	if (order == 0)
		order = strcmp(x->file, y->file);
	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static double share(const struct list *list, uint64_t executed)
{
	return list->executed ? (double)executed / list->executed : 0;
}

static void print_text(const struct list *list, size_t n)
{
	uint64_t listed = 0;

	printf("%7s %10s %14s  %s\n", "exec%", "samples", "entered",
	       "function");
	for (size_t i = 0; i < n; i++) {
		const struct shown *f = &list->functions[i];

		printf("%7.2f %10" PRIu64 " %14" PRIu64 "  ",
		       100 * share(list, f->executed), f->samples, f->entered);
		fdo_text_name(f->name, stdout);
		if (*f->file) {
			fputs(" (", stdout);
			fdo_text_name(f->file, stdout);
			printf(":%" PRIu32 ")", f->line);
		}
		putchar('\n');
		listed = profile_sum(listed, f->executed);
	}
	if (n < list->n)
		printf("%7.2f in %zu other functions\n",
		       100 * share(list, list->executed - listed), list->n - n);
}

static void print_json(const struct list *list, size_t n)
{
	fputs("{\"functions\": [", stdout);
	for (size_t i = 0; i < n; i++) {
		const struct shown *f = &list->functions[i];

		fputs(i ? ",\n {\"name\": " : "\n {\"name\": ", stdout);
		json_text(f->name, stdout);
		fputs(", \"file\": ", stdout);
		json_text(f->file, stdout);
		printf(", \"line\": %" PRIu32
		       ", \"share\": %.6g, \"executed\": "
		       "%" PRIu64 ", \"samples\": %" PRIu64 ", \"entered\": "
		       "%" PRIu64 "}",
		       f->line, share(list, f->executed), f->executed,
		       f->samples, f->entered);
	}
	printf("],\n \"executed\": %" PRIu64 "}\n", list->executed);
}

bool functions_print(struct profile_reader *r, size_t n, bool json,
		     struct fdo_error *err)
{
	struct list list = { .texts = profile_new() };
	struct profile_function *f;
	bool good;

	while ((good = profile_reader_next(r, &f, err)) && f)
		add(&list, f);
	if (list.n)
		qsort(list.functions, list.n, sizeof(*list.functions), compare);
	if (n == 0 || n > list.n)
		n = list.n;
	if (good && json)
		print_json(&list, n);
	else if (good)
		print_text(&list, n);
	free(list.functions);
	profile_free(list.texts);
	return good;
}
