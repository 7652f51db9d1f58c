/*
 * cfg_program.c - one sweep over all code: who refers to whom.
 */

#include "converter/graph/cfg_program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/search.h"
#include "converter/graph/decode.h"
#include "converter/graph/landing.h"
#include "converter/graph/rewrites.h"
#include "converter/binary/object.h"

static uint32_t number_of(const struct cfg_program *program,
			  const struct object_function *f)
{
	return f - program->object->functions;
}

static void add_reference(struct cfg_program *program, uint64_t target,
			  uint32_t function, bool call)
{
	program->references =
		fdo_grow(program->references, program->nreferences,
			 &program->room, sizeof(*program->references));
	program->references[program->nreferences++] =
		(struct cfg_program_reference){ target, function, call };
}

/* A call of a function outside, known by its name never to come back. */
static void note_external(struct cfg_program *program, const struct insn *insn)
{
	const struct object *o = program->object;
	bool direct = insn->class == INSN_CALL || insn->class == INSN_JUMP;
	uint64_t place = direct ? insn->target : insn_data(insn);
	const char *name;

	if (!direct && !insn->rip_relative)
		return;
	if (fdo_map_get(program->noreturn, place))
		return;
	name = direct ? object_plt_name(o, place) : object_got_name(o, place);
	if (name && object_noreturn(o, name))
		*fdo_map_at(program->noreturn, place) = 1;
}

/* There is a pointer to a place: to a function, if one begins there. */
static void note_pointer(struct cfg_program *program, uint64_t to)
{
	const struct object_function *f =
		object_function_at(program->object, to);

	if (f && f->address == to)
		*fdo_map_at(program->pointed, to) = 1;
}

/* Pointers in data, but in the GOT, through which functions are called by name. */
static void note_data(struct cfg_program *program,
		      const struct object_section *s)
{
	bool relocated = program->object->type != OBJECT_FIXED;
	uint64_t value;

	if (s->executable || !s->bytes || strncmp(s->name, ".got", 4) == 0 ||
	    (relocated && !s->writable))
		return;
	for (uint64_t at = (s->address + 7) & ~UINT64_C(7);
	     at + 8 <= s->address + s->size; at += 8)
		if (object_pointer(program->object, at, &value))
			note_pointer(program, value);
}

/* Is it inside the function or a fragment of it, or just behind that? */
static bool belongs(const struct cfg_program *program, uint32_t f,
		    uint64_t address)
{
	const struct object *o = program->object;
	const struct object_function *function = &o->functions[f];
	const struct object_function *whole =
		object_whole_function_at(o, address);

	return address - function->address <= function->size ||
	       (whole && (whole == function || whole == function->cold_of));
}

/*
 * Function f takes an address.  That of its switch's table is one if the first
 * entry leads into f; any other may be in the middle of another function's table,
 * as the place from which the indices of the array behind that count.
 */
static void note_switch(struct cfg_program *program, uint32_t f,
			uint64_t address)
{
	size_t left;
	const unsigned char *bytes;
	int32_t first;

	if (address % sizeof(first))
		return;
	bytes = object_bytes(program->object, address, &left);
	if (!bytes || left < sizeof(first))
		return;
	memcpy(&first, bytes, sizeof(first));
	if (belongs(program, f, address + first))
		addresses_add(&program->switches, address);
}

/* The same by an instruction: an address, or a number that may be one. */
static void note_taken(struct cfg_program *program, uint32_t f,
		       const struct insn *insn)
{
	if (insn->lea && insn->rip_relative) {
		note_pointer(program, insn_data(insn));
		note_switch(program, f, insn_data(insn));
	} else if (program->object->type == OBJECT_FIXED && insn->immediate) {
		note_pointer(program, (int64_t)insn->immediate);
	}
}

/* What one instruction of function f tells of the function and of others. */
static void note(struct cfg_program *program, uint32_t f,
		 const struct insn *insn)
{
	const struct object_function *function = &program->object->functions[f];
	bool inside = insn->target - function->address < function->size;

	switch (insn->class) {
	case INSN_CALL:
		note_external(program, insn);
		add_reference(program, insn->target, f, true);
		break;
	case INSN_CALL_INDIRECT:
		note_external(program, insn);
		break;
	case INSN_JUMP:
	case INSN_BRANCH:
		if (inside)
			break;
		note_external(program, insn);
		add_reference(program, insn->target, f, false);
		break;
	case INSN_JUMP_INDIRECT:
		note_external(program, insn);
		if (!insn->rip_relative ||
		    !fdo_map_get(program->noreturn, insn_data(insn)))
			program->functions[f].may_return = true;
		break;
	case INSN_RETURN:
		program->functions[f].may_return = true;
		break;
	default:
		note_taken(program, f, insn);
		break;
	}
}

/* The last instruction of a function: does control run off its end? */
static void note_last(struct cfg_program *program, uint32_t f,
		      const struct insn *last)
{
	if (!last->length)
		return;
	/* A compiler ends with a call only if it never comes back. */
	if (insn_falls_through(last) &&
	    (!insn_is_call(last) || program->object->functions[f].size_guessed))
		program->functions[f].may_return = true;
}

static void sweep(struct cfg_program *program, uint32_t f)
{
	const struct object_function *function = &program->object->functions[f];
	size_t left, at = 0;
	const unsigned char *bytes =
		object_bytes(program->object, function->address, &left);
	struct insn insn, last = { .length = 0 };

	if (!bytes)
		return;
	if (left > function->size)
		left = function->size;
	while (at < left) {
		if (!decode(program->decoder, bytes + at, left - at,
			    function->address + at, &insn)) {
			at++;
			continue;
		}
		rewrites_apply(program->rewrites, &insn);
		note(program, f, &insn);
		at += insn.length;
		last = insn;
	}
	note_last(program, f, &last);
}

static int compare_references(const void *a, const void *b)
{
	const struct cfg_program_reference *x = a, *y = b;

	if (x->target != y->target)
		return x->target < y->target ? -1 : 1;
	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	return x->call - y->call;
}

static size_t first_reference(const struct cfg_program *program,
			      uint64_t target)
{
	return fdo_lower_bound(program->references, program->nreferences,
			       sizeof(*program->references), target);
}

void cfg_program_references(const struct cfg_program *program, uint64_t from,
			    uint64_t to, size_t *first_ret, size_t *end_ret)
{
	*first_ret = first_reference(program, from);
	*end_ret = first_reference(program, to);
}

static bool named(const struct object_function *f, const char *name,
		  size_t length)
{
	return strlen(f->name) == length && memcmp(f->name, name, length) == 0;
}

/*
 * Several functions of a name have several fragments of a name.  The one
 * that jumps into a fragment owns it.
 */
static uint32_t owner_by_jumps(const struct cfg_program *program, uint32_t f,
			       size_t length)
{
	const struct object_function *functions = program->object->functions;
	size_t i, end;

	cfg_program_references(program, functions[f].address,
			       functions[f].address + functions[f].size, &i,
			       &end);
	for (; i < end; i++) {
		const struct cfg_program_reference *r = &program->references[i];

		if (!r->call && r->function != f &&
		    named(&functions[r->function], functions[f].name, length))
			return r->function;
	}
	return CFG_PROGRAM_NONE;
}

static uint32_t owner_of(const struct cfg_program *program, uint32_t f)
{
	const struct object_function *function = &program->object->functions[f];
	size_t length = object_length_before_cold(function->name);
	uint32_t owner;

	if (!length)
		return f;
	owner = owner_by_jumps(program, f, length);
	if (owner != CFG_PROGRAM_NONE)
		return owner;
	return function->cold_of ? number_of(program, function->cold_of) : f;
}

/* Fragments are chained behind their owner, in order of address. */
static void find_owners(struct cfg_program *program)
{
	size_t n = program->object->nfunctions;

	for (size_t f = 0; f < n; f++)
		program->functions[f].next_fragment = CFG_PROGRAM_NONE;
	for (size_t f = n; f-- > 0;) {
		uint32_t owner = owner_of(program, f);

		program->functions[f].owner = owner;
		if (owner == f)
			continue;
		program->functions[f].next_fragment =
			program->functions[owner].next_fragment;
		program->functions[owner].next_fragment = f;
	}
}

struct cfg_program *cfg_program_new(const struct object *o)
{
	struct cfg_program *program = fdo_alloc(1, sizeof(*program));

	assert(o->nfunctions < CFG_PROGRAM_NONE);
	program->object = o;
	program->decoder = decoder_new();
	program->pads = landing_pads_new(o);
	program->rewrites = rewrites_new(o);
	program->noreturn = fdo_map_new();
	program->pointed = fdo_map_new();
	program->functions =
		fdo_alloc(o->nfunctions, sizeof(*program->functions));
	for (size_t f = 0; f < o->nfunctions; f++)
		sweep(program, f);
	addresses_sort(&program->switches);
	for (size_t s = 0; s < o->nsections; s++)
		note_data(program, &o->sections[s]);
	if (program->nreferences)
		qsort(program->references, program->nreferences,
		      sizeof(*program->references), compare_references);
	find_owners(program);
	cfg_program_find_noreturn(program);
	return program;
}

void cfg_program_free(struct cfg_program *program)
{
	if (!program)
		return;
	decoder_free(program->decoder);
	landing_pads_free(program->pads);
	rewrites_free(program->rewrites);
	fdo_map_free(program->noreturn);
	fdo_map_free(program->pointed);
	addresses_clear(&program->switches);
	free(program->functions);
	free(program->references);
	free(program);
}

struct cfg_part *cfg_program_parts(const struct cfg_program *program,
				   uint32_t f, size_t *n_ret)
{
	struct cfg_part *parts = NULL;
	size_t n = 0, room = 0;

	for (; f != CFG_PROGRAM_NONE; f = program->functions[f].next_fragment) {
		const struct object_function *function =
			&program->object->functions[f];
		size_t left;
		const unsigned char *bytes =
			object_bytes(program->object, function->address, &left);

		if (!bytes)
			continue;
		parts = fdo_grow(parts, n, &room, sizeof(*parts));
		parts[n++] = (struct cfg_part){
			.name = function->name,
			.address = function->address,
			.size = left < function->size ? left : function->size,
			.size_guessed = function->size_guessed,
			.bytes = bytes,
		};
	}
	*n_ret = n;
	return parts;
}

bool cfg_program_points_to(const struct cfg_program *program, uint64_t address)
{
	return fdo_map_get(program->pointed, address);
}
