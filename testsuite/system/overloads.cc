// Functions that share their names.  Each is called a thousand times, and notes
// as many as its comment says.
volatile int noted;
int seen[1000];
__attribute__((noinline)) static void note(int x)
{
	noted = x;
}
namespace
{
struct number {
	int value;
	number(int x) : value(x)
	{
		if (x % 100 == 3)
			note(x); // 10 of a constructor
	}
	number(int x, int y) : value(x)
	{
		if (y % 50 == 3)
			note(y); // 20 of another one
	}
	~number()
	{
		if (value % 40 == 3)
			note(value); // 50 of a destructor, twice as many calls
	}
};
template <int n> int step(int x)
{
	if (x % 8 == n)
		note(x); // 125 of a template
	return x * n;
}
} // namespace
// BEGIN
static int half(int x)
{
	if (x % 25 == 3)
		note(x); // 40 of a static function
	return x / 2;
}
static long half(long x)
{
	if (x % 20 == 3)
		note(x); // 50 of its overload
	return x / 2;
}
static double half(double x)
{
	if (x > 899)
		note(x); // 100 of another one
	return x / 2;
}
// Of one that is never called: nothing is to be known.
static __attribute__((noinline)) char half(char x)
{
	if (x % 8 == 3)
		note(x);
	return x / 2;
}
template <class F> static int each(F f)
{
	int sum = 0;

	for (int x : seen)
		sum += f(x);
	return sum;
}
// END
int main(int n, char **)
{
	int sum = 0;

	for (int i = 0; i < 1000; i++)
		seen[i] = i;
	for (int x : seen) {
		number one(x);

		sum += one.value;
	}
	for (int x : seen) {
		number two(x + 1, x);

		sum += two.value;
	}
	for (int x : seen)
		sum += step<3>(x);
	for (int x : seen)
		sum += half(x) + half((long)x) + half((double)x);
	if (n > 9)
		sum += half((char)n);
	// Two in a line, which note 250 and 200.
	auto low = [&](int x) { if (x % 4 == 3) note(x); return x + sum; }; auto high = [&](int x) { if (x % 5 == 3) note(x); return x ^ sum; };
	sum += each(low) + each(high);
	return sum == 42;
}
