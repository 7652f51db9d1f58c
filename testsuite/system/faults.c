/*
 * Touches pages that it never had, seldom, and adds up numbers all the rest of
 * the time.
 *
 *	faults ROUNDS
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 4000, NUMBERS = 500 * PAGES };

__attribute__((__noipa__)) static void touch(char *memory)
{
	for (long i = 0; i < PAGES; i++)
		memory[i * PAGE] = 1;
}

__attribute__((__noipa__)) static unsigned add_up(unsigned number)
{
	unsigned sum = 0;

	for (long i = 0; i < NUMBERS; i++) {
		number = number * 1664525 + 1013904223;
		sum += number >> 16;
	}
	return sum;
}

int main(int argc, char **argv)
{
	unsigned sum = 0;

	for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--) {
		char *memory =
			mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED)
			return 1;
		madvise(memory, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
		touch(memory);
		munmap(memory, (size_t)PAGES * PAGE);
		sum += add_up(i);
	}
	printf("%u\n", sum);
	return 0;
}
