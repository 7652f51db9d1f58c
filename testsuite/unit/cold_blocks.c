/*
 * cold_blocks.c - what hardly ever runs, and what is kept for what does.
 *
 * Block 0 goes to 1 or 2, from where it is two blocks to 3, the test of a loop
 * with 4; by 1 over 5, which is rare, and by 2 over 6.  Then 7 returns.
 */
#include "plugin/cold_blocks.h"

#include <string.h>

#include "mcf/smooth.h"
#include "testsuite/lib/tap.h"

enum { BLOCKS = 8, LINKS = 11 };

static const struct flow_link links[LINKS] = {
	{ FLOW_OUTSIDE, 0 },
	{ 0, 1 },
	{ 0, 2 },
	{ 1, 5 },
	{ 2, 6 },
	{ 5, 3 },
	{ 6, 3 },
	{ 3, 4 },
	{ 4, 3 },
	{ 3, 7 },
	{ 7, FLOW_OUTSIDE },
};
static const struct body body = {
	.nblocks = BLOCKS,
	.links = links,
	.nlinks = LINKS,
};

static int64_t block[BLOCKS], count[LINKS];
static double heat[BLOCKS];
static struct counts counts;

/* So many times each way, and so many rounds in all. */
static void begin(int64_t by1, int64_t by2, int64_t rounds)
{
	const int64_t blocks[BLOCKS] = { by1 + by2, by1,
					 by2,	    by1 + by2 + rounds,
					 rounds,    by1,
					 by2,	    by1 + by2 };
	const int64_t edges[LINKS] = { by1 + by2, by1,	     by2,      by1,
				       by2,	  by1,	     by2,      rounds,
				       rounds,	  by1 + by2, by1 + by2 };

	for (int b = 0; b < BLOCKS; b++)
		heat[b] = (double)(block[b] = blocks[b]);
	for (int l = 0; l < LINKS; l++)
		count[l] = edges[l];
	counts = (struct counts){ block, count, by1 + by2 };
}

static int zeros(void)
{
	int n = 0;

	for (int b = 0; b < BLOCKS; b++)
		n += block[b] == 0;
	return n;
}

static void rare_arm(void)
{
	begin(3, 500, 0);
	cold_blocks(&counts, &body, heat, 4);
	check_int(block[1], 0, "an arm that hardly ever runs does not");
	check_int(block[5], 0, "nor does what follows from it");
	check_int(count[1] + count[3] + count[5], 0, "nor do its links");
	check_int(block[2], 500, "the other arm has its count");
	check_int(count[2], 500, "and its link");
	check_int(counts.entered, 503, "the function is entered as often");
	check_int(zeros(), 3, "nothing else has changed");
}

static void least(void)
{
	begin(3, 500, 0);
	cold_blocks(&counts, &body, heat, 3);
	check_int(block[1] + block[5], 6, "what runs that often is kept");
}

static void ways(void)
{
	begin(1, 40, 900);
	heat[6] = 100;
	cold_blocks(&counts, &body, heat, 100);
	check_int(block[3], 941, "a loop that is seldom entered is kept");
	check(block[0] == 41 && block[7] == 41,
	      "and what leads to it and away");
	check(block[2] == 40 && block[6] == 40,
	      "and one of the two ways to it");
	check_int(zeros(), 2, "not the other one, that is rare");
	check_int(count[8], 900, "it goes round as often");
	check_int(counts.entered, 41, "and is entered as often");

	begin(1, 40, 900);
	heat[1] = heat[5] = 100;
	cold_blocks(&counts, &body, heat, 100);
	check_int(zeros(), 0, "where that is kept, the other one is not rare");
}

/* What is gone a sixteenth of the time is no way that is never gone. */
static void shares(void)
{
	begin(2, 30, 900);
	cold_blocks(&counts, &body, heat, 100);
	check_int(zeros(), 0, "a way that has a share is kept");
	begin(2, 48, 900);
	heat[2] = 100;
	cold_blocks(&counts, &body, heat, 100);
	check_int(zeros(), 2, "one that has less is not");
	begin(3, 45, 0);
	count[1] = 2;
	cold_blocks(&counts, &body, heat, 40);
	check(block[1] == 3 && block[5] == 3,
	      "it may be of where a way goes to");
	begin(3, 500, 0);
	count[3] = 0;
	cold_blocks(&counts, &body, heat, 4);
	check_int(block[1] + block[5], 0, "a link that was not gone has none");
	begin(5, 500, 0);
	heat[5] = 0;
	count[3] = count[5] = 0;
	cold_blocks(&counts, &body, heat, 4);
	check(block[1] == 5 && block[5] == 0, "nor of what hardly ran itself");
}

/* A block that calls a function with a loop in it. */
static void calls(void)
{
	begin(3, 500, 0);
	heat[5] = 1000;
	cold_blocks(&counts, &body, heat, 50);
	check(block[1] == 3 && block[5] == 3,
	      "what something hot is called from is kept, and the way there");
}

static void all(void)
{
	begin(3, 5, 6);
	cold_blocks(&counts, &body, heat, 50);
	check_int(zeros(), BLOCKS, "a function that hardly ever runs does not");
	check_int(counts.entered, 0, "and is not entered");
}

/* Block 0 returns or goes on; whatever is heat, what has no count has none. */
static void no_way(void)
{
	begin(0, 0, 900);
	cold_blocks(&counts, &body, heat, 100);
	check_int(block[3] + block[4], 1800,
		  "a loop that nothing leads to is kept");
	heat[1] = 1e9;
	cold_blocks(&counts, &body, heat, 100);
	check_int(block[1], 0, "what has no count gets none");
}

/* A loop of 0 and 1 that is left by 2, which returns, and by 3, if that does not. */
static void ends(bool first, bool returned)
{
	enum { TWO_WAYS = 4, ALL = 7 };
	const uint32_t left = first ? 3 : 2;
	const struct flow_link ways[ALL] = {
		{ FLOW_OUTSIDE, 0 },
		{ 0, 1 },
		{ 1, 0 },
		{ 0, left },
		{ 1, 5 - left },
		{ left, FLOW_OUTSIDE },
		{ 5 - left, FLOW_OUTSIDE },
	};
	const bool is_end[TWO_WAYS] = { false, false, false, true };
	const struct body two = { .nblocks = TWO_WAYS,
				  .links = ways,
				  .nlinks = ALL,
				  .ends = is_end };
	int64_t n[2] = { first ? 3 : returned ? 50 : 0, 0 };
	int64_t in;

	n[1] = first ? returned ? 50 : 0 : 3;
	in = n[0] + n[1];
	begin(0, 0, 0);
	memcpy(block, (const int64_t[]){ 900 + in, 900 + n[1], 0, 3 },
	       TWO_WAYS * sizeof(*block));
	block[2] = returned ? 50 : 0;
	memcpy(count,
	       (const int64_t[]){ in, 900 + n[1], 900, n[0], n[1], n[0], n[1] },
	       ALL * sizeof(*count));
	counts.entered = in;
	heat[0] = heat[1] = 900;
	cold_blocks(&counts, &two, heat, 100);
	check_int(block[2], returned ? 50 : 0, "a return is the way out");
	check_int(block[3], returned ? 0 : 3, "an end only if there is none");
	check(block[0] > 900 && block[1] >= 900, "of a loop that is kept");
}

int main(void)
{
	ends(false, true);
	ends(true, true);
	ends(false, false);
	ends(true, false);
	rare_arm();
	least();
	ways();
	shares();
	calls();
	all();
	no_way();
	return done();
}
