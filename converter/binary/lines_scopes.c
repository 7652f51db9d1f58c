/*
 * lines_scopes.c - the tree of functions and of what is inlined into them.
 *
 * A function that was inlined or cloned is described once (the "root" that
 * DW_AT_abstract_origin leads to), perhaps in another unit or in dwz's
 * file; each copy says only where its code is and where it was called.
 * Roots become entities, copies become bodies.
 *
 * What the compiler made up in a class, the body of a lambda above all, is not
 * said to be declared anywhere; the class is.
 *
 * libdw trusts its input where it says where a DIE's next sibling is; so
 * that damaged data ends, no DIE is visited twice (walk.last).  Several DIEs may
 * have one list of ranges, as those within each other have with GCC; but all of
 * them have fewer ranges than there are bytes that tell of them (walk.room).
 */
#include "converter/binary/lines_private.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/binary/producer.h"

#ifndef DW_AT_GNU_discriminator
#define DW_AT_GNU_discriminator 0x2136
#endif

enum { MAX_DEPTH = 512 };

/* Where the class of a function that the compiler made, or the function it is a part
 * of, is declared. */
struct maker {
	const void *function; /* its DIE's bytes */
	const char *file;
	uint32_t line, column;
};

struct walk {
	struct lines *lines;
	struct fdo_map *entities; /* address of the root's bytes -> id + 1 */
	struct maker *made;
	size_t nmade, room_made;
	Dwarf_CU *unit;			 /* whose functions are visited */
	const struct lines_files *files; /* of the unit */
	Dwarf_Off last;			 /* visited in this unit */
	const Dwarf *split;		 /* the last .dwo file */
	uint64_t room;			 /* for more ranges of DIEs */
	const char *folder;
	bool no_crossjumping;
	bool damaged;
	const char *options_text; /* that was read last: of most DIEs' units */
	struct producer options;
};

/* Where the walk is. */
struct place {
	uint32_t body;		   /* or LINES_NONE */
	unsigned depth;		   /* of bodies */
	unsigned nesting;	   /* of DIEs */
	const Dwarf_Die *function; /* around it, of the source; NULL: none */
};

static uint64_t number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (!dwarf_attr(die, name, &attribute) ||
	    dwarf_formudata(&attribute, &value) != 0)
		return 0;
	return value;
}

static const char *text_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr(die, name, &attribute));
}

static bool flag_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	bool value = false;

	return dwarf_attr(die, name, &attribute) &&
	       dwarf_formflag(&attribute, &value) == 0 && value;
}

static bool follow(Dwarf_Die *die, unsigned name, Dwarf_Die *ret)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, name, &attribute) &&
	       dwarf_formref_die(&attribute, ret);
}

static const struct lines_files *files_of(struct walk *w, Dwarf_Die *unit)
{
	struct lines *l = w->lines;
	Dwarf_Attribute attribute;
	Dwarf_Word offset;
	int source = dwarf_cu_getdwarf(unit->cu) == l->sources[LINES_ALT].dwarf
			     ? LINES_ALT
			     : LINES_MAIN;

	/* What is in a .dwo file has those of the program's unit. */
	if (unit->cu == w->unit)
		return w->files;
	if (!dwarf_attr(unit, DW_AT_stmt_list, &attribute) ||
	    dwarf_formudata(&attribute, &offset) != 0)
		return NULL;
	return lines_read_table(l, source, offset, false, &w->damaged);
}

/* Number 0 is a file, too, since DWARF 5, and none before. */
static uint32_t file_of(const struct lines_files *files, Dwarf_Die *die,
			unsigned name)
{
	uint64_t number = number_of(die, name);

	return dwarf_hasattr(die, name) && files && number < files->n
		       ? files->ids[number]
		       : 0;
}

static int language_of(Dwarf_Die *unit)
{
	switch (number_of(unit, DW_AT_language)) {
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return LINES_FORTRAN;
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return LINES_CXX;
	default:
		return LINES_C;
	}
}

static const struct producer *options_of(struct walk *w, Dwarf_Die *unit)
{
	const char *text = text_of(unit, DW_AT_producer);

	if (!text || text != w->options_text)
		w->options = producer_of(text);
	w->options_text = text;
	return &w->options;
}

/* Where it is declared. */
static const char *file_name(struct walk *w, Dwarf_Die *unit, Dwarf_Die *die)
{
	/* Reading a table may move the names. */
	const struct lines_files *files = files_of(w, unit);

	return w->lines->files[file_of(files, die, DW_AT_decl_file)];
}

/*
 * dwz's file is of no folder, and has in all of its path what a unit says by
 * where it was compiled.
 */
static const char *as_in_unit(struct lines *l, const struct lines_entity *e,
			      const char *file)
{
	size_t length = e->folder ? strlen(e->folder) : 0;
	const char *name;

	if (!length || !e->files || !file ||
	    strncmp(file, e->folder, length) != 0 || file[length] != '/')
		return file;
	name = lines_path(l, "", file + length + 1);
	for (size_t i = 0; i < e->files->n; i++)
		if (l->files[e->files->ids[i]] == name)
			return name;
	return file;
}

/* A DIE, then what it is a specification of: the first that tells wins. */
static struct lines_entity read_entity(struct walk *w, Dwarf_Die die)
{
	struct lines *l = w->lines;
	struct lines_entity e = { .files = w->files, .folder = w->folder };
	const char *name = NULL, *linkage = NULL;
	Dwarf_Die unit;

	for (int i = 0; i < 8; i++) {
		if (!linkage)
			linkage = text_of(&die, DW_AT_linkage_name);
		if (!linkage)
			linkage = text_of(&die, DW_AT_MIPS_linkage_name);
		if (!name)
			name = text_of(&die, DW_AT_name);
		if (!e.decl_line) {
			e.decl_line = number_of(&die, DW_AT_decl_line);
			e.decl_column = number_of(&die, DW_AT_decl_column);
		}
		if (dwarf_cu_die(die.cu, &unit, NULL, NULL, NULL, NULL, NULL,
				 NULL)) {
			if (i == 0) {
				e.language = language_of(&unit);
				e.no_crossjumping =
					!options_of(w, &unit)->crossjumping;
			}
			if (!e.file && dwarf_hasattr(&die, DW_AT_decl_file))
				e.file = as_in_unit(l, &e,
						    file_name(w, &unit, &die));
		}
		if (!follow(&die, DW_AT_specification, &die) &&
		    !follow(&die, DW_AT_abstract_origin, &die))
			break;
	}
	e.declaration = die.addr;
	e.linkage = linkage != NULL;
	if (!linkage)
		linkage = name;
	e.name = fdo_intern(l->strings, linkage ? linkage : "");
	return e;
}

uint32_t lines_add_entity(struct lines *l, const struct lines_entity *entity)
{
	l->entities = fdo_grow(l->entities, l->nentities, &l->room_entities,
			       sizeof(*l->entities));
	l->entities[l->nentities] = *entity;
	return l->nentities++;
}

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

static uint32_t entity_of(struct walk *w, Dwarf_Die *copy)
{
	struct lines *l = w->lines;
	Dwarf_Die root = *copy;
	uint64_t *id;

	for (int i = 0; i < 8; i++)
		if (!follow(&root, DW_AT_abstract_origin, &root))
			break;
	id = fdo_map_at(w->entities, (uintptr_t)root.addr);
	if (!*id) {
		struct lines_entity entity = read_entity(w, root);

		*id = lines_add_entity(l, &entity) + 1;
	}
	return *id - 1;
}

/* Add the code of a body; false: it has none that was linked. */
static bool add_scopes(struct walk *w, Dwarf_Die *die, uint32_t body,
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

static uint32_t add_body(struct walk *w, struct lines_body body)
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

static void note_maker(struct walk *w, Dwarf_Die *die, Dwarf_Die *parent)
{
	Dwarf_Die unit;
	uint64_t line = number_of(parent, DW_AT_decl_line);

	if (!line || !flag_of(die, DW_AT_artificial) ||
	    !dwarf_cu_die(die->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL))
		return;
	w->made = fdo_grow(w->made, w->nmade, &w->room_made, sizeof(*w->made));
	w->made[w->nmade++] = (struct maker){
		.function = die->addr,
		.file = file_name(w, &unit, parent),
		.line = line,
		.column = number_of(parent, DW_AT_decl_column),
	};
}

/* What the compiler made a function of its own, as a region of OpenMP. */
static void note_outer(struct walk *w, Dwarf_Die *die,
		       const Dwarf_Die *function)
{
	Dwarf_Die outer = *function;

	if (dwarf_hasattr(die, DW_AT_abstract_origin))
		return;
	for (int i = 0; i < 8 && !dwarf_hasattr(&outer, DW_AT_decl_line); i++)
		if (!follow(&outer, DW_AT_specification, &outer) &&
		    !follow(&outer, DW_AT_abstract_origin, &outer))
			return;
	note_maker(w, die, &outer);
}

/* A function may be referred to before its class is visited. */
static void declare_made(struct walk *w)
{
	struct lines *l = w->lines;
	struct fdo_map *makers = fdo_map_new();

	for (size_t i = 0; i < w->nmade; i++)
		*fdo_map_at(makers, (uintptr_t)w->made[i].function) = i + 1;
	for (size_t i = 0; i < l->nentities; i++) {
		struct lines_entity *e = &l->entities[i];
		const uint64_t *at =
			fdo_map_get(makers, (uintptr_t)e->declaration);

		if (!at)
			continue;
		e->file = as_in_unit(l, e, w->made[*at - 1].file);
		e->decl_line = w->made[*at - 1].line;
		e->decl_column = w->made[*at - 1].column;
	}
	fdo_map_free(makers);
	free(w->made);
}

/* A function's own code, or none: it may only be described, or be gone. */
static void visit_function(struct walk *w, Dwarf_Die *die, struct place *at)
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
				       .entity = entity_of(w, die),
			       });
	entry = dwarf_entrypc(die, &low) == 0
			? low - l->sources[LINES_MAIN].bias
			: first;
	lines_name_by_symbol(l, &l->entities[l->bodies[at->body].entity],
			     entry);
	lines_name_by_symbol(l, &l->entities[l->bodies[at->body].entity],
			     first);
}

static void visit_inlined(struct walk *w, Dwarf_Die *die, struct place *at)
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
			.entity = entity_of(w, die),
			.call_file = file_of(w->files, die, DW_AT_call_file),
			.call_line = number_of(die, DW_AT_call_line),
			.call_column = number_of(die, DW_AT_call_column),
			.call_discriminator =
				number_of(die, DW_AT_GNU_discriminator),
			.entry = has_entry
					 ? entry - w->lines->sources[LINES_MAIN]
							   .bias
					 : first,
		});
	at->depth++;
}

/* False: nothing in it can matter. */
static bool visit(struct walk *w, Dwarf_Die *die, struct place *at)
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

static void walk(struct walk *w, Dwarf_Die *parent, struct place in)
{
	Dwarf_Die die;
	int more = in.nesting < MAX_DEPTH ? dwarf_child(parent, &die) : -1;

	if (dwarf_tag(parent) == DW_TAG_subprogram &&
	    !flag_of(parent, DW_AT_artificial))
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
				note_maker(w, &die, parent);
			else if (in.function)
				note_outer(w, &die, in.function);
		}
		if (visit(w, &die, &at))
			walk(w, &die, at);
	}
	w->damaged |= more < 0;
}

static void note_options(struct walk *w, Dwarf_Die *unit)
{
	const struct producer *options = options_of(w, unit);
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

static void add_room(struct walk *w, Dwarf *dwarf)
{
	if (dwarf == w->lines->sources[LINES_MAIN].dwarf || dwarf == w->split)
		return;
	w->split = dwarf;
	w->room += room_for_ranges(dwarf);
}

/* unit: what the program itself has; whole: that, or what its .dwo file has. */
static void read_unit(struct walk *w, Dwarf_Die *unit, Dwarf_Die *whole)
{
	const char *folder = text_of(unit, DW_AT_comp_dir);
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
	const char *name = text_of(unit, DW_AT_dwo_name);

	if (!name)
		name = text_of(unit, DW_AT_GNU_dwo_name);
	if (!l->stats.missing)
		l->stats.missing_name =
			fdo_intern(l->strings, name ? name : "");
	l->stats.missing++;
}

/* Units that dwz made have no code, but classes that code is of. */
static void read_partial_units(struct walk *w, Dwarf *dwarf)
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
	struct walk w = {
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
	declare_made(&w);
	fdo_map_free(w.entities);
}
