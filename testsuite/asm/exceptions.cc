// Exceptions caught, passed on, and thrown while cleaning up after others:
// ways that no jump shows.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static unsigned state = 7;

static unsigned draw(unsigned below)
{
	state = state * 1103515245 + 12345;
	return (state >> 16) % below;
}

struct guard {
	int &count;

	explicit guard(int &c) : count(c)
	{
		count++;
	}

	__attribute__((noinline)) ~guard()
	{
		count--;
	}
};

static int depth;

__attribute__((noinline)) int throws(unsigned what)
{
	guard g(depth);

	switch (what) {
	case 0:
		throw 1;
	case 1:
		throw std::runtime_error("one");
	case 2:
		throw std::string("two");
	case 3:
		return std::stoi(draw(2) ? "17" : "none");
	case 4:
		return std::vector<int>(draw(9)).at(4);
	default:
		return what;
	}
}

__attribute__((noinline)) int passes(unsigned what)
{
	guard g(depth);
	std::string text(what * 10, 'x');
	int sum = text.size();

	for (unsigned i = 0; i < 3; i++) {
		guard h(depth);
		sum += throws(what + i);
	}
	return sum;
}

__attribute__((noinline)) int catches(unsigned what)
{
	try {
		return passes(what);
	} catch (int i) {
		return i;
	} catch (const std::logic_error &e) {
		return draw(5);
	} catch (const std::exception &e) {
		if (draw(3) == 0)
			throw;
		return e.what()[0];
	}
}

int main()
{
	int sum = 0;

	for (int i = 0; i < 200; i++)
		try {
			sum += catches(draw(8));
		} catch (const std::string &s) {
			sum += s.size();
		} catch (...) {
			sum--;
		}
	std::printf("%d %d\n", sum, depth);
}
