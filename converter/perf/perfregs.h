/*
 * perfregs.h - the registers of a sample.
 *
 * Inside perfdata.c, the files that it is cut into, and perfwrite.c.
 *
 * Units      perf numbers registers in its own way, and a set of them has a bit
 *            for each; the machine's numbers are those of PERFDATA_REGISTERS.
 */
#ifndef CONVERTER_PERFREGS_H
#define CONVERTER_PERFREGS_H

#include "base/cursor.h"
#include "converter/perf/perfdata.h"

/* perf's number, below 64, to the machine's; -1: none of these. */
int perfregs_number(unsigned bit);

/*
 * A set of registers in a record, of which nothing is kept but their hashes
 * unless they are wanted.
 */
bool perfregs_read(struct cursor *c, uint64_t set, bool wanted,
		   struct perfdata_sample *ret, struct fdo_error *err);

#endif
