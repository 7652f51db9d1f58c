/*
 * lines_walk.h - the walk through DIEs, for its two files.
 *
 *	lines_scopes.c		the tree of functions, and where their code is
 *	lines_entities.c	functions as they stand in the source
 */
#ifndef CONVERTER_LINES_WALK_H
#define CONVERTER_LINES_WALK_H

#include "converter/binary/lines_private.h"
#include "converter/binary/producer.h"

/*
 * Where the class of a function that the compiler made, or the function it is a part
 * of, is declared.
 */
struct lines_maker {
	const void *function; /* its DIE's bytes */
	const char *file;
	uint32_t line, column;
};

struct lines_walk {
	struct lines *lines;
	struct fdo_map *entities; /* address of the root's bytes -> id + 1 */
	struct lines_maker *made;
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

/* What a DIE says; 0, NULL and false: nothing. */
uint64_t lines_die_number(Dwarf_Die *die, unsigned name);
const char *lines_die_text(Dwarf_Die *die, unsigned name);
bool lines_die_flag(Dwarf_Die *die, unsigned name);
uint32_t lines_die_file(const struct lines_files *files, Dwarf_Die *die,
			unsigned name);

/* How a unit was compiled. */
const struct producer *lines_walk_options(struct lines_walk *w,
					  Dwarf_Die *unit);

/* The number of the entity that a DIE is a copy of. */
uint32_t lines_walk_entity(struct lines_walk *w, Dwarf_Die *copy);

/* A function in a class: the compiler may have made it. */
void lines_walk_made(struct lines_walk *w, Dwarf_Die *die, Dwarf_Die *parent);

/* Likewise in a function, as a region of OpenMP. */
void lines_walk_made_within(struct lines_walk *w, Dwarf_Die *die,
			    const Dwarf_Die *function);

/*
 * At the end, where all of these are declared: a function may be referred to before
 * its class is visited.
 */
void lines_walk_declare(struct lines_walk *w);

#endif
