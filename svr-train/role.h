/*
 * role.h - what an event counts, for the rules that need to know.
 *
 *	struct role roles[2] = { role_of("cycles:u"), role_of("dtlb") };
 *	if (!role_set("stall=dtlb:10007", events, roles, 2, &err))
 *		...
 *
 * Units      Events between two samples; 1 unless it is said.
 * Range      Periods are from 1 to EVENT_PERIOD_MOST (events.h).
 * Ownership  Plain values.
 * Errors     No such role or event, or no such period.
 */
#ifndef SVR_TRAIN_ROLE_H
#define SVR_TRAIN_ROLE_H

#include <stdbool.h>
#include <stddef.h>

struct fdo_error;

enum role_kind {
	ROLE_INST,   /* retired instructions */
	ROLE_CYCLES, /* or time */
	ROLE_STALL,  /* may cost cycles: all others */
	ROLE_OTHER,  /* does not, because somebody said so */
};

struct role {
	enum role_kind kind;
	double period;
};

/* Of an event as perf names it, as far as its name is known (events.h). */
struct role role_of(const char *event);
const char *role_name(enum role_kind kind);

/* Is it "ROLE=NAME[:PERIOD]", as far as can be said without any table? */
bool role_check(const char *text, struct fdo_error *err);

/* Take "ROLE=NAME[:PERIOD]" for one of the events. */
bool role_set(const char *text, const char *const *events, struct role *roles,
	      size_t nevents, struct fdo_error *err);

#endif
