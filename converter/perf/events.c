/*
 * events.c - names of events.
 *
 * perf prints the same event as "cycles", "cycles:u", "cpu_core/cycles/" or
 * "cpu_core/cycles/u".  The core of a name is what is left without the PMU
 * and the modifiers; it decides what the event means.
 */
#include "converter/perf/events.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"

static const struct known {
	const char *name; /* a "*" at the end stands for anything */
	const char *role;
	bool nanoseconds;
} known[] = {
	{ "instructions", "inst", false },
	{ "inst_retired", "inst", false },
	{ "inst_retired.any", "inst", false },
	{ "inst_retired.any_p", "inst", false },
	{ "inst_retired.prec_dist", "inst", false },
	{ "ex_ret_instr", "inst", false },
	{ "cycles", "cycles", false },
	{ "cpu-cycles", "cycles", false },
	{ "cpu_cycles", "cycles", false },
	{ "ref-cycles", "cycles", false },
	{ "cpu_clk_unhalted", "cycles", false },
	{ "cpu_clk_unhalted.*", "cycles", false },
	{ "ls_not_halted_cyc", "cycles", false },
	{ "br_inst_retired.near_taken", "taken", false },
	{ "ex_ret_brn_tkn", "taken", false },
	{ "br_taken", "taken", false },
	{ "branch-steps", "steps", false }, /* samplefdo step */
	{ "cpu-clock", "cycles", true },
	{ "task-clock", "cycles", true },
	{ "page-faults", "faults", false },
	{ "faults", "faults", false },
	{ "minor-faults", "faults", false },
	{ "major-faults", "faults", false },
};
enum { KNOWN = sizeof(known) / sizeof(known[0]) };

/* A part of a name: no copy, so it does not end in a NUL. */
struct part {
	const char *text;
	size_t length;
};

static bool are_modifiers(const char *text, size_t length)
{
	return strspn(text, "ukhGHIpPSDWeb") >= length;
}

/* "cpu_core/cycles/u" and "cycles:u" without the "u" and the ":". */
static struct part without_modifiers(const char *name)
{
	struct part part = { name, strlen(name) };
	const char *slash = strrchr(name, '/');
	const char *colon = strrchr(name, ':');

	if (slash && slash > strchr(name, '/') &&
	    are_modifiers(slash + 1, strlen(slash + 1)))
		part.length = slash + 1 - name;
	else if (colon && are_modifiers(colon + 1, strlen(colon + 1)))
		part.length = colon - name;
	return part;
}

/*
 * The event in "cpu_core/cycles,period=1009/u" and "cycles/period=1009/u":
 * either the first word between the slashes, or what is before them.
 */
static struct part core_of(const char *name)
{
	struct part part = without_modifiers(name), inner;
	const char *slash = memchr(part.text, '/', part.length);

	if (!slash || slash + 1 >= part.text + part.length ||
	    part.text[part.length - 1] != '/')
		return part;
	inner.text = slash + 1;
	inner.length = strcspn(inner.text, ",/");
	if (inner.length && !memchr(inner.text, '=', inner.length))
		return inner;
	part.length = slash - part.text;
	return part;
}

void event_core(const char *name, char *core, size_t size)
{
	struct part part = core_of(name);

	if (size == 0)
		return;
	if (part.length >= size)
		part.length = size - 1;
	memcpy(core, part.text, part.length);
	core[part.length] = '\0';
}

static bool is(struct part part, const char *text)
{
	size_t length = strlen(text);

	if (length && text[length - 1] == '*')
		return part.length >= length - 1 &&
		       strncasecmp(part.text, text, length - 1) == 0;
	return part.length == length &&
	       strncasecmp(part.text, text, length) == 0;
}

bool event_rule_is_for(const struct event_rule *rule, const char *name)
{
	return strcasecmp(rule->name, name) == 0 ||
	       is(without_modifiers(name), rule->name) ||
	       is(core_of(name), rule->name);
}

/*
 * AMD's instruction-based sampling tags an operation, and names the address of
 * just that one.  It picks one operation out of so many that are dispatched, or
 * what is dispatched after so many cycles; or only those that miss a cache.
 */
static const char *role_of_ibs(const char *name)
{
	if (strstr(name, "l3missonly=1"))
		return name;
	return strstr(name, "cnt_ctl=1") ? "inst" : "cycles";
}

struct event_meaning
event_meaning(const char *name, const struct event_rule *rules, size_t nrules)
{
	struct event_meaning meaning = { .role = name };
	struct part core = core_of(name);

	for (int i = 0; i < KNOWN; i++)
		if (is(core, known[i].name)) {
			meaning.role = known[i].role;
			meaning.nanoseconds = known[i].nanoseconds;
			break;
		}
	if (is(core, "ibs_op"))
		meaning.role = role_of_ibs(name);
	for (size_t i = nrules; i-- > 0;)
		if (event_rule_is_for(&rules[i], name)) {
			meaning.role = rules[i].role;
			meaning.period = rules[i].period;
			break;
		}
	return meaning;
}

/* Take ":PERIOD" off the end of the name, if there is one. */
static bool parse_period(char *name, const char *text, uint64_t *ret,
			 struct fdo_error *err)
{
	char *colon = strrchr(name, ':');
	uint64_t period;

	*ret = 0;
	if (!colon || colon[1 + strspn(colon + 1, "0123456789")])
		return true;
	if (!fdo_text_number(colon + 1, 10, &period) || !period ||
	    period > EVENT_PERIOD_MOST)
		return fdo_fail(err,
				"event '%s': the period must be from 1 to "
				"2^40",
				text);
	*colon = 0;
	*ret = period;
	return true;
}

bool event_rule_parse(const char *text, struct event_rule *ret,
		      struct fdo_error *err)
{
	const char *equals = strchr(text, '=');
	struct event_rule rule = { 0 };

	if (!equals || equals == text || !equals[1])
		return fdo_fail(err,
				"event '%s': must be ROLE=NAME or "
				"ROLE=NAME:PERIOD",
				text);
	if (strncmp(text, "stall=", 6) == 0 || strncmp(text, "stall:=", 7) == 0)
		return fdo_fail(err,
				"event '%s': a stall has a name: "
				"stall:NAME=EVENT",
				text);
	rule.role = fdo_copy_part(text, equals - text);
	rule.name = fdo_copy(equals + 1);
	if (parse_period(rule.name, text, &rule.period, err) && *rule.name) {
		*ret = rule;
		return true;
	}
	if (!*rule.name)
		fdo_fail(err, "event '%s': the event's name is missing", text);
	event_rule_clear(&rule);
	return false;
}

void event_rule_clear(struct event_rule *rule)
{
	free(rule->role);
	free(rule->name);
	*rule = (struct event_rule){ 0 };
}
