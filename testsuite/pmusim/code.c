/*
 * code.c - blocks are found by their address, then by a hash of their bytes.
 */
#include "testsuite/pmusim/code.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "testsuite/pmusim/decode.h"

struct code *code_new(void)
{
	struct code *code = fdo_alloc(1, sizeof(*code));

	code->at = fdo_map_new();
	code->decoder = fdo_alloc(1, sizeof(ZydisDecoder));
	ZydisDecoderInit(code->decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	return code;
}

static void block_free(struct block *block)
{
	fdo_map_free(block->others);
	free(block->insns);
	free(block);
}

void code_free(struct code *code)
{
	if (!code)
		return;
	for (struct block *b = code->newest, *next; b; b = next) {
		next = b->entered_before;
		block_free(b);
	}
	fdo_map_free(code->at);
	free(code->decoder);
	free(code);
}

static uint64_t hash_of(const struct block_text *text)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (int i = 0; i < text->size; i++)
		for (int j = 0; j < text->lengths[i]; j++)
			hash = (hash ^ text->bytes[i][j]) * 0x100000001b3;
	return hash;
}

/*
 * An instruction that crosses into the next page is not part of QEMU's block
 * if others are before it; but its first bytes are in the text.  They are no
 * instruction, since no beginning of one is.
 */
static void decode_all(struct code *code, struct block *block,
		       const struct block_text *text)
{
	uint64_t address = text->address;

	block->insns = fdo_alloc(text->size, sizeof(*block->insns));
	for (int i = 0; i < text->size; i++) {
		if (!decode_insn(code->decoder, text->bytes[i],
				 text->lengths[i], address, &block->insns[i]))
			break;
		address += text->lengths[i];
		block->size++;
	}
}

static struct block *block_new(struct code *code, const struct block_text *text,
			       const struct mapping *mapping)
{
	struct block *block = fdo_alloc(1, sizeof(*block));

	block->address = text->address;
	block->mapping = mapping;
	block->hash = hash_of(text);
	decode_all(code, block, text);
	return block;
}

struct block *code_block(struct code *code, const struct block_text *text,
			 const struct mapping *mapping)
{
	uint64_t *at = fdo_map_at(code->at, text->address);
	struct block *block, *first = (struct block *)(uintptr_t)*at;
	uint64_t hash = hash_of(text);

	for (block = first; block; block = block->older)
		if (block->hash == hash && block->mapping == mapping)
			return block;
	block = block_new(code, text, mapping);
	block->older = first;
	block->entered_before = code->newest;
	code->newest = block;
	*at = (uintptr_t)block;
	return block;
}
