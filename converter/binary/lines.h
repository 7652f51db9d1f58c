/*
 * lines.h - from an address to the source, with all inlining undone.
 *
 *	struct lines *l = lines_new(object, err);
 *	struct lines_place place;
 *	if (lines_at(l, address, &place))
 *		for (f = place.frame; f; f = f->parent)
 *			...	// f->name called at f->call_line
 *	lines_free(l);
 *
 * Everything is read once, in one sweep over the debug information; a
 * question is then a binary search, and none at all when addresses rise.
 *
 * Units      Addresses as in object.h.  Lines and columns count from 1; 0 is
 *            unknown.
 * Ownership  Frames and texts belong to the struct lines.  Texts are
 *            interned: equal texts have equal pointers.  So are frames: two
 *            places are in the same inline instance of the same function if
 *            and only if their frames are equal pointers.
 * Errors     Damaged debug information: what can be read is used; fails only
 *            where nothing can.
 * Threads    A struct lines stays in the thread that made it; lines_at()
 *            is for one thread at a time.
 */
#ifndef CONVERTER_LINES_H
#define CONVERTER_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fdo_error;
struct object;
struct lines;

/* One function's body: a function of its own, or a copy inlined into one. */
struct lines_frame {
	const struct lines_frame *parent; /* inlined into; NULL: into none */
	/*
	 * As the assembler knows it, without .part, .constprop and so on; of a
	 * thunk it is that of the function that the thunk calls.
	 * All variants of a constructor or destructor have the name of the
	 * one in the source (C4, D4), as GCC's DECL_ORIGIN does.  A static
	 * function of C++ has its plain name if it is inlined everywhere:
	 * the debug information then has no other; and so has a function
	 * within a function, of which the assembler's is a number more.
	 * Never NULL: code without any name has "".
	 */
	const char *name;
	const char *file; /* of the declaration, as given to the compiler */
	unsigned decl_line;
	/* Of a unit that has it: where it was compiled.  NULL: unknown. */
	const char *folder;
	/* Where the parent called it; all 0 without a parent. */
	const char *call_file; /* NULL: unknown */
	unsigned call_line;
	unsigned call_column;
	unsigned call_discriminator; /* GCC 12 does not say: 0 */
	/*
	 * It is a rest that the compiler split off that function, then took
	 * for that of another, which was equal (-fipa-icf), and put in there,
	 * or it is in such a frame.  Nothing of it says how often its lines
	 * are executed.
	 */
	bool is_of_other;
	/* The function that it is in was compiled without -fcrossjumping
	 * (producer.h). */
	bool no_crossjumping;
};

/*
 * Of a thunk, and of a function that was made of an equal one, nothing is known but
 * the frame: there the file is NULL, and all else 0.
 */
struct lines_place {
	const struct lines_frame *frame; /* NULL: in no known function */
	const char *file; /* as given to the compiler; NULL: unknown */
	unsigned line;
	unsigned column;
	unsigned discriminator;
};

/* Here code of a statement of that line begins (DWARF: is_stmt). */
struct lines_begin {
	uint64_t address;
	const char *file; /* as in a place */
	unsigned line;
	unsigned column;
};

/*
 * Here a body that is inlined begins (DWARF: entry_pc, or where nothing says that,
 * its first address).
 */
struct lines_entry {
	uint64_t address;
	const struct lines_frame *frame;
};

/* What was read, for a report. */
struct lines_stats {
	size_t units;
	size_t folded;		  /* functions whose code is another's, too */
	size_t damaged;		  /* units of which a part could not be read */
	size_t missing;		  /* units without a .dwo file that fits */
	const char *missing_name; /* of the first of these, as compiled */
	/* Units of GCC's that were optimized, with -gstatement-frontiers, as
	 * by -g alone, and without, as by -g1: by DW_AT_producer. */
	size_t frontiers, no_frontiers;
};

struct lines *lines_new(const struct object *o, struct fdo_error *err);
void lines_free(struct lines *l);

/* The function that a frame is inlined into, at any depth, or is itself. */
static inline const struct lines_frame *
lines_outermost(const struct lines_frame *frame)
{
	while (frame && frame->parent)
		frame = frame->parent;
	return frame;
}

/* False where the debug information says nothing of the address. */
bool lines_at(const struct lines *l, uint64_t address, struct lines_place *ret);

/* The first address after this one where the answer changes; 0: none. */
uint64_t lines_next(const struct lines *l, uint64_t address);

/*
 * All beginnings from one address on and before another, by address; those that
 * several statements of no code have there, too.
 */
const struct lines_begin *lines_begins(const struct lines *l, uint64_t from,
				       uint64_t to, size_t *n_ret);

/* All of them from one address on and before another, by address. */
const struct lines_entry *lines_entries(const struct lines *l, uint64_t from,
					uint64_t to, size_t *n_ret);

const struct lines_stats *lines_stats(const struct lines *l);

#endif
