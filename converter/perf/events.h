/*
 * events.h - what an event means for counting executions.
 *
 *	struct event_rule rule;
 *	if (!event_rule_parse("inst=r1c0:1009", &rule, err))
 *		return false;
 *	struct event_meaning m = event_meaning("r1c0", &rule, 1);
 *	// m.role is "inst", m.period is 1009
 *	event_rule_clear(&rule);
 *
 * Units      A role is a text: "inst" (instructions retired), "cycles" (time
 *            on the CPU, in cycles or nanoseconds), "taken" (taken branches,
 *            whose samples have the best branch records), "steps" (branch
 *            records of bursts that begin at moments of time), "faults" (page
 *            faults, which tell where a clock's samples are of waiting),
 *            or any other name, which only training looks at.
 *            Periods are in the event's own unit.
 * Range      A period of 0 means: as recorded.  Others are at most
 *            EVENT_PERIOD_MOST.
 * Ownership  A rule owns its texts.  A meaning borrows its role from the rule
 *            or from the name that it was made for.
 * Errors     Only a rule's text can be wrong.
 */
#ifndef CONVERTER_EVENTS_H
#define CONVERTER_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fdo_error;

/* More is no sample for minutes, and sums of many samples have room. */
#define EVENT_PERIOD_MOST (UINT64_C(1) << 40)

/* In weights (svr-train(1)): cycles for one event, and a limit's size. */
#define EVENT_STALL_MOST 1e9
#define EVENT_LIMIT_MOST 1e6

/* What a user says of an event: --event ROLE=NAME[:PERIOD]. */
struct event_rule {
	char *role;
	char *name;
	uint64_t period; /* 0: not given */
	bool matched;	 /* for whoever looks whether it is of use */
};

struct event_meaning {
	const char *role;
	bool nanoseconds; /* its period counts time, not cycles */
	uint64_t period;  /* instead of the recorded one; 0: none */
};

bool event_rule_parse(const char *text, struct event_rule *ret,
		      struct fdo_error *err);
void event_rule_clear(struct event_rule *rule);

/* Does its name mean an event with the name that perf prints? */
bool event_rule_is_for(const struct event_rule *rule, const char *name);

/*
 * Of an event with the name that perf prints: the last rule for this name,
 * with or without its modifiers, or else what the name is known to be.
 */
struct event_meaning
event_meaning(const char *name, const struct event_rule *rules, size_t nrules);

/* A name without PMU and modifiers, cut to size bytes with its NUL. */
void event_core(const char *name, char *core, size_t size);

#endif
