#include "svr-train/role.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "converter/perf/events.h"

static const char *const names[] = {
	[ROLE_INST] = "inst",
	[ROLE_CYCLES] = "cycles",
	[ROLE_STALL] = "stall",
	[ROLE_OTHER] = "other",
};
enum { KINDS = sizeof(names) / sizeof(names[0]) };

/*
 * What events are to a conversion, by their names.  All that it does not know
 * may cost cycles; what it takes branches or page faults from does not.
 */
static enum role_kind kind_of(const char *event)
{
	const char *role = event_meaning(event, NULL, 0).role;

	for (int i = 0; i < KINDS; i++)
		if (strcmp(role, names[i]) == 0)
			return i;
	return role == event ? ROLE_STALL : ROLE_OTHER;
}

struct role role_of(const char *event)
{
	return (struct role){ kind_of(event), 1 };
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

static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

static bool get_period(const char *text, const char *number, uint64_t *ret,
		       struct fdo_error *err)
{
	if (fdo_text_number(number, 10, ret) && *ret &&
	    *ret <= EVENT_PERIOD_MOST)
		return true;
	return fdo_fail(err, "event '%s': the period must be from 1 to 2^40",
			text);
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
	const char *name, *colon;
	uint64_t period;

	if (!parse(text, &kind, &name, err))
		return false;
	colon = strrchr(name, ':');
	return !colon || !is_number(colon + 1) ||
	       get_period(text, colon + 1, &period, err);
}

bool role_set(const char *text, const char *const *events, struct role *roles,
	      size_t nevents, struct fdo_error *err)
{
	const char *name, *colon;
	enum role_kind kind;
	uint64_t period;
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
	if (!is_number(colon + 1))
		return fdo_fail(err, "'%s': no period", colon + 1);
	if (!get_period(text, colon + 1, &period, err))
		return false;
	roles[e] = (struct role){ kind, period };
	return true;
}
