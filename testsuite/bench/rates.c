/*
 * rates - how fast code is decoded and addresses are turned into lines.
 *
 *	rates PROGRAM
 *
 * prints, as CPU time of one thread and at the median of several times:
 *
 *	decode BYTES INSTRUCTIONS MB/S	all executable sections in a row
 *	zydis BYTES INSTRUCTIONS MB/S	the same, by the library's own function
 *	lines ADDRESSES MILLIONS/S	the file, line, column, discriminator and
 *					inline stack of each instruction,
 *					with reading the debug information
 *	found PERCENT FRAMES		of them; the mean of their stacks
 */
#include <Zydis/Zydis.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "converter/graph/decode.h"
#include "converter/binary/lines.h"
#include "converter/binary/object.h"

enum { TIMES = 7 };

struct addresses {
	uint64_t *items;
	size_t n, room;
};

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *seconds)
{
	qsort(seconds, TIMES, sizeof(*seconds), compare);
	return seconds[TIMES / 2];
}

/* Instructions of a section; where there is none, one byte further on. */
static size_t sweep(const struct object_section *s, const struct decoder *d,
		    struct addresses *found)
{
	size_t at = 0, n = 0;
	struct insn insn;

	while (at < s->size) {
		if (!decode(d, s->bytes + at, s->size - at, s->address + at,
			    &insn)) {
			at++;
			continue;
		}
		if (found) {
			found->items =
				fdo_grow(found->items, found->n, &found->room,
					 sizeof(*found->items));
			found->items[found->n++] = insn.address;
		}
		at += insn.length;
		n++;
	}
	return n;
}

static size_t sweep_all(const struct object *o, struct addresses *found)
{
	struct decoder *d = decoder_new();
	size_t n = 0;

	for (size_t i = 0; i < o->nsections; i++)
		if (o->sections[i].executable && o->sections[i].bytes)
			n += sweep(&o->sections[i], d, found);
	decoder_free(d);
	return n;
}

/* What decode() stands on, alone. */
static size_t sweep_zydis(const struct object *o, struct addresses *unused)
{
	ZydisDecodedInstruction insn;
	ZydisDecoder zydis;
	size_t n = 0;

	(void)unused;
	ZydisDecoderInit(&zydis, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	for (size_t i = 0; i < o->nsections; i++) {
		const struct object_section *s = &o->sections[i];
		size_t at = 0;

		while (s->executable && s->bytes && at < s->size) {
			bool is_insn =
				ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(
					&zydis, NULL, s->bytes + at,
					s->size - at, &insn));
			at += is_insn ? insn.length : 1;
			n += is_insn;
		}
	}
	return n;
}

static void time_decoding(const struct object *o)
{
	size_t (*const sweeps[])(const struct object *,
				 struct addresses *) = { sweep_all,
							 sweep_zydis };
	double seconds[2][TIMES], bytes = 0;
	size_t n[2] = { 0 };

	for (size_t i = 0; i < o->nsections; i++)
		if (o->sections[i].executable && o->sections[i].bytes)
			bytes += o->sections[i].size;
	for (int i = 0; i < TIMES; i++)
		for (int k = 0; k < 2; k++) {
			double begin = cpu_seconds();

			n[k] = sweeps[k](o, NULL);
			seconds[k][i] = cpu_seconds() - begin;
		}
	for (int k = 0; k < 2; k++)
		printf("%s %.0f %zu %.1f\n", k ? "zydis" : "decode", bytes,
		       n[k], bytes / 1e6 / median(seconds[k]));
}

static bool time_lines(const struct object *o, const struct addresses *all,
		       struct fdo_error *err)
{
	double seconds[TIMES];
	size_t found = 0, frames = 0;

	for (int i = 0; i < TIMES; i++) {
		double begin = cpu_seconds();
		struct lines *lines = lines_new(o, err);

		if (!lines)
			return false;
		found = frames = 0;
		for (size_t k = 0; k < all->n; k++) {
			struct lines_place place;

			if (!lines_at(lines, all->items[k], &place))
				continue;
			found++;
			for (const struct lines_frame *f = place.frame; f;
			     f = f->parent)
				frames++;
		}
		lines_free(lines);
		seconds[i] = cpu_seconds() - begin;
	}
	printf("lines %zu %.2f\n", all->n, all->n / 1e6 / median(seconds));
	printf("found %.1f %.2f\n", all->n ? 100. * found / all->n : 0,
	       found ? (double)frames / found : 0);
	return true;
}

int main(int argc, char **argv)
{
	const struct object_options options = { .debug_dir = NULL };
	struct addresses all = { .n = 0 };
	struct fdo_error err = { "" };
	struct object *o;
	bool done;

	if (argc != 2) {
		fprintf(stderr, "Usage: rates PROGRAM\n");
		return 2;
	}
	o = object_open(argv[1], &options, &err);
	done = o && object_needs_debug(o, &err);
	if (done) {
		time_decoding(o);
		sweep_all(o, &all);
		done = time_lines(o, &all, &err);
	}
	if (!done)
		fprintf(stderr, "rates: %s\n", err.text);
	free(all.items);
	object_free(o);
	return done ? 0 : 1;
}
