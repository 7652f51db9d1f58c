/*
 * parts.c - a program with what the parts of the default model are about:
 * branches that nobody can guess, loads that depend on each other, a switch by
 * computed goto that is taken from several places, and a call that is never made.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 4096 };

static uint32_t input[LENGTH];
static uint32_t chain[LENGTH];

__attribute__((noinline)) static uint32_t complain(uint32_t sum, int at)
{
	fprintf(stderr, "%08x at %d\n", sum, at);
	return sum + at;
}

__attribute__((noinline)) static uint32_t branches(uint32_t seed)
{
	uint32_t sum = seed;

	for (int i = 0; i < LENGTH; i++) {
		if (input[i] & 64)
			sum = (sum ^ input[i]) * 5 + (sum >> 3);
		else
			sum = sum * 3 + (sum >> 7) + (sum << 2);
		if (input[i] % 3 == 0)
			sum ^= chain[sum % LENGTH];
		if (sum == 77)
			sum = complain(sum, i);
	}
	return sum;
}

__attribute__((noinline)) static uint32_t follow(uint32_t at)
{
	for (int i = 0; i < LENGTH; i++)
		at = chain[at % LENGTH] + i;
	return at;
}

__attribute__((noinline)) static uint32_t interpret(uint32_t sum)
{
	static const void *const handlers[] = { &&add, &&mix, &&twist, &&load };
	unsigned at = 0;

#define NEXT                                          \
	do {                                          \
		if (at == LENGTH)                     \
			return sum;                   \
		goto *handlers[input[at++] >> 9 & 3]; \
	} while (0)

	NEXT;
add:
	sum += 7;
	NEXT;
mix:
	sum ^= sum >> 3;
	NEXT;
twist:
	sum = sum << 5 | sum >> 27;
	NEXT;
load:
	sum += chain[sum % LENGTH];
	NEXT;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	uint32_t sum = 1;

	for (int i = 0; i < LENGTH; i++) {
		input[i] = (input[i ? i - 1 : 0] + 1) * 1664525u + 1013904223u;
		chain[i] = input[i] >> 5;
	}
	while (rounds-- > 0)
		sum = branches(interpret(follow(sum)));
	printf("%08x\n", sum);
	return 0;
}
