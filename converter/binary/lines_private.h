/*
 * lines_private.h - what the files lines*.c know of each other: the stages
 * of reading, each with the array that it fills.
 *
 *	line tables	-> rows, in sequences	(lines_rows.c)
 *	DIEs		-> entities, bodies, scopes	(lines_entities.c, lines_scopes.c)
 *	symbols, rows	-> more of them	(lines_bare.c, lines_copied.c)
 *	scopes, rows	-> of one function for each piece of code	(lines_folded.c)
 *	bodies		-> frames	(lines_frames.c)
 *	rows, scopes	-> ranges	(lines.c)
 */
#ifndef CONVERTER_LINES_PRIVATE_H
#define CONVERTER_LINES_PRIVATE_H

#include <elfutils/libdw.h>

#include "converter/binary/lines.h"

struct fdo_map;
struct fdo_strings;
struct lines_files;

#define LINES_NONE UINT32_MAX

/* From here to the next row of the sequence. */
struct lines_row {
	uint64_t address;
	uint32_t file; /* in lines.files; 0: unknown */
	uint32_t line;
	uint32_t column;
	uint32_t discriminator : 31;
	uint32_t is_stmt : 1;
};

/* Rows of rising addresses; no two have the same. */
struct lines_sequence {
	uint64_t address;
	uint64_t end;
	size_t first; /* row */
	size_t n;
	size_t first_begin; /* likewise, in lines.begins */
	size_t nbegins;
};

/* A function as it stands in the source. */
struct lines_entity {
	const char *name;
	const char *file;
	uint32_t decl_line;
	uint32_t decl_column;
	const void *declaration; /* the bytes of the DIE that has its name */
	const struct lines_files *files; /* of a unit that it has code in */
	const char *folder;		 /* of this unit; NULL: unknown */
	bool linkage;			 /* name is the assembler's */
	enum { LINES_C, LINES_CXX, LINES_FORTRAN } language;
	bool no_crossjumping; /* where it is described */
};

/* A frame before equal ones are made one. */
struct lines_body {
	uint32_t parent; /* an earlier body, or LINES_NONE */
	uint32_t entity;
	uint32_t call_file;
	uint32_t call_line;
	uint32_t call_column;
	uint32_t call_discriminator;
	uint64_t entry; /* of what is inlined: where it begins */
	const char *folder;
	bool no_crossjumping;
	bool is_bare; /* of which lines its code is, nothing says */
};

/* The code of a body; where several cover an address, the deepest counts. */
struct lines_scope {
	uint64_t address;
	uint64_t end;
	uint32_t depth;
	uint32_t body;
};

/* What is asked for: everything from here to the next one. */
struct lines_range {
	uint64_t address;
	uint32_t frame; /* LINES_NONE */
	uint32_t file;
	uint32_t line;
	uint32_t column;
	uint32_t discriminator;
	uint32_t known; /* there is a row or a frame */
};

/* The file names of one line table, by the numbers that DWARF uses. */
struct lines_files {
	uint32_t *ids; /* in lines.files */
	size_t n, room;
};

/* One of the two files of debug information: the program's, and dwz's. */
struct lines_source {
	Dwarf *dwarf;			 /* NULL: there is none */
	uint64_t bias;			 /* to subtract from its addresses */
	Elf_Data *line, *line_str, *str; /* sections; NULL: none */
	struct fdo_map *tables; /* offset of a line table -> in lines.tables */
};

enum { LINES_MAIN, LINES_ALT, LINES_SOURCES };

struct lines {
	const struct object *object;
	struct fdo_strings *strings;
	struct lines_source sources[LINES_SOURCES];

	const char **files; /* interned; [0] is NULL */
	size_t nfiles, room_files;
	struct fdo_map *file_ids; /* of an interned name */
	struct lines_files **tables;
	size_t ntables, room_tables;

	struct lines_row *rows;
	size_t nrows, room_rows;
	struct lines_begin *begins;
	size_t nbegins, room_begins;
	struct lines_sequence *sequences;
	size_t nsequences, room_sequences;

	struct lines_entity *entities;
	size_t nentities, room_entities;
	struct lines_body *bodies;
	size_t nbodies, room_bodies;
	struct lines_scope *scopes;
	size_t nscopes, room_scopes;

	struct lines_frame *frames;
	size_t nframes;
	struct lines_entry *entries;
	size_t nentries;
	struct lines_range *ranges;
	size_t nranges, room_ranges;
	size_t hint; /* the range of the last answer */
	struct lines_stats stats;
};

/* The path of a file, or of a folder, as a line table has it; interned. */
const char *lines_path(struct lines *l, const char *directory,
		       const char *name);

/*
 * The file names of the line table at that offset, read if they are not yet;
 * with_rows: its rows, too.  Never NULL, and stays where it is, whatever is
 * read later; sets *damaged if something is.
 */
const struct lines_files *lines_read_table(struct lines *l, int source,
					   uint64_t offset, bool with_rows,
					   bool *damaged);

/* A section of debug information, decompressed; NULL: there is none. */
Elf_Data *lines_section(Dwarf *dwarf, const char *name);

/* The end of the executable section around the address; 0: there is none. */
uint64_t lines_code_end(const struct lines *l, uint64_t address);

/*
 * Fortran programs and static functions of C++ have no linkage name in the debug
 * information: the symbol where their code begins has it.  That of a function
 * within a function is its name and a number, which says nothing, and is not taken.
 */
void lines_name_by_symbol(struct lines *l, struct lines_entity *e,
			  uint64_t address);

/*
 * What the assembler calls the function of a symbol in the source, interned:
 * "f.constprop.0.cold" is f, and a thunk is the function that it calls.
 */
const char *lines_name_in_source(struct lines *l, const char *symbol);

/* One more; the number of an entity or a body is returned. */
uint32_t lines_add_entity(struct lines *l, const struct lines_entity *entity);
uint32_t lines_add_body(struct lines *l, const struct lines_body *body);
void lines_add_scope(struct lines *l, const struct lines_scope *scope);

/* All units of the program's debug information, rows and all. */
void lines_read_units(struct lines *l);

/* Functions of the symbol table that have no DIE.  Scopes and sequences are sorted. */
void lines_add_bare(struct lines *l);

/* Code that may be a copy of a function's, from which address, to which. */
struct lines_copied {
	uint64_t from, to, size;
};

/* Is it that, but for displacements and registers, and has the other one rows? */
bool lines_is_copy(const struct lines *l, const struct lines_copied *c);

/*
 * Give n copies, in order of their addresses, the rows and scopes of what they are
 * copies of.  Sequences and the first nscopes scopes are sorted, and all are not
 * afterwards.
 */
void lines_copy(struct lines *l, const struct lines_copied *copies, size_t n,
		size_t nscopes);

/*
 * Of functions with one and the same code, leave one, and its rows.  Scopes and
 * sequences are sorted, and stay so.
 */
void lines_drop_folded(struct lines *l);

/* Bodies to frames: frame_of[body] is in lines.frames.  Free it. */
uint32_t *lines_make_frames(struct lines *l);

/*
 * A rest that was split off a function, and put back, begins on the line of its
 * declaration as the function does: it is not the function that begins there.
 */
void lines_drop_parts(struct lines *l, const uint32_t *frame_of);

#endif
