/*
 * perfdir.h - the files of a recording: one, or those in a directory.
 *
 *	struct perfdir dir;
 *	if (!perfdir_open(&dir, "perf.data", err))
 *		return false;
 *	for (size_t i = 0; i < dir.n; i++)
 *		inputs[i] = perfdir_input(&dir, i, err);
 *	...
 *	perfdir_close(&dir);
 *
 * perf record --threads and --kcore write a directory.  Its file "data" is what
 * is else all of a recording; "data.0", "data.1" and so on are its parts, with
 * records of one buffer of the kernel each.  Other names, and with --kcore there
 * is a copy of the kernel, are not for us.
 *
 * Inside perfdata.c and the files that it is cut into; others see perfdata.h.
 *
 * Ownership  Inputs of a directory are to be closed before it.
 * Errors     A directory that cannot be read, or is none of perf's, by name.
 */
#ifndef CONVERTER_PERFDIR_H
#define CONVERTER_PERFDIR_H

#include <stdbool.h>
#include <stddef.h>

struct fdo_error;
struct perfinput;

/* More than Linux can have CPUs. */
enum { PERFDIR_PARTS_MOST = 1 << 14 };

struct perfdir {
	int folder; /* its descriptor; -1: the recording is one file */
	size_t n;
	char **names; /* with the path; first the one that has the header */
};

/* "-" is stdin. */
bool perfdir_open(struct perfdir *dir, const char *path, struct fdo_error *err);
void perfdir_close(struct perfdir *dir);

struct perfinput *perfdir_input(const struct perfdir *dir, size_t i,
				struct fdo_error *err);

#endif
