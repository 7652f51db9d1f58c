/*
 * own_code.h - instructions that are where this program has code, for tests of
 * what looks for samples by address.
 *
 *	if (!own_code(&binary, insns, offsets, n))
 *		...
 *	object_free(binary.object);
 *
 * Each instruction has one byte, from the program's entry on, and an offset in
 * its file.
 */
#ifndef TESTSUITE_OWN_CODE_H
#define TESTSUITE_OWN_CODE_H

#include "base/error.h"
#include "converter/binary/object.h"
#include "converter/count/program.h"

static inline bool own_code(struct program_binary *binary, struct insn *insns,
			    uint64_t *offsets, size_t n)
{
	struct object_options options = { 0 };
	struct fdo_error err;
	bool found = true;

	binary->object = object_open("/proc/self/exe", &options, &err);
	if (!binary->object)
		return false;
	for (size_t i = 0; i < n; i++) {
		insns[i].address = binary->object->entry + i;
		found &= object_offset(binary->object, insns[i].address,
				       &offsets[i]);
	}
	return found;
}

#endif
