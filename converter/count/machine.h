/*
 * machine.h - what the events of a family of processors stand for.
 *
 * A description is a text file, one statement a line, "#" before a remark:
 *
 *	name	Intel Core
 *	cpuid	GenuineIntel,6,*
 *	event	dtlb_load_misses.walk_completed*	stall:dtlb	26
 *
 * name: for people.  cpuid: a pattern for the processors that it is for, as
 * perf writes them into perf.data; there may be several.  event: a pattern for
 * names of events, without PMU and modifiers, and "stall:", a name, and the
 * cycles for which one such event stalls; or another role as in events.h, if it
 * does not stall ("other" if it has none there).  Patterns are those of the
 * shell.  The first event that fits counts; no pattern is there twice.
 *
 *	struct machine *m = machine_read("intel.machine", err);
 *	double cycles = machine_stall(m, "dtlb_load_misses.walk_completed:u");
 *	machine_free(m);
 *
 * Ownership  _read() and _find() give, _free() takes back and accepts NULL.
 * Errors     Name the file and the line.
 */
#ifndef CONVERTER_MACHINE_H
#define CONVERTER_MACHINE_H

#include <stdbool.h>

struct fdo_error;
struct machine;

struct machine *machine_read(const char *path, struct fdo_error *err);

/*
 * The description in a folder whose cpuid fits, the first by file name where
 * several do; *ret is NULL where none does, and where there is no folder.
 */
bool machine_find(const char *folder, const char *cpuid, struct machine **ret,
		  struct fdo_error *err);
void machine_free(struct machine *m);

/* Cycles that one event stalls; 0 where nothing is said of it. */
double machine_stall(const struct machine *m, const char *event);

#endif
