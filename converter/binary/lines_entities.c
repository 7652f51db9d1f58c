/*
 * lines_entities.c - functions as they stand in the source.
 *
 * A function that was inlined or cloned is described once (the "root" that
 * DW_AT_abstract_origin leads to), perhaps in another unit or in dwz's
 * file; each copy says only where its code is and where it was called.
 *
 * What the compiler made up in a class, the body of a lambda above all, is not
 * said to be declared anywhere; the class is.
 */
#include "converter/binary/lines_walk.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"

uint64_t lines_die_number(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (!dwarf_attr(die, name, &attribute) ||
	    dwarf_formudata(&attribute, &value) != 0)
		return 0;
	return value;
}

const char *lines_die_text(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr(die, name, &attribute));
}

bool lines_die_flag(Dwarf_Die *die, unsigned name)
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

static const struct lines_files *files_of(struct lines_walk *w, Dwarf_Die *unit)
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
uint32_t lines_die_file(const struct lines_files *files, Dwarf_Die *die,
			unsigned name)
{
	uint64_t number = lines_die_number(die, name);

	return dwarf_hasattr(die, name) && files && number < files->n
		       ? files->ids[number]
		       : 0;
}

static int language_of(Dwarf_Die *unit)
{
	switch (lines_die_number(unit, DW_AT_language)) {
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

const struct producer *lines_walk_options(struct lines_walk *w, Dwarf_Die *unit)
{
	const char *text = lines_die_text(unit, DW_AT_producer);

	if (!text || text != w->options_text)
		w->options = producer_of(text);
	w->options_text = text;
	return &w->options;
}

/* Where it is declared. */
static const char *file_name(struct lines_walk *w, Dwarf_Die *unit,
			     Dwarf_Die *die)
{
	/* Reading a table may move the names. */
	const struct lines_files *files = files_of(w, unit);

	return w->lines->files[lines_die_file(files, die, DW_AT_decl_file)];
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
static struct lines_entity read_entity(struct lines_walk *w, Dwarf_Die die)
{
	struct lines *l = w->lines;
	struct lines_entity e = { .files = w->files, .folder = w->folder };
	const char *name = NULL, *linkage = NULL;
	Dwarf_Die unit;

	for (int i = 0; i < 8; i++) {
		if (!linkage)
			linkage = lines_die_text(&die, DW_AT_linkage_name);
		if (!linkage)
			linkage = lines_die_text(&die, DW_AT_MIPS_linkage_name);
		if (!name)
			name = lines_die_text(&die, DW_AT_name);
		if (!e.decl_line) {
			e.decl_line = lines_die_number(&die, DW_AT_decl_line);
			e.decl_column =
				lines_die_number(&die, DW_AT_decl_column);
		}
		if (dwarf_cu_die(die.cu, &unit, NULL, NULL, NULL, NULL, NULL,
				 NULL)) {
			if (i == 0) {
				e.language = language_of(&unit);
				e.no_crossjumping =
					!lines_walk_options(w, &unit)
						 ->crossjumping;
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

uint32_t lines_walk_entity(struct lines_walk *w, Dwarf_Die *copy)
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

void lines_walk_made(struct lines_walk *w, Dwarf_Die *die, Dwarf_Die *parent)
{
	Dwarf_Die unit;
	uint64_t line = lines_die_number(parent, DW_AT_decl_line);

	if (!line || !lines_die_flag(die, DW_AT_artificial) ||
	    !dwarf_cu_die(die->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL))
		return;
	w->made = fdo_grow(w->made, w->nmade, &w->room_made, sizeof(*w->made));
	w->made[w->nmade++] = (struct lines_maker){
		.function = die->addr,
		.file = file_name(w, &unit, parent),
		.line = line,
		.column = lines_die_number(parent, DW_AT_decl_column),
	};
}

void lines_walk_made_within(struct lines_walk *w, Dwarf_Die *die,
			    const Dwarf_Die *function)
{
	Dwarf_Die outer = *function;

	if (dwarf_hasattr(die, DW_AT_abstract_origin))
		return;
	for (int i = 0; i < 8 && !dwarf_hasattr(&outer, DW_AT_decl_line); i++)
		if (!follow(&outer, DW_AT_specification, &outer) &&
		    !follow(&outer, DW_AT_abstract_origin, &outer))
			return;
	lines_walk_made(w, die, &outer);
}

void lines_walk_declare(struct lines_walk *w)
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
