/*
 * perffile.h - open a perf.data: what kind is it, and where are the records?
 *
 * Inside perfdata.c and the files that it is cut into; others see perfdata.h.
 *
 * Ownership  The input and the events stay the caller's.
 * Errors     What is not supported is said by name.
 */
#ifndef CONVERTER_PERFFILE_H
#define CONVERTER_PERFFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fdo_error;
struct perfevents;
struct perfinput;

struct perffile {
	struct perfinput *input;
	const char *name; /* the input's */
	struct perfevents *events;
	uint64_t end; /* of the records; UINT64_MAX in a stream */
	bool swap;    /* the numbers are big-endian */
	bool stream;
	bool in_parts; /* more records are in other files */
};

/* The input then is at the first record. */
bool perffile_open(struct perfinput *input, struct perfevents *events,
		   struct perffile *file, struct fdo_error *err);

#endif
