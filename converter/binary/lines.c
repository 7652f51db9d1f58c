/*
 * lines.c - rows and scopes become one table, sorted by address.
 *
 * Both are stretches of code.  Rows do not overlap (of two sequences that
 * do, the one that begins later ends the other).  Scopes do: a heap holds
 * those that are open, the deepest at its top.
 */
#include "converter/binary/lines_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/search.h"
#include "converter/binary/object.h"

uint64_t lines_code_end(const struct lines *l, uint64_t address)
{
	const struct object_section *s = object_section_at(l->object, address);

	return s && s->executable ? s->address + s->size : 0;
}

/* In the order of reading where the address is the same. */
static int compare_sequences(const void *va, const void *vb)
{
	const struct lines_sequence *a = va, *b = vb;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static int compare_scopes(const void *va, const void *vb)
{
	const struct lines_scope *a = va, *b = vb;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return (a->body > b->body) - (a->body < b->body);
}

static int compare_begins(const void *va, const void *vb)
{
	const struct lines_begin *a = va, *b = vb;

	return (a->address > b->address) - (a->address < b->address);
}

static bool begins_are_sorted(const struct lines *l)
{
	for (size_t i = 1; i < l->nbegins; i++)
		if (compare_begins(&l->begins[i - 1], &l->begins[i]) > 0)
			return false;
	return true;
}

/*
 * Those of each sequence are together, in the order in which it was read; of
 * sequences that were dropped there are none.
 */
static void put_begins(struct lines *l)
{
	struct lines_begin *begins = fdo_alloc(l->nbegins, sizeof(*begins));
	size_t n = 0;

	for (size_t i = 0; i < l->nsequences; i++) {
		const struct lines_sequence *s = &l->sequences[i];

		memcpy(&begins[n], &l->begins[s->first_begin],
		       s->nbegins * sizeof(*begins));
		n += s->nbegins;
	}
	free(l->begins);
	l->begins = begins;
	l->nbegins = n;
}

/* Mostly they are in order once the sequences are. */
static void sort_begins(struct lines *l)
{
	put_begins(l);
	if (!begins_are_sorted(l))
		qsort(l->begins, l->nbegins, sizeof(*l->begins),
		      compare_begins);
}

/* Open scopes, a binary heap: its first is the deepest of them. */
struct heap {
	const struct lines_scope **all;
	size_t n, room;
};

static bool above(const struct lines_scope *a, const struct lines_scope *b)
{
	if (a->depth != b->depth)
		return a->depth > b->depth;
	return a->body < b->body;
}

static void heap_add(struct heap *h, const struct lines_scope *scope)
{
	size_t i = h->n;

	h->all = fdo_grow(h->all, h->n, &h->room, sizeof(*h->all));
	h->n++;
	for (; i > 0 && above(scope, h->all[(i - 1) / 2]); i = (i - 1) / 2)
		h->all[i] = h->all[(i - 1) / 2];
	h->all[i] = scope;
}

static void heap_remove_first(struct heap *h)
{
	const struct lines_scope *last = h->all[--h->n];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= h->n)
			break;
		if (child + 1 < h->n && above(h->all[child + 1], h->all[child]))
			child++;
		if (!above(h->all[child], last))
			break;
		h->all[i] = h->all[child];
		i = child;
	}
	h->all[i] = last;
}

/* The two sweeps, side by side; each says until where its answer holds. */
struct sweep {
	const struct lines *lines;
	size_t sequence; /* the next to begin, or the one we are in */
	size_t row;	 /* in it: the next to begin */
	size_t scope;	 /* the next to begin */
	struct heap open;
};

static const struct lines_row *row_at(struct sweep *w, uint64_t address,
				      uint64_t *until)
{
	const struct lines *l = w->lines;
	const struct lines_sequence *s;
	const struct lines_row *rows;

	/* A sequence that began later has ended those before it. */
	while (w->sequence < l->nsequences &&
	       (l->sequences[w->sequence].end <= address ||
		(w->sequence + 1 < l->nsequences &&
		 l->sequences[w->sequence + 1].address <= address))) {
		w->sequence++;
		w->row = 0;
	}
	if (w->sequence == l->nsequences)
		return NULL;
	s = &l->sequences[w->sequence];
	rows = &l->rows[s->first];
	while (w->row < s->n && rows[w->row].address <= address)
		w->row++;
	if (w->sequence + 1 < l->nsequences && s[1].address < *until)
		*until = s[1].address;
	if (w->row == 0) {
		if (s->address < *until)
			*until = s->address;
		return NULL;
	}
	if (s->end < *until)
		*until = s->end;
	if (w->row < s->n && rows[w->row].address < *until)
		*until = rows[w->row].address;
	return &rows[w->row - 1];
}

static uint32_t body_at(struct sweep *w, uint64_t address, uint64_t *until)
{
	const struct lines *l = w->lines;

	while (w->scope < l->nscopes && l->scopes[w->scope].address <= address)
		heap_add(&w->open, &l->scopes[w->scope++]);
	while (w->open.n && w->open.all[0]->end <= address)
		heap_remove_first(&w->open);
	if (w->scope < l->nscopes && l->scopes[w->scope].address < *until)
		*until = l->scopes[w->scope].address;
	if (w->open.n == 0)
		return LINES_NONE;
	if (w->open.all[0]->end < *until)
		*until = w->open.all[0]->end;
	return w->open.all[0]->body;
}

static bool same_answer(const struct lines_range *a,
			const struct lines_range *b)
{
	return a->frame == b->frame && a->file == b->file &&
	       a->line == b->line && a->column == b->column &&
	       a->discriminator == b->discriminator && a->known == b->known;
}

static void add_range(struct lines *l, struct lines_range range)
{
	if (l->nranges && same_answer(&l->ranges[l->nranges - 1], &range))
		return;
	l->ranges = fdo_grow(l->ranges, l->nranges, &l->room_ranges,
			     sizeof(*l->ranges));
	l->ranges[l->nranges++] = range;
}

static void make_ranges(struct lines *l, const uint32_t *frame_of)
{
	struct sweep w = { .lines = l };
	uint64_t address = 0, until;

	do {
		struct lines_range range = { .address = address };
		const struct lines_row *row;
		uint32_t body;

		until = UINT64_MAX;
		row = row_at(&w, address, &until);
		body = body_at(&w, address, &until);
		range.frame = body == LINES_NONE ? LINES_NONE : frame_of[body];
		range.known = row || body != LINES_NONE;
		if (row && (body == LINES_NONE || !l->bodies[body].is_bare)) {
			range.file = row->file;
			range.line = row->line;
			range.column = row->column;
			range.discriminator = row->discriminator;
		}
		add_range(l, range);
		address = until;
	} while (until != UINT64_MAX);
	free(w.open.all);
}

Elf_Data *lines_section(Dwarf *dwarf, const char *name)
{
	Elf *elf = dwarf_getelf(dwarf);
	Elf_Scn *section = NULL;
	size_t names;
	GElf_Shdr header;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *have;

		if (!gelf_getshdr(section, &header) ||
		    header.sh_type == SHT_NOBITS)
			continue;
		have = elf_strptr(elf, names, header.sh_name);
		/* libdw has decompressed it; the old way shows in the name. */
		if (have && (strcmp(have, name) == 0 ||
			     (strncmp(have, ".z", 2) == 0 &&
			      strcmp(have + 2, name + 1) == 0)))
			return elf_getdata(section, NULL);
	}
	return NULL;
}

static void open_source(struct lines_source *source, Dwarf *dwarf,
			uint64_t bias)
{
	source->dwarf = dwarf;
	source->bias = bias;
	source->tables = fdo_map_new();
	if (!dwarf)
		return;
	source->line = lines_section(dwarf, ".debug_line");
	source->line_str = lines_section(dwarf, ".debug_line_str");
	source->str = lines_section(dwarf, ".debug_str");
}

/* What only the building needed. */
static void free_parts(struct lines *l)
{
	for (int i = 0; i < LINES_SOURCES; i++)
		fdo_map_free(l->sources[i].tables);
	fdo_map_free(l->file_ids);
	for (size_t i = 0; i < l->ntables; i++) {
		free(l->tables[i]->ids);
		free(l->tables[i]);
	}
	free(l->tables);
	free(l->rows);
	free(l->sequences);
	free(l->entities);
	free(l->bodies);
	free(l->scopes);
}

static int compare_entries(const void *a, const void *b)
{
	const struct lines_entry *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->frame > y->frame) - (x->frame < y->frame);
}

/* A frame within one of the same function is that one, and begins with it. */
static void make_entries(struct lines *l, const uint32_t *frame_of)
{
	l->entries = fdo_alloc(l->nbodies + 1, sizeof(*l->entries));
	for (size_t i = 0; i < l->nbodies; i++) {
		const struct lines_body *b = &l->bodies[i];

		if (b->entry && frame_of[i] != frame_of[b->parent])
			l->entries[l->nentries++] =
				(struct lines_entry){ b->entry,
						      &l->frames[frame_of[i]] };
	}
	if (l->nentries)
		qsort(l->entries, l->nentries, sizeof(*l->entries),
		      compare_entries);
}

static void sort_scopes(struct lines *l)
{
	if (l->nscopes)
		qsort(l->scopes, l->nscopes, sizeof(*l->scopes),
		      compare_scopes);
}

static void sort_sequences(struct lines *l)
{
	if (l->nsequences)
		qsort(l->sequences, l->nsequences, sizeof(*l->sequences),
		      compare_sequences);
}

static void build(struct lines *l)
{
	uint32_t *frame_of;

	lines_read_units(l);
	sort_sequences(l);
	sort_scopes(l);
	lines_add_bare(l);
	sort_scopes(l);
	sort_sequences(l);
	lines_drop_folded(l);
	sort_begins(l);
	frame_of = lines_make_frames(l);
	lines_drop_parts(l, frame_of);
	make_ranges(l, frame_of);
	make_entries(l, frame_of);
	free(frame_of);
	free_parts(l);
}

struct lines *lines_new(const struct object *o, struct fdo_error *err)
{
	uint64_t bias;
	Dwarf *dwarf = object_dwarf(o, &bias);
	struct lines *l;

	if (!object_needs_debug(o, err))
		return NULL;
	l = fdo_alloc(1, sizeof(*l));
	l->object = o;
	l->strings = fdo_strings_new();
	l->file_ids = fdo_map_new();
	l->files = fdo_grow(l->files, 0, &l->room_files, sizeof(*l->files));
	l->files[l->nfiles++] = NULL;
	open_source(&l->sources[LINES_MAIN], dwarf, bias);
	open_source(&l->sources[LINES_ALT], dwarf_getalt(dwarf), 0);
	build(l);
	if (l->nranges > 1 && (l->nframes > 0 || l->stats.missing == 0))
		return l;
	if (l->stats.missing > 0)
		fdo_fail(err,
			 "%s: its debug information is in .dwo files, which "
			 "are not there, or damaged or of another build, as "
			 "%s (a .dwp file needs libdw 0.191; what was compiled "
			 "with -fdebug-types-section cannot be read)",
			 o->path, l->stats.missing_name);
	else
		fdo_fail(err,
			 "%s: the debug information is damaged: no line of it "
			 "could be read",
			 o->path);
	lines_free(l);
	return NULL;
}

void lines_free(struct lines *l)
{
	if (!l)
		return;
	fdo_strings_free(l->strings);
	free(l->files);
	free(l->frames);
	free(l->ranges);
	free(l->begins);
	free(l->entries);
	free(l);
}

/*
 * The first range always begins at 0.  Who asks mostly goes through code in
 * small steps, so the search begins at the last answer and strides out from
 * there, further each time.
 */
static size_t range_at(const struct lines *l, uint64_t address)
{
	size_t low = l->hint, high = l->hint + 1, stride = 1;

	if (l->ranges[low].address <= address) {
		while (high < l->nranges &&
		       l->ranges[high].address <= address) {
			low = high;
			high += stride;
			stride *= 2;
		}
		high = high < l->nranges ? high : l->nranges;
	} else {
		do {
			high = low;
			low = stride < low ? low - stride : 0;
			stride *= 2;
		} while (l->ranges[low].address > address);
	}
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (l->ranges[middle].address <= address)
			low = middle;
		else
			high = middle;
	}
	return low;
}

bool lines_at(const struct lines *l, uint64_t address, struct lines_place *ret)
{
	size_t i = range_at(l, address);
	const struct lines_range *r = &l->ranges[i];

	((struct lines *)l)->hint = i;
	*ret = (struct lines_place){
		.frame = r->frame == LINES_NONE ? NULL : &l->frames[r->frame],
		.file = l->files[r->file],
		.line = r->line,
		.column = r->column,
		.discriminator = r->discriminator,
	};
	return r->known;
}

uint64_t lines_next(const struct lines *l, uint64_t address)
{
	size_t i = range_at(l, address);

	return i + 1 < l->nranges ? l->ranges[i + 1].address : 0;
}

const struct lines_entry *lines_entries(const struct lines *l, uint64_t from,
					uint64_t to, size_t *n_ret)
{
	size_t first = fdo_lower_bound(l->entries, l->nentries,
				       sizeof(*l->entries), from);
	size_t end = first;

	while (end < l->nentries && l->entries[end].address < to)
		end++;
	*n_ret = end - first;
	return *n_ret ? &l->entries[first] : NULL;
}

const struct lines_begin *lines_begins(const struct lines *l, uint64_t from,
				       uint64_t to, size_t *n_ret)
{
	size_t first = fdo_lower_bound(l->begins, l->nbegins,
				       sizeof(*l->begins), from);
	size_t end = first;

	while (end < l->nbegins && l->begins[end].address < to)
		end++;
	*n_ret = end - first;
	return *n_ret ? &l->begins[first] : NULL;
}

const struct lines_stats *lines_stats(const struct lines *l)
{
	return &l->stats;
}
