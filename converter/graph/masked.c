/*
 * masked.c - all code is read twice: first for places behind such instructions and
 * functions that return there, and then for who calls these, or for what calls them by
 * a pointer until Linux knows on what it runs, and writes sti in its place (pv_ops).
 */
#include "converter/graph/masked.h"

#include <Zydis/Zydis.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/binary/object.h"
#include "converter/graph/decode.h"
#include "converter/graph/rewrites.h"

struct masked {
	struct fdo_map *places;
};

struct search {
	const struct object *object;
	struct decoder *decoder;
	struct rewrites *rewrites;
	struct fdo_map *places, *functions;
	unsigned wait; /* instructions until interrupts come in, from 1 */
};

/* sti lets the next instruction run before any interrupt. */
static unsigned waits_behind(const struct insn *insn)
{
	switch (insn->opcode) {
	case ZYDIS_MNEMONIC_STI:
		return 2;
	case ZYDIS_MNEMONIC_POPF:
	case ZYDIS_MNEMONIC_POPFQ:
		return 1;
	default:
		return 0;
	}
}

static void find_place(struct search *s, const struct object_function *f,
		       const struct insn *insn)
{
	unsigned wait = waits_behind(insn);

	if (s->wait == 1)
		*fdo_map_at(s->places, insn->address) = 1;
	else if (s->wait && insn->class == INSN_RETURN)
		*fdo_map_at(s->functions, f->address) = 1;
	if (s->wait)
		s->wait--;
	if (wait)
		s->wait = wait;
}

static void find_call(struct search *s, const struct object_function *f,
		      const struct insn *insn)
{
	uint64_t target = insn->target;

	(void)f;
	if (insn->class != INSN_CALL &&
	    !(insn->class == INSN_CALL_INDIRECT && insn->rip_relative &&
	      object_pointer(s->object, insn_data(insn), &target)))
		return;
	if (fdo_map_get(s->functions, target))
		*fdo_map_at(s->places, insn_end(insn)) = 1;
}

typedef void find(struct search *s, const struct object_function *f,
		  const struct insn *insn);

static void sweep(struct search *s, const struct object_function *f, find *find)
{
	size_t left, at = 0;
	const unsigned char *bytes = object_bytes(s->object, f->address, &left);
	struct insn insn;

	if (!bytes)
		return;
	if (left > f->size)
		left = f->size;
	s->wait = 0;
	while (at < left) {
		if (!decode(s->decoder, bytes + at, left - at, f->address + at,
			    &insn)) {
			at++;
			continue;
		}
		rewrites_apply(s->rewrites, &insn);
		find(s, f, &insn);
		at += insn.length;
	}
}

static void sweep_all(struct search *s, find *find)
{
	for (size_t f = 0; f < s->object->nfunctions; f++)
		sweep(s, &s->object->functions[f], find);
}

struct masked *masked_new(const struct object *o)
{
	struct masked *masked = fdo_alloc(1, sizeof(*masked));
	struct search search = {
		.object = o,
		.decoder = decoder_new(),
		.rewrites = rewrites_new(o),
		.places = fdo_map_new(),
		.functions = fdo_map_new(),
	};

	sweep_all(&search, find_place);
	sweep_all(&search, find_call);
	fdo_map_free(search.functions);
	rewrites_free(search.rewrites);
	decoder_free(search.decoder);
	masked->places = search.places;
	return masked;
}

void masked_free(struct masked *masked)
{
	if (!masked)
		return;
	fdo_map_free(masked->places);
	free(masked);
}

bool masked_ends(const struct masked *masked, uint64_t address)
{
	return fdo_map_get(masked->places, address);
}
