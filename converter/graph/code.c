/*
 * code.c - sweep, then follow.
 *
 * "starts" has a number for each byte, so that finding the instruction at an
 * address takes no search.  Instructions that following adds stand at the
 * end of the array until code_sort().
 */
#include "converter/graph/code.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/search.h"
#include "converter/binary/object.h"
#include "converter/graph/rewrites.h"

/* Is it a call of a function that is known never to come back? */
static bool calls_noreturn(const struct code *code, const struct insn *insn)
{
	if (insn->class == INSN_CALL)
		return fdo_map_get(code->noreturn, insn->target);
	if (insn->class == INSN_CALL_INDIRECT && insn->rip_relative)
		return fdo_map_get(code->noreturn, insn_data(insn));
	return false;
}

/*
 * A compiler that ends a function with a call knows that it never comes
 * back; one that did not know would have to put something after it.
 */
static bool ends_part(const struct cfg_part *part, const struct insn *insn)
{
	return insn_is_call(insn) && !part->size_guessed &&
	       insn_end(insn) == part->address + part->size;
}

static uint32_t add(struct code *code, size_t part, const struct insn *insn,
		    uint16_t marks)
{
	const struct cfg_part *p = &code->parts[part];
	uint32_t i = code->ninsns;

	if (code->ninsns == code->room) {
		size_t room = code->room;

		code->insns = fdo_grow(code->insns, code->ninsns, &code->room,
				       sizeof(*code->insns));
		code->marks = fdo_grow(code->marks, code->ninsns, &room,
				       sizeof(*code->marks));
		assert(room >= code->room);
	}
	if (calls_noreturn(code, insn) || ends_part(p, insn))
		marks |= CODE_NORETURN;
	code->insns[i] = *insn;
	code->marks[i] = marks;
	code->starts[part][insn->address - p->address] = i + 1;
	code->ninsns++;
	return i;
}

static bool decode_at(const struct code *code, const struct cfg_part *p,
		      size_t at, struct insn *ret)
{
	if (!decode(code->decoder, p->bytes + at, p->size - at, p->address + at,
		    ret))
		return false;
	rewrites_apply(code->rewrites, ret);
	return true;
}

static void sweep(struct code *code, size_t part)
{
	const struct cfg_part *p = &code->parts[part];
	size_t at = 0;
	struct insn insn;

	while (at < p->size) {
		if (!decode_at(code, p, at, &insn)) {
			at++;
			continue;
		}
		add(code, part, &insn, CODE_SWEPT);
		at += insn.length;
	}
}

/* The parts of a function by address: the first is not always the lowest. */
static size_t next_part(const struct code *code, uint64_t after)
{
	size_t best = code->nparts;

	for (size_t p = 0; p < code->nparts; p++)
		if (code->parts[p].address >= after &&
		    (best == code->nparts ||
		     code->parts[p].address < code->parts[best].address))
			best = p;
	return best;
}

static int compare_jumps(const void *a, const void *b)
{
	const struct code_jump *x = a, *y = b;

	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

/* Has a direct target that is a jump's, not a call's. */
static bool jumps(const struct insn *insn)
{
	return insn->class == INSN_BRANCH || insn->class == INSN_JUMP;
}

static void collect_jumps(struct code *code)
{
	size_t room = 0;

	free(code->jumps);
	code->jumps = NULL;
	code->njumps = 0;
	for (uint32_t i = 0; i < code->ninsns; i++) {
		uint32_t to;

		if (!jumps(&code->insns[i]))
			continue;
		to = code_at(code, code->insns[i].target);
		if (to == CODE_NONE)
			continue;
		code->jumps = fdo_grow(code->jumps, code->njumps, &room,
				       sizeof(*code->jumps));
		code->jumps[code->njumps++] = (struct code_jump){ i, to };
	}
	if (code->njumps)
		qsort(code->jumps, code->njumps, sizeof(*code->jumps),
		      compare_jumps);
}

void code_init(struct code *code, const struct object *o,
	       const struct decoder *d, const struct rewrites *rewrites,
	       const struct fdo_map *noreturn, const struct cfg_part *parts,
	       size_t nparts)
{
	uint64_t after = 0;

	*code = (struct code){
		.object = o,
		.decoder = d,
		.rewrites = rewrites,
		.noreturn = noreturn,
		.parts = parts,
		.nparts = nparts,
		.starts = fdo_alloc(nparts, sizeof(*code->starts)),
		.sorted = true,
	};
	for (size_t i = 0; i < nparts; i++) {
		size_t p = next_part(code, after);

		code->starts[p] =
			fdo_alloc(code->parts[p].size, sizeof(**code->starts));
		sweep(code, p);
		after = code->parts[p].address + 1;
	}
	collect_jumps(code);
}

void code_free(struct code *code)
{
	for (size_t p = 0; p < code->nparts; p++)
		free(code->starts[p]);
	free(code->starts);
	free(code->insns);
	free(code->marks);
	free(code->ways);
	for (size_t i = 0; i < code->nswitches; i++) {
		free(code->switches[i].jumps);
		free(code->switches[i].targets);
	}
	free(code->switches);
	free(code->jumps);
	free(code->pending);
}

const struct cfg_part *code_part(const struct code *code, uint64_t address)
{
	for (size_t p = 0; p < code->nparts; p++)
		if (address - code->parts[p].address < code->parts[p].size)
			return &code->parts[p];
	return NULL;
}

uint32_t code_at(const struct code *code, uint64_t address)
{
	const struct cfg_part *p = code_part(code, address);

	if (!p)
		return CODE_NONE;
	return code->starts[p - code->parts][address - p->address] - 1;
}

/* The instruction at an address, decoded now if it was not before. */
static uint32_t find_or_decode(struct code *code, uint64_t address)
{
	const struct cfg_part *p = code_part(code, address);
	uint32_t i = code_at(code, address);
	struct insn insn;

	if (i != CODE_NONE || !p)
		return i;
	if (!decode_at(code, p, address - p->address, &insn))
		return CODE_NONE;
	code->sorted = false;
	return add(code, p - code->parts, &insn, 0);
}

static uint32_t visit(struct code *code, uint64_t address)
{
	uint32_t i = find_or_decode(code, address);

	if (i == CODE_NONE || code->marks[i] & CODE_REACHED)
		return i;
	code->marks[i] |= CODE_REACHED;
	code->pending = fdo_grow(code->pending, code->npending,
				 &code->pending_room, sizeof(*code->pending));
	code->pending[code->npending++] = i;
	return i;
}

/* Follow what is pending, and what comes of it. */
static void follow(struct code *code)
{
	while (code->npending) {
		uint32_t i = code->pending[--code->npending];

		if (jumps(&code->insns[i]))
			visit(code, code->insns[i].target);
		if (code_goes_on(code, i))
			visit(code, insn_end(&code->insns[i]));
	}
}

uint32_t code_reach(struct code *code, uint64_t address)
{
	uint32_t i = visit(code, address);

	follow(code);
	return i;
}

void code_add_way(struct code *code, uint32_t from, uint32_t to)
{
	code->ways = fdo_grow(code->ways, code->nways, &code->ways_room,
			      sizeof(*code->ways));
	code->ways[code->nways++] = (struct code_way){ from, to };
}

/* The one with these targets, new if there is none. */
static struct code_switch *switch_to(struct code *code, const uint32_t *targets,
				     size_t n)
{
	struct code_switch *new;

	for (size_t i = 0; i < code->nswitches; i++) {
		struct code_switch *s = &code->switches[i];

		if (s->ntargets == n &&
		    memcmp(s->targets, targets, n * sizeof(*targets)) == 0)
			return s;
	}
	code->switches =
		fdo_grow(code->switches, code->nswitches, &code->switches_room,
			 sizeof(*code->switches));
	new = &code->switches[code->nswitches++];
	*new = (struct code_switch){
		.targets = fdo_alloc(n, sizeof(*targets)),
		.ntargets = n,
	};
	memcpy(new->targets, targets, n * sizeof(*targets));
	return new;
}

void code_add_switch(struct code *code, uint32_t jump, const uint32_t *targets,
		     size_t ntargets)
{
	struct code_switch *s;

	if (!ntargets)
		return;
	s = switch_to(code, targets, ntargets);
	s->jumps = fdo_grow(s->jumps, s->njumps, &s->jumps_room,
			    sizeof(*s->jumps));
	s->jumps[s->njumps++] = jump;
}

/* Reach where it leads, if one of its jumps is reached; whether that is new. */
static bool follow_switch(struct code *code, struct code_switch *s)
{
	bool found = false;

	for (size_t i = 0; i < s->njumps && !s->followed; i++)
		s->followed = code->marks[s->jumps[i]] & CODE_REACHED;
	for (size_t i = 0; i < s->ntargets && s->followed; i++) {
		uint32_t to = s->targets[i];

		if (code->marks[to] & CODE_REACHED)
			continue;
		code_reach(code, code->insns[to].address);
		found = true;
	}
	return found;
}

void code_follow(struct code *code)
{
	bool found;

	do {
		found = false;
		for (size_t w = 0; w < code->nways; w++) {
			const struct code_way *way = &code->ways[w];

			if (!(code->marks[way->from] & CODE_REACHED) ||
			    code->marks[way->to] & CODE_REACHED)
				continue;
			code_reach(code, code->insns[way->to].address);
			found = true;
		}
		for (size_t i = 0; i < code->nswitches; i++)
			found |= follow_switch(code, &code->switches[i]);
	} while (found);
}

/* Renumber one part's instructions; returns how many there are so far. */
static size_t sort_part(const struct code *code, size_t part, size_t n,
			struct insn *insns, uint16_t *marks, uint32_t *renumber)
{
	uint32_t *starts = code->starts[part];

	for (size_t at = 0; at < code->parts[part].size; at++) {
		uint32_t old;

		if (!starts[at])
			continue;
		old = starts[at] - 1;
		insns[n] = code->insns[old];
		marks[n] = code->marks[old];
		renumber[old] = n++;
		starts[at] = n;
	}
	return n;
}

/* Ways from and to what is no more are no more. */
static void renumber_ways(struct code *code, const uint32_t *renumber)
{
	size_t n = 0;

	for (size_t w = 0; w < code->nways; w++) {
		struct code_way way = code->ways[w];

		way.from = renumber[way.from];
		way.to = renumber[way.to];
		if (way.from != CODE_NONE && way.to != CODE_NONE)
			code->ways[n++] = way;
	}
	code->nways = n;
}

/* Give instructions their new numbers; how many of them there are yet. */
static size_t renumber_all(uint32_t *insns, size_t n, const uint32_t *renumber)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (renumber[insns[i]] != CODE_NONE)
			insns[kept++] = renumber[insns[i]];
	return kept;
}

static void renumber_switches(struct code *code, const uint32_t *renumber)
{
	for (size_t i = 0; i < code->nswitches; i++) {
		struct code_switch *s = &code->switches[i];

		s->njumps = renumber_all(s->jumps, s->njumps, renumber);
		s->ntargets = renumber_all(s->targets, s->ntargets, renumber);
	}
}

void code_sort(struct code *code)
{
	struct insn *insns;
	uint16_t *marks;
	uint32_t *renumber;
	uint64_t after = 0;
	size_t n = 0;

	if (code->sorted)
		return;
	insns = fdo_alloc(code->ninsns, sizeof(*insns));
	marks = fdo_alloc(code->ninsns, sizeof(*marks));
	renumber = fdo_alloc(code->ninsns, sizeof(*renumber));
	memset(renumber, 0xff, code->ninsns * sizeof(*renumber));
	for (size_t i = 0; i < code->nparts; i++) {
		size_t p = next_part(code, after);

		n = sort_part(code, p, n, insns, marks, renumber);
		after = code->parts[p].address + 1;
	}
	renumber_ways(code, renumber);
	renumber_switches(code, renumber);
	free(renumber);
	free(code->insns);
	free(code->marks);
	code->insns = insns;
	code->marks = marks;
	code->ninsns = n;
	code->room = n;
	code->sorted = true;
	collect_jumps(code);
}

uint32_t code_before(const struct code *code, uint32_t i)
{
	assert(code->sorted);
	if (i == 0 || !code_goes_on(code, i - 1) ||
	    insn_end(&code->insns[i - 1]) != code->insns[i].address)
		return CODE_NONE;
	return i - 1;
}

const struct code_jump *code_jumps_to(const struct code *code, uint32_t i,
				      size_t *n_ret)
{
	size_t low = 0, high = code->njumps, n = 0;

	assert(code->sorted);
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (code->jumps[middle].to < i)
			low = middle + 1;
		else
			high = middle;
	}
	while (low + n < code->njumps && code->jumps[low + n].to == i)
		n++;
	*n_ret = n;
	return code->jumps + low;
}

void code_operands(const struct code *code, uint32_t i,
		   struct insn_operands *ret)
{
	uint64_t address = code->insns[i].address;
	const struct cfg_part *p = code_part(code, address);

	decode_operands(code->decoder, p->bytes + (address - p->address),
			&code->insns[i], ret);
}

static bool is_padding(const struct insn *insn)
{
	return insn->class == INSN_NOP || insn->int3;
}

/*
 * A stretch from one reached instruction to the next, [begin, end) among the
 * instructions and [from, to) among the addresses.  Compilers put no data
 * there: where not all of it decodes, none of it is code.
 */
static void drop_stretch(struct code *code, size_t begin, size_t end,
			 uint64_t from, uint64_t to)
{
	uint64_t decoded = 0;
	bool leading = true;

	for (size_t i = begin; i < end; i++)
		decoded += code->insns[i].length;
	if (decoded != to - from)
		code->undecodable += to - from;
	for (size_t i = begin; i < end; i++) {
		leading = leading && is_padding(&code->insns[i]);
		if (leading || decoded != to - from)
			code->marks[i] |= CODE_DROPPED;
	}
}

uint32_t code_from(const struct code *code, uint64_t address)
{
	return fdo_lower_bound(code->insns, code->ninsns, sizeof(*code->insns),
			       address);
}

static void drop_in_part(struct code *code, const struct cfg_part *p)
{
	size_t i = code_from(code, p->address);
	uint64_t from = p->address, end = p->address + p->size;
	size_t begin = i;

	for (; i < code->ninsns && code->insns[i].address < end; i++) {
		const struct insn *insn = &code->insns[i];

		if (!(code->marks[i] & CODE_REACHED))
			continue;
		/* Inside a reached one: an instruction with two beginnings. */
		if (insn->address < from)
			code->overlapping++;
		else
			drop_stretch(code, begin, i, from, insn->address);
		if (insn_end(insn) > from)
			from = insn_end(insn);
		begin = i + 1;
		/* What the sweep saw inside a reached instruction is wrong. */
		while (begin < code->ninsns &&
		       code->insns[begin].address < from &&
		       !(code->marks[begin] & CODE_REACHED))
			code->marks[begin++] |= CODE_DROPPED;
		i = begin - 1;
	}
	drop_stretch(code, begin, i, from, end);
}

void code_drop(struct code *code)
{
	assert(code->sorted);
	for (size_t p = 0; p < code->nparts; p++)
		drop_in_part(code, &code->parts[p]);
	for (uint32_t i = 0; i < code->ninsns; i++) {
		const struct cfg_part *p;

		if (!(code->marks[i] & CODE_DROPPED))
			continue;
		p = code_part(code, code->insns[i].address);
		code->starts[p - code->parts]
			    [code->insns[i].address - p->address] = 0;
		code->sorted = false;
	}
	code_sort(code);
}
