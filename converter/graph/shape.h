/*
 * shape.h - what of an instruction's bytes decides how long it is and what it
 * does, but for the numbers in it.
 *
 *	uint64_t key = shape_key(bytes, size);
 *	if (key)
 *		...	// all of this key differ in displacement and constant
 *
 * Programs have few shapes and many instructions, so that most need not be
 * decoded if their shapes are remembered.
 *
 * Range      0 for bytes that have no key: those near the end, and what is
 *            rare or decided by more than its beginning.
 */
#ifndef CONVERTER_SHAPE_H
#define CONVERTER_SHAPE_H

#include <stddef.h>
#include <stdint.h>

uint64_t shape_key(const uint8_t *bytes, size_t size);

/* Likewise of an instruction of that length, with all that names operands. */
uint64_t shape_operands(const uint8_t *bytes, size_t length);

#endif
