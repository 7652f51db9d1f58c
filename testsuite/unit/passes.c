/* What bursts passed: sorted, joined, and of many a part. */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "converter/perf/passes.h"
#include "converter/perf/samples.h"
#include "testsuite/lib/tap.h"

static bool is(const struct samples_pass *pass, uint64_t burst, bool begin,
	       uint32_t from, uint32_t to)
{
	return pass->burst == burst && pass->begin == begin &&
	       pass->from == from && pass->to == to;
}

static void test_order(void)
{
	struct passes *p = passes_new(), *other = passes_new();
	struct samples_pass *all;
	uint64_t part;
	size_t n;

	passes_add(p, 9, 20, 25);
	passes_add(p, 9, 10, 15);
	passes_begin(p, 9, 30);
	passes_add(other, 7, 10, 12);
	passes_add_all(p, other);
	all = passes_sorted(p, &n, &part);
	check_int(n, 4, "all of them");
	check_int(part, 1, "and each burst");
	check(is(&all[0], 7, false, 10, 12), "by burst");
	check(is(&all[1], 9, true, 30, 30), "from where it began");
	check(is(&all[2], 9, false, 10, 15) && is(&all[3], 9, false, 20, 25),
	      "by place");
	free(all);
	check(!passes_sorted(NULL, &n, &part) && n == 0 && part == 1,
	      "nothing of none");
	passes_free(other);
	passes_free(p);
}

enum { EACH = 4, BURSTS = PASSES_MOST / EACH * 3 };

/* From one burst to another, some passes of each. */
static void add(struct passes *p, int from, int to)
{
	for (int i = from; i < to; i++)
		for (int j = 0; j < EACH; j++)
			passes_add(p, fdo_hash_mix(1, i), j, j + i);
}

static void test_many(void)
{
	struct passes *one = passes_new(), *both = passes_new(),
		      *rest = passes_new();
	struct samples_pass *a, *b;
	uint64_t part, part_b;
	size_t n, n_b;

	add(one, 0, BURSTS);
	a = passes_sorted(one, &n, &part);
	check(n <= PASSES_MOST && n > PASSES_MOST / 4, "as many as there may");
	check(part == 4, "of four bursts, one");
	check(n * part > PASSES_MOST * 2.9 && n * part < PASSES_MOST * 3.1,
	      "that stands for all");
	add(rest, 0, BURSTS / 3);
	add(both, BURSTS / 3, BURSTS);
	passes_add_all(rest, both);
	b = passes_sorted(rest, &n_b, &part_b);
	check(n == n_b && part == part_b && memcmp(a, b, n * sizeof(*a)) == 0,
	      "the same ones whatever comes first");
	free(a);
	free(b);
	passes_free(one);
	passes_free(both);
	passes_free(rest);
}

int main(void)
{
	test_order();
	test_many();
	return done();
}
