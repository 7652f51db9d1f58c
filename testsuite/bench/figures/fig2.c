/*
 * The loop of CGO 2010, Figure 2: cheap statements around one that misses the
 * data TLB.  Each is on a line of its own.
 */
#include <stdlib.h>

enum { SIZE = 1 << 26 };

int main(int argc, char **argv)
{
	int *test_v = calloc(SIZE, sizeof(*test_v));
	volatile int m = 0, x;
	int rounds = argc > 1 ? atoi(argv[1]) : 0;

	for (int i = 0; i < rounds; i++) {
		m = m + i;
		m = m + i;
		m = m + i;
		x = rand() % SIZE;
		m = m + test_v[x];
		m = m + i;
		m = m + i;
		m = m + i;
		m = m + i;
		m = m + i;
		m = m + i;
		m = m + i;
		m = m + i;
	}
	return m == 1;
}
