#include "converter/graph/disassemble.h"

#include <Zydis/Zydis.h>
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct disassembler {
	ZydisDecoder decoder;
	ZydisFormatter formatter;
};

static bool set(struct disassembler *d, ZydisFormatterProperty property,
		ZyanUPointer value)
{
	return ZYAN_SUCCESS(
		ZydisFormatterSetProperty(&d->formatter, property, value));
}

struct disassembler *disassembler_new(void)
{
	struct disassembler *d = fdo_alloc(1, sizeof(*d));
	bool done = ZYAN_SUCCESS(ZydisDecoderInit(&d->decoder,
						  ZYDIS_MACHINE_MODE_LONG_64,
						  ZYDIS_STACK_WIDTH_64)) &&
		    ZYAN_SUCCESS(ZydisFormatterInit(
			    &d->formatter, ZYDIS_FORMATTER_STYLE_ATT)) &&
		    set(d, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE) &&
		    set(d, ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, 0) &&
		    set(d, ZYDIS_FORMATTER_PROP_DISP_PADDING, 0) &&
		    set(d, ZYDIS_FORMATTER_PROP_IMM_PADDING, 0);

	assert(done);
	(void)done;
	return d;
}

void disassembler_free(struct disassembler *d)
{
	free(d);
}

void disassemble(const struct disassembler *d, const void *bytes, size_t size,
		 uint64_t address, char *text)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;

	if (ZYAN_FAILED(ZydisDecoderDecodeFull(&d->decoder, bytes, size, &insn,
					       operands)) ||
	    ZYAN_FAILED(ZydisFormatterFormatInstruction(
		    &d->formatter, &insn, operands, insn.operand_count_visible,
		    text, DISASSEMBLE_SIZE, address, NULL)))
		strcpy(text, "(bad)");
}
