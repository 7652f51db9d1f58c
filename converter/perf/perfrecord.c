/*
 * perfrecord.c - the layouts of the kernel's records, as perf_event_open(2)
 * and linux/perf_event.h define them.
 */
#include "converter/perf/perfrecord.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "converter/perf/perfregs.h"

/* Newer than the oldest linux/perf_event.h that we compile with. */
enum {
	MISC_COMM_EXEC = 1 << 13,
	MISC_FORK_EXEC = 1 << 13,
	MISC_MMAP_DATA = 1 << 13,
	MISC_MMAP_BUILD_ID = 1 << 14,
	MISC_EXACT_IP = 1 << 14,
	MISC_LOST_BPF = 1 << 15,
	FORMAT_LOST = 1 << 4,
	SAMPLE_WEIGHT_STRUCT = 1 << 24,
	BRANCH_COUNTERS = 1 << 19,
	PROTECTION_EXECUTE = 4,
};

bool perfrecord_header_fails(const struct cursor *c,
			     const struct perfheader *header,
			     struct fdo_error *err)
{
	if (cursor_left(c) < PERFRECORD_HEADER)
		return cursor_ends(c, err);
	return cursor_fail(c, err, "a record of %u bytes is too short",
			   header->size);
}

bool perfrecord_is_wanted(const struct perfheader *header)
{
	switch (header->type) {
	case PERF_RECORD_LOST_SAMPLES:
		return !(header->misc & MISC_LOST_BPF);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_LOST:
	case PERF_RECORD_COMM:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_FORK:
	case PERF_RECORD_SAMPLE:
		return true;
	default:
		return false;
	}
}

/* A number in what the cursor is known to have. */
static uint64_t number_at(const struct cursor *c, size_t at)
{
	uint64_t number;

	memcpy(&number, c->data + c->at + at, sizeof(number));
	return c->swap ? be64toh(number) : le64toh(number);
}

static uint32_t half_at(const struct cursor *c, size_t at)
{
	uint32_t number;

	memcpy(&number, c->data + c->at + at, sizeof(number));
	return c->swap ? be32toh(number) : le32toh(number);
}

/* A number at a place; -1: there is none. */
static bool look(const struct cursor *c, int at, uint64_t *ret,
		 struct fdo_error *err)
{
	*ret = 0;
	if (at < 0)
		return true;
	if (at + sizeof(*ret) > cursor_left(c))
		return cursor_fail(c, err, "the record is too short");
	*ret = number_at(c, at);
	return true;
}

/* Likewise, by how far it is from the end. */
static bool look_back(const struct cursor *c, int from_end, uint64_t *ret,
		      struct fdo_error *err)
{
	*ret = 0;
	if (from_end < 0)
		return true;
	if ((size_t)from_end > cursor_left(c))
		return cursor_fail(c, err, "the record is too short");
	*ret = number_at(c, cursor_left(c) - from_end);
	return true;
}

bool perfrecord_place(const struct perfevents *events,
		      const struct perfheader *header, const struct cursor *c,
		      uint32_t *event, uint64_t *time, struct fdo_error *err)
{
	const struct perfattr *attr = events->attrs;
	uint64_t id;

	*time = 0;
	if (header->type == PERF_RECORD_SAMPLE) {
		if (!look(c, attr->id_at, &id, err))
			return false;
		*event = perfevents_by_id(events, id);
		return *event == PERFDATA_NO_EVENT ||
		       look(c, attr[*event].time_at, time, err);
	}
	if (!look_back(c, attr->id_from_end, &id, err))
		return false;
	*event = perfevents_by_id(events, id);
	if (*event != PERFDATA_NO_EVENT)
		attr += *event;
	return look_back(c, attr->time_from_end, time, err);
}

static bool pid_and_tid(struct cursor *c, struct perfdata_record *ret,
			struct fdo_error *err)
{
	uint32_t pid, tid;

	if (!cursor_u32(c, &pid, err) || !cursor_u32(c, &tid, err))
		return false;
	ret->pid = pid;
	ret->tid = tid;
	return true;
}

static bool skip_items(struct cursor *c, uint64_t count, size_t size,
		       struct fdo_error *err)
{
	if (count > cursor_left(c) / size)
		return cursor_fail(c, err,
				   "%llu items do not fit in the "
				   "record",
				   (unsigned long long)count);
	return cursor_skip(c, count * size, err);
}

/* Counters that were read with the sample. */
static bool skip_read(struct cursor *c, uint64_t format, struct fdo_error *err)
{
	size_t each = 8, times = 0;
	uint64_t count = 1;

	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		times += 8;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		times += 8;
	if (format & PERF_FORMAT_ID)
		each += 8;
	if (format & FORMAT_LOST)
		each += 8;
	if (format & PERF_FORMAT_GROUP && !cursor_u64(c, &count, err))
		return false;
	return cursor_skip(c, times, err) && skip_items(c, count, each, err);
}

/* Addresses, with a number between them where those of another mode begin. */
static bool read_chain(struct cursor *c, struct perflists *lists,
		       struct perfdata_sample *ret, struct fdo_error *err)
{
	bool user = false;
	uint64_t count, address;

	if (!cursor_u64(c, &count, err))
		return false;
	if (count > cursor_left(c) / sizeof(address))
		return skip_items(c, count, sizeof(address), err);
	for (uint64_t i = 0; i < count; i++) {
		if (!cursor_u64(c, &address, err))
			return false;
		if (address >= (uint64_t)PERF_CONTEXT_MAX) {
			user = address == (uint64_t)PERF_CONTEXT_USER;
			continue;
		}
		if (!user)
			continue;
		lists->chain = fdo_grow(lists->chain, ret->nchain,
					&lists->chain_room, sizeof(address));
		lists->chain[ret->nchain++] = address;
	}
	ret->chain = lists->chain;
	return true;
}

static bool skip_raw(struct cursor *c, struct fdo_error *err)
{
	uint32_t size;

	return cursor_u32(c, &size, err) && cursor_skip(c, size, err);
}

/* Behind the branches there may be a number of events for each. */
static bool read_branches(struct cursor *c, uint64_t branch_type,
			  struct perflists *lists, struct perfdata_sample *ret,
			  struct fdo_error *err)
{
	uint64_t count;

	if (!cursor_u64(c, &count, err))
		return false;
	if (branch_type & PERF_SAMPLE_BRANCH_HW_INDEX &&
	    !cursor_skip(c, 8, err))
		return false;
	if (count > cursor_left(c) / 24)
		return cursor_fail(c, err,
				   "%llu branches do not fit in the "
				   "record",
				   (unsigned long long)count);
	while (lists->branches_room < count)
		lists->branches =
			fdo_grow(lists->branches, lists->branches_room,
				 &lists->branches_room,
				 sizeof(*lists->branches));
	for (uint64_t i = 0; i < count; i++)
		if (!cursor_u64(c, &lists->branches[i].from, err) ||
		    !cursor_u64(c, &lists->branches[i].to, err) ||
		    !perfevents_bits(c, &lists->branches[i].flags, err))
			return false;
	ret->nbranches = count;
	ret->branches = lists->branches;
	return !(branch_type & BRANCH_COUNTERS) || skip_items(c, count, 8, err);
}

static bool skip_stack(struct cursor *c, struct fdo_error *err)
{
	uint64_t size;

	return cursor_u64(c, &size, err) &&
	       (size == 0 ||
		(skip_items(c, size, 1, err) && cursor_skip(c, 8, err)));
}

/*
 * Of a precise event, the user's registers are those of a later moment, though
 * the address among them may be the sample's.
 */
static bool read_all_registers(const struct perfattr *attr, struct cursor *c,
			       bool wanted, struct perfdata_sample *ret,
			       struct fdo_error *err)
{
	static const uint64_t skipped =
		PERF_SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT |
		PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION;
	uint64_t type = attr->sample_type;

	wanted |= attr->period_at >= 0 && !ret->period;
	if (type & PERF_SAMPLE_REGS_USER &&
	    !perfregs_read(c, attr->user_registers, wanted, ret, err))
		return false;
	if (ret->exact)
		ret->known = 0;
	if (!(type & PERF_SAMPLE_REGS_INTR))
		return true;
	if (type & PERF_SAMPLE_STACK_USER && !skip_stack(c, err))
		return false;
	return cursor_skip(c, 8 * __builtin_popcountll(type & skipped), err) &&
	       perfregs_read(c, attr->registers, wanted, ret, err);
}

/* What is at the same place in all samples of an event. */
static bool decode_fixed(const struct perfattr *attr, struct cursor *c,
			 struct perfdata_record *ret, struct fdo_error *err)
{
	if (attr->ip_at < 0)
		return cursor_fail(c, err, "the samples have no address");
	if (attr->fixed_size > cursor_left(c))
		return cursor_ends(c, err);
	ret->sample.ip = number_at(c, attr->ip_at);
	if (attr->tid_at >= 0) {
		ret->pid = half_at(c, attr->tid_at);
		ret->tid = half_at(c, attr->tid_at + sizeof(uint32_t));
	}
	if (attr->period_at >= 0)
		ret->sample.period = number_at(c, attr->period_at);
	c->at += attr->fixed_size;
	return true;
}

/* Nothing after the registers is of use. */
static bool decode_sample(const struct perfattr *attr, struct cursor *c,
			  struct perflists *lists, struct perfdata_record *ret,
			  struct fdo_error *err)
{
	static const uint64_t behind =
		PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK |
		PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR;
	uint64_t type = attr->sample_type;
	struct perfdata_sample *sample = &ret->sample;

	sample->nbranches = 0;
	sample->branches = NULL;
	sample->known = 0;
	sample->state = sample->general = 0;
	sample->nchain = 0;
	sample->chain = NULL;
	if (!decode_fixed(attr, c, ret, err))
		return false;
	if (!(type & behind))
		return true;
	if (type & PERF_SAMPLE_READ && !skip_read(c, attr->read_format, err))
		return false;
	if (type & PERF_SAMPLE_CALLCHAIN && !read_chain(c, lists, sample, err))
		return false;
	if (type & PERF_SAMPLE_RAW && !skip_raw(c, err))
		return false;
	if (type & PERF_SAMPLE_BRANCH_STACK &&
	    !read_branches(c, attr->branch_type, lists, sample, err))
		return false;
	return read_all_registers(attr, c, !lists->without_registers, sample,
				  err);
}

/*
 * Kernels say that there is a build-id where another recording has asked for
 * it, and write numbers of the device, the inode and its generation all the
 * same.  A build-id has zeros around it, and is no small number itself.
 */
static bool read_map_build_id(struct cursor *c, struct fdo_build_id *ret,
			      struct fdo_error *err)
{
	static const unsigned char zeros[FDO_BUILD_ID_MAX];
	const unsigned char *bytes;
	const void *all = NULL;
	unsigned size;

	if (!cursor_bytes(c, 4 + FDO_BUILD_ID_MAX, &all, err))
		return false;
	bytes = all;
	size = bytes[0];
	if (size <= FDO_BUILD_ID_MAX && memcmp(bytes + 1, zeros, 3) == 0 &&
	    memcmp(bytes + 5, zeros, 3) != 0 &&
	    memcmp(bytes + 4 + size, zeros, FDO_BUILD_ID_MAX - size) == 0)
		*ret = fdo_build_id(bytes + 4, size);
	return true;
}

static bool decode_map(const struct perfheader *header, struct cursor *c,
		       struct perfdata_record *ret, struct fdo_error *err)
{
	struct perfdata_map *map = &ret->map;
	uint32_t protection;

	*map = (struct perfdata_map){
		.executable = !(header->misc & MISC_MMAP_DATA),
	};
	ret->kind = PERFDATA_MAP;
	if (!pid_and_tid(c, ret, err) || !cursor_u64(c, &map->start, err) ||
	    !cursor_u64(c, &map->size, err) ||
	    !cursor_u64(c, &map->offset, err))
		return false;
	if (header->type == PERF_RECORD_MMAP)
		return cursor_string(c, &map->path, err);

	/* Where there is no build-id, there is the inode. */
	if (!(header->misc & MISC_MMAP_BUILD_ID
		      ? read_map_build_id(c, &map->build_id, err)
		      : cursor_skip(c, 24, err)))
		return false;
	if (!cursor_u32(c, &protection, err) || !cursor_skip(c, 4, err))
		return false;
	map->executable = protection & PROTECTION_EXECUTE;
	return cursor_string(c, &map->path, err);
}

static bool decode_fork(const struct perfheader *header, struct cursor *c,
			struct perfdata_record *ret, struct fdo_error *err)
{
	uint32_t pid, ppid, tid, ptid;

	if (!cursor_u32(c, &pid, err) || !cursor_u32(c, &ppid, err) ||
	    !cursor_u32(c, &tid, err) || !cursor_u32(c, &ptid, err))
		return false;
	ret->pid = pid;
	ret->tid = tid;
	ret->kind = PERFDATA_EXIT;
	if (header->type == PERF_RECORD_EXIT)
		return true;
	ret->kind = PERFDATA_FORK;
	ret->fork.pid = ppid;
	ret->fork.tid = ptid;
	ret->fork.empty = header->misc & MISC_FORK_EXEC;
	return true;
}

static bool decode_comm(const struct perfheader *header, struct cursor *c,
			struct perfdata_record *ret, struct fdo_error *err)
{
	ret->kind = PERFDATA_COMM;
	ret->comm.exec = header->misc & MISC_COMM_EXEC;
	return pid_and_tid(c, ret, err) &&
	       cursor_string(c, &ret->comm.name, err);
}

static bool decode_lost(const struct perfheader *header, struct cursor *c,
			struct perfdata_record *ret, struct fdo_error *err)
{
	ret->kind = PERFDATA_LOST;
	ret->lost.samples = header->type == PERF_RECORD_LOST_SAMPLES;
	if (!ret->lost.samples && !cursor_skip(c, 8, err))
		return false;
	return cursor_u64(c, &ret->lost.count, err);
}

/* Here the id is in the record itself, for those without sample_id. */
static bool decode_throttle(const struct perfevents *events, struct cursor *c,
			    struct perfdata_record *ret, struct fdo_error *err)
{
	uint64_t id;

	ret->kind = PERFDATA_THROTTLE;
	if (!cursor_skip(c, 8, err) || !cursor_u64(c, &id, err))
		return false;
	ret->event = perfevents_by_id(events, id);
	return true;
}

bool perfrecord_decode(const struct perfevents *events,
		       const struct perfheader *header, struct cursor *c,
		       struct perflists *lists, struct perfdata_record *ret,
		       struct fdo_error *err)
{
	ret->mode = header->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	ret->sample.exact = header->misc & MISC_EXACT_IP;
	ret->pid = ret->tid = -1;
	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		ret->kind = PERFDATA_SAMPLE;
		ret->sample.period = events->events[ret->event].period;
		return decode_sample(&events->attrs[ret->event], c, lists, ret,
				     err);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return decode_map(header, c, ret, err);
	case PERF_RECORD_COMM:
		return decode_comm(header, c, ret, err);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return decode_fork(header, c, ret, err);
	case PERF_RECORD_THROTTLE:
		return decode_throttle(events, c, ret, err);
	default:
		return decode_lost(header, c, ret, err);
	}
}
