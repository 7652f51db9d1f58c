/*
 * export_gcc.c - GCC's auto-profile.  All numbers are little-endian words of
 * 32 bits, counts two of them, the lower first.  Lengths of sections are not
 * looked at by any GCC.
 *
 *	"gcda" VERSION 0
 *	[3: SUMMARY total max max-entry counts functions N {ppm min counts}]
 *	NAMES length [3: nfiles files] n { string [3: file] }	the first is ""
 *	FUNCTIONS length n { entry [3: time] INSTANCE }
 *	MODULES 0 0
 *
 *	INSTANCE	name ncounts ninlined
 *			{ place ntargets=0 count } { place INSTANCE }
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/output.h"
#include "profile/export.h"
#include "profile/places.h"
#include "profile/profile.h"

enum {
	MAGIC = 0x67636461,
	SUMMARY = 0xa8000000,
	NAMES = 0xaa000000,
	FUNCTIONS = 0xac000000,
	MODULES = 0xae000000,
	NO_FILE = 0xffffffff,
};

struct writer {
	FILE *out;
	unsigned version;
	const char **names; /* sorted, each once; the first is "" */
	size_t nnames, room_names;
	uint64_t counts, max;
};

static void put(struct writer *w, uint32_t word)
{
	unsigned char bytes[4] = { word, word >> 8, word >> 16, word >> 24 };

	fwrite(bytes, 1, sizeof(bytes), w->out);
}

static void put_count(struct writer *w, uint64_t count)
{
	put(w, count);
	put(w, count >> 32);
}

/* Before version 2 in whole words, padded; from then on as bytes. */
static void put_text(struct writer *w, const char *text)
{
	static const char zeros[4];
	uint32_t size = strlen(text) + 1;
	uint32_t words = (size + 3) / 4;

	put(w, w->version == 1 ? words : size);
	fwrite(text, 1, size, w->out);
	if (w->version == 1)
		fwrite(zeros, 1, 4 * words - size, w->out);
}

static void add_name(struct writer *w, const char *name)
{
	w->names = fdo_grow(w->names, w->nnames, &w->room_names,
			    sizeof(*w->names));
	w->names[w->nnames++] = name;
}

/* Names, and what the summary says, of a whole tree. */
static void survey(struct writer *w, const struct places *node)
{
	add_name(w, node->name);
	w->counts += node->ncounts;
	for (size_t i = 0; i < node->ncounts; i++)
		if (node->counts[i].count > w->max)
			w->max = node->counts[i].count;
	for (size_t i = 0; i < node->ninlined; i++)
		survey(w, &node->inlined[i]);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_names(struct writer *w)
{
	size_t n = 0;

	qsort(w->names, w->nnames, sizeof(*w->names), compare_names);
	for (size_t i = 0; i < w->nnames; i++)
		if (n == 0 || strcmp(w->names[n - 1], w->names[i]) != 0)
			w->names[n++] = w->names[i];
	w->nnames = n;
}

static uint32_t name_index(const struct writer *w, const char *name)
{
	const char **found = bsearch(&name, w->names, w->nnames,
				     sizeof(*w->names), compare_names);

	return found - w->names;
}

static void put_summary(struct writer *w, const struct profile *p,
			const struct places *root)
{
	uint64_t entry = 0;

	for (size_t i = 0; i < root->ninlined; i++)
		if (root->inlined[i].entry > entry)
			entry = root->inlined[i].entry;
	put(w, SUMMARY);
	put_count(w, root->total);
	put_count(w, w->max);
	put_count(w, entry);
	put_count(w, w->counts);
	put_count(w, root->ninlined);
	put_count(w, p->ncutoffs);
	for (size_t i = 0; i < p->ncutoffs; i++) {
		put(w, p->cutoffs[i].share);
		put_count(w, p->cutoffs[i].min_count);
		put_count(w, p->cutoffs[i].blocks);
	}
}

static void put_names(struct writer *w)
{
	put(w, NAMES);
	put(w, 0);
	if (w->version >= 3)
		put(w, 0);
	put(w, w->nnames);
	for (size_t i = 0; i < w->nnames; i++) {
		put_text(w, w->names[i]);
		if (w->version >= 3)
			put(w, NO_FILE);
	}
}

static void put_instance(struct writer *w, const struct places *node)
{
	put(w, name_index(w, node->name));
	put(w, node->ncounts);
	put(w, node->ninlined);
	for (size_t i = 0; i < node->ncounts; i++) {
		put(w, node->counts[i].place);
		put(w, 0);
		put_count(w, node->counts[i].count);
	}
	for (size_t i = 0; i < node->ninlined; i++) {
		put(w, node->inlined[i].call);
		put_instance(w, &node->inlined[i]);
	}
}

static void put_functions(struct writer *w, const struct places *root)
{
	put(w, FUNCTIONS);
	put(w, 0);
	put(w, root->ninlined);
	for (size_t i = 0; i < root->ninlined; i++) {
		put_count(w, root->inlined[i].entry);
		if (w->version >= 3)
			put_count(w, 0);
		put_instance(w, &root->inlined[i]);
	}
}

static unsigned file_version(unsigned gcc)
{
	assert(gcc >= PROFILE_GCC_FIRST && gcc <= PROFILE_GCC_LAST);
	return gcc < 12 ? 1 : gcc < 16 ? 2 : 3;
}

bool profile_export_gcc(struct profile *p, unsigned gcc, const char *path,
			struct fdo_error *err)
{
	struct writer w = { .version = file_version(gcc) };
	struct fdo_output out;
	struct places *root;

	if (!fdo_output_open(&out, path, err))
		return false;
	profile_sort(p);
	root = places_new(p, gcc > 12);
	w.out = out.stream;
	add_name(&w, "");
	for (size_t i = 0; i < root->ninlined; i++)
		survey(&w, &root->inlined[i]);
	sort_names(&w);
	put(&w, MAGIC);
	put(&w, w.version);
	put(&w, 0);
	if (w.version >= 3)
		put_summary(&w, p, root);
	put_names(&w);
	put_functions(&w, root);
	put(&w, MODULES);
	put(&w, 0);
	put(&w, 0);
	free(w.names);
	places_free(root);
	return fdo_output_close(&out, err);
}
