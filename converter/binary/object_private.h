/*
 * object_private.h - what the files object*.c know of each other.
 */
#ifndef CONVERTER_OBJECT_PRIVATE_H
#define CONVERTER_OBJECT_PRIVATE_H

#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <limits.h>

#include "base/file.h"
#include "converter/binary/object.h"

struct fdo_map;
struct fdo_strings;
struct object_manner;

/* A place in data that the loader fills in. */
struct object_relocation {
	uint64_t address;
	uint64_t value;	  /* if known */
	const char *name; /* of the symbol, if it decides or is to be called */
	bool known;
	bool indirect; /* value is of a resolver, who decides at run time */
};

struct object_private {
	struct fdo_file file;
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;	   /* the module's */
	uint64_t elf_bias; /* libdwfl's addresses minus ours */
	char *debug_path;  /* as in Dwfl_Callbacks */
	Dwfl_Callbacks callbacks;
	Dwarf *dwarf;
	Dwarf *common; /* of dwz -m, where libdwfl does not look; or NULL */
	int common_fd;
	uint64_t dwarf_bias; /* our addresses plus this are the DWARF's */
	char debug_problem[2 * PATH_MAX + 64]; /* why there is no dwarf */
	struct fdo_strings *strings;
	struct object_segment *segments;
	struct object_section *sections;
	struct object_function *functions;
	struct object_relocation *relocations; /* by address */
	size_t nrelocations;
	struct fdo_map *exports;       /* hash of a name: address */
	struct object_manner *manners; /* by name, once read */
	size_t nmanners, room_manners;
	bool manners_read;
};

/*
 * Each fills its part of the object; none fails: what is damaged is left out.
 * Relocations come first: those of a resolver get its function's name.
 */
void object_read_relocations(struct object *o);
void object_read_functions(struct object *o);
void object_read_exports(struct object *o);

/* Is it a slot of the GOT?  Other pointers may be changed by the program. */
bool object_is_slot(const struct object *o, uint64_t address);

/* NULL: it has none of that name. */
const struct object_section *object_section_named(const struct object *o,
						  const char *name);

/* Give the file to libdwfl. */
bool object_open_debug(struct object *o, const struct object_options *options,
		       struct fdo_error *err);

/* Let libdwfl look for the debug information. */
void object_find_debug(struct object *o);

/*
 * The last item of an array that begins with an address not above this one,
 * or NULL.  An item's first field is its address, and they ascend.
 */
const void *object_find(const void *array, size_t n, size_t size,
			uint64_t address);

#endif
