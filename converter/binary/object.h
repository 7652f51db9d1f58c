/*
 * object.h - one ELF file of the profiled program: its code, its symbols,
 * and where its debug information is.
 *
 *	struct object_options options = { .debug_dir = dir };
 *	struct object *o = object_open("app", &options, err);
 *	const struct object_function *f = object_function_at(o, address);
 *	const unsigned char *code = object_bytes(o, f->address, &size);
 *	object_free(o);
 *
 * Units      Addresses are ELF virtual addresses: those that nm and objdump
 *            print, not those of a running process.
 *            Places in a file are bytes of it; in a kernel, which is found
 *            elsewhere each time it boots, bytes from its symbol _text.
 * Range      x86-64 executables (fixed or PIE), shared objects, and Linux.
 * Ownership  Everything belongs to the object and lives as long as it.
 * Errors     Each text begins with the file's name.  What is missing but
 *            not needed (symbols, build-id) is not an error.
 * Threads    An object stays in the thread that opened it.
 */
#ifndef CONVERTER_OBJECT_H
#define CONVERTER_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/build_id.h"

struct fdo_error;
struct Dwarf; /* libdw's */

enum object_type {
	OBJECT_FIXED, /* runs where it is linked for (-no-pie) */
	OBJECT_PIE,
	OBJECT_SHARED,
};

/* Files whose path begins with old are named as if it began with new. */
struct object_prefix {
	char *old;
	const char *new;
};

struct object_options {
	/*
	 * Searched as /usr/lib/debug is, before it; several with : between,
	 * and a relative one beside the file.  May be NULL.
	 */
	const char *debug_dir;
	/* The last one that fits counts.  They have to live as the object. */
	const struct object_prefix *prefixes;
	size_t nprefixes;
};

/* A loaded part of the file. */
struct object_segment {
	uint64_t address;
	uint64_t size;	    /* in memory */
	uint64_t offset;    /* in the file */
	uint64_t file_size; /* in the file; the rest is zeros */
	bool executable;
	bool writable;
};

struct object_section {
	uint64_t address;
	uint64_t size;
	const char *name;
	const unsigned char *bytes; /* NULL: zeros that the file lacks (.bss) */
	bool executable;
	bool writable; /* .data.rel.ro is, until it is relocated */
};

struct object_function {
	uint64_t address;
	uint64_t size;	  /* never 0, and never into the next function */
	const char *name; /* as in the symbol table, without @VERSION */
	bool global;
	/* Its size is a guess: up to the next symbol or the section's end. */
	bool size_guessed;
	/*
	 * "NAME.cold" is no function but a part of one that stands
	 * elsewhere: here it is.  NULL for all others, and when it is lost.
	 */
	const struct object_function *cold_of;
};

struct object {
	const char *path; /* as it was given */
	/* As the kernel has it, behind all links; of a kernel, as perf has it */
	const char *real_path;
	enum object_type type;
	struct fdo_build_id build_id;
	uint64_t kernel; /* of Linux, where its code begins; 0: no Linux */
	uint64_t entry;	 /* where the program begins; 0: nowhere */
	const struct object_segment *segments; /* by address */
	size_t nsegments;
	const struct object_section *sections; /* in memory, by address */
	size_t nsections;
	const struct object_function *functions; /* by address, disjoint */
	size_t nfunctions;
	const struct object_prefix *prefixes;
	size_t nprefixes;
	struct object_private *private_;
};

struct object *object_open(const char *path,
			   const struct object_options *options,
			   struct fdo_error *err);
void object_free(struct object *o);

/* Place in the file <-> address, for what is loaded from the file. */
bool object_address(const struct object *o, uint64_t offset, uint64_t *ret);
bool object_offset(const struct object *o, uint64_t address, uint64_t *ret);

/*
 * The bytes from an address to the end of its section, as they are in the
 * file, and how many; NULL where there are none (outside, or .bss).
 */
const unsigned char *object_bytes(const struct object *o, uint64_t address,
				  size_t *size_ret);

const struct object_section *object_section_at(const struct object *o,
					       uint64_t address);

/* The function whose code that is, or NULL.  .cold parts are themselves. */
const struct object_function *object_function_at(const struct object *o,
						 uint64_t address);

/* Likewise, but that of a .cold part is the function that it is of. */
static inline const struct object_function *
object_whole_function_at(const struct object *o, uint64_t address)
{
	const struct object_function *f = object_function_at(o, address);

	return f && f->cold_of ? f->cold_of : f;
}

/* Where a name without its ".cold" (old: ".cold.N") ends; 0: it has none. */
size_t object_length_before_cold(const char *name);

/*
 * Where functions with a name begin, by any of the names that the symbol table
 * has for a place: *n of them, in an array that the caller frees.
 */
uint64_t *object_named(const struct object *o, const char *name, size_t *n);

/* Where a symbol of a name is, whatever it is of. */
bool object_symbol(const struct object *o, const char *name, uint64_t *ret);

/*
 * The pointer that a program finds in 8 bytes of data at run time, as an
 * ELF address: what the loader will relocate is applied.  False where there
 * are no such bytes, or where another file decides the value.
 */
bool object_pointer(const struct object *o, uint64_t address, uint64_t *ret);

/*
 * Who is called through another file: the name of the function behind a PLT
 * entry's code, or behind a slot of the GOT (call *NAME@GOTPCREL(%rip)).
 * NULL where it is neither.
 */
const char *object_plt_name(const struct object *o, uint64_t address);
const char *object_got_name(const struct object *o, uint64_t slot);

/* Where the function is that other objects know by a name; 0: there is none. */
uint64_t object_export(const struct object *o, const char *name);

/*
 * Does a call of that function never come back?  Known from the debug
 * information (_Noreturn, noreturn), and of some functions of the C and
 * C++ run-time system by name.
 */
bool object_noreturn(const struct object *o, const char *name);

/*
 * The debug information, from the file itself or wherever it was found;
 * addresses in it are the object's plus *bias_ret.  NULL: none.
 */
struct Dwarf *object_dwarf(const struct object *o, uint64_t *bias_ret);

/*
 * Fails, with what to do about it, when there is no debug information with
 * line numbers, or the part of it is missing that programs have in common.
 */
bool object_needs_debug(const struct object *o, struct fdo_error *err);

#endif
