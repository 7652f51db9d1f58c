/*
 * addrmap.h - the address spaces of processes, as they are at one moment.
 *
 *	struct addrmap *maps = addrmap_new();
 *	addrmap_begin(maps, pid, time);
 *	addrmap_map(maps, pid, &(struct addrmap_range){ ... });
 *	addrmap_fork(maps, child, pid);
 *	const struct addrmap_range *range = addrmap_find(maps, child, ip);
 *	// range->object, addrmap_offset(range, ip)
 *
 * Feed it the records in order of time and ask in between.
 *
 * Units      Addresses are virtual, offsets bytes of the mapped file; times are
 *            the caller's.
 * Range      A new range takes the place of what it covers, as mmap does.
 *            The upper half of all addresses is the kernel's: what is there
 *            is there for all processes, whoever maps it or asks.
 *            The kernel does not say when memory is unmapped: a range stays
 *            until it is covered, or its process is replaced.
 * Ownership  addrmap_new() gives, addrmap_free() takes back.  A range that
 *            was found is valid until the next change.
 * Errors     None.  A map that wraps around the end of memory is cut there.
 */
#ifndef CONVERTER_ADDRMAP_H
#define CONVERTER_ADDRMAP_H

#include <stdbool.h>
#include <stdint.h>

struct addrmap;

struct addrmap_range {
	uint64_t start, end; /* the end is not in it */
	uint64_t offset;     /* of start */
	uint32_t object;     /* the caller's number for what is mapped */
};

/* Is it in the kernel's half of memory? */
static inline bool addrmap_is_kernel(uint64_t address)
{
	return address >> 63;
}

/* An object for memory that is of no file; addrmap.c knows nothing of it. */
#define ADDRMAP_NO_FILE UINT32_MAX

/* Of an address in it, in the file. */
static inline uint64_t addrmap_offset(const struct addrmap_range *range,
				      uint64_t address)
{
	return address - range->start + range->offset;
}

struct addrmap *addrmap_new(void);
void addrmap_free(struct addrmap *maps);

void addrmap_map(struct addrmap *maps, int32_t pid,
		 const struct addrmap_range *range);

/*
 * A child begins with the parent's ranges, and goes on with its program.  A
 * thread, where both are the same process, only counts.
 */
void addrmap_fork(struct addrmap *maps, int32_t pid, int32_t parent);

/*
 * A process begins, or goes on with a new program: without ranges.  The time is
 * that of the program's beginning; 0: nobody saw it.
 */
void addrmap_begin(struct addrmap *maps, int32_t pid, uint64_t time);

/* When the program that the process runs began; 0: not known. */
uint64_t addrmap_begun(struct addrmap *maps, int32_t pid);

/*
 * A thread ends.  Ranges of a process that has ended stay for a while, since
 * without times its last samples may still follow.
 */
void addrmap_exit(struct addrmap *maps, int32_t pid, int32_t tid);

/* NULL if nothing is known at the address. */
const struct addrmap_range *addrmap_find(struct addrmap *maps, int32_t pid,
					 uint64_t address);

/* Processes that are remembered; for tests of what exits leave behind. */
uint64_t addrmap_processes(const struct addrmap *maps);

#endif
