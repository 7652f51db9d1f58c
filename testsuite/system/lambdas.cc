// Lambdas of all kinds.  Each is called a thousand times, and notes as many as
// its comment says.
volatile int noted;
int seen[1000];
__attribute__((noinline)) static void note(int x)
{
	noted = x;
}
template <class F> static void each(F f)
{
	for (int x : seen)
		f(x);
}
template <class T> __attribute__((noinline)) T sum_of(T start)
{
	T sum = start;

	each([&](int x) {
		if (x % 100 == 3)
			note(x); // 10 in a template
		sum += x;
	});
	return sum;
}
static int (*pointer)(int);
struct counter {
	int by;
	__attribute__((noinline)) int run() const
	{
		int sum = 0;

		each([this, &sum](int x) {
			if (x % 50 == 3)
				note(x); // 20 in a class
			sum += x * by;
		});
		return sum;
	}
};
namespace
{
auto shared = [](int x) {
	if (x % 40 == 3)
		note(x); // 25 in a namespace
	return x;
};
} // namespace
__attribute__((noinline)) static int once(int start)
{
	unsigned sum = start;
	auto apart = [&](int x) __attribute__((noinline)) {
		if (x % 25 == 3)
			note(x); // 40 not inlined
		sum += x;
	};

	each([&](int x) {
		if (x % 20 == 3)
			note(x); // 50 inlined
		sum += x;
	});
	each([&](auto x) {
		if (x % 10 == 3)
			note(x); // 100 of a template's own
		sum ^= x;
	});
	each([&](int x) {
		auto inner = [&](int y) {
			if (y % 5 == 3)
				note(y); // 200 within another
			sum -= y;
		};
		inner(x);
	});
	for (int x : seen) {
		sum += pointer(x) + shared(x);
		apart(x);
	}
	return sum;
}
int main()
{
	for (int i = 0; i < 1000; i++)
		seen[i] = i;
	pointer = [](int x) {
		if (x % 200 == 3)
			note(x); // 5 called by a pointer
		return x;
	};
	return once(0) + sum_of(0) + sum_of(0L) + counter{ 3 }.run() == 42;
}
