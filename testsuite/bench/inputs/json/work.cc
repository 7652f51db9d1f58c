/*
 * What programs do with JSON: read some, look at all of it, change it, write it,
 * and the same in a binary form.
 *
 *	work train|ref ROUNDS
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"

using nlohmann::json;

static unsigned state;

static unsigned chance(unsigned below)
{
	state = state * 1103515245u + 12345u;
	return (state >> 16) % below;
}

static std::string word()
{
	static const char *const words[] = { "alpha",
					     "beta",
					     "gamma \"quoted\"",
					     "delta",
					     "\xc3\xa9t\xc3\xa9",
					     "path\\to",
					     "name",
					     "a longer text" };

	return words[chance(8)] + std::to_string(chance(50));
}

/* Records, as services send them. */
static json records(int many)
{
	json all = json::array();

	for (int i = 0; i < many; i++) {
		json one = { { "id", i },
			     { "name", word() },
			     { "active", chance(2) == 0 },
			     { "score", chance(1000) / 8.0 },
			     { "parent", nullptr } };

		for (unsigned n = chance(6); n > 0; n--)
			one["tags"].push_back(word());
		one["at"]["line"] = chance(5000);
		one["at"]["column"] = -(int)chance(80);
		all.push_back(one);
	}
	return all;
}

/* Numbers in rows and in deep lists. */
static json numbers(int rows)
{
	json all;

	for (int i = 0; i < rows; i++) {
		json row = json::array();
		json *deep = &row;

		for (unsigned n = 5 + chance(20); n > 0; n--)
			row.push_back((chance(100000) - 50000.0) / 7);
		for (unsigned n = chance(8); n > 0; n--) {
			deep->push_back(json::array({ chance(100), word() }));
			deep = &deep->back();
		}
		all["row " + std::to_string(i)] = row;
	}
	return all;
}

static double sum(const json &value)
{
	double all = 0;

	if (value.is_structured()) {
		for (const json &item : value)
			all += sum(item);
	} else if (value.is_number()) {
		all = value.get<double>();
	} else if (value.is_string()) {
		all = value.get_ref<const std::string &>().size();
	}
	return all;
}

int main(int argc, char **argv)
{
	bool train = argc > 1 && strcmp(argv[1], "train") == 0;
	int rounds = argc > 2 ? atoi(argv[2]) : 1;
	double all = 0;
	size_t bytes = 0;

	for (int i = 0; i < rounds; i++) {
		std::string text;
		json value = train ? records(200) : numbers(100), again;

		text = value.dump(train ? -1 : 1);
		again = json::parse(text);
		all += sum(again);
		if (train) {
			for (json &record : again)
				record.erase("parent");
			bytes += again.flatten().size();
		} else {
			bytes += to_string(json::parse(text)).size();
			bytes += json::to_cbor(again).size();
		}
		bytes += again.dump().size() + (again == value ? 1 : 0);
	}
	printf("%.3f %zu\n", all, bytes);
	return 0;
}
