/* Divides mostly by 10 and 64, and copies mostly 48 bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noipa)) static unsigned digits(unsigned x, unsigned base)
{
	unsigned n = 0;

	do {
		x /= base;
		n++;
	} while (x);
	return n;
}

__attribute__((noipa)) static unsigned long place(unsigned long x,
						  unsigned long size)
{
	return x % size;
}

__attribute__((noipa)) static void copy(char *to, const char *from, size_t size)
{
	memcpy(to, from, size);
	to[0]++;
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, sum = 0;
	static char a[512], b[512];

	for (unsigned long i = 0; i < n; i++) {
		sum += digits(i, i % 16 ? 10 : 7);
		sum += place(i, i % 32 ? 64 : i + 5);
		copy(a, b, i % 8 ? 48 : 24);
		copy(b, a, i % 8 ? 48 : 400);
	}
	printf("%lu %d\n", sum, a[0]);
	return 0;
}
