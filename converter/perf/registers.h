/*
 * registers.h - what was in registers at the addresses of an object.
 *
 *	struct registers *r = registers_new();
 *	if (!registers_asked(r, offset))
 *		registers_ask(r, offset, set);
 *	registers_add(r, offset, known, registers);
 *	values = registers_sorted(r, &n);
 *	registers_free(r);
 *
 * Only what is asked for is kept.  Of one register at an address, so many
 * different values are told apart in a file; memory does not depend on how many
 * samples there are.
 *
 * Units      Sets and numbers of registers are those of perfdata.h.
 * Ownership  registers_free() accepts NULL; an array is the caller's.
 * Errors     None.
 */
#ifndef CONVERTER_REGISTERS_H
#define CONVERTER_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct registers;
struct samples_value;

enum { REGISTERS_VALUES = 1000 };

struct registers *registers_new(void);
void registers_free(struct registers *r);

bool registers_asked(const struct registers *r, uint64_t offset);
void registers_ask(struct registers *r, uint64_t offset, uint32_t set);

/* Of one sample: those of the known ones that were asked for. */
void registers_add(struct registers *r, uint64_t offset, uint32_t known,
		   const uint64_t *registers);

/* One sample of a value: of a register, or SAMPLES_OUTCOME... */
void registers_add_value(struct registers *r, uint64_t offset, uint8_t number,
			 uint64_t value);

/* All values of another file, asked for or not, and however many. */
void registers_add_all(struct registers *r, const struct registers *from);

/* By offset, register, value; others are last.  NULL has none. */
struct samples_value *registers_sorted(const struct registers *r,
				       size_t *n_ret);

#endif
