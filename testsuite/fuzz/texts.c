/*
 * Damaged texts of counts, exact counts, weights and machines: each ends in a
 * clear message, or is taken.  Built with AddressSanitizer and UBSan.
 *
 * The first byte says who reads what is behind it, so that one change of a byte
 * in so many gives a file to a reader of other files.  Counts and exact counts
 * are of this program itself.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "converter/binary/object.h"
#include "converter/compare/compiled.h"
#include "converter/compare/table.h"
#include "converter/count/machine.h"
#include "converter/count/program.h"
#include "converter/count/weights.h"
#include "converter/truth/truth.h"
#include "testsuite/fuzz/damage.h"

enum { TRUTH, TABLE, COMPILED, WEIGHTS, MACHINE, READERS };

static const char compiled[] = "samplefdo compared 1 /src/one\n"
			       "function old 9 own annotated 20 5 5 0\n"
			       "block 2 3 9 2 flow 5 5.5 5 of 5,5\n"
			       "edge 0 2 5 5 5 5 5 5 5\n"
			       "edge 2 3 5 1e+1 5 5 5 5 5\n"
			       "function unseen 40 shared guessed 50 1 -\n"
			       "end\n";

static const char weights[] = "samplefdo-weights\t1\n# made up\n"
			      "base\tinst:u\t100\n"
			      "weight\tinst\tinst\t0.8\n"
			      "weight\tmiss\tother\t-0.3\n"
			      "cycles\tcycles\t100\nstall\tmiss\t10\t30\n"
			      "under\t-0.5\nover\t0.25\n"
			      "price\ttrusted\t4\t5\nprice\tover\t9\t1\n"
			      "price\tunder\t1\t8\nend\n";

static const char machine[] = "# made up\n"
			      "name\tTest Machine\n"
			      "cpuid Test,1,*\n"
			      "event dtlb_miss* stall:dtlb 30  # manual\n"
			      "event slow_inst inst\n";

static struct program *program;
static size_t binary;

static bool read_truth(const char *path, struct fdo_error *err)
{
	struct truth *t =
		truth_read(path, program->binaries[binary].object, err);

	truth_free(t);
	return t != NULL;
}

static bool read_table(const char *path, struct fdo_error *err)
{
	struct table_result result;

	table_is(path);
	return table_read(program, binary, path, &result, err);
}

static bool is_count(double count)
{
	return isfinite(count) && count >= 0;
}

static bool are_counts(const struct compiled *c)
{
	bool are = true;

	for (size_t f = 0; f < c->nfunctions; f++)
		are = are && is_count(c->functions[f].entry) &&
		      is_count(c->functions[f].exact_entry);
	for (size_t b = 0; b < c->nblocks; b++)
		are = are && is_count(c->blocks[b].ours) &&
		      is_count(c->blocks[b].exact);
	for (size_t e = 0; e < c->nedges; e++)
		for (int column = 0; column < COMPILED_COLUMNS; column++)
			are = are && is_count(c->edges[e].counts[column]);
	return are;
}

static bool read_compiled(const char *path, struct fdo_error *err)
{
	struct compiled *c = compiled_new();
	bool done = compiled_read(c, path, err);

	if (done && !are_counts(c))
		done = fdo_fail(err, "no counts, and taken for some");
	if (done) {
		compiled_finish(c);
		compiled_edge_overlap(c, COMPILED_OURS);
	}
	compiled_free(c);
	return done;
}

static bool read_weights(const char *path, struct fdo_error *err)
{
	struct weights *w = weights_read(path, err);
	bool done = w != NULL;

	for (size_t i = 0; done && i < w->nevents; i++)
		if (!isfinite(w->events[i].weight))
			done = fdo_fail(err, "no weight, and taken for one");
	weights_free(w);
	return done;
}

static bool read_machine(const char *path, struct fdo_error *err)
{
	struct machine *m = machine_read(path, err);

	if (m)
		machine_stall(m, "dtlb_miss.walk:u");
	machine_free(m);
	return m != NULL;
}

static damage_reader *const readers[READERS] = {
	[TRUTH] = read_truth,	    [TABLE] = read_table,
	[COMPILED] = read_compiled, [WEIGHTS] = read_weights,
	[MACHINE] = read_machine,
};

/* The first byte is taken off the file. */
static bool read_any(const char *path, struct fdo_error *err)
{
	unsigned char data[4096] = { 0 };
	FILE *stream = fopen(path, "r+");
	size_t size = stream ? fread(data, 1, sizeof(data), stream) : 0;

	if (!stream || size == sizeof(data) ||
	    ftruncate(fileno(stream), 0) != 0)
		abort();
	rewind(stream);
	if (size)
		fwrite(data + 1, 1, size - 1, stream);
	fclose(stream);
	return readers[data[0] % READERS](path, err);
}

/* whole: what is left of it when it was cut off is none. */
static void test(const char *what, int reader, const char *text, bool whole)
{
	size_t size = strlen(text) + 1;
	unsigned char *data = malloc(size);

	data[0] = reader;
	memcpy(data + 1, text, size - 1);
	damage_prefixes(what, data, size, whole, read_any);
	damage_bytes(what, data, size, size, read_any);
	free(data);
}

/* Damaged tables may name other functions, after which it is elsewhere. */
static const struct cfg *main_graph(void)
{
	const struct object *o = program->binaries[binary].object;
	struct program_function *f = NULL;
	struct fdo_error err;

	for (size_t i = 0; i < o->nfunctions; i++)
		if (strcmp(o->functions[i].name, "main") == 0)
			program_function_at(program, binary,
					    o->functions[i].address, &f, &err);
	if (!f || f->cfg.nblocks < 2 || !f->cfg.nedges)
		abort();
	return &f->cfg;
}

static void test_callgrind(void)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "# callgrind format\npositions: instr line\nevents: Dr Ir\n\n"
		 "ob=(1) exe\nfn=(1) main\n0x%" PRIx64 " 1 3 7\n+3 1 0 7\n"
		 "jcnd=5/7 -3 1\n* 1\ncob=(2) libc.so\ncalls=1 0x20\n"
		 "* * 3 100\ntotals: 3 14\n",
		 main_graph()->blocks[0].address);
	test("output of callgrind", TRUTH, text, true);
}

static void test_simulator(void)
{
	uint64_t address = main_graph()->blocks[0].address, offset;
	char text[512];

	if (!object_offset(program->binaries[binary].object, address, &offset))
		abort();
	snprintf(text, sizeof(text),
		 "pmusim-truth 1\ncommand exe\ninstructions 99\n"
		 "object /bin/exe build-id 12ab\ni %" PRIx64 " 7\n"
		 "e %" PRIx64 " %" PRIx64 " taken 5\nx 12 call 3 /bin/cat 9\n",
		 offset, offset, offset);
	test("the simulator's counts", TRUTH, text, false);
}

static void test_blocks(void)
{
	const struct cfg_block *blocks = main_graph()->blocks;
	char text[512];

	snprintf(text, sizeof(text),
		 "function\taddress\traw\tclass\terror\tcount\n"
		 "main\t0x%" PRIx64 "\t7\ttrusted\t2\t70\n"
		 "main\t0x%" PRIx64 "\t8\tover\t3\t80\n",
		 blocks[0].address, blocks[1].address);
	test("a table of blocks", TABLE, text, false);
}

static void test_edges(void)
{
	const struct cfg *cfg = main_graph();
	const struct cfg_edge *edge = cfg->edges;
	char text[512];

	snprintf(text, sizeof(text),
		 "function\tfrom\tto\tkind\tcount\n"
		 "main\t0x%" PRIx64 "\t0x%" PRIx64 "\tfall\t70\n",
		 cfg->blocks[edge->from].address,
		 cfg->blocks[edge->to].address);
	test("a table of edges", TABLE, text, false);
}

int main(void)
{
	struct object_options options = { 0 };
	struct fdo_error err;

	program = program_new(NULL);
	if (!program_open(program, "/proc/self/exe", &options, &binary, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 99;
	}
	test_blocks();
	test_edges();
	test_callgrind();
	test_simulator();
	test("counts in the compiler", COMPILED, compiled, true);
	test("weights", WEIGHTS, weights, true);
	test("a machine", MACHINE, machine, false);
	program_free(program);
	return done();
}
