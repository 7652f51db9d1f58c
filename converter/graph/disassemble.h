/*
 * disassemble.h - an instruction as text, as the GNU assembler spells it.
 *
 *	struct disassembler *d = disassembler_new();
 *	char text[DISASSEMBLE_SIZE];
 *	disassemble(d, bytes, insn.length, insn.address, text);
 *	disassembler_free(d);
 *
 * Units      Addresses as in decode.h; jumps and calls show where they go.
 * Ownership  All but the disassembler are plain values.
 * Errors     Bytes that are no instruction are "(bad)".
 */
#ifndef CONVERTER_DISASSEMBLE_H
#define CONVERTER_DISASSEMBLE_H

#include <stddef.h>
#include <stdint.h>

enum { DISASSEMBLE_SIZE = 256 };

struct disassembler;

struct disassembler *disassembler_new(void);
void disassembler_free(struct disassembler *d);

/* text has room for DISASSEMBLE_SIZE characters, with the final 0. */
void disassemble(const struct disassembler *d, const void *bytes, size_t size,
		 uint64_t address, char *text);

#endif
