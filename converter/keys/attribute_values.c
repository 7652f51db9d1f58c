/*
 * attribute_values.c - usual values of divisors and sizes, at their places.
 */
#include "converter/keys/attribute_private.h"

#include <stdlib.h>

#include "converter/binary/lines.h"
#include "converter/count/program.h"
#include "converter/count/usual.h"

/* Of all executions of an instruction, by those of which it is known. */
static void add_value(struct attribution *a, const struct program_function *f,
		      const struct usual_value *usual)
{
	static const enum profile_kind kinds[] = {
		[SITE_DIVISOR] = PROFILE_DIVISOR,
		[SITE_QUOTIENT] = PROFILE_QUOTIENT,
		[SITE_SIZE] = PROFILE_SIZE,
	};
	const struct lines *lines = a->program->binaries[f->binary].lines;
	struct profile_value value = {
		.value = usual->value,
		.count = (double)f->blocks[usual->block].count *
			 usual->samples / usual->all,
		.kind = kinds[usual->kind],
		.other = usual->other,
	};
	struct lines_place place;
	struct profile_key key;

	if (!lines_at(lines, f->cfg.insns[usual->insn].address, &place) ||
	    !attribute_has_place(&place))
		return;
	key = attribute_key(a, &place);
	key.discriminator = PROFILE_ANY;
	profile_add_value(profile_count_at(a->profile,
					   attribute_body(a, place.frame), key),
			  &value);
}

void attribute_values(struct attribution *a, const struct usual *usual,
		      const struct program_function *f)
{
	struct usual_value *values;
	size_t n;

	usual_find(usual, f, &values, &n);
	for (size_t i = 0; i < n; i++)
		if (f->blocks[values[i].block].count)
			add_value(a, f, &values[i]);
	free(values);
}
