/*
 * memory.c - a miss at one level is an access to the next; the line is
 * entered at once, with the cycle at which it arrives.
 */
#include "testsuite/pmusim/memory.h"

#include <stddef.h>

#include "testsuite/pmusim/options.h"

enum { WAYS = 8, TLB_WAYS = 4, DIRECTORIES = 32 };

/* Page tables have addresses of their own, above all of the program's. */
#define TABLES	       ((uint64_t)1 << 50)
#define DIRECTORIES_AT ((uint64_t)1 << 51)

static uint64_t lines(uint64_t kb)
{
	return kb << (10 - LINE_SHIFT);
}

void memory_init(struct memory *m, const struct options *options)
{
	*m = (struct memory){ .options = options,
			      .l1_latency = options->l1_latency };
	cache_init(&m->l1i, lines(options->l1i_kb), WAYS);
	cache_init(&m->l1d, lines(options->l1d_kb), WAYS);
	cache_init(&m->l2, lines(options->l2_kb), WAYS);
	cache_init(&m->l3, lines(options->l3_kb), 2 * WAYS);
	cache_init(&m->dtlb, options->dtlb, TLB_WAYS);
	cache_init(&m->stlb, options->stlb, TLB_WAYS);
	cache_init(&m->directories, DIRECTORIES, TLB_WAYS);
}

void memory_clear(struct memory *m)
{
	cache_clear(&m->l1i);
	cache_clear(&m->l1d);
	cache_clear(&m->l2);
	cache_clear(&m->l3);
	cache_clear(&m->dtlb);
	cache_clear(&m->stlb);
	cache_clear(&m->directories);
}

/* When a line is there that the first level lacks. */
static uint64_t from_beyond(struct memory *m, uint64_t line, uint64_t cycle,
			    bool *missed_l2)
{
	const struct options *o = m->options;
	uint64_t *ready = cache_find(&m->l2, line), done;

	*missed_l2 = !ready;
	if (ready)
		return memory_later(cycle + o->l2_latency, *ready);
	ready = cache_find(&m->l3, line);
	if (ready) {
		done = memory_later(cycle + o->l3_latency, *ready);
	} else {
		done = cycle + o->memory_latency;
		cache_enter(&m->l3, line, done);
	}
	cache_enter(&m->l2, line, done);
	return done;
}

/* A stream of lines fetches ahead, so that only its first are waited for. */
static void prefetch(struct memory *m, struct cache *l1, uint64_t line,
		     uint64_t cycle)
{
	bool missed;

	if (m->options->prefetch && !cache_find(l1, line))
		cache_enter(l1, line, from_beyond(m, line, cycle, &missed));
}

static struct access through(struct memory *m, struct cache *l1, uint64_t line,
			     uint64_t cycle)
{
	struct access ret = { 0 };
	uint64_t *ready = cache_find(l1, line);

	if (ready) {
		ret.done = memory_later(cycle, *ready);
		return ret;
	}
	ret.missed_l1 = true;
	ret.done = from_beyond(m, line, cycle, &ret.missed_l2);
	cache_enter(l1, line, ret.done);
	if (cache_find(l1, line - 1))
		prefetch(m, l1, line + 1, cycle);
	return ret;
}

static uint64_t read_table(struct memory *m, uint64_t address, uint64_t cycle)
{
	return through(m, &m->l1d, address >> LINE_SHIFT, cycle).done +
	       m->options->l1_latency;
}

/* One walk at a time; upper levels of the tables are cached in the walker. */
static uint64_t walk(struct memory *m, uint64_t page, uint64_t cycle)
{
	uint64_t at = memory_later(cycle, m->walker_free);

	if (!cache_find(&m->directories, page >> 9)) {
		at = read_table(m, DIRECTORIES_AT + (page >> 9) * 8, at);
		cache_enter(&m->directories, page >> 9, at);
	}
	at = read_table(m, TABLES + page * 8, at);
	m->walker_free = at;
	return at;
}

/* When the page's address is known. */
static uint64_t translate(struct memory *m, uint64_t page, uint64_t cycle,
			  bool *walked)
{
	uint64_t *ready = cache_find(&m->dtlb, page), done;

	*walked = false;
	if (ready)
		return memory_later(cycle, *ready);
	ready = cache_find(&m->stlb, page);
	if (ready) {
		done = memory_later(cycle + m->options->stlb_latency, *ready);
	} else {
		*walked = true;
		done = walk(m, page, cycle + m->options->stlb_latency);
		cache_enter(&m->stlb, page, done);
	}
	cache_enter(&m->dtlb, page, done);
	return done;
}

struct access memory_load_beyond(struct memory *m, uint64_t address,
				 uint64_t cycle)
{
	bool walked;
	uint64_t at = translate(m, address >> PAGE_SHIFT, cycle, &walked);
	struct access ret = through(m, &m->l1d, address >> LINE_SHIFT, at);

	ret.walked = walked;
	ret.done += m->options->l1_latency;
	return ret;
}

struct access memory_store_beyond(struct memory *m, uint64_t address,
				  uint64_t cycle)
{
	bool walked;
	uint64_t at = translate(m, address >> PAGE_SHIFT, cycle, &walked);
	struct access ret = through(m, &m->l1d, address >> LINE_SHIFT, at);

	ret.walked = walked;
	ret.done = at;
	return ret;
}

struct access memory_fetch_beyond(struct memory *m, uint64_t address,
				  uint64_t cycle)
{
	return through(m, &m->l1i, address >> LINE_SHIFT, cycle);
}
