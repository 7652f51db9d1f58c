/*
 * Functions within functions, and regions of OpenMP.  Lines that begin with //+ are new
 * in the next version.
 */
volatile int noted;

__attribute__((noinline)) static int outer(int n)
{
	//+ static int calls = 1;
	//+ auto int fresh(int x) __attribute__((noinline));
	//+ int fresh(int x) { return x > noted ? x + n : calls++; }
	__attribute__((noinline)) int nested(int x)
	{
		if (x % 4 == 0)
			noted += n; // 25 in a function within a function
		return x ^ noted;
	}
	int sum = 0;

	//+ if (n == 12345) sum += fresh(n);
	for (int i = 0; i < 100; i++)
		sum += nested(i);
	return sum;
}

__attribute__((noinline)) static int other(int n)
{
	__attribute__((noinline)) int nested(int x)
	{
		if (x % 8 == 0)
			noted -= n; // 10 in one of the same name
		return x ^ noted;
	}
	int sum = 0;

	for (int i = 0; i < 80; i++)
		sum += nested(i);
	return sum;
}

__attribute__((noinline)) static int regions(int *a, int n)
{
	//+ #pragma omp parallel for
	//+ for (int i = 0; i < n / 2000; i++) a[i] ^= n;
#pragma omp parallel for
	for (int i = 0; i < n; i++) {
		if (a[i] % 10 == 0)
			noted += a[i]; // 100 in a region
		noted ^= i;
	}
#pragma omp parallel for
	for (int i = 0; i < n; i++) {
		if (a[i] % 5 == 0)
			noted -= n; // 200 in another one
		noted ^= i;
	}
	return noted;
}

int main(int argc, char **argv)
{
	static int a[1000];

	(void)argv;
	for (int i = 0; i < 1000; i++)
		a[i] = i;
	return (outer(argc) + other(argc) + regions(a, 1000)) == 1;
}
