/* listing_lines.c - code by lines of the source, as gcov shows it. */
#include "converter/print/listing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "converter/binary/lines.h"
#include "converter/count/program.h"
#include "converter/print/ranking.h"
#include "converter/print/source.h"

/* What an instruction adds to a line; lines are what is left of these. */
struct row {
	const char *file, *folder;
	unsigned line;
	const struct lines_frame *frame;
	size_t function; /* of the ranking: a body is a frame in a function */
	uint64_t count;
	double error;
	double executed;
	size_t samples; /* its place among all rows' samples */
};

struct rows {
	struct row *rows;
	size_t n, room;
	uint64_t *samples; /* nevents for each row */
	size_t room_samples, nevents;
};

static void add_row(struct rows *rows, struct row row, const struct listing *l,
		    const struct ranked *r, uint64_t address)
{
	rows->rows =
		fdo_grow(rows->rows, rows->n, &rows->room, sizeof(*rows->rows));
	if (rows->nevents) {
		size_t i = rows->n * rows->nevents;

		while (rows->room_samples < i + rows->nevents)
			rows->samples =
				fdo_grow(rows->samples, rows->room_samples,
					 &rows->room_samples,
					 sizeof(*rows->samples));
		memset(&rows->samples[i], 0,
		       rows->nevents * sizeof(*rows->samples));
		listing_samples_at(l, r, address, &rows->samples[i]);
	}
	row.samples = rows->n;
	rows->rows[rows->n++] = row;
}

static void add_function(struct rows *rows, const struct listing *l,
			 const struct ranked *r, size_t number)
{
	const struct program_function *f = r->function;
	const struct lines *lines = l->program->binaries[f->binary].lines;

	for (size_t b = 0; b < f->cfg.nblocks; b++) {
		const struct cfg_block *shape = &f->cfg.blocks[b];

		for (uint32_t i = 0; i < shape->ninsns; i++) {
			const struct insn *insn =
				&f->cfg.insns[shape->first_insn + i];
			struct lines_place place;

			if (!lines_at(lines, insn->address, &place) ||
			    !place.file || place.line == 0)
				continue;
			add_row(rows,
				(struct row){
					.file = place.file,
					.folder = place.frame
							  ? place.frame->folder
							  : NULL,
					.line = place.line,
					.frame = place.frame,
					.function = number,
					.count = f->blocks[b].count,
					.error = f->blocks[b].error,
					.executed =
						insn->class == INSN_NOP
							? 0
							: f->blocks[b].count,
				},
				l, r, insn->address);
		}
	}
}

static int compare_texts(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a ? a : "", b ? b : "");
}

/* By file and line, then body, and the largest count of it first. */
static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = compare_texts(x->file, y->file);

	if (order)
		return order;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (x->frame != y->frame)
		return x->frame < y->frame ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->samples < y->samples ? -1 : 1;
}

static bool same_line(const struct row *a, const struct row *b)
{
	return compare_texts(a->file, b->file) == 0 && a->line == b->line;
}

/* The rows of a line from here on, as one; how many they are. */
static size_t sum_line(const struct rows *rows, size_t first, struct row *sum,
		       uint64_t *samples)
{
	size_t i;

	*sum = (struct row){ .file = rows->rows[first].file,
			     .folder = rows->rows[first].folder,
			     .line = rows->rows[first].line };
	memset(samples, 0, (rows->nevents + 1) * sizeof(*samples));
	for (i = first; i < rows->n; i++) {
		const struct row *row = &rows->rows[i];

		if (!same_line(row, sum))
			break;
		if (i == first || row->function != row[-1].function ||
		    row->frame != row[-1].frame) {
			sum->count += row->count;
			sum->error += row->error;
		}
		sum->executed += row->executed;
		for (size_t e = 0; e < rows->nevents; e++)
			samples[e] +=
				rows->samples[row->samples * rows->nevents + e];
	}
	return i - first;
}

/* Lines that are no code stand between lines that are, if they are few. */
static void print_between(const struct listing *l, const struct row *sum,
			  unsigned from)
{
	enum { FEW = 5 };
	const char *text;
	int length;

	if (from == 0 || sum->line - from > FEW) {
		if (from > 0)
			fputs("...\n", l->out);
		return;
	}
	for (unsigned line = from; line < sum->line; line++) {
		text = source_line(l->source, sum->folder, sum->file, line,
				   &length);
		if (!text)
			continue;
		listing_no_count(l, NULL);
		fprintf(l->out, " %6s %6u  %.*s\n", "", line, length, text);
	}
}

static void print_line(const struct listing *l, const struct row *sum,
		       const uint64_t *samples, double executed)
{
	int length;
	const char *text = source_line(l->source, sum->folder, sum->file,
				       sum->line, &length);

	listing_columns(l, sum->count, sum->error, samples);
	fprintf(l->out, " %6.2f %6u", 100 * sum->executed / executed,
		sum->line);
	if (text && length > 0)
		fprintf(l->out, "  %.*s", length, text);
	fputc('\n', l->out);
}

static void print_rows(const struct listing *l, const struct rows *rows,
		       double executed)
{
	uint64_t *samples = fdo_alloc(rows->nevents + 1, sizeof(*samples));
	const char *file = NULL;
	unsigned next = 0;
	struct row sum;

	for (size_t i = 0; i < rows->n;) {
		i += sum_line(rows, i, &sum, samples);
		if (!file || compare_texts(file, sum.file)) {
			fputs(file ? "\n" : "", l->out);
			fdo_text_name(sum.file, l->out);
			fputs("\n\n", l->out);
			listing_heading(l);
			fprintf(l->out, " %6s %6s\n", "exec%", "line");
			next = 0;
		}
		print_between(l, &sum, next);
		print_line(l, &sum, samples, executed);
		file = sum.file;
		next = sum.line + 1;
	}
	free(samples);
}

void listing_lines(const struct listing *l, const struct ranked *functions,
		   size_t nfunctions)
{
	struct rows rows = { .nevents = l->program->samples->nevents };
	double executed = 0;

	for (size_t i = 0; i < nfunctions; i++)
		add_function(&rows, l, &functions[i], i);
	for (size_t i = 0; i < nfunctions && executed == 0; i++)
		if (functions[i].share > 0)
			executed = functions[i].executed / functions[i].share;
	if (rows.n)
		qsort(rows.rows, rows.n, sizeof(*rows.rows), compare_rows);
	print_rows(l, &rows, executed > 0 ? executed : 1);
	free(rows.rows);
	free(rows.samples);
}
