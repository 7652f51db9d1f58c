/*
 * sample-loops.c - loops for the robustness test: nested, vectorizable, with
 * several exits, unrolled by hand, over doubles, and in recursion.
 */
#include <stdio.h>
#include <string.h>

enum { SIZE = 24 };

static double left[SIZE][SIZE], right[SIZE][SIZE], product[SIZE][SIZE];
static unsigned char bytes[256], copies[256];

static void multiply(void)
{
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++) {
			double sum = 0;

			for (int k = 0; k < SIZE; k++)
				sum += left[i][k] * right[k][j];
			product[i][j] = sum;
		}
}

static unsigned count_bits(const unsigned char *data, int size)
{
	unsigned bits = 0;

	for (int i = 0; i < size; i++)
		for (unsigned byte = data[i]; byte; byte &= byte - 1)
			bits++;
	return bits;
}

static int find(const unsigned char *data, int size, int wanted)
{
	for (int i = 0; i < size; i++) {
		if (data[i] == wanted)
			return i;
		if (data[i] == 0 && i > 3)
			break;
		if (data[i] > 250)
			continue;
		wanted ^= data[i] & 1;
	}
	return -1;
}

static void copy(unsigned char *to, const unsigned char *from, int size)
{
	int rest = size % 4;

	while (rest--)
		*to++ = *from++ ^ 1;
	for (int i = size / 4; i > 0; i--) {
		*to++ = *from++ ^ 1;
		*to++ = *from++ ^ 2;
		*to++ = *from++ ^ 3;
		*to++ = *from++ ^ 4;
	}
}

static void sort(int *a, int n)
{
	int pivot, at = 0;

	if (n < 2)
		return;
	pivot = a[n / 2];
	a[n / 2] = a[n - 1];
	for (int i = 0; i < n - 1; i++) {
		if (a[i] < pivot) {
			int swap = a[i];

			a[i] = a[at];
			a[at++] = swap;
		}
	}
	a[n - 1] = a[at];
	a[at] = pivot;
	sort(a, at);
	sort(a + at + 1, n - at - 1);
}

static int collatz(unsigned n)
{
	int steps = 0;

	do {
		if (n & 1)
			n = 3 * n + 1;
		else
			n /= 2;
		steps++;
	} while (n != 1 && steps < 1000);
	return steps;
}

int main(void)
{
	int numbers[100], longest = 0;
	double trace = 0;

	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++) {
			left[i][j] = i - j;
			right[i][j] = i * j % 7;
		}
	multiply();
	for (int i = 0; i < SIZE; i++)
		trace += product[i][i];
	for (int i = 0; i < 256; i++)
		bytes[i] = (unsigned char)(i * 37 + 11);
	copy(copies, bytes, 255);
	for (int i = 0; i < 100; i++)
		numbers[i] = i * 7919 % 101;
	sort(numbers, 100);
	for (unsigned i = 1; i < 200; i++)
		if (collatz(i) > longest)
			longest = collatz(i);
	printf("%g %u %d %d %d %d\n", trace, count_bits(copies, 256),
	       find(bytes, 256, 77), memcmp(bytes, copies, 9) > 0, numbers[50],
	       longest);
	return 0;
}
