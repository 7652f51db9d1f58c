// Constructors, lambdas, templates, namespaces without a name, exceptions.
#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
__attribute__((__noinline__)) int hidden(int x)
{
	return std::printf("%d\n", x) + x;
}

inline int hidden_inline(int x)
{
	return hidden(x) * 3;
}
}

static __attribute__((__noinline__)) int fixed(int x)
{
	return hidden_inline(x) + hidden_inline(x + 1);
}

struct shape {
	std::string name;
	shape(const char *name) : name(name) {}
	virtual ~shape() { std::puts(name.c_str()); }
	virtual double area() const { return 0; }
};

struct square : shape {
	double side;
	square(double side) : shape("square"), side(side) {}
	~square() override { name.clear(); }
	double area() const override { return side * side; }
};

template <typename T> static T middle(std::vector<T> &all)
{
	std::sort(all.begin(), all.end(), [](const T &a, const T &b) {
		return a > b;
	});
	if (all.empty())
		throw std::runtime_error("nothing");
	return all[all.size() / 2];
}

// A method of a class within a function that exists only inlined.
template <typename T> static inline T by_local_class(T x)
{
	struct local {
		__attribute__((__noinline__)) static T work(T x)
		{
			return hidden(x) / 3;
		}
	};
	return local::work(x) + 1;
}

int main(int argc, char **argv)
{
	std::map<std::string, int> count;
	std::vector<int> values;

	for (int i = 0; i < argc; i++)
		count[argv[i]] += fixed(i) + by_local_class(i);
	for (auto &entry : count)
		values.push_back(entry.second);
	try {
		std::printf("%d\n", middle(values));
	} catch (const std::exception &e) {
		std::puts(e.what());
	}
	shape *s = argc > 1 ? new square(argc) : new shape("none");
	auto add = [&](double x) __attribute__((__noinline__)) {
		return s->area() + x;
	};
	double sum = add(1) + add(argc);
	delete s;
	return sum > 4;
}
