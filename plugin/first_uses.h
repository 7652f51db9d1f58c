/*
 * first_uses.h - times of first use as the numbers that GCC orders functions
 * by.
 *
 *	struct first_use uses[] = { { 1500000, "b", b }, { 1500000, "a", a } };
 *	first_uses_number(uses, 2);
 *	// uses[0] is that of a; uses[0].number + 2 == uses[1].number
 *
 * The functions of all units that are linked with -flto are in one order, so a
 * time has about the same number in each unit: up to a 60th of a second, times
 * are told apart by the nanosecond, and longer ones to an eighth of a
 * millionth.  Within a unit no two numbers are the same, and one is left free
 * after each: GCC gives it to a part that it splits off.
 *
 * Range      Times from 1 to PROFILE_MAX; numbers from 1 to half of INT_MAX.
 */
#ifndef PLUGIN_FIRST_USES_H
#define PLUGIN_FIRST_USES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct first_use {
	uint64_t time; /* nanoseconds from the program's beginning */
	const char *name;
	void *function; /* the caller's */
	int number;
};

/* Sort them, by time and then name, and number them. */
void first_uses_number(struct first_use *uses, size_t n);

#ifdef __cplusplus
}
#endif
#endif
