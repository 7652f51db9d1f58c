/* Calls by pointers, a switch, and loops: what branch records see best. */
#include <stdio.h>
#include <stdlib.h>

static unsigned state = 1;

static unsigned number(void)
{
	state = state * 1103515245 + 12345;
	return state >> 16;
}

__attribute__((noinline)) static unsigned first(unsigned x)
{
	return x * 3 + 1;
}

__attribute__((noinline)) static unsigned second(unsigned x)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < x % 7; i++)
		sum += i ^ x;
	return sum;
}

__attribute__((noinline)) static unsigned third(unsigned x)
{
	return x & 1 ? x / 3 : x + 5;
}

static unsigned (*const table[])(unsigned) = { first, second, second, third };

__attribute__((noinline)) static unsigned choose(unsigned x)
{
	switch (x % 6) {
	case 0:
		return x + number() % 3;
	case 1:
		return x ^ 0x55;
	case 2:
		return x * x;
	case 3:
		return x / 5;
	case 4:
		return x % 11 ? x - 1 : 0;
	default:
		return x;
	}
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? atoi(argv[1]) : 1000, sum = 0;

	for (unsigned i = 0; i < rounds; i++) {
		unsigned x = number();

		sum += table[x >> 4 & 3](x);
		sum += choose(x);
		if (x % 10 == 0)
			sum ^= number();
	}
	printf("%u\n", sum);
	return 0;
}
