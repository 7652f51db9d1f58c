/*
 * tap.h - all a unit test needs: say what should hold, then say "done".
 *
 *	check(a == b, "adding nothing changes nothing");
 *	check_int(sum(1, 2), 3, "one and two");
 *	...
 *	return done();
 *
 * Output is TAP, so that make check counts each line.  A check that fails
 * does not stop the test: the lines after it still tell something.
 */
#ifndef TESTSUITE_TAP_H
#define TESTSUITE_TAP_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static int tap_count, tap_failed;

#define check(holds, what) tap_check((holds), (what), __LINE__)
#define check_int(got, want, what) \
	tap_check_int((got), (want), (what), __LINE__)

static inline bool tap_check(bool holds, const char *what, int line)
{
	printf("%sok %d - %s\n", holds ? "" : "not ", ++tap_count, what);
	if (!holds) {
		printf("# line %d\n", line);
		tap_failed++;
	}
	return holds;
}

static inline void tap_check_int(long long got, long long want,
				 const char *what, int line)
{
	if (!tap_check(got == want, what, line))
		printf("# got %lld, want %lld\n", got, want);
}

static inline int done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
