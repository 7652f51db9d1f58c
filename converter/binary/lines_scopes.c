/*
 * lines_scopes.c - the tree of functions and of what is inlined into them.
 *
 * What is described once becomes an entity (lines_entities.c), its copies become
 * bodies.
 *
 * libdw trusts its input where it says where a DIE's next sibling is; so
 * that damaged data ends, no DIE is visited twice (walk.last).  Several DIEs may
 * have one list of ranges, as those within each other have with GCC; but all of
 * them have fewer ranges than there are bytes that tell of them (walk.room).
 */
#include "converter/binary/lines_walk.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"

#ifndef DW_AT_GNU_discriminator
#define DW_AT_GNU_discriminator 0x2136
#endif

enum { MAX_DEPTH = 512 };

/* Where the walk is. */
struct place {
	uint32_t body;		   /* or LINES_NONE */
	unsigned depth;		   /* of bodies */
	unsigned nesting;	   /* of DIEs */
	const Dwarf_Die *function; /* around it, of the source; NULL: none */
};

uint32_t lines_add_body(struct lines *l, const struct lines_body *body)
{
	l->bodies = fdo_grow(l->bodies, l->nbodies, &l->room_bodies,
			     sizeof(*l->bodies));
	l->bodies[l->nbodies] = *body;
	return l->nbodies++;
}

void lines_add_scope(struct lines *l, const struct lines_scope *scope)
{
	l->scopes = fdo_grow(l->scopes, l->nscopes, &l->room_scopes,
			     sizeof(*l->scopes));
	l->scopes[l->nscopes++] = *scope;
}

/* Add the code of a body; false: it has none that was linked. */
static bool add_scopes(struct lines_walk *w, Dwarf_Die *die, uint32_t body,
		       unsigned depth, uint64_t *first_ret)
{
	struct lines *l = w->lines;
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;
	bool any = false;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		uint64_t address = low - l->sources[LINES_MAIN].bias;
		uint64_t end = high - l->sources[LINES_MAIN].bias;
		uint64_t limit = lines_code_end(l, address);

		if (!w->room) {
			w->damaged = true;
			break;
		}
		w->room--;
		if (end > limit)
			end = limit;
		if (address >= end)
			continue;
		lines_add_scope(l, &(struct lines_scope){
					   .address = address,
					   .end = end,
					   .depth = depth,
					   .body = body,
				   });
		if (!any)
			*first_ret = address;
		any = true;
	}
	w->damaged |= at < 0;
	return any;
}

static uint32_t add_body(struct lines_walk *w, struct lines_body body)
{
	struct lines *l = w->lines;

	body.folder = w->folder;
	/* The linker's unit does not say what those of the sources say. */
	body.no_crossjumping =
		body.parent != LINES_NONE
			? l->bodies[body.parent].no_crossjumping
			: w->no_crossjumping ||
				  l->entities[body.entity].no_crossjumping;
	return lines_add_body(l, &body);
}

static bool is_class(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

/* A function's own code, or none: it may only be described, or be gone. */
static void visit_function(struct lines_walk *w, Dwarf_Die *die,
			   struct place *at)
{
	struct lines *l = w->lines;
	uint64_t first = 0, entry;
	Dwarf_Addr low;

	at->body = LINES_NONE;
	at->depth = 0;
	if (!dwarf_hasattr(die, DW_AT_low_pc) &&
	    !dwarf_hasattr(die, DW_AT_ranges))
		return;
	if (!add_scopes(w, die, l->nbodies, 0, &first))
		return;
	at->body = add_body(w, (struct lines_body){
				       .parent = LINES_NONE,
				       .entity = lines_walk_entity(w, die),
			       });
	entry = dwarf_entrypc(die, &low) == 0
			? low - l->sources[LINES_MAIN].bias
			: first;
	lines_name_by_symbol(l, &l->entities[l->bodies[at->body].entity],
			     entry);
	lines_name_by_symbol(l, &l->entities[l->bodies[at->body].entity],
			     first);
}

static void visit_inlined(struct lines_walk *w, Dwarf_Die *die,
			  struct place *at)
{
	uint64_t first;
	Dwarf_Addr entry;
	bool has_entry = dwarf_hasattr(die, DW_AT_entry_pc) &&
			 dwarf_entrypc(die, &entry) == 0;

	if (!add_scopes(w, die, w->lines->nbodies, at->depth + 1, &first)) {
		/* What is in it is, if anything, without code as well. */
		at->body = LINES_NONE;
		return;
	}
	at->body = add_body(
		w,
		(struct lines_body){
			.parent = at->body,
			.entity = lines_walk_entity(w, die),
			.call_file =
				lines_die_file(w->files, die, DW_AT_call_file),
			.call_line = lines_die_number(die, DW_AT_call_line),
			.call_column = lines_die_number(die, DW_AT_call_column),
			.call_discriminator =
				lines_die_number(die, DW_AT_GNU_discriminator),
			.entry = has_entry
					 ? entry - w->lines->sources[LINES_MAIN]
							   .bias
					 : first,
		});
	at->depth++;
}

/* False: nothing in it can matter. */
static bool visit(struct lines_walk *w, Dwarf_Die *die, struct place *at)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		visit_function(w, die, at);
		return true;
	case DW_TAG_inlined_subroutine:
		if (at->body == LINES_NONE)
			return false;
		visit_inlined(w, die, at);
		return at->body != LINES_NONE;
	case DW_TAG_lexical_block:
		return true;
	case DW_TAG_namespace:
	case DW_TAG_module:
		return true;
	default:
		return is_class(die);
	}
}

static void walk(struct lines_walk *w, Dwarf_Die *parent, struct place in)
{
	Dwarf_Die die;
	int more = in.nesting < MAX_DEPTH ? dwarf_child(parent, &die) : -1;

	if (dwarf_tag(parent) == DW_TAG_subprogram &&
	    !lines_die_flag(parent, DW_AT_artificial))
		in.function = parent;
	for (; more == 0; more = dwarf_siblingof(&die, &die)) {
		struct place at = in;

		if (dwarf_dieoffset(&die) <= w->last) {
			w->damaged = true;
			return;
		}
		w->last = dwarf_dieoffset(&die);
		at.nesting++;
		if (dwarf_tag(&die) == DW_TAG_subprogram) {
			if (is_class(parent))
				lines_walk_made(w, &die, parent);
			else if (in.function)
				lines_walk_made_within(w, &die, in.function);
		}
		if (visit(w, &die, &at))
			walk(w, &die, at);
	}
	w->damaged |= more < 0;
}

static void note_options(struct lines_walk *w, Dwarf_Die *unit)
{
	const struct producer *options = lines_walk_options(w, unit);
	struct lines_stats *stats = &w->lines->stats;

	w->no_crossjumping = !options->crossjumping;
	if (!options->is_gcc || !options->optimizes)
		return;
	stats->frontiers += options->frontiers;
	stats->no_frontiers += !options->frontiers;
}

/* No range of a DIE takes less than a byte, there or in its list. */
static uint64_t room_for_ranges(Dwarf *dwarf)
{
	static const char *const names[] = {
		".debug_info",	   ".debug_ranges",	  ".debug_rnglists",
		".debug_info.dwo", ".debug_rnglists.dwo",
	};
	uint64_t room = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const Elf_Data *section = lines_section(dwarf, names[i]);

		room += section ? section->d_size : 0;
	}
	return room;
}

static void add_room(struct lines_walk *w, Dwarf *dwarf)
{
	if (dwarf == w->lines->sources[LINES_MAIN].dwarf || dwarf == w->split)
		return;
	w->split = dwarf;
	w->room += room_for_ranges(dwarf);
}

/* unit: what the program itself has; whole: that, or what its .dwo file has. */
static void read_unit(struct lines_walk *w, Dwarf_Die *unit, Dwarf_Die *whole)
{
	const char *folder = lines_die_text(unit, DW_AT_comp_dir);
	Dwarf_Attribute attribute;
	Dwarf_Word offset;

	w->damaged = false;
	w->unit = whole->cu;
	w->files = NULL;
	if (dwarf_attr(unit, DW_AT_stmt_list, &attribute) &&
	    dwarf_formudata(&attribute, &offset) == 0)
		w->files = lines_read_table(w->lines, LINES_MAIN, offset, true,
					    &w->damaged);
	w->folder = folder ? lines_path(w->lines, "", folder) : NULL;
	note_options(w, whole);
	add_room(w, dwarf_cu_getdwarf(whole->cu));
	w->last = dwarf_dieoffset(whole);
	walk(w, whole, (struct place){ .body = LINES_NONE });
	w->lines->stats.units++;
	w->lines->stats.damaged += w->damaged;
}

/* Its .dwo file was not found, or is that of another build. */
static void note_missing(struct lines *l, Dwarf_Die *unit)
{
	const char *name = lines_die_text(unit, DW_AT_dwo_name);

	if (!name)
		name = lines_die_text(unit, DW_AT_GNU_dwo_name);
	if (!l->stats.missing)
		l->stats.missing_name =
			fdo_intern(l->strings, name ? name : "");
	l->stats.missing++;
}

/* Units that dwz made have no code, but classes that code is of. */
static void read_partial_units(struct lines_walk *w, Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t type;

	w->unit = NULL;
	w->files = NULL;
	w->folder = NULL;
	while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die,
					NULL) == 0) {
		if (type != DW_UT_partial)
			continue;
		w->last = dwarf_dieoffset(&die);
		walk(w, &die, (struct place){ .body = LINES_NONE });
	}
}

void lines_read_units(struct lines *l)
{
	Dwarf *dwarf = l->sources[LINES_MAIN].dwarf;
	struct lines_walk w = {
		.lines = l,
		.entities = fdo_map_new(),
		.room = room_for_ranges(dwarf),
	};
	Dwarf_CU *unit = NULL;
	Dwarf_Die die, sub;
	uint8_t type;
	int more;

	while ((more = dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die,
				       &sub)) == 0) {
		bool missing = type == DW_UT_skeleton && !sub.addr;

		if (type == DW_UT_compile || type == DW_UT_skeleton)
			read_unit(&w, &die, sub.addr ? &sub : &die);
		if (missing)
			note_missing(l, &die);
	}
	l->stats.damaged += more < 0;
	for (int i = 0; i < LINES_SOURCES; i++)
		read_partial_units(&w, l->sources[i].dwarf);
	lines_walk_declare(&w);
	fdo_map_free(w.entities);
}
