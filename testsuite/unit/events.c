/* Names of events as perf prints them, and what users say of them. */
#include <string.h>

#include "base/error.h"
#include "converter/perf/events.h"
#include "testsuite/lib/tap.h"

static void test_role(const char *name, const char *role, bool nanoseconds)
{
	struct event_meaning meaning = event_meaning(name, NULL, 0);

	check(strcmp(meaning.role, role) == 0, name);
	check(meaning.nanoseconds == nanoseconds, "and its unit");
}

static void test_known_names(void)
{
	test_role("instructions", "inst", false);
	test_role("instructions:u", "inst", false);
	test_role("instructions:uhpppH", "inst", false);
	test_role("instructions/period=4000037/u", "inst", false);
	test_role("cpu_core/instructions/", "inst", false);
	test_role("cpu_core/instructions/u", "inst", false);
	test_role("cpu_core/instructions,period=1009/u", "inst", false);
	test_role("inst_retired.any", "inst", false);
	test_role("INST_RETIRED.ANY_P:pp", "inst", false);
	test_role("cpu/inst_retired.any_p/pp", "inst", false);
	test_role("cycles", "cycles", false);
	test_role("cpu-cycles:u", "cycles", false);
	test_role("cpu_clk_unhalted.thread:u", "cycles", false);
	test_role("cpu-clock", "cycles", true);
	test_role("cpu-clock:u", "cycles", true);
	test_role("cpu-clock:uhpppH", "cycles", true);
	test_role("task-clock:u", "cycles", true);
	test_role("page-faults:u", "faults", false);
	test_role("minor-faults/period=1/u", "faults", false);
	test_role("ibs_op/cnt_ctl=1/", "inst", false);
	test_role("ibs_op/cnt_ctl=1,period=262144/u", "inst", false);
	test_role("ibs_op//", "cycles", false);
	test_role("ibs_op//u", "cycles", false);
}

static void test_other_names(void)
{
	test_role("cache-misses:u", "cache-misses:u", false);
	test_role("ibs_op/cnt_ctl=1,l3missonly=1/",
		  "ibs_op/cnt_ctl=1,l3missonly=1/", false);
	test_role("ibs_fetch//", "ibs_fetch//", false);
	test_role("instructions-of-others", "instructions-of-others", false);
	test_role("cpu/event=0x3c/u", "cpu/event=0x3c/u", false);
	test_role("sched:sched_switch", "sched:sched_switch", false);
	test_role("/", "/", false);
	test_role("cycles/", "cycles/", false);
	test_role("", "", false);
}

static void test_rule(const char *text, const char *role, const char *name,
		      uint64_t period)
{
	struct event_rule rule;
	struct fdo_error err = { "" };

	if (!check(event_rule_parse(text, &rule, &err), text)) {
		printf("# %s\n", err.text);
		return;
	}
	check(strcmp(rule.role, role) == 0 && strcmp(rule.name, name) == 0,
	      "role and name");
	check_int(rule.period, period, "and period");
	event_rule_clear(&rule);
	check(!rule.name, "cleared");
}

static void test_no_rule(const char *text, const char *want)
{
	struct event_rule rule;
	struct fdo_error err = { "" };

	check(!event_rule_parse(text, &rule, &err), text);
	if (!check(strcmp(err.text, want) == 0, "for the right reason"))
		printf("# %s\n", err.text);
}

static void test_rules(void)
{
	static const char form[] = ": must be ROLE=NAME or ROLE=NAME:PERIOD";
	static const char period[] = ": the period must be from 1 to 2^40";
	char want[256];

	test_rule("inst=r1c0", "inst", "r1c0", 0);
	test_rule("inst=r1c0:1009", "inst", "r1c0", 1009);
	test_rule("cycles=cycles:u", "cycles", "cycles:u", 0);
	test_rule("cycles=cycles:u:1009", "cycles", "cycles:u", 1009);
	test_rule("stall:tlb=cpu/event=0x8,umask=1/u", "stall:tlb",
		  "cpu/event=0x8,umask=1/u", 0);
	test_no_rule("", "event '': must be ROLE=NAME or ROLE=NAME:PERIOD");
	snprintf(want, sizeof(want), "event 'inst'%s", form);
	test_no_rule("inst", want);
	snprintf(want, sizeof(want), "event '=r1'%s", form);
	test_no_rule("=r1", want);
	snprintf(want, sizeof(want), "event 'inst='%s", form);
	test_no_rule("inst=", want);
	snprintf(want, sizeof(want), "event 'inst=r1:0'%s", period);
	test_no_rule("inst=r1:0", want);
	snprintf(want, sizeof(want), "event 'i=r1:99999999999999999999'%s",
		 period);
	test_no_rule("i=r1:99999999999999999999", want);
	test_rule("inst=r1:1099511627776", "inst", "r1", UINT64_C(1) << 40);
	snprintf(want, sizeof(want), "event 'i=r1:1099511627777'%s", period);
	test_no_rule("i=r1:1099511627777", want);
	snprintf(want, sizeof(want), "event 'i=r1:'%s", period);
	test_no_rule("i=r1:", want);
	test_no_rule("i=:5", "event 'i=:5': the event's name is missing");
	test_no_rule("stall=r1", "event 'stall=r1': a stall has a name: "
				 "stall:NAME=EVENT");
	test_no_rule("stall:=r1", "event 'stall:=r1': a stall has a name: "
				  "stall:NAME=EVENT");
	test_rule("s=r1", "s", "r1", 0);
}

static void test_last_rule_wins(void)
{
	const struct event_rule rules[] = {
		{ (char *)"other", (char *)"cycles", 7 },
		{ (char *)"stall:x", (char *)"r2", 0 },
		{ (char *)"inst", (char *)"cycles:u", 9 },
	};
	struct event_meaning meaning = event_meaning("cycles:u", rules, 3);

	check(strcmp(meaning.role, "inst") == 0, "the last rule for a name");
	check_int(meaning.period, 9, "with its period");
	check(!meaning.nanoseconds, "and unit");
	meaning = event_meaning("cycles:k", rules, 3);
	check(strcmp(meaning.role, "other") == 0,
	      "a rule without modifiers is for all of them");
	meaning = event_meaning("r2:u", rules, 3);
	check(strcmp(meaning.role, "stall:x") == 0, "for any event");
}

int main(void)
{
	test_known_names();
	test_other_names();
	test_rules();
	test_last_rule_wins();
	return done();
}
