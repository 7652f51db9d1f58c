/*
 * perfdata.h - read a perf.data, as a stream of records in order of time.
 *
 *	struct perfdata *data = perfdata_open("perf.data", err);
 *	struct perfdata_record r;
 *	while (data && perfdata_next(data, &r, err) && r.kind != PERFDATA_END)
 *		if (r.kind == PERFDATA_SAMPLE)
 *			use(r.pid, r.sample.ip, perfdata_event(data, r.event));
 *	perfdata_close(data);
 *
 * Reads what perf record writes to a file, to a pipe and, with --threads or
 * --kcore, to a directory, in both byte orders, compressed or not.  Memory
 * depends on how much perf wrote in one round over its buffers, or on how many
 * files are in the directory, not on their length.
 *
 * Units      Times are perf's nanoseconds; addresses are virtual; map offsets
 *            are bytes of the mapped file.
 *            Places in messages are bytes of the file that they name.
 * Range      pid and tid are -1 where the record has none (a sample of the
 *            idle task or without PERF_SAMPLE_TID).  A time is 0 where the
 *            events have none; then the order is that of the file, and of
 *            the numbers of the files in a directory.  A recording has at
 *            most PERFDATA_EVENTS_MOST events.
 * Ownership  What a record points to is valid until the next perfdata_next();
 *            events and texts, until perfdata_close().
 * Errors     NULL or false with the file's name, and the byte where it makes
 *            sense.  Nothing can be read after an error.
 */
#ifndef CONVERTER_PERFDATA_H
#define CONVERTER_PERFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/build_id.h"

struct fdo_error;
struct perfdata;

enum { PERFDATA_NO_EVENT = 0xffffffffu, PERFDATA_EVENTS_MOST = 1024 };

enum perfdata_kind {
	PERFDATA_END,
	PERFDATA_SAMPLE,
	PERFDATA_MAP,
	PERFDATA_COMM,
	PERFDATA_FORK,
	PERFDATA_EXIT,
	PERFDATA_LOST,	   /* records that the kernel had no room for */
	PERFDATA_THROTTLE, /* the kernel stopped an event for a while */
};

/* What the CPU was doing; the values are the kernel's. */
enum perfdata_mode {
	PERFDATA_UNKNOWN,
	PERFDATA_KERNEL,
	PERFDATA_USER,
	PERFDATA_HYPERVISOR,
	PERFDATA_GUEST_KERNEL,
	PERFDATA_GUEST_USER,
};

struct perfdata_event {
	const char *name; /* as perf prints it: "cycles:u" */
	uint32_t type;	  /* PERF_TYPE_... */
	uint64_t config;
	uint64_t period; /* fixed; 0 if perf was given a frequency */
	bool measured;	 /* the period is fixed, or each sample has its own */
	bool dummy;	 /* carries other records, never samples */
	bool history;	 /* branches are all that were taken, in order */
};

struct perfdata_branch {
	uint64_t from, to;
	uint64_t flags; /* bit 0 mispredicted, bit 1 predicted, ... */
};

/*
 * As instructions of x86-64 number them: rax, rcx, rdx, rbx, rsp, ...; behind
 * them the flags.
 */
enum { PERFDATA_REGISTERS = 16, PERFDATA_FLAGS = PERFDATA_REGISTERS };

struct perfdata_sample {
	uint64_t ip;
	uint64_t period; /* of this sample; the event's where it has none */
	size_t nbranches;
	const struct perfdata_branch *branches; /* newest first */
	/* Of user code: where it is, and then where each caller goes on. */
	size_t nchain;
	const uint64_t *chain;
	uint32_t known; /* set of registers, of a program of 64 bits */
	uint64_t registers[PERFDATA_FLAGS + 1]; /* at ip, those known */
	/* Of a precise event: registers as the instruction at ip left them. */
	bool exact;
	/*
	 * A number of the address and all general registers but the stack's
	 * together: whose is the same, of the same thread, are of the same
	 * moment.  0: not all are known.  Also where registers are not read.
	 */
	uint64_t state;
	uint64_t general; /* of these registers alone, wherever it is */
};

struct perfdata_map {
	uint64_t start, size, offset;
	const char *path; /* or "[vdso]", "//anon", ... */
	bool executable;
	struct fdo_build_id build_id;
};

struct perfdata_record {
	enum perfdata_kind kind;
	enum perfdata_mode mode;
	uint32_t event; /* or PERFDATA_NO_EVENT */
	int32_t pid, tid;
	uint64_t time;
	union {
		struct perfdata_sample sample;
		struct perfdata_map map;
		struct {
			const char *name;
			bool exec; /* the process began a new program */
		} comm;
		struct {
			int32_t pid, tid; /* of the parent */
			bool empty;	  /* without the parent's maps */
		} fork;
		struct {
			uint64_t count;
			bool samples; /* it is known that they were samples */
		} lost;
	};
};

/* Texts that describe where it was recorded; NULL: the file has none. */
enum perfdata_text {
	PERFDATA_HOSTNAME,
	PERFDATA_OSRELEASE,
	PERFDATA_ARCH,
	PERFDATA_CPUDESC,
	PERFDATA_CPUID,
	PERFDATA_TEXTS
};

/* "-" is stdin. */
struct perfdata *perfdata_open(const char *path, struct fdo_error *err);
void perfdata_close(struct perfdata *data);

bool perfdata_next(struct perfdata *data, struct perfdata_record *ret,
		   struct fdo_error *err);

/*
 * Whether the registers of the samples that come next are read, as they are at
 * first.  Those of samples that stand for nothing always are.
 */
void perfdata_read_registers(struct perfdata *data, bool wanted);

/* Bytes of the file, or of all in a directory; 0: of a stream, nobody knows. */
uint64_t perfdata_size(const struct perfdata *data);

/*
 * A pipe names its events while it is read: ask again, or at the end.
 * The pointer dies with the next perfdata_next().
 */
size_t perfdata_events(const struct perfdata *data);
const struct perfdata_event *perfdata_event(const struct perfdata *data,
					    uint32_t event);

/* Of the file's own table, by a mapping's path; NULL: not in it. */
const struct fdo_build_id *perfdata_build_id(const struct perfdata *data,
					     const char *path);

const char *perfdata_text(const struct perfdata *data, enum perfdata_text text);

/* What could not be used; all 0 in a file that is as it should be. */
struct perfdata_trouble {
	uint64_t late;	  /* records beyond what can be put in order */
	uint64_t unknown; /* samples of events that the file does not have */
	uint64_t traces;  /* pieces of a hardware trace */
};

struct perfdata_trouble perfdata_trouble(const struct perfdata *data);

#endif
