#include "testsuite/lib/cfg_print.h"

#include <inttypes.h>

#include "converter/graph/cfg.h"

static const char *const flag_names[] = {
	"entry",     "entered",	    "landing-pad", "orphan",	 "returns",
	"tail-call", "noreturn",    "trap",	   "unresolved", "runs-off",
	"cold",	     "conditional", "repeated",	   "hub",
};

static void print_call(const struct cfg *cfg, const struct cfg_call *call,
		       FILE *out)
{
	fprintf(out, "  %s at %#" PRIx64, call->tail ? "tail call" : "call",
		cfg->insns[call->insn].address);
	if (call->name)
		fprintf(out, " %s", call->name);
	else if (call->target)
		fprintf(out, " %#" PRIx64, call->target);
	if (call->indirect)
		fputs(" indirect", out);
	if (call->external)
		fputs(" external", out);
	if (call->noreturn)
		fputs(" noreturn", out);
	fputc('\n', out);
}

static void print_block(const struct cfg *cfg, const struct cfg_block *b,
			FILE *out)
{
	fprintf(out, "block %#" PRIx64 " size %u instructions %u", b->address,
		b->size, b->ninstructions);
	for (unsigned f = 0; f < sizeof(flag_names) / sizeof(*flag_names); f++)
		if (b->flags & 1u << f)
			fprintf(out, " %s", flag_names[f]);
	fputc('\n', out);
	for (uint32_t e = 0; e < b->nedges; e++) {
		const struct cfg_edge *edge = &cfg->edges[b->first_edge + e];

		fprintf(out, "  %s %#" PRIx64 "\n",
			cfg_edge_kind_name(edge->kind),
			cfg->blocks[edge->to].address);
	}
	for (uint32_t c = 0; c < b->ncalls; c++)
		print_call(cfg, &cfg->calls[b->first_call + c], out);
}

static void print_counters(const struct cfg_counters *c, FILE *out)
{
	fprintf(out,
		"indirect jumps %u: tables %u, label tables %u, "
		"tail calls %u, unresolved %u\n",
		c->indirect_jumps, c->tables, c->label_tables,
		c->indirect_tail_calls, c->unresolved);
	fprintf(out,
		"entered %u, orphans %u, overlapping %u, "
		"undecodable bytes %" PRIu64 "\n",
		c->entered, c->orphans, c->overlapping, c->undecodable);
}

void cfg_print(const struct cfg *cfg, FILE *out)
{
	fprintf(out, "function %s blocks %zu edges %zu calls %zu\n", cfg->name,
		cfg->nblocks, cfg->nedges, cfg->ncalls);
	for (size_t p = 0; p < cfg->nparts; p++)
		fprintf(out, "part %s %#" PRIx64 " size %" PRIu64 "\n",
			cfg->parts[p].name, cfg->parts[p].address,
			cfg->parts[p].size);
	for (size_t b = 0; b < cfg->nblocks; b++)
		print_block(cfg, &cfg->blocks[b], out);
	print_counters(&cfg->counters, out);
}
