/*
 * producer.h - the options that a unit was compiled with, as GCC writes them to
 * DW_AT_producer, where they change what can be told of its code.
 */
#ifndef CONVERTER_BINARY_PRODUCER_H
#define CONVERTER_BINARY_PRODUCER_H

#include <stdbool.h>

struct producer {
	bool is_gcc;
	bool optimizes;
	/* -gstatement-frontiers, which -g means and -g1 does not */
	bool frontiers;
	/*
	 * Tails of code that are equal may be one.  Not so with
	 * -fno-crossjumping, nor in what a profile said that ran: our plugin
	 * switches it off there.
	 */
	bool crossjumping;
};

/* Of the attribute's text; NULL: nothing is known. */
struct producer producer_of(const char *text);

#endif
