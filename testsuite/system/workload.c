/*
 * workload.c - a program whose counts are known: each step of the hash runs
 * ROUNDS * LENGTH times, one in four of them takes the rare arm.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 4096 };

static uint32_t input[LENGTH];

static inline uint32_t mix(uint32_t hash, uint32_t value)
{
	hash ^= value;
	hash *= 0x01000193;
	return hash ^ hash >> 15;
}

__attribute__((noinline)) static uint32_t rare(uint32_t hash)
{
	return hash % 1000003 + hash / 77;
}

__attribute__((noinline)) static uint32_t never(uint32_t hash)
{
	puts("unexpected");
	return hash + 1;
}

__attribute__((noinline)) static uint32_t step(uint32_t hash)
{
	for (int i = 0; i < LENGTH; i++) {
		hash = mix(hash, input[i]);
		if (input[i] % 4 == 0)
			hash += rare(hash);
		if (input[i] == 0xffffffff)
			hash = never(hash);
	}
	return hash;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	uint32_t hash = 1;

	for (int i = 0; i < LENGTH; i++)
		input[i] = (uint32_t)i * 2654435761u >> 3;
	while (rounds-- > 0)
		hash = step(hash);
	printf("%08x\n", hash);
	return 0;
}
