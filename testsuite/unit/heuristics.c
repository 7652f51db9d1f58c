/*
 * Dominators and loops of small graphs, what instructions show, and what is
 * said of branches by that.
 */
#include <math.h>
#include <string.h>

#include "converter/graph/cfg.h"
#include "converter/graph/dominators.h"
#include "converter/graph/heuristics.h"
#include "testsuite/lib/tap.h"

enum { BLOCKS = 8, EDGES = 16 };

/* Edges by first block; a block with two branches, and without one exits. */
struct graph {
	struct cfg_block blocks[BLOCKS];
	struct cfg_edge edges[EDGES];
	struct insn insns[BLOCKS];
	uint32_t in[EDGES];
	struct cfg cfg;
};

static void count_ways(struct graph *g)
{
	struct cfg *cfg = &g->cfg;
	uint32_t n = 0;

	for (uint32_t b = 0; b < cfg->nblocks; b++) {
		struct cfg_block *block = &g->blocks[b];

		block->first_in = n;
		for (uint32_t e = 0; e < cfg->nedges; e++)
			if (g->edges[e].to == b)
				g->in[n++] = e;
		block->nin = n - block->first_in;
		block->first_insn = b;
		block->ninsns = 1;
		g->insns[b].class =
			block->nedges == 2 ? INSN_BRANCH : INSN_OTHER;
		if (!block->nedges)
			block->flags |= CFG_RETURNS;
	}
}

/* "01 02 13": an edge from 0 to 1, and so on; the second of two is taken. */
static void make_graph(struct graph *g, size_t nblocks, const char *edges)
{
	memset(g, 0, sizeof(*g));
	g->cfg = (struct cfg){ .blocks = g->blocks,
			       .nblocks = nblocks,
			       .edges = g->edges,
			       .insns = g->insns,
			       .ninsns = nblocks,
			       .in = g->in };
	for (; *edges; edges += edges[2] ? 3 : 2) {
		uint32_t from = edges[0] - '0', to = edges[1] - '0';
		struct cfg_block *block = &g->blocks[from];
		size_t e = g->cfg.nedges++;

		if (block->nedges == 0)
			block->first_edge = e;
		g->edges[e] = (struct cfg_edge){ from, to,
						 block->nedges ? CFG_TAKEN
							       : CFG_FALL };
		block->nedges++;
	}
	g->blocks[0].flags = CFG_ENTRY;
	count_ways(g);
}

static void test_dominators(void)
{
	struct graph g;
	struct dominators *d;
	uint32_t blocks[6];
	bool marks[6] = { false };

	make_graph(&g, 4, "01 02 13 23"); /* if, else */
	d = dominators_new(&g.cfg);
	check(dominators_behind(d, 3, 0), "both arms lead to the end");
	check(!dominators_behind(d, 1, 0), "an arm is on one of the ways only");
	check(!dominators_behind(d, 0, 3) && dominators_behind(d, 2, 2),
	      "the beginning is not behind the end, but each behind itself");
	dominators_free(d);

	/* 1 is the head of a loop; 2 leaves it for 4, or goes on to 3. */
	make_graph(&g, 6, "01 12 23 24 31 45");
	d = dominators_new(&g.cfg);
	check(dominators_heads(d, 1) && !dominators_heads(d, 2),
	      "a loop's head");
	check(dominators_back(d, 4) && !dominators_back(d, 0),
	      "the edge back to it");
	check(dominators_leaves(d, 3) && !dominators_leaves(d, 2) &&
		      !dominators_leaves(d, 5),
	      "the edge that leaves it");
	for (int again = 0; again < 2; again++)
		check(dominators_loop(d, 1, blocks, marks) == 3 &&
			      blocks[0] == 1 && blocks[1] == 3 &&
			      blocks[2] == 2,
		      "its blocks");
	check(dominators_loop(d, 2, blocks, marks) == 0, "of no loop");
	dominators_free(d);

	make_graph(&g, 4, "01 02 12 21"); /* entered in two places */
	d = dominators_new(&g.cfg);
	check(!dominators_heads(d, 1) && !dominators_heads(d, 2),
	      "a cycle with two ways in has no head");
	check(!dominators_behind(d, 3, 0), "nothing is behind an endless loop");
	dominators_free(d);
}

static bool is_near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

/* The probability that the branch of a block is taken. */
static double taken(const struct graph *g, size_t block, unsigned *facts)
{
	double likely[EDGES];
	const struct cfg_block *b = &g->blocks[block];

	heuristics_edges(&g->cfg, facts, likely);
	check(is_near(likely[b->first_edge] + likely[b->first_edge + 1], 1),
	      "probabilities of a branch add up");
	return likely[b->first_edge + 1];
}

static void test_branches(void)
{
	unsigned facts[BLOCKS] = { 0 };
	struct graph g;

	make_graph(&g, 4, "01 02 13 23");
	check(is_near(taken(&g, 0, facts), .5), "nothing is known");
	facts[2] = HEURISTICS_CALL;
	check(is_near(taken(&g, 0, facts), .22), "calls are avoided");
	facts[0] = HEURISTICS_MOSTLY;
	check(is_near(taken(&g, 0, facts), .22 * .84 / (.22 * .84 + .78 * .16)),
	      "two heuristics are combined");
	facts[1] = HEURISTICS_CALL;
	check(is_near(taken(&g, 0, facts), .84), "calls on both sides cancel");
	facts[1] = facts[2] = 0;
	facts[0] = HEURISTICS_EQUAL | HEURISTICS_GUARDS_NEXT;
	check(is_near(taken(&g, 0, facts), .4 * .38 / (.4 * .38 + .6 * .62)),
	      "pointers differ, and what is guarded runs");
	facts[0] = 0;
	facts[3] = HEURISTICS_CALL;
	check(is_near(taken(&g, 0, facts), .5),
	      "what always follows says nothing");
	facts[3] = 0;

	make_graph(&g, 3, "01 12 11"); /* 1 is a loop */
	check(is_near(taken(&g, 1, facts), .88), "a loop goes on");
	make_graph(&g, 6, "01 12 23 24 31 45");
	check(is_near(taken(&g, 2, facts), .2), "a loop is not left");
	make_graph(&g, 3, "01 02"); /* both return */
	facts[2] = HEURISTICS_RETURN;
	check(is_near(taken(&g, 0, facts), .28), "returning is put off");
}

static void test_other_edges(void)
{
	unsigned facts[BLOCKS] = { 0 };
	double likely[EDGES];
	struct graph g;

	make_graph(&g, 4, "01 02 03");
	for (int e = 0; e < 3; e++)
		g.edges[e].kind = CFG_SWITCH;
	heuristics_edges(&g.cfg, facts, likely);
	check(is_near(likely[0], 1.0 / 3) && is_near(likely[2], 1.0 / 3),
	      "all targets of a switch are alike");
	make_graph(&g, 3, "01 02");
	g.insns[0].class = INSN_CALL;
	g.edges[1].kind = CFG_EXCEPTION;
	heuristics_edges(&g.cfg, facts, likely);
	check(likely[0] == 1 && likely[1] == 0, "nothing throws");
	make_graph(&g, 2, "01");
	g.insns[0].class = INSN_BRANCH;
	heuristics_edges(&g.cfg, facts, likely);
	check(is_near(likely[0], .78), "a tail call is a call");
}

/* Two blocks, and what they go to. */
static const unsigned char code[] = {
	0x48, 0x85, 0xff, /*	test %rdi, %rdi	*/
	0x74, 0x0a,	  /*	je 3f		*/
	0x83, 0x3f, 0x05, /*	cmpl $5, (%rdi)	*/
	0x75, 0x04,	  /*	jne 2f		*/
	0x89, 0x04, 0x24, /*	mov %eax, (%rsp) */
	0xc3,		  /*	ret		*/
	0x89, 0x07,	  /* 2:	mov %eax, (%rdi) */
	0xc3,		  /* 3:	ret		*/
};

static void test_facts(void)
{
	static const uint32_t first[] = { 0, 2, 4, 6, 7, 8 };
	struct cfg_part part = { .size = sizeof(code), .bytes = code };
	struct decoder *d = decoder_new();
	unsigned facts[BLOCKS];
	struct graph g;
	uint64_t at = 0;

	make_graph(&g, 5, "01 04 12 13 34");
	g.cfg.parts = &part;
	g.cfg.nparts = 1;
	for (g.cfg.ninsns = 0; at < sizeof(code); g.cfg.ninsns++) {
		struct insn *insn = &g.insns[g.cfg.ninsns];

		decode(d, code + at, sizeof(code) - at, at, insn);
		at = insn_end(insn);
	}
	for (int b = 0; b < 5; b++) {
		g.blocks[b].first_insn = first[b];
		g.blocks[b].ninsns = first[b + 1] - first[b];
	}
	heuristics_facts(&g.cfg, d, facts);
	decoder_free(d);
	check_int(facts[0], HEURISTICS_EQUAL | HEURISTICS_GUARDS_NEXT,
		  "a pointer is tested before it is used");
	check_int(facts[1], HEURISTICS_MOSTLY | HEURISTICS_GUARDS_TAKEN,
		  "a number is compared with another");
	check_int(facts[2], HEURISTICS_RETURN, "a block returns");
	check_int(facts[3], 0, "another says nothing");
}

int main(void)
{
	test_dominators();
	test_branches();
	test_other_edges();
	test_facts();
	return done();
}
