/*
 * reader.h - the text of output.h, record by record.
 *
 *	struct reader r;
 *	struct record record;
 *	if (!reader_open(&r, "app.samples", err))
 *		return false;
 *	while (reader_next(&r, &record, &more, err) && more)
 *		...
 *	reader_close(&r);
 *
 * Ownership  Texts in a record live until the next one is read.
 * Errors     Name the file and the line; so does a file that ends too early.
 */
#ifndef PMUSIM_READER_H
#define PMUSIM_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct fdo_error;

enum record_kind {
	RECORD_COMMAND,
	RECORD_PROCESS,
	RECORD_LBR,
	RECORD_REGISTERS,
	RECORD_EVENT,
	RECORD_MAP,
	RECORD_THREAD,
	RECORD_SAMPLE,
	RECORD_END,
};

enum { RECORD_BRANCHES = 32, RECORD_VALUES = 17 };

struct record_branch {
	uint64_t from, to;
	bool mispredicted;
};

/* What a line says; which fields count depends on the kind. */
struct record {
	enum record_kind kind;
	const char *text; /* command, process name, event name, or path */
	const char *word; /* the event's kind, or the build-id */
	uint64_t time;
	uint64_t number; /* process, LBR depth, event, thread, or a switch */
	uint64_t thread, ip, period, rand;
	uint64_t start, size, offset;
	bool watched;
	uint64_t latency, load_latency;
	bool has_registers;
	uint64_t registers[RECORD_VALUES]; /* flags are last */
	int nbranches;
	struct record_branch branches[RECORD_BRANCHES];
};

struct reader {
	const char *path;
	FILE *stream;
	char *line;
	size_t room;
	unsigned number;
	bool ended; /* an "end" was the last line */
};

bool reader_open(struct reader *r, const char *path, struct fdo_error *err);
void reader_close(struct reader *r);

/* *more is false behind the last record. */
bool reader_next(struct reader *r, struct record *ret, bool *more,
		 struct fdo_error *err);

#endif
