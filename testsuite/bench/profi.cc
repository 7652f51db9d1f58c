/*
 * profi.cc - LLVM's profi on the blocks of a binary.
 *
 *	profi BLOCKS EDGES STARTS >TABLE
 *
 * BLOCKS is what `samplefdo blocks --model raw` prints, EDGES the same with
 * --edges, STARTS the addresses (hex, one a line) where functions begin.
 * TABLE is EDGES with the counts that profi infers from the raw counts of
 * blocks.  A block without a sample is known to have none: LLVM leaves such
 * blocks unknown; here that makes profi worse.
 */
#include <llvm/Transforms/Utils/SampleProfileInference.h>

#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace
{

using Row = std::vector<std::string>;

struct Table {
	Row head;
	std::vector<Row> rows;
};

Row cells(const std::string &line)
{
	std::istringstream in(line);
	std::string cell;
	Row row;

	while (std::getline(in, cell, '\t'))
		row.push_back(cell);
	return row;
}

bool read_table(const char *path, Table &table)
{
	std::ifstream in(path);
	std::string line;

	while (std::getline(in, line)) {
		if (!line.empty() && line[0] == '#')
			continue;
		if (table.head.empty())
			table.head = cells(line);
		else
			table.rows.push_back(cells(line));
	}
	return !table.head.empty();
}

size_t column(const Table &table, const std::string &name)
{
	for (size_t i = 0; i < table.head.size(); i++)
		if (table.head[i] == name)
			return i;
	std::cerr << "profi: no column " << name << "\n";
	exit(1);
}

uint64_t number(const std::string &text)
{
	return std::stoull(text, nullptr, 0);
}

using Edge = std::pair<size_t, size_t>;

/*
 * One function: block 0 is where all come from, the last where all leave to.
 * The inference takes no parallel edges: the first row has what they carry.
 */
struct Function {
	llvm::FlowFunction flow;
	std::map<Edge, size_t> row; /* of the edge table, or NONE */
};

const size_t NONE = ~size_t(0);

struct Program {
	Table blocks, edges;
	std::set<uint64_t> starts;
	std::vector<Function> functions;
	/* By address: the function and the block in it. */
	std::map<uint64_t, std::pair<size_t, size_t>> at;
};

/* A function's blocks stand together. */
void add_blocks(Program &p)
{
	size_t name = column(p.blocks, "function");
	size_t address = column(p.blocks, "address");
	size_t raw = column(p.blocks, "raw");
	std::string last;

	for (const Row &row : p.blocks.rows) {
		llvm::FlowBlock block;

		if (p.functions.empty() || row[name] != last) {
			p.functions.emplace_back();
			p.functions.back().flow.Blocks.emplace_back();
		}
		last = row[name];
		Function &f = p.functions.back();
		block.Index = f.flow.Blocks.size();
		block.Weight = number(row[raw]);
		block.HasUnknownWeight = false;
		if (p.starts.count(number(row[address])))
			f.row[{ 0, block.Index }] = NONE;
		p.at[number(row[address])] = { p.functions.size() - 1,
					       block.Index };
		f.flow.Blocks.push_back(block);
	}
}

void add_edges(Program &p)
{
	size_t from = column(p.edges, "from"), to = column(p.edges, "to");
	size_t count = column(p.edges, "count");

	for (size_t i = 0; i < p.edges.rows.size(); i++) {
		auto source = p.at.upper_bound(number(p.edges.rows[i][from]));
		auto target = p.at.find(number(p.edges.rows[i][to]));

		p.edges.rows[i][count] = "0";
		if (source == p.at.begin() || target == p.at.end())
			continue;
		--source;
		if (source->second.first == target->second.first)
			p.functions[source->second.first].row.insert(
				{ { source->second.second,
				    target->second.second },
				  i });
	}
}

/* What leads nowhere leaves, and what nothing leads to is entered. */
void add_ends(Function &f)
{
	size_t n = f.flow.Blocks.size();
	std::vector<bool> leaves(n, true), entered(n, false);

	for (const auto &edge : f.row) {
		leaves[edge.first.first] = false;
		entered[edge.first.second] = true;
	}
	for (size_t b = 1; b < n; b++) {
		if (leaves[b])
			f.row[{ b, n }] = NONE;
		if (!entered[b])
			f.row[{ 0, b }] = NONE;
	}
	f.flow.Blocks.emplace_back();
	f.flow.Blocks[n].Index = n;
}

void infer(Program &p, Function &f)
{
	size_t count = column(p.edges, "count"), i = 0;
	uint64_t sum = 0;

	add_ends(f);
	for (const auto &edge : f.row) {
		llvm::FlowJump jump;

		jump.Source = edge.first.first;
		jump.Target = edge.first.second;
		f.flow.Jumps.push_back(jump);
	}
	for (llvm::FlowJump &jump : f.flow.Jumps) {
		f.flow.Blocks[jump.Source].SuccJumps.push_back(&jump);
		f.flow.Blocks[jump.Target].PredJumps.push_back(&jump);
	}
	for (const llvm::FlowBlock &block : f.flow.Blocks)
		sum += block.Weight;
	if (sum == 0)
		return;
	llvm::applyFlowInference(f.flow);
	for (const auto &edge : f.row) {
		if (edge.second != NONE)
			p.edges.rows[edge.second][count] =
				std::to_string(f.flow.Jumps[i].Flow);
		i++;
	}
}

void print(const Table &table)
{
	auto print_row = [](const Row &row) {
		for (size_t i = 0; i < row.size(); i++)
			std::cout << (i ? "\t" : "") << row[i];
		std::cout << "\n";
	};

	print_row(table.head);
	for (const Row &row : table.rows)
		print_row(row);
}

} // namespace

int main(int argc, char **argv)
{
	Program p;
	std::string line;

	if (argc != 4 || !read_table(argv[1], p.blocks) ||
	    !read_table(argv[2], p.edges)) {
		std::cerr << "usage: profi BLOCKS EDGES STARTS\n";
		return 2;
	}
	std::ifstream starts(argv[3]);
	while (std::getline(starts, line))
		p.starts.insert(std::stoull(line, nullptr, 16));
	add_blocks(p);
	add_edges(p);
	for (Function &f : p.functions)
		infer(p, f);
	print(p.edges);
	return 0;
}
