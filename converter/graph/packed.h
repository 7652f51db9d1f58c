/*
 * packed.h - how many numbers an instruction works on at once.
 *
 *	packed_element("paddd");	// 4
 *	packed_element("addsd");	// 0: one number
 *	packed_moved("movq", 16);	// 8
 *
 * Units      Bytes.
 * Ownership  None.
 * Errors     None: 0 for any other name.
 */
#ifndef CONVERTER_PACKED_H
#define CONVERTER_PACKED_H

#include <stdbool.h>

/* The shortest vector, but for halves of one. */
enum { PACKED_VECTOR = 16 };

/* Of each number that an instruction of that name computes with. */
unsigned packed_element(const char *name);

/* Does it compute with vectors, if only with their bits? */
bool packed_computes(const char *name);

/* What it loads or stores, if its vectors are that long. */
unsigned packed_moved(const char *name, unsigned length);

#endif
