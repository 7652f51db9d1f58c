/*
 * perf_writer.h - make a perf.data in memory, for tests of its reader.
 *
 *	struct perf_writer w = { .stream = true, .big_endian = true };
 *	perf_event(&w, &(struct perf_event){ .name = "cycles", .id = 7 });
 *	perf_begin(&w);
 *	perf_comm(&w, (struct perf_who){ 10, 10, 100 }, "app", true);
 *	perf_mmap(&w, (struct perf_who){ 10, 10, 101 }, &map);
 *	perf_sample(&w, &(struct perf_sample){ .event = 0, .ip = 0x1234 });
 *	perf_round(&w);
 *	perf_end(&w);		// w.data, w.size
 *	perf_free(&w);
 *
 * Written from the kernel's and perf's description of the format, without
 * anything of the reader in it.
 */
#ifndef TESTSUITE_PERF_WRITER_H
#define TESTSUITE_PERF_WRITER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What perf record asks for with several events. */
#define PERF_USUAL                                                   \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
	 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

struct perf_bytes {
	unsigned char *data;
	size_t size, room;
};

struct perf_event {
	const char *name; /* NULL: the file does not say */
	uint32_t type;
	uint64_t config;
	uint64_t sample_type; /* 0: PERF_USUAL */
	uint64_t read_format, branch_type;
	uint64_t user_registers, registers; /* sets, by perf's numbers */
	uint64_t period;		    /* fixed; 0: a frequency of 1000 */
	uint64_t id;
	bool user_only;
	bool no_id_all;
};

enum { PERF_EVENTS_MAX = 8, PERF_BUILD_IDS_MAX = 8 };

struct perf_writer {
	/* The caller sets these. */
	bool stream; /* to a pipe; or else a file */
	bool big_endian;
	bool compressed;
	bool second_form;   /* PERF_RECORD_COMPRESSED2 */
	uint64_t directory; /* 1: the file data of one in parts */
	const char *hostname, *arch, *cpudesc, *cpuid, *osrelease;
	size_t attr_size; /* of an old perf; 0: up to the registers */

	unsigned char *data; /* the result */
	size_t size;

	struct perf_bytes out, records, plain;
	size_t header_size; /* of all that is before the records */
	struct perf_event events[PERF_EVENTS_MAX];
	int nevents;
	struct {
		const char *path;
		unsigned char bytes[20];
		int size;
	} build_ids[PERF_BUILD_IDS_MAX];
	int nbuild_ids;
	void *zstd;
};

/* What every record ends in. */
struct perf_who {
	uint32_t pid, tid;
	uint64_t time;
	int event; /* index */
};

struct perf_map {
	uint64_t start, size, offset;
	const char *path;
	bool old;	      /* PERF_RECORD_MMAP, not MMAP2 */
	const char *build_id; /* of 20 bytes, in MMAP2 */
	uint32_t device;      /* says that it is a build-id; 0: not so */
	bool kernel;
	bool data; /* not executable */
};

struct perf_branch {
	uint64_t from, to;
	bool mispredicted;
	bool wrong_path;
};

struct perf_sample {
	int event;
	uint32_t pid, tid;
	uint64_t time, ip, period;
	bool kernel, exact;
	uint64_t foreign_id; /* instead of the event's */
	int nbranches;
	const struct perf_branch *branches;
	uint64_t user_abi, abi;			    /* 0: without registers */
	const uint64_t *user_registers, *registers; /* by perf's numbers */
	uint64_t stack;				    /* bytes of it */
	int ncallers; /* in the chain, behind ip and what the kernel did */
	const uint64_t *callers;
};

void perf_event(struct perf_writer *w, const struct perf_event *event);
void perf_build_id(struct perf_writer *w, const char *path, const char *bytes);

/* After the events and build-ids, before all records. */
void perf_begin(struct perf_writer *w);

void perf_sample(struct perf_writer *w, const struct perf_sample *sample);
void perf_mmap(struct perf_writer *w, struct perf_who who,
	       const struct perf_map *map);
void perf_comm(struct perf_writer *w, struct perf_who who, const char *name,
	       bool exec);
/* As perf writes it for what it finds at the start: without maps. */
void perf_fork_empty(struct perf_writer *w, struct perf_who child,
		     uint32_t ppid, uint32_t ptid);
void perf_fork(struct perf_writer *w, struct perf_who child, uint32_t ppid,
	       uint32_t ptid);
void perf_exit(struct perf_writer *w, struct perf_who who);
void perf_lost(struct perf_writer *w, struct perf_who who, uint64_t count);
void perf_lost_samples(struct perf_writer *w, struct perf_who who,
		       uint64_t count);
void perf_throttle(struct perf_writer *w, struct perf_who who);

/* PERF_RECORD_FINISHED_ROUND. */
void perf_round(struct perf_writer *w);

/* A record of any type, as it is; one of 64 or more is never compressed. */
void perf_raw(struct perf_writer *w, uint32_t type, uint16_t misc,
	      const void *body, size_t size);

/* Bytes behind a record that do not count for its size. */
void perf_tail(struct perf_writer *w, size_t size);

void perf_end(struct perf_writer *w);
/* Instead: the records alone, as in a part of a directory. */
void perf_end_part(struct perf_writer *w);
void perf_free(struct perf_writer *w);

/* A number in the writer's byte order, for bodies of perf_raw(). */
void perf_put(struct perf_bytes *bytes, const struct perf_writer *w,
	      uint64_t value, size_t size);

/* Give the result a name that can be opened; "ret" has room for 64 bytes. */
int perf_open(const void *data, size_t size, char *ret);

#endif
