/*
 * firsts.h - when code was first seen to run, from the beginning of its
 * program.
 *
 *	time = firsts_time(maps, &record);		// for each sample
 *	tally_add(object, offset, event, count, time);
 *	firsts_take(&tally, maps, &record, time);
 *
 * A sample shows more than where it is: who called that, and the last branches.
 * A caller came first, and so did a branch, each a nanosecond before the next.
 * Only the beginning that was recorded counts: what ran before perf began is
 * not known, so a process that was there already says nothing.  A child that
 * goes on with its parent's program goes on with its time.
 *
 * Units      Nanoseconds, at least 1.
 */
#ifndef CONVERTER_FIRSTS_H
#define CONVERTER_FIRSTS_H

#include <stdint.h>

struct addrmap;
struct perfdata_record;
struct tally;

/* Of a sample, since its program began; 0 if that is not known. */
uint64_t firsts_time(struct addrmap *maps,
		     const struct perfdata_record *sample);

/* That the code at its address ran, of a sample that does not count. */
void firsts_ran(struct tally *tally, struct addrmap *maps,
		const struct perfdata_record *sample, uint64_t time);

/*
 * What else a sample of this time shows.  The maps are those of the moment;
 * their objects are the tally's.
 */
void firsts_take(struct tally *tally, struct addrmap *maps,
		 const struct perfdata_record *sample, uint64_t time);

#endif
