/* Times as the numbers that GCC orders functions by. */
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "plugin/first_uses.h"
#include "profile/profile.h"
#include "testsuite/lib/tap.h"

static int number_of(uint64_t time)
{
	struct first_use use = { .time = time, .name = "f" };

	first_uses_number(&use, 1);
	return use.number;
}

static void test_order(void)
{
	struct first_use uses[] = { { .time = 1500, .name = "b" },
				    { .time = 1500, .name = "a" },
				    { .time = 1501, .name = "d" },
				    { .time = 9, .name = "c" } };
	char order[5] = "";

	first_uses_number(uses, 4);
	for (int i = 0; i < 4; i++)
		order[i] = *uses[i].name;
	check(strcmp(order, "cabd") == 0, "by time, and then by name");
	check_int(uses[0].number, 9, "of a short time, all of it");
	check_int(uses[1].number, 1500, "likewise");
	check_int(uses[2].number, 1502, "with a place for a part");
	check_int(uses[3].number, 1504, "of each");
	first_uses_number(NULL, 0);
}

/* Other units must have the same numbers, for what is far enough away. */
static void test_range(void)
{
	int unordered = 0, coarse = 0;

	for (uint64_t time = 1; time < PROFILE_MAX; time += time / 1000 + 1) {
		uint64_t later = time + time / 8000000 + 1;

		unordered += number_of(time) > number_of(time + 1);
		coarse += number_of(time) >= number_of(later);
	}
	check_int(unordered, 0, "a later time has no lower number");
	check_int(coarse, 0, "an eighth of a millionth later, it is higher");
	check_int(number_of(1), 1, "the first is not 0");
	check(number_of(PROFILE_MAX) < INT_MAX / 2, "GCC can take the last");
}

int main(void)
{
	test_order();
	test_range();
	return done();
}
