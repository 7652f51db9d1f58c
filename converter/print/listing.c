#include "converter/print/listing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "converter/binary/lines.h"
#include "converter/count/program.h"
#include "converter/graph/disassemble.h"
#include "converter/print/ranking.h"
#include "converter/print/source.h"

enum { NARROWEST = 7 };

/* A function that is being listed. */
struct listed {
	const struct listing *l;
	const struct ranked *ranked;
	const struct program_function *f;
	const struct lines *lines;
	struct disassembler *disassembler;
	struct lines_place place; /* of the last line of source */
	uint64_t *samples;	  /* of each event */
};

static size_t nevents(const struct listing *l)
{
	return l->program->samples->nevents;
}

static int width_of(const struct listing *l, size_t event)
{
	int width = strlen(l->program->samples->events[event].name);

	return width < NARROWEST ? NARROWEST : width;
}

/* Of page faults there would be an empty column. */
static bool has_column(const struct listing *l, size_t event)
{
	return !samples_are_aside(&l->program->samples->events[event]);
}

void listing_heading(const struct listing *l)
{
	fprintf(l->out, "%14s %5s", "count", "+-%");
	for (size_t e = 0; e < nevents(l); e++)
		if (has_column(l, e))
			fprintf(l->out, " %*s", width_of(l, e),
				l->program->samples->events[e].name);
}

static void print_samples(const struct listing *l, const uint64_t *samples)
{
	for (size_t e = 0; e < nevents(l); e++) {
		if (!has_column(l, e))
			continue;
		if (samples && samples[e])
			fprintf(l->out, " %*" PRIu64, width_of(l, e),
				samples[e]);
		else
			fprintf(l->out, " %*s", width_of(l, e), "");
	}
}

void listing_columns(const struct listing *l, uint64_t count, double error,
		     const uint64_t *samples)
{
	fprintf(l->out, "%14" PRIu64, count);
	if (count > 0 && error > 0)
		fprintf(l->out, " %5.0f", 100 * error / count);
	else
		fprintf(l->out, " %5s", "");
	print_samples(l, samples);
}

void listing_no_count(const struct listing *l, const uint64_t *samples)
{
	fprintf(l->out, "%14s %5s", "", "");
	print_samples(l, samples);
}

void listing_samples_at(const struct listing *l, const struct ranked *r,
			uint64_t address, uint64_t *samples)
{
	const struct samples_count *counts =
		program_samples_at(l->program, r->function, address);

	for (size_t e = 0; counts && e < nevents(l); e++)
		samples[e] += counts[e].samples;
}

static bool same_place(const struct lines_place *a, const struct lines_place *b)
{
	return a->frame == b->frame && a->file == b->file && a->line == b->line;
}

static void print_line_of(const struct listing *l, const char *file,
			  unsigned line)
{
	fdo_text_name(file, l->out);
	fprintf(l->out, ":%u", line);
}

/* The line that the next instructions are of, unless it was just shown. */
static void print_place(struct listed *d, uint64_t address)
{
	struct lines_place place;
	const char *text;
	int length;

	if (!lines_at(d->lines, address, &place) || !place.file ||
	    place.line == 0 || same_place(&place, &d->place))
		return;
	d->place = place;
	listing_no_count(d->l, NULL);
	fprintf(d->l->out, " %10s ", "");
	print_line_of(d->l, place.file, place.line);
	if (place.frame && place.frame->parent) {
		fputs(" (", d->l->out);
		fdo_text_name(place.frame->name, d->l->out);
		fputc(')', d->l->out);
	}
	text = source_line(d->l->source,
			   place.frame ? place.frame->folder : NULL, place.file,
			   place.line, &length);
	if (text)
		fprintf(d->l->out, "  %.*s", length, text);
	fputc('\n', d->l->out);
}

static void print_instruction(struct listed *d, const struct cfg_block *shape,
			      uint32_t i)
{
	const struct cfg *cfg = &d->f->cfg;
	const struct program_block *block = &d->f->blocks[shape - cfg->blocks];
	const struct insn *insn = &cfg->insns[shape->first_insn + i];
	char text[DISASSEMBLE_SIZE];

	memset(d->samples, 0, (nevents(d->l) + 1) * sizeof(*d->samples));
	listing_samples_at(d->l, d->ranked, insn->address, d->samples);
	print_place(d, insn->address);
	disassemble(d->disassembler, cfg_bytes(cfg, insn), insn->length,
		    insn->address, text);
	if (i == 0)
		listing_columns(d->l, block->count, block->error, d->samples);
	else
		listing_no_count(d->l, d->samples);
	fprintf(d->l->out, " %10" PRIx64 "  %s\n", insn->address, text);
}

/* Of a block, so wide. */
static void print_address(const struct listed *d, int width, uint64_t address)
{
	char hub[sizeof("hub") + 20];

	if (address < CFG_NOWHERE) {
		fprintf(d->l->out, "%*" PRIx64, width, address);
		return;
	}
	snprintf(hub, sizeof(hub), "hub%" PRIu64, address - CFG_NOWHERE);
	fprintf(d->l->out, "%*s", width, hub);
}

/* Where a block leads, with the share of each way. */
static void print_edges(struct listed *d, const struct cfg_block *shape)
{
	const struct cfg *cfg = &d->f->cfg;
	uint64_t sum = 0;

	for (uint32_t e = 0; e < shape->nedges; e++)
		sum += d->f->edges[shape->first_edge + e];
	for (uint32_t e = 0; e < shape->nedges; e++) {
		uint64_t count = d->f->edges[shape->first_edge + e];
		const struct cfg_edge *edge =
			&cfg->edges[shape->first_edge + e];

		if (shape->nedges > 2 && count == 0)
			continue; /* of a switch */
		fprintf(d->l->out, "%s%s ", e ? ", " : "",
			cfg_edge_kind_name(edge->kind));
		print_address(d, 0, cfg->blocks[edge->to].address);
		if (sum > 0)
			fprintf(d->l->out, " %.1f %%", 100.0 * count / sum);
	}
}

static void print_block(struct listed *d, const struct cfg_block *shape)
{
	const struct cfg *cfg = &d->f->cfg;
	size_t b = shape - cfg->blocks;
	struct lines_place place;

	memset(d->samples, 0, (nevents(d->l) + 1) * sizeof(*d->samples));
	for (size_t e = 0; e < nevents(d->l); e++)
		d->samples[e] =
			program_event(d->l->program, d->f, b, e)->samples;
	listing_columns(d->l, d->f->blocks[b].count, d->f->blocks[b].error,
			d->samples);
	fputc(' ', d->l->out);
	print_address(d, 10, shape->address);
	fprintf(d->l->out, " %5u  ", shape->ninstructions);
	if (lines_at(d->lines, shape->address, &place) && place.file) {
		print_line_of(d->l, place.file, place.line);
		fputs("  ", d->l->out);
	}
	print_edges(d, shape);
	fputc('\n', d->l->out);
}

static void print_function(const struct listing *l, const struct ranked *r,
			   const struct lines *lines)
{
	const struct program_function *f = r->function;
	struct lines_place place;

	fdo_text_name(f->cfg.name, l->out);
	if (lines_at(lines, f->cfg.parts[0].address, &place) && place.frame &&
	    place.frame->file) {
		fputs(" (", l->out);
		print_line_of(l, place.frame->file, place.frame->decl_line);
		fputc(')', l->out);
	}
	fprintf(l->out,
		": %.2f %% of the executed instructions, entered %" PRIu64
		" times\n\n",
		100 * r->share, f->entry);
}

void listing_function(const struct listing *l, const struct ranked *r,
		      enum listing_by by)
{
	const struct cfg *cfg = &r->function->cfg;
	const struct program_binary *binary =
		&l->program->binaries[r->function->binary];
	struct listed d = {
		l, r, r->function, binary->lines, NULL, { 0 }, NULL
	};

	d.disassembler = disassembler_new();
	d.samples = fdo_alloc(nevents(l) + 1, sizeof(*d.samples));
	print_function(l, r, d.lines);
	listing_heading(l);
	fprintf(l->out,
		by == LISTING_BLOCKS ? " %10s %5s  place  leads to\n"
				     : " %10s  %.0sinstruction\n",
		"address", "insns");
	for (size_t b = 0; b < cfg->nblocks; b++) {
		const struct cfg_block *shape = &cfg->blocks[b];

		if (by == LISTING_BLOCKS) {
			print_block(&d, shape);
			continue;
		}
		for (uint32_t i = 0; i < shape->ninsns; i++)
			print_instruction(&d, shape, i);
		if (shape->nedges > 1 || shape->flags & CFG_HUB) {
			listing_no_count(l, NULL);
			fputc(' ', l->out);
			if (shape->flags & CFG_HUB)
				print_address(&d, 10, shape->address);
			else
				fprintf(l->out, "%10s", "");
			fputs("    -> ", l->out);
			print_edges(&d, shape);
			fputc('\n', l->out);
		}
	}
	free(d.samples);
	disassembler_free(d.disassembler);
}
