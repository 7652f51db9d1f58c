/*
 * passes.h - the ranges of an object that bursts of steps passed, burst by
 * burst.
 *
 *	struct passes *p = passes_new();
 *	passes_begin(p, burst, from);
 *	passes_add(p, burst, from, to);
 *	const struct samples_pass *all = passes_sorted(p, &n, &part);
 *	passes_free(p);
 *
 * How they are added up tells no more what ran beside what, which says how
 * often a burst begins there (converter/count/bursts.h).  A burst has a number
 * by which it is told from others, by chance: of many, those are kept that end
 * with so many zeros.
 *
 * Range      At most PASSES_MOST are kept for an object, 24 MB.
 * Ownership  passes_free() accepts NULL; passes_sorted() gives an array away.
 * Errors     None.
 */
#ifndef CONVERTER_PASSES_H
#define CONVERTER_PASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct passes;
struct samples_pass;

enum { PASSES_MOST = 1 << 20 };

struct passes *passes_new(void);
void passes_free(struct passes *p);

/* The oldest jump of a burst left from there. */
void passes_begin(struct passes *p, uint64_t burst, uint32_t from);

/* Without a jump but that at "to". */
void passes_add(struct passes *p, uint64_t burst, uint32_t from, uint32_t to);

void passes_add_all(struct passes *p, const struct passes *from);

/*
 * By burst, its beginning first, then by place; NULL and 0 if p is NULL.  *part
 * is how many bursts one that was kept stands for.
 */
struct samples_pass *passes_sorted(struct passes *p, size_t *n, uint64_t *part);

#endif
