/*
 * firsts.h - when code was first seen to run, from the beginning of its program.
 *
 *	firsts_take(&tally, maps, &record);	// for each sample
 *
 * A sample shows more than where it is: who called that, and the last branches.
 * A caller came first, and so did a branch, each a nanosecond before the next.
 * Only the beginning that was recorded counts: what ran before perf began is not
 * known, so a process that was there already says nothing.  A child that goes
 * on with its parent's program goes on with its time.
 *
 * Units      Nanoseconds, at least 1.
 */
#ifndef CONVERTER_FIRSTS_H
#define CONVERTER_FIRSTS_H

struct addrmap;
struct perfdata_record;
struct tally;

/* The maps are those of the moment; their objects are the tally's. */
void firsts_take(struct tally *tally, struct addrmap *maps,
		 const struct perfdata_record *sample);

#endif
