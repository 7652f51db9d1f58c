/*
 * cfgcheck - the converter's control-flow graphs, for the tests to look at.
 *
 *	cfgcheck print OBJECT FUNCTION...	the graphs as text
 *	cfgcheck cycles OBJECT FUNCTION...	the blocks' estimated cycles
 *	cfgcheck sites OBJECT FUNCTION...	where registers tell what
 *	cfgcheck count OBJECT			sums of the counters
 *	cfgcheck truth OBJECT CALLGRIND		is what was executed in them?
 *
 * "truth" holds a graph to four promises: each executed address begins an
 * instruction; in a block all run equally often, except that a call may
 * come back more or less often; each executed jump and fall is an edge, or
 * an exit that the block is marked with; what comes into a block and what
 * leaves it is what runs in it.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "converter/binary/object.h"
#include "converter/graph/cfg.h"
#include "converter/graph/sites.h"
#include "converter/graph/trips.h"
#include "converter/processor/cycles.h"
#include "testsuite/asm/callgrind.h"
#include "testsuite/lib/cfg_print.h"

struct check {
	const struct callgrind *truth;
	size_t functions, blocks, edges;
	size_t bad;
};

static uint64_t runs(const struct callgrind *truth, uint64_t address)
{
	const uint64_t *count = fdo_map_get(truth->executed, address);

	return count ? *count : 0;
}

static void complain(struct check *c, const struct cfg *cfg, uint64_t address,
		     const char *what)
{
	c->bad++;
	printf("%s: %#" PRIx64 ": %s\n", cfg->name, address, what);
}

/* The jumps from an address: the first, and behind the last. */
static void jumps_from(const struct callgrind *truth, uint64_t from,
		       size_t *first, size_t *end)
{
	size_t low = 0, high = truth->njumps;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (truth->jumps[middle].from < from)
			low = middle + 1;
		else
			high = middle;
	}
	*first = low;
	while (low < truth->njumps && truth->jumps[low].from == from)
		low++;
	*end = low;
}

/* May it come back less often than it was executed, or more? */
static bool is_call(const struct insn *insn)
{
	return insn->class == INSN_CALL || insn->class == INSN_CALL_INDIRECT ||
	       insn->class == INSN_SYSCALL;
}

static const struct insn *last_of(const struct cfg *cfg,
				  const struct cfg_block *b)
{
	assert(b->ninsns);
	return &cfg->insns[b->first_insn + b->ninsns - 1];
}

static bool may_come_back(const struct cfg *cfg, const struct cfg_block *b)
{
	return b->ninsns &&
	       (is_call(last_of(cfg, b)) || last_of(cfg, b)->repeated);
}

static void check_inside(struct check *c, const struct cfg *cfg,
			 const struct cfg_block *b)
{
	for (uint32_t i = 1; i < b->ninsns; i++) {
		const struct insn *insn = &cfg->insns[b->first_insn + i];

		if (insn->repeated || insn[-1].repeated)
			continue;
		if (!is_call(&insn[-1]) &&
		    runs(c->truth, insn->address) !=
			    runs(c->truth, insn[-1].address))
			complain(c, cfg, insn->address,
				 "runs not as often as the one before it");
	}
}

static bool inside(const struct cfg *cfg, uint64_t address)
{
	for (size_t p = 0; p < cfg->nparts; p++)
		if (address - cfg->parts[p].address < cfg->parts[p].size)
			return true;
	return false;
}

/* Give an edge its count; false: there is no such edge. */
static bool flows(const struct cfg *cfg, const struct cfg_block *b, uint64_t to,
		  bool falls, uint64_t count, uint64_t *edges)
{
	size_t hub = cfg_switch_of(cfg, b - cfg->blocks);

	if (&cfg->blocks[hub] != b) {
		edges[b->first_edge] += count;
		return flows(cfg, &cfg->blocks[hub], to, falls, count, edges);
	}
	for (uint32_t e = b->first_edge; e < b->first_edge + b->nedges; e++) {
		const struct cfg_edge *edge = &cfg->edges[e];

		if (cfg->blocks[edge->to].address != to ||
		    (edge->kind == CFG_FALL) != falls ||
		    edge->kind == CFG_EXCEPTION)
			continue;
		edges[e] += count;
		return true;
	}
	return false;
}

/* Where the last instruction of a block went, and how often. */
static void check_jumps(struct check *c, const struct cfg *cfg,
			const struct cfg_block *b, uint64_t *edges)
{
	const struct insn *last = last_of(cfg, b);
	uint64_t left = runs(c->truth, last->address);
	size_t j, end;

	if (is_call(last) || last->class == INSN_JUMP)
		end = j = 0;
	else
		jumps_from(c->truth, last->address, &j, &end);
	for (; j < end; j++) {
		const struct callgrind_jump *jump = &c->truth->jumps[j];

		/* Valgrind repeats a string instruction by a jump. */
		if (last->class == INSN_RETURN || last->repeated)
			break;
		left -= jump->count < left ? jump->count : left;
		/* By a pointer, to itself: a call, if an unlikely one. */
		if (jump->call && b->flags & CFG_TAIL_CALL &&
		    jump->to == cfg->parts[0].address)
			continue;
		if (!inside(cfg, jump->to)) {
			if (!(b->flags & (CFG_TAIL_CALL | CFG_UNRESOLVED)))
				complain(c, cfg, last->address,
					 "leaves, but is no tail call");
		} else if (!flows(cfg, b, jump->to, false, jump->count,
				  edges)) {
			complain(c, cfg, last->address, "an edge is missing");
		}
	}
	if (!left || (last->class != INSN_BRANCH && b->flags & CFG_EXITS))
		return;
	if (last->class == INSN_JUMP) {
		if (!flows(cfg, b, last->target, false, left, edges))
			complain(c, cfg, last->address, "an edge is missing");
		return;
	}
	/* A tail call to another object is a jump that we do not see. */
	if (last->class == INSN_BRANCH && b->flags & CFG_TAIL_CALL)
		return;
	if (!insn_falls_through(last)) {
		complain(c, cfg, last->address, "goes nowhere");
		return;
	}
	if (left && !flows(cfg, b, insn_end(last), true, left, edges))
		complain(c, cfg, last->address, "does not fall");
}

/*
 * Do all ways in add up?  Those from outside nobody has counted, a call at
 * the end of a block may come back less often or, by setjmp(), more, and of
 * a string instruction valgrind counts the rounds.
 */
static void check_in(struct check *c, const struct cfg *cfg,
		     const struct cfg_block *b, const uint64_t *edges)
{
	uint64_t in = 0, uncertain = 0, count = runs(c->truth, b->address);
	bool open = b->flags & (CFG_ENTRY | CFG_ENTERED | CFG_LANDING_PAD);

	for (uint32_t k = 0; k < b->nin; k++) {
		uint32_t e = cfg->in[b->first_in + k];
		const struct cfg_block *from = &cfg->blocks[cfg->edges[e].from];

		if (may_come_back(cfg, from))
			uncertain += edges[e];
		else
			in += edges[e];
	}
	if (cfg->insns[b->first_insn].repeated)
		return;
	if (in + uncertain != count && !uncertain && !open)
		complain(c, cfg, b->address, "what comes in is not what runs");
	if (in > count)
		complain(c, cfg, b->address, "more comes in than runs");
	if (count && b->flags & CFG_ORPHAN)
		complain(c, cfg, b->address, "an orphan runs");
}

static void check_instructions(struct check *c, const struct cfg *cfg,
			       const uint64_t *executed, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		size_t b;
		bool begins = false;

		if (!inside(cfg, executed[k]))
			continue;
		b = cfg_block_at(cfg, executed[k]);
		if (b != CFG_NO_BLOCK)
			for (uint32_t i = 0; i < cfg->blocks[b].ninsns; i++)
				begins |= cfg->insns[cfg->blocks[b].first_insn +
						     i]
						  .address == executed[k];
		if (!begins)
			complain(c, cfg, executed[k],
				 "runs, but is no instruction");
	}
}

static void check_function(struct check *c, const struct cfg *cfg)
{
	uint64_t *edges = fdo_alloc(cfg->nedges, sizeof(*edges));

	c->functions++;
	for (size_t k = 0; k < cfg->nblocks; k++) {
		const struct cfg_block *b = &cfg->blocks[k];

		if (b->flags & CFG_HUB)
			continue;
		c->blocks += runs(c->truth, b->address) != 0;
		check_inside(c, cfg, b);
		check_jumps(c, cfg, b, edges);
	}
	for (size_t k = 0; k < cfg->nblocks; k++)
		if (!(cfg->blocks[k].flags & CFG_HUB))
			check_in(c, cfg, &cfg->blocks[k], edges);
	for (size_t e = 0; e < cfg->nedges; e++)
		c->edges += edges[e] != 0;
	free(edges);
}

/* The executed addresses of a stretch, which are sorted. */
static size_t find(const uint64_t *executed, size_t n, uint64_t address)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (executed[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool check_one(struct check *c, struct cfg_program *program,
		      const struct object_function *f, const uint64_t *executed,
		      size_t n)
{
	size_t from = find(executed, n, f->address);
	size_t to = find(executed, n, f->address + f->size);
	struct fdo_error err;
	struct cfg cfg;

	if (from == to)
		return true;
	if (!cfg_build(program, f, &cfg, &err)) {
		printf("%s\n", err.text);
		return false;
	}
	check_instructions(c, &cfg, executed + from, to - from);
	/* A fragment is looked at with its function. */
	if (cfg.parts[0].address == f->address)
		check_function(c, &cfg);
	cfg_free(&cfg);
	return true;
}

static int truth(const struct object *o, struct cfg_program *program,
		 const char *path)
{
	const char *slash = strrchr(o->path, '/');
	struct callgrind callgrind;
	struct check c = { .truth = &callgrind };
	uint64_t *executed;
	size_t n;

	if (!callgrind_read(&callgrind, path, slash ? slash + 1 : o->path)) {
		fprintf(stderr, "cfgcheck: cannot read %s\n", path);
		return EXIT_FAILURE;
	}
	executed = fdo_map_keys(callgrind.executed);
	n = fdo_map_size(callgrind.executed);
	for (size_t f = 0; f < o->nfunctions; f++)
		if (!check_one(&c, program, &o->functions[f], executed, n))
			c.bad++;
	printf("%zu functions, %zu blocks, %zu edges executed: %zu wrong\n",
	       c.functions, c.blocks, c.edges, c.bad);
	free(executed);
	callgrind_free(&callgrind);
	return c.bad || !c.edges ? EXIT_FAILURE : EXIT_SUCCESS;
}

static void print_cycles(const struct cfg *cfg)
{
	struct decoder *d = decoder_new();
	struct cycles_insn *insns = cycles_insns(cfg, d);

	printf("function %s\n", cfg->name);
	for (size_t b = 0; b < cfg->nblocks; b++)
		printf("block %#" PRIx64 " instructions %u critical %u "
		       "cycles %.2f\n",
		       cfg->blocks[b].address, cfg->blocks[b].ninstructions,
		       cycles_critical(cfg, insns, b),
		       cycles_of_block(cfg, insns, b));
	free(insns);
	decoder_free(d);
}

/* Another register than the site's with what it means if all its bits are set. */
static void print_view(const struct cfg *cfg, const struct site *site,
		       const struct site_view *view)
{
	printf(" %#" PRIx64, cfg->insns[view->insn].address);
	if (view->number != site->number)
		printf(":%u/%u=%" PRId64, view->number, view->bits,
		       site_value(site, view, UINT64_MAX));
}

static void print_sites(const struct cfg *cfg)
{
	static const char *const kinds[] = { "divisor", "quotient", "size" };
	struct decoder *d = decoder_new();
	struct sites sites;
	size_t view = 0;

	sites_find(cfg, d, &sites);
	printf("function %s\n", cfg->name);
	for (size_t i = 0; i < sites.nsites; i++) {
		const struct site *site = &sites.sites[i];

		printf("%#" PRIx64 " %s register %u bits %u%s at",
		       cfg->insns[site->insn].address, kinds[site->kind],
		       site->number, site->bits,
		       site->is_signed ? " signed" : "");
		for (; view < sites.nviews && sites.views[view].site == i;
		     view++)
			print_view(cfg, site, &sites.views[view]);
		putchar('\n');
	}
	sites_free(&sites);
	decoder_free(d);
}

static void print_trips(const struct cfg *cfg)
{
	struct decoder *d = decoder_new();
	struct trips trips;

	trips_find(&trips, cfg, d);
	printf("function %s\n", cfg->name);
	for (size_t i = 0; i < trips.n; i++)
		printf("%#" PRIx64 " rounds %u\n",
		       cfg_last_address(cfg, trips.all[i].block),
		       trips.all[i].rounds);
	for (size_t b = 0; b < cfg->nblocks; b++)
		if (trips_block(&trips, b) > 1)
			printf("block %#" PRIx64 " times %.0f%s\n",
			       cfg->blocks[b].address, trips_block(&trips, b),
			       trips_within(&trips, b) ? " within" : "");
	for (size_t e = 0; e < cfg->nedges; e++)
		if (trips_edge(&trips, e) > 1)
			printf("edge %#" PRIx64 " to %#" PRIx64 " times %.0f\n",
			       cfg->blocks[cfg->edges[e].from].address,
			       cfg->blocks[cfg->edges[e].to].address,
			       trips_edge(&trips, e));
	trips_clear(&trips);
	decoder_free(d);
}

static void print_all(const struct cfg *cfg)
{
	cfg_print(cfg, stdout);
}

static const struct object_function *named(const struct object *o,
					   const char *name)
{
	for (size_t f = 0; f < o->nfunctions; f++)
		if (strcmp(o->functions[f].name, name) == 0)
			return &o->functions[f];
	return NULL;
}

static int print(const struct object *o, struct cfg_program *program,
		 char **names, void (*print_one)(const struct cfg *))
{
	for (; *names; names++) {
		const struct object_function *f = named(o, *names);
		struct fdo_error err = { "no such function" };
		struct cfg cfg;

		if (!f || !cfg_build(program, f, &cfg, &err)) {
			fprintf(stderr, "cfgcheck: %s: %s\n", *names, err.text);
			return EXIT_FAILURE;
		}
		print_one(&cfg);
		cfg_free(&cfg);
	}
	return EXIT_SUCCESS;
}

static void add(struct cfg_counters *to, const struct cfg_counters *c)
{
	to->indirect_jumps += c->indirect_jumps;
	to->tables += c->tables;
	to->label_tables += c->label_tables;
	to->indirect_tail_calls += c->indirect_tail_calls;
	to->unresolved += c->unresolved;
	to->entered += c->entered;
	to->orphans += c->orphans;
	to->overlapping += c->overlapping;
	to->undecodable += c->undecodable;
}

static int count(const struct object *o, struct cfg_program *program)
{
	struct cfg_counters sum = { 0 };
	size_t functions = 0, blocks = 0, edges = 0;

	for (size_t f = 0; f < o->nfunctions; f++) {
		struct fdo_error err;
		struct cfg cfg;

		if (!cfg_build(program, &o->functions[f], &cfg, &err))
			continue;
		if (cfg.parts[0].address == o->functions[f].address) {
			functions++;
			blocks += cfg.nblocks;
			edges += cfg.nedges;
			add(&sum, &cfg.counters);
		}
		cfg_free(&cfg);
	}
	printf("functions %zu, blocks %zu, edges %zu\n", functions, blocks,
	       edges);
	printf("indirect jumps %u: tables %u, label tables %u, "
	       "tail calls %u, unresolved %u\n",
	       sum.indirect_jumps, sum.tables, sum.label_tables,
	       sum.indirect_tail_calls, sum.unresolved);
	printf("entered %u, orphans %u, overlapping %u, "
	       "undecodable bytes %" PRIu64 "\n",
	       sum.entered, sum.orphans, sum.overlapping, sum.undecodable);
	return EXIT_SUCCESS;
}

static int run(const struct object *o, struct cfg_program *program, int argc,
	       char **argv)
{
	if (strcmp(argv[1], "count") == 0)
		return count(o, program);
	if (strcmp(argv[1], "truth") == 0 && argc > 3)
		return truth(o, program, argv[3]);
	if (strcmp(argv[1], "print") == 0)
		return print(o, program, argv + 3, print_all);
	if (strcmp(argv[1], "cycles") == 0)
		return print(o, program, argv + 3, print_cycles);
	if (strcmp(argv[1], "sites") == 0)
		return print(o, program, argv + 3, print_sites);
	if (strcmp(argv[1], "trips") == 0)
		return print(o, program, argv + 3, print_trips);
	return 2;
}

int main(int argc, char **argv)
{
	struct object_options options = { 0 };
	struct cfg_program *program;
	struct fdo_error err;
	struct object *o;
	int ret;

	if (argc < 3)
		return 2;
	o = object_open(argv[2], &options, &err);
	if (!o) {
		fprintf(stderr, "cfgcheck: %s\n", err.text);
		return EXIT_FAILURE;
	}
	program = cfg_program_new(o);
	ret = run(o, program, argc, argv);
	cfg_program_free(program);
	object_free(o);
	return ret;
}
