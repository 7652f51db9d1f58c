#include "converter/print/compiled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "converter/compare/compiled.h"

static void print_value(bool json, const char *name, const char *key,
			double value)
{
	if (json)
		printf(", \"%s\": %.6g", key, value);
	else
		printf("%-22s %8.4f\n", name, value);
}

/*
 * What each cause loses.  Mended alone they gain more or less than together,
 * so the loss is divided in proportion.
 */
static void find_parts(const struct compiled *c, double *alone, double *parts)
{
	double ours = compiled_edge_overlap(c, COMPILED_OURS);
	double flow = fmax(0, 1 - compiled_edge_overlap(c, COMPILED_ALL));
	double rest = fmax(0, 1 - ours - flow), sum = 0;

	for (int cause = COMPILED_KEY; cause < COMPILED_COLUMNS; cause++) {
		alone[cause] = compiled_edge_overlap(c, cause) - ours;
		sum += fmax(0, alone[cause]);
	}
	for (int cause = COMPILED_KEY; cause < COMPILED_COLUMNS; cause++)
		parts[cause] = sum > 0 ? rest * fmax(0, alone[cause]) / sum : 0;
	alone[COMPILED_ALL] = 1 - ours - flow;
	parts[COMPILED_ALL] = 1 - ours;
	for (int cause = COMPILED_KEY; cause < COMPILED_COLUMNS; cause++)
		parts[COMPILED_ALL] -= parts[cause];
}

static void print_causes(const struct compiled *c, bool json)
{
	double alone[COMPILED_COLUMNS], parts[COMPILED_COLUMNS];

	find_parts(c, alone, parts);
	printf(json ? ", \"causes\": {" : "\n%8s %8s  cause\n", "lost",
	       "alone");
	for (int cause = COMPILED_KEY; cause < COMPILED_COLUMNS; cause++)
		printf(json ? "\"%3$s\": {\"lost\": %1$.6g, \"alone\": "
			      "%2$.6g}, "
			    : "%8.4f %8.4f  %s\n",
		       parts[cause], alone[cause], compiled_causes[cause]);
	printf(json ? "\"flow\": {\"lost\": %.6g}}" : "%8.4f           flow\n",
	       parts[COMPILED_ALL]);
}

static int by_loss(const void *a, const void *b)
{
	const struct compiled_function *x = a, *y = b;

	if (x->lost != y->lost)
		return x->lost > y->lost ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* The cause that gains most where a function loses something. */
static const char *main_cause(const struct compiled_function *f)
{
	int best = COMPILED_KEY;

	for (int cause = COMPILED_KEY; cause < COMPILED_COLUMNS; cause++)
		if (f->gains[cause] > f->gains[best])
			best = cause;
	return f->gains[best] > 0 ? compiled_causes[best] : "flow";
}

static void print_functions(const struct compiled *c, size_t n, bool json)
{
	struct compiled_function *functions =
		fdo_alloc(c->nfunctions, sizeof(*functions));
	double ours = 0, exact = 0;

	for (size_t i = 0; i < c->nfunctions; i++) {
		functions[i] = c->functions[i];
		ours += functions[i].weight;
		exact += functions[i].exact_weight;
	}
	qsort(functions, c->nfunctions, sizeof(*functions), by_loss);
	if (json)
		printf(", \"functions\": [");
	else
		printf("\n%8s %8s %8s  %-5s function\n", "lost", "ours",
		       "exact", "cause");
	for (size_t i = 0; i < n && i < c->nfunctions; i++) {
		const struct compiled_function *f = &functions[i];

		if (json) {
			printf("%s{\"lost\": %.6g, \"ours\": %.6g, "
			       "\"exact\": %.6g, \"cause\": \"%s\", "
			       "\"name\": ",
			       i ? ", " : "", f->lost,
			       ours > 0 ? f->weight / ours : 0,
			       exact > 0 ? f->exact_weight / exact : 0,
			       main_cause(f));
			json_text(f->name, stdout);
			putchar('}');
			continue;
		}
		printf("%8.4f %8.4f %8.4f  %-5s ", f->lost,
		       ours > 0 ? f->weight / ours : 0,
		       exact > 0 ? f->exact_weight / exact : 0, main_cause(f));
		fdo_text_name(f->name, stdout);
		putchar('\n');
	}
	if (json)
		putchar(']');
	free(functions);
}

static void print(const struct compiled *c, size_t nfunctions, bool json)
{
	if (json)
		printf("{\"compared\": \"compilation\"");
	print_value(json, "edge overlap", "edge_overlap",
		    compiled_edge_overlap(c, COMPILED_OURS));
	print_value(json, "block overlap", "block_overlap",
		    compiled_block_overlap(c));
	print_value(json, "function overlap", "function_overlap",
		    compiled_function_overlap(c));
	print_value(json, "no entry", "no_entry", compiled_no_entry(c));
	printf(json ? ", \"functions_compared\": %zu, \"without_exact\": %zu"
		    : "%zu functions, and %zu without exact counts\n",
	       c->nfunctions, c->nunknown);
	print_causes(c, json);
	if (nfunctions)
		print_functions(c, nfunctions, json);
	if (json)
		puts("}");
}

bool compiled_print(char **paths, size_t npaths, size_t nfunctions, bool json,
		    struct fdo_error *err)
{
	struct compiled *c = compiled_new();
	bool done = true;

	for (size_t i = 0; i < npaths && done; i++)
		done = compiled_read(c, paths[i], err);
	if (done)
		compiled_finish(c);
	if (done && !c->nfunctions)
		done = fdo_fail(err,
				"%s: none of %zu functions has exact counts: "
				"compile with -fprofile-use, where the .gcda "
				"files are",
				paths[0], c->nunknown);
	if (done)
		print(c, nfunctions, json);
	compiled_free(c);
	return done;
}
