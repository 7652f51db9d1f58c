/*
 * Lambdas, which have numbers in their order: what is called by a pointer, what is
 * inlined in templates, and what is neither.  A line that begins with //+ is new in
 * the next version, and a count of which a comment says that is of the next one, too.
 */
#include <algorithm>
#include <functional>

volatile int noted;

__attribute__((noinline)) static int
each(const std::function<int(int)> &f, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += f(i ^ sum);
	return sum;
}

template <class F>
__attribute__((noinline)) static int times(int n, F f)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum ^= f(i); // 70 in the instance for what is not inlined
	return sum;
}

template <class F>
__attribute__((noinline)) static int again(int n, F f)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum ^= f(i); // 80 in another template's
	return sum;
}

static int lambdas(int n)
{
	int sum = 0;

	//+ sum += each([n](int x) { if (x == n)
	//+ noted++; return x + 1; }, 0);
	sum += each([n](int x) {
		if (x % 2 == n)
			noted += 3;
		return noted ^ x; // 100 what a pointer calls
	}, 100);
	//+ sum += times(0, [n](int x) { noted -= n; return x ^ noted; });
	sum += times(200, [](int x) {
		if (x & 1)
			noted ^= x; // 100 an arm of what a template calls
		return noted;
	});
	sum += times(60, [](int x) {
		if (x & 1)
			noted += x; // 30 of another one of the same type
		return noted;
	});
	sum += times(70, [](int x) __attribute__((noinline)) {
		if (x < 10)
			noted += x; // 10 not inlined
		return noted;
	});
	sum += again(80, [](int x) __attribute__((noinline)) {
		if (x < 20)
			noted -= x; // 20 not inlined, either
		return noted;
	});
	return sum;
}

template <class F>
__attribute__((noinline)) int everywhere(int n, F f)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum ^= f(i); // 110 in an instance of all units
	return sum;
}

/* Of these, each unit that has the function has the lambdas. */
inline int shared(int n)
{
	int sum = 0;

	//+ sum += times(0, [n](int x) { noted -= n; return x ^ noted; });
	sum += times(90, [](int x) {
		if (x & 1)
			noted ^= x; // 45 in a function of all units
		return noted;
	});
	sum += everywhere(110, [](int x) __attribute__((noinline)) {
		if (x & 1)
			noted ^= x; // 55 in another one
		return noted;
	});
	return sum;
}

int main(int argc, char **argv)
{
	(void)argv;
	return lambdas(argc) == shared(argc);
}
