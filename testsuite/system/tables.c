/*
 * A loop that calls by a constant table of pointers, one function three times
 * as often as the other, and takes a way by a constant table of bytes, in one
 * of eight rounds.  What is asked of the tables is known long before: a
 * division comes between.
 */
#include <stdint.h>
#include <stdlib.h>

static uint64_t often(uint64_t x);
static uint64_t seldom(uint64_t x);

static uint64_t (*const callees[8])(uint64_t) = {
	often, often, seldom, often, often, seldom, often, often
};
static const unsigned char ways[16] = { 0, 0, 1, 0, 0, 0, 0, 0,
					0, 0, 0, 0, 0, 0, 1, 0 };

volatile uint64_t divisor = 3, sum;

__attribute__((__noinline__)) static uint64_t often(uint64_t x)
{
	return x ^ divisor;
}

__attribute__((__noinline__)) static uint64_t seldom(uint64_t x)
{
	return x + divisor;
}

int main(int argc, char **argv)
{
	uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
	uint64_t random = 1, x = 0;

	for (uint64_t i = 0; i < rounds; i++) {
		random = random * UINT64_C(6364136223846793005) + 1;
		x = (x | UINT64_C(1) << 62) / divisor;
		x = callees[random >> 61](x);
		x = (x | UINT64_C(1) << 61) / divisor;
		if (ways[random >> 40 & 15])
			sum += x;
	}
	return sum == 1;
}
