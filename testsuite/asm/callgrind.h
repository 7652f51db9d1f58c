/*
 * callgrind.h - exact counts of instructions and jumps, from the output of
 *
 *	valgrind --tool=callgrind --skip-plt=no --dump-instr=yes \
 *		--collect-jumps=yes --callgrind-out-file=FILE PROGRAM ...
 *
 * Units      Addresses are ELF addresses of the one object asked for.
 * Ownership  callgrind_free() frees what callgrind_read() filled in.
 */
#ifndef TESTSUITE_CALLGRIND_H
#define TESTSUITE_CALLGRIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fdo_map;

struct callgrind_jump {
	uint64_t from, to;
	uint64_t count;
	bool call; /* or a jump that callgrind takes for one */
};

struct callgrind {
	struct fdo_map *executed;     /* address to how often */
	struct callgrind_jump *jumps; /* by from, then to; each pair once */
	size_t njumps, room;
};

/* Read what belongs to the object whose file name ends in "/NAME". */
bool callgrind_read(struct callgrind *c, const char *path, const char *name);
void callgrind_free(struct callgrind *c);

#endif
