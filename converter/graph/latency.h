/*
 * latency.h - how long an instruction takes from operands to result, without
 * the load.
 *
 * Inside decode.c, which has what Zydis said; others see decode.h.
 *
 * Units      CPU cycles of current cores.
 */
#ifndef CONVERTER_LATENCY_H
#define CONVERTER_LATENCY_H

#include <Zydis/Zydis.h>

unsigned latency_of(const ZydisDecodedInstruction *zi,
		    const ZydisDecodedOperand *operands);

#endif
