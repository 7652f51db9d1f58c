#include "svr-train/role.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/text.h"

static const char *const names[] = {
	[ROLE_INST] = "inst",
	[ROLE_CYCLES] = "cycles",
	[ROLE_STALL] = "stall",
	[ROLE_OTHER] = "other",
};
enum { KINDS = sizeof(names) / sizeof(names[0]) };

/* The beginnings of names. */
static const struct known {
	const char *name;
	enum role_kind kind;
} known[] = {
	{ "inst", ROLE_INST },
	{ "ex_ret_instr", ROLE_INST },
	{ "cycles", ROLE_CYCLES },
	{ "cpu-cycles", ROLE_CYCLES },
	{ "cpu_cycles", ROLE_CYCLES },
	{ "ref-cycles", ROLE_CYCLES },
	{ "cpu_clk_unhalted", ROLE_CYCLES },
	{ "ls_not_halted_cyc", ROLE_CYCLES },
	{ "cpu-clock", ROLE_CYCLES },
	{ "task-clock", ROLE_CYCLES },
};

struct role role_of(const char *event)
{
	const char *slash = strchr(event, '/'); /* PMU/EVENT/ */
	struct role role = { ROLE_STALL, 1 };

	if (slash)
		event = slash + 1;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strncasecmp(event, known[i].name, strlen(known[i].name)) ==
		    0)
			role.kind = known[i].kind;
	return role;
}

const char *role_name(enum role_kind kind)
{
	return names[kind];
}

static bool find_kind(const char *text, size_t length, enum role_kind *ret)
{
	for (int i = 0; i < KINDS; i++)
		if (strlen(names[i]) == length &&
		    strncmp(names[i], text, length) == 0) {
			*ret = i;
			return true;
		}
	return false;
}

static size_t find_event(const char *text, size_t length,
			 const char *const *events, size_t nevents)
{
	size_t e = 0;

	while (e < nevents && (strlen(events[e]) != length ||
			       strncmp(events[e], text, length) != 0))
		e++;
	return e;
}

static bool set_period(struct role *role, const char *text,
		       struct fdo_error *err)
{
	uint64_t period;

	if (!fdo_text_number(text, 10, &period) || !period)
		return fdo_fail(err, "'%s': no period", text);
	role->period = period;
	return true;
}

static bool parse(const char *text, enum role_kind *kind, const char **name,
		  struct fdo_error *err)
{
	*name = strchr(text, '=');
	if (!*name || !(*name)[1])
		return fdo_fail(err, "'%s' is not ROLE=NAME[:PERIOD]", text);
	if (!find_kind(text, *name - text, kind))
		return fdo_fail(err,
				"'%s': the role is inst, cycles, stall or "
				"other",
				text);
	++*name;
	return true;
}

bool role_check(const char *text, struct fdo_error *err)
{
	enum role_kind kind;
	const char *name;

	return parse(text, &kind, &name, err);
}

bool role_set(const char *text, const char *const *events, struct role *roles,
	      size_t nevents, struct fdo_error *err)
{
	const char *name, *colon;
	enum role_kind kind;
	size_t e;

	if (!parse(text, &kind, &name, err))
		return false;
	e = find_event(name, strlen(name), events, nevents);
	if (e < nevents) {
		roles[e].kind = kind;
		return true;
	}
	colon = strrchr(name, ':');
	if (colon)
		e = find_event(name, colon - name, events, nevents);
	if (e == nevents)
		return fdo_fail(err, "no table has a column '%s'", name);
	roles[e].kind = kind;
	return set_period(&roles[e], colon + 1, err);
}
