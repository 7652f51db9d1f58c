/*
 * What programs do with YAML: write some, read it, look values up, and take what is
 * no number for something else.
 *
 *	work train|ref ROUNDS
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "yaml-cpp/yaml.h"

static unsigned state;

static unsigned chance(unsigned below)
{
	state = state * 1103515245u + 12345u;
	return (state >> 16) % below;
}

static std::string word()
{
	static const char *const words[] = { "alpha",	  "beta",
					     "a: \"b\"",  "- delta",
					     "\xc3\xa9t", "path\\to",
					     "# name",	  "a longer text" };

	return words[chance(8)] + std::to_string(chance(50));
}

/* Records, as in files of settings. */
static void records(YAML::Emitter &out, int many)
{
	out << YAML::BeginSeq;
	for (int i = 0; i < many; i++) {
		std::vector<std::string> tags;
		std::map<std::string, int> at;

		for (unsigned n = chance(6); n > 0; n--)
			tags.push_back(word());
		at["line"] = chance(5000);
		at["column"] = -(int)chance(80);
		out << YAML::BeginMap;
		out << YAML::Key << "id" << YAML::Value << i;
		out << YAML::Key << "name" << YAML::Value << word();
		out << YAML::Key << "active" << YAML::Value << (chance(2) == 0);
		out << YAML::Key << "score" << YAML::Value
		    << chance(1000) / 8.0;
		out << YAML::Key << "tags" << YAML::Value << tags;
		out << YAML::Key << "at" << YAML::Value << at;
		out << YAML::EndMap;
	}
	out << YAML::EndSeq;
}

static void list(YAML::Emitter &out, int depth)
{
	out << YAML::Flow << YAML::BeginSeq;
	for (unsigned n = 2 + chance(5); n > 0; n--) {
		if (depth > 0 && chance(3) == 0)
			list(out, depth - 1);
		else if (chance(4) == 0)
			out << YAML::DoubleQuoted << word();
		else
			out << (int)chance(100000) - 50000;
	}
	out << YAML::EndSeq;
}

/* Nested lists, texts of several lines, and names for what comes again. */
static void lists(YAML::Emitter &out, int many)
{
	out << YAML::BeginMap;
	for (int i = 0; i < many; i++) {
		std::string name = "row" + std::to_string(i);

		out << YAML::Key << name << YAML::Value << YAML::Anchor(name);
		list(out, 4);
		if (chance(4) == 0)
			out << YAML::Comment("next");
		out << YAML::Key << name + " again" << YAML::Value
		    << YAML::Alias(name);
		out << YAML::Key << name + " text" << YAML::Value
		    << YAML::Literal << word() + "\n" + word();
	}
	out << YAML::EndMap;
}

static double number(const YAML::Node &node)
{
	try {
		return node.as<int>();
	} catch (const YAML::BadConversion &) {
		return node.as<double>(node.Scalar().size());
	}
}

static double sum(const YAML::Node &node)
{
	double all = 0;

	if (node.IsSequence()) {
		for (const YAML::Node &item : node)
			all += sum(item);
	} else if (node.IsMap()) {
		for (const auto &pair : node)
			all += sum(pair.second);
	} else if (node.IsScalar()) {
		all = number(node);
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
		YAML::Emitter out;
		YAML::Node root;

		if (train)
			records(out, 100);
		else
			lists(out, 30);
		root = YAML::Load(out.c_str());
		all += sum(root);
		if (train) {
			for (YAML::Node record : root) {
				all += record["at"]["line"].as<int>();
				record["parent"] = record["name"];
				record.remove("tags");
			}
		} else {
			all += sum(root["row7"]) + root["row8 again"].size();
		}
		bytes += out.size() + YAML::Dump(root).size();
	}
	printf("%.3f %zu\n", all, bytes);
	return 0;
}
