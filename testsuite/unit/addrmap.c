/* Address spaces: what covers what, and who inherits it. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "converter/perf/addrmap.h"
#include "testsuite/lib/tap.h"

static void map(struct addrmap *maps, int32_t pid, uint64_t start, uint64_t end,
		uint64_t offset, uint32_t object)
{
	addrmap_map(maps, pid,
		    &(struct addrmap_range){ start, end, offset, object });
}

/* object * 1000000 + file offset, or -1. */
static long long at(struct addrmap *maps, int32_t pid, uint64_t address)
{
	const struct addrmap_range *range = addrmap_find(maps, pid, address);

	if (!range)
		return -1;
	return range->object * 1000000LL + address - range->start +
	       range->offset;
}

static void test_a_new_range_covers(void)
{
	struct addrmap *maps = addrmap_new();

	map(maps, 1, 100, 200, 5000, 1);
	check_int(at(maps, 1, 99), -1, "before it");
	check_int(at(maps, 1, 100), 1005000, "its first byte");
	check_int(at(maps, 1, 199), 1005099, "its last byte");
	check_int(at(maps, 1, 200), -1, "behind it");
	check_int(at(maps, 2, 150), -1, "not in another process");

	map(maps, 1, 120, 140, 0, 2);
	check_int(at(maps, 1, 119), 1005019, "left of the hole");
	check_int(at(maps, 1, 120), 2000000, "in the hole");
	check_int(at(maps, 1, 140), 1005040, "right of it, at its offset");

	map(maps, 1, 90, 110, 0, 3);
	check_int(at(maps, 1, 109), 3000019, "over the front");
	check_int(at(maps, 1, 110), 1005010, "the rest stays");
	map(maps, 1, 190, 250, 0, 4);
	check_int(at(maps, 1, 189), 1005089, "over the end");
	check_int(at(maps, 1, 190), 4000000, "begins there");
	map(maps, 1, 0, 1000, 0, 5);
	check_int(at(maps, 1, 150), 5000150, "over everything");
	check_int(at(maps, 1, 999), 5000999, "to its end");
	map(maps, 1, 10, 10, 0, 6);
	check_int(at(maps, 1, 10), 5000010, "an empty one is nothing");
	addrmap_free(maps);
}

static void test_a_child_inherits(void)
{
	struct addrmap *maps = addrmap_new();

	map(maps, 1, 100, 200, 0, 1);
	addrmap_fork(maps, 2, 1);
	check_int(at(maps, 2, 150), 1000050, "has the parent's");
	map(maps, 2, 100, 200, 0, 2);
	map(maps, 1, 300, 400, 0, 3);
	check_int(at(maps, 1, 150), 1000050, "the parent keeps its own");
	check_int(at(maps, 2, 150), 2000050, "the child has changed");
	check_int(at(maps, 2, 350), -1, "what came later is not inherited");
	addrmap_begin(maps, 2, 0);
	check_int(at(maps, 2, 150), -1, "exec takes all away");
	addrmap_fork(maps, 3, 99);
	check_int(at(maps, 3, 150), -1, "a parent without anything");
	addrmap_fork(maps, 1, 3);
	check_int(at(maps, 1, 150), -1, "a pid that is used again");
	addrmap_free(maps);
}

static void test_the_beginning(void)
{
	struct addrmap *maps = addrmap_new();

	check_int(addrmap_begun(maps, 1), 0, "nothing is known of it");
	addrmap_begin(maps, 1, 50);
	check_int(addrmap_begun(maps, 1), 50, "its program's");
	addrmap_fork(maps, 1, 1);
	check_int(addrmap_begun(maps, 1), 50, "a thread changes nothing");
	addrmap_fork(maps, 2, 1);
	check_int(addrmap_begun(maps, 2), 50, "a child goes on with it");
	addrmap_begin(maps, 1, 70);
	check_int(addrmap_begun(maps, 1), 70, "another program");
	check_int(addrmap_begun(maps, 2), 50, "which is not the child's");
	addrmap_fork(maps, 2, 9);
	check_int(addrmap_begun(maps, 2), 0, "a parent that nobody saw begin");
	addrmap_free(maps);
}

static void test_what_has_ended_is_forgotten(void)
{
	struct addrmap *maps = addrmap_new();

	map(maps, 1, 100, 200, 0, 1);
	for (int pid = 10; pid < 20000; pid++) {
		addrmap_fork(maps, pid, 1);
		map(maps, pid, 300, 400, 0, 2);
		addrmap_exit(maps, pid, pid);
		if (pid == 100)
			check_int(at(maps, pid, 150), 1000050,
				  "samples may come after the exit");
	}
	check(addrmap_processes(maps) < 2000, "old processes are forgotten");
	check_int(at(maps, 10, 150), -1, "the oldest at least");
	check_int(at(maps, 19999, 350), 2000050, "but not the newest");
	check_int(at(maps, 1, 150), 1000050, "nor those that live");
	addrmap_free(maps);
}

static void test_threads_keep_it_alive(void)
{
	struct addrmap *maps = addrmap_new();

	map(maps, 1, 100, 200, 0, 1);
	addrmap_fork(maps, 1, 1);
	addrmap_exit(maps, 1, 1);
	for (int pid = 10; pid < 5000; pid++) {
		addrmap_fork(maps, pid, 9);
		addrmap_exit(maps, pid, pid);
	}
	check_int(at(maps, 1, 150), 1000050, "one thread is left");
	addrmap_exit(maps, 1, 2);
	for (int pid = 10; pid < 5000; pid++) {
		addrmap_fork(maps, pid, 9);
		addrmap_exit(maps, pid, pid);
	}
	check_int(at(maps, 1, 150), -1, "none is");
	addrmap_exit(maps, 77, 77);
	addrmap_free(maps);
}

/* Against arrays of all addresses, of a family of processes. */
static void test_random(void)
{
	enum { PROCESSES = 4, SPACE = 300, TIMES = 6000 };
	static long long want[PROCESSES][SPACE];
	struct addrmap *maps = addrmap_new();
	unsigned int seed = 1;
	int wrong = 0;

	for (int pid = 0; pid < PROCESSES; pid++)
		for (int i = 0; i < SPACE; i++)
			want[pid][i] = -1;
	for (int n = 1; n <= TIMES; n++) {
		int pid = rand_r(&seed) % PROCESSES;
		int child = rand_r(&seed) % PROCESSES;
		uint64_t start = rand_r(&seed) % SPACE;
		uint64_t size = rand_r(&seed) % (n % 2 ? SPACE : 20);
		uint64_t end = start + size < SPACE ? start + size : SPACE;

		map(maps, pid, start, end, 7, n);
		for (uint64_t i = start; i < end; i++)
			want[pid][i] = n * 1000000LL + 7 + i - start;
		if (n % 8 == 0 && child != pid) {
			addrmap_fork(maps, child, pid);
			memcpy(want[child], want[pid], sizeof(want[pid]));
		}
		for (int i = 0; i < SPACE; i++)
			wrong += at(maps, n % PROCESSES, i) !=
				 want[n % PROCESSES][i];
	}
	check_int(wrong, 0, "as arrays would have it");
	addrmap_free(maps);
}

static void test_many(void)
{
	enum { MAPS = 200000, CHILDREN = 20000, PAGE = 4096 };
	struct addrmap *maps = addrmap_new();
	clock_t began = clock();

	for (uint64_t i = MAPS; i-- > 0;)
		map(maps, 1, i * PAGE, (i + 1) * PAGE, 0, 1);
	for (uint64_t i = 0; i < CHILDREN; i++) {
		addrmap_fork(maps, 2, 1);
		map(maps, 2, i * PAGE, (i + 1) * PAGE, 0, 2);
	}
	check((clock() - began) / CLOCKS_PER_SEC < 3,
	      "many maps of many children in short time");
	check_int(at(maps, 1, (CHILDREN - 1) * PAGE), 1000000, "the parent's");
	check_int(at(maps, 2, (CHILDREN - 1) * PAGE), 2000000,
		  "and the last child's");
	check_int(at(maps, 2, (CHILDREN - 2) * PAGE), 1000000,
		  "which are not those of the child before");
	addrmap_free(maps);
}

/* Above all programs, and in each. */
static void test_the_kernel_is_everywhere(void)
{
	static const uint64_t half = UINT64_C(1) << 63;
	struct addrmap *maps = addrmap_new();

	map(maps, 1, half + 100, half + 200, 0, 1);
	map(maps, 1, 100, 200, 0, 2);
	check_int(at(maps, 2, half + 150), 1000050, "in another process, too");
	check_int(at(maps, 2, 150), -1, "which has nothing below");
	addrmap_begin(maps, 1, 0);
	check_int(at(maps, 1, half + 150), 1000050, "in a new program");
	check_int(at(maps, 1, half - 1), -1, "not in the lower half");
	addrmap_free(maps);
}

int main(void)
{
	test_a_new_range_covers();
	test_a_child_inherits();
	test_the_beginning();
	test_what_has_ended_is_forgotten();
	test_threads_keep_it_alive();
	test_the_kernel_is_everywhere();
	test_random();
	test_many();
	return done();
}
