/*
 * loop_tests.h - which branches are copies of one loop's test.
 *
 *	uint32_t *tests = loop_tests_find(&cfg, dominators);
 *	if (tests && tests[a] && tests[a] == tests[b])
 *		...
 *	free(tests);
 *
 * The test that a loop begins with is made before it, and again where each round ends.
 * The copies may have no instruction in common: a counter that is compared with an end
 * before the loop is one that reaches it later on.
 *
 * Ownership  The caller's to free().
 * Errors     None.
 */
#ifndef CONVERTER_LOOP_TESTS_H
#define CONVERTER_LOOP_TESTS_H

#include <stdint.h>

struct cfg;
struct dominators;

/*
 * For each block of a function, of which loop the branch at its end may be the test: 1
 * + the block that heads it; 0: of none.  NULL: there is no loop.
 */
uint32_t *loop_tests_find(const struct cfg *cfg,
			  const struct dominators *dominators);

#endif
