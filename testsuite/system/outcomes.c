/* A loop that takes a slow way in one of ten rounds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t seed = 1;

static inline unsigned draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed >> 33;
}

__attribute__((noinline)) static uint64_t slow_way(unsigned rounds)
{
	uint64_t sum = 1;

	for (unsigned i = 0; i < rounds; i++) {
		if (draw() % 10 == 0)
			sum = sum / (i | 1) / 3 / (sum | 1) + i;
		else
			sum += i;
	}
	return sum;
}

int main(int argc, char **argv)
{
	printf("%llu\n", (unsigned long long)slow_way(argc > 1 ? atoi(argv[1])
							       : 1000000));
	return 0;
}
