/*
 * What programs do with regular expressions: compile some, find all matches in
 * a text, replace them, and ask which of several match a line.
 *
 *	work train|ref ROUNDS
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "re2/re2.h"
#include "re2/set.h"

typedef std::vector<std::string> strings;

static const strings words = { "alpha",		"beta",
			       "Gamma",		"foo.bar",
			       "x@example.org", "192.168.0.1",
			       "2023-04-05",	"\xc3\xa9t\xc3\xa9",
			       "lorem",		"ipsum" };
static const strings of_train = {
	"(\\w+)@(\\w+)\\.org", "(\\d{4})-(\\d\\d)-(\\d\\d)",
	"(?i)gamma (\\w+)",    "[^ ]+\\.bar",
	"\\b(\\d+)$",	       "(a|b)*c|lorem ipsum"
};
static const strings of_ref = { "(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)",
				"(\\w+)@(\\w+)\\.org",
				"(?i)BETA|ALPHA \\w+",
				"\\pL+ \\d+$",
				"(?:[a-z]+ ){3}(\\d+)",
				"^(\\S+) (\\S+)" };
static unsigned state;

static unsigned chance(unsigned below)
{
	state = state * 1103515245u + 12345u;
	return (state >> 16) % below;
}

static std::string text(int lines)
{
	std::string s;

	for (int i = 0; i < lines; i++) {
		for (unsigned n = 3 + chance(8); n > 0; n--)
			s += words[chance(words.size())] + ' ';
		s += std::to_string(chance(100000)) + '\n';
	}
	return s;
}

static void find(const std::string &pattern, const std::string &in)
{
	RE2 re("(?m)" + pattern);
	re2::StringPiece rest(in), first;
	std::string copy = in;
	int found = 0, replaced = 0;
	size_t sum = 0;

	if (re.NumberOfCapturingGroups() > 0)
		for (; RE2::FindAndConsume(&rest, re, &first); found++)
			sum += first.size();
	else
		for (; RE2::FindAndConsume(&rest, re); found++)
			sum += rest.size() % 7;
	replaced = RE2::GlobalReplace(&copy, re, "<\\0>");
	printf("%s %d %zu %d %zu\n", pattern.c_str(), found, sum, replaced,
	       copy.size());
}

static void which(const strings &patterns, const std::string &in)
{
	RE2::Set set(RE2::Options(), RE2::UNANCHORED);
	size_t sum = 0;

	for (const std::string &pattern : patterns)
		set.Add(pattern, nullptr);
	set.Compile();
	for (size_t at = 0, end; at < in.size(); at = end + 1) {
		std::vector<int> matching;

		end = in.find('\n', at);
		set.Match(re2::StringPiece(in.data() + at, end - at),
			  &matching);
		for (int pattern : matching)
			sum += pattern + 1;
	}
	printf("%zu\n", sum);
}

static void compile(int n)
{
	int size = 0;

	while (n-- > 0) {
		std::string last(1, 'f' + chance(20));
		RE2 re("(x" + std::to_string(chance(1000)) + "|[a-" + last +
		       "]{2," + std::to_string(3 + chance(6)) +
		       "})\\s*(?:foo|bar|\\p{Greek})+$");

		size += re.ProgramSize() + RE2::FullMatch("abc foo", re);
	}
	printf("%d\n", size);
}

int main(int argc, char **argv)
{
	bool is_train = argc > 1 && strcmp(argv[1], "train") == 0;
	const strings &patterns = is_train ? of_train : of_ref;

	state = is_train ? 7 : 99;
	for (int rounds = argc > 2 ? atoi(argv[2]) : 1; rounds > 0; rounds--) {
		std::string in = text(is_train ? 300 : 250);

		for (const std::string &pattern : patterns)
			find(pattern, in);
		which(patterns, in);
		compile(60);
	}
	return 0;
}
