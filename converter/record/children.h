/*
 * children.h - processes that begin before they could be recorded with their parent.
 *
 *	if (children_left_out(pids, n) > 0)
 *		...	// say so
 *
 * perf records what a process starts while it is recorded, but not what it has started
 * before, such as the workers of a server.
 *
 * Errors     None: what /proc does not say is not counted.
 */
#ifndef CONVERTER_RECORD_CHILDREN_H
#define CONVERTER_RECORD_CHILDREN_H

#include <stddef.h>
#include <sys/types.h>

/* How many have one of these for a parent and are none of them; not this process. */
size_t children_left_out(const pid_t *pids, size_t n);

#endif
