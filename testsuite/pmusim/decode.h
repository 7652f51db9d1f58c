/*
 * decode.h - one instruction, as the model needs it.
 *
 * Range      As in code.h.
 * Errors     False: these bytes are no whole instruction.
 */
#ifndef PMUSIM_DECODE_H
#define PMUSIM_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct insn;

/* "zydis" is a ZydisDecoder. */
bool decode_insn(const void *zydis, const unsigned char *bytes, size_t size,
		 uint64_t address, struct insn *ret);

#endif
