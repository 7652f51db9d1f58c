/*
 * memory.c - how much a contender has at a time.
 *
 * The C library lets a program bring its own malloc(); this one hands on to
 * the library's and counts while it is asked to.
 */
#include <malloc.h>
#include <stdlib.h>

#include "testsuite/bench/mcf_bench.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void __libc_free(void *memory);

/* Seen by the libraries too. */
#define SEEN __attribute__((visibility("default")))

static long now, most;
static bool counts;

void bench_memory_begin(void)
{
	now = most = 0;
	counts = true;
}

long bench_memory_end(void)
{
	counts = false;
	return most;
}

static void *add(void *memory)
{
	if (counts && memory) {
		now += malloc_usable_size(memory);
		most = now > most ? now : most;
	}
	return memory;
}

static void take(void *memory)
{
	if (counts && memory)
		now -= malloc_usable_size(memory);
}

SEEN void *malloc(size_t size)
{
	return add(__libc_malloc(size));
}

SEEN void *calloc(size_t n, size_t size)
{
	return add(__libc_calloc(n, size));
}

SEEN void *realloc(void *memory, size_t size)
{
	take(memory);
	return add(__libc_realloc(memory, size));
}

SEEN void free(void *memory)
{
	take(memory);
	__libc_free(memory);
}
