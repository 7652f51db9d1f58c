#include "converter/graph/asked.h"

#include <Zydis/Zydis.h>

bool asked_by(unsigned opcode, struct asked *ret)
{
	switch (opcode) {
	case ZYDIS_MNEMONIC_JZ:
		*ret = (struct asked){ .holds = true };
		return true;
	case ZYDIS_MNEMONIC_JNZ:
		*ret = (struct asked){ .holds = false };
		return true;
	case ZYDIS_MNEMONIC_JL:
	case ZYDIS_MNEMONIC_JNLE:
	case ZYDIS_MNEMONIC_JB:
	case ZYDIS_MNEMONIC_JNBE:
	case ZYDIS_MNEMONIC_JS:
		*ret = (struct asked){ .order = true, .holds = true };
		return true;
	case ZYDIS_MNEMONIC_JLE:
	case ZYDIS_MNEMONIC_JNL:
	case ZYDIS_MNEMONIC_JBE:
	case ZYDIS_MNEMONIC_JNB:
	case ZYDIS_MNEMONIC_JNS:
		*ret = (struct asked){ .order = true, .holds = false };
		return true;
	default:
		return false;
	}
}
