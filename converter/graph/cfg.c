/*
 * cfg.c - blocks and edges from code whose ways are known (flow.c).
 *
 * A block begins where more than one way leads, or one from elsewhere, and
 * ends where control may go elsewhere.  Instructions are sorted by address,
 * and mostly each falls into the next of the array; where one instruction
 * begins inside another it does not, and that begins a block too.
 *
 * An interpreter may have thousands of jumps by a table of labels, each to any
 * of thousands: that is a hub, since nobody can do with millions of edges.
 */
#include "converter/graph/cfg.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/search.h"
#include "converter/graph/cfg_program.h"
#include "converter/graph/code.h"
#include "converter/binary/object.h"

/* One graph while it is being made. */
struct maker {
	const struct cfg_program *program;
	struct code code;
	struct cfg *cfg;
	uint32_t *block_of; /* by instruction */
	size_t blocks_room, edges_room, calls_room;
	size_t next_way;     /* of code.ways, sorted by from */
	uint32_t *switch_of; /* by instruction: of code.switches, or NONE */
	uint32_t *hub_of;    /* by switch: a block, or NONE */
};

#define NONE UINT32_MAX

/* Ways of all jumps of a switch together that are edges by themselves. */
enum { WAYS_MAX = 1 << 14 };

static void lead(struct code *code, uint32_t i)
{
	if (i != CODE_NONE)
		code->marks[i] |= CODE_LEADER;
}

static void mark_leaders(struct code *code)
{
	for (uint32_t i = 0; i < code->ninsns; i++) {
		const struct insn *insn = &code->insns[i];
		uint32_t next = i + 1 < code->ninsns ? i + 1 : CODE_NONE;

		if (code->marks[i] & (CODE_ENTERED | CODE_PAD))
			lead(code, i);
		if (insn->class == INSN_BRANCH || insn->class == INSN_JUMP)
			lead(code, code_at(code, insn->target));
		if (insn->class == INSN_BRANCH || !code_goes_on(code, i)) {
			lead(code, next);
		} else if (code_at(code, insn_end(insn)) != next) {
			lead(code, next);
			lead(code, code_at(code, insn_end(insn)));
		}
	}
	for (size_t w = 0; w < code->nways; w++)
		lead(code, code->ways[w].to);
	for (size_t s = 0; s < code->nswitches; s++)
		for (size_t i = 0; i < code->switches[s].ntargets; i++)
			lead(code, code->switches[s].targets[i]);
	lead(code, code_at(code, code->parts[0].address));
	lead(code, 0);
}

static struct cfg_block *new_block(struct maker *m)
{
	struct cfg *cfg = m->cfg;

	cfg->blocks = fdo_grow(cfg->blocks, cfg->nblocks, &m->blocks_room,
			       sizeof(*cfg->blocks));
	return &cfg->blocks[cfg->nblocks++];
}

static void add_block(struct maker *m, uint32_t i)
{
	struct cfg *cfg = m->cfg;
	const struct code *code = &m->code;
	uint64_t address = code->insns[i].address;
	struct cfg_block *b = new_block(m);

	*b = (struct cfg_block){
		.address = address,
		.first_insn = i,
		.part = code_part(code, address) - code->parts,
	};
	if (address == code->parts[0].address) {
		b->flags |= CFG_ENTRY;
		cfg->entry = cfg->nblocks - 1;
	}
	if (code->marks[i] & CODE_ENTERED)
		b->flags |= CFG_ENTERED;
	if (code->marks[i] & CODE_PAD)
		b->flags |= CFG_LANDING_PAD;
	if (!(code->marks[i] & CODE_REACHED))
		b->flags |= CFG_ORPHAN;
	if (b->part)
		b->flags |= CFG_COLD;
}

static void make_blocks(struct maker *m)
{
	const struct code *code = &m->code;

	for (uint32_t i = 0; i < code->ninsns; i++) {
		const struct insn *insn = &code->insns[i];
		struct cfg_block *b;

		if (code->marks[i] & CODE_LEADER)
			add_block(m, i);
		b = &m->cfg->blocks[m->cfg->nblocks - 1];
		m->block_of[i] = m->cfg->nblocks - 1;
		b->size = insn_end(insn) - b->address;
		b->ninsns++;
		b->ninstructions += insn->class != INSN_NOP;
		if (insn->conditional)
			b->flags |= CFG_CONDITIONAL;
		if (insn->repeated)
			b->flags |= CFG_REPEATED;
	}
}

/* Hubs, behind all other blocks. */
static void make_hubs(struct maker *m)
{
	const struct code *code = &m->code;

	for (size_t s = 0; s < code->nswitches; s++) {
		const struct code_switch *to = &code->switches[s];

		m->hub_of[s] = NONE;
		for (size_t i = 0; i < to->njumps; i++)
			m->switch_of[to->jumps[i]] = s;
		if (to->njumps < 2 ||
		    (uint64_t)to->njumps * to->ntargets <= WAYS_MAX)
			continue;
		m->hub_of[s] = m->cfg->nblocks;
		*new_block(m) = (struct cfg_block){
			.address = CFG_NOWHERE + s,
			.flags = CFG_HUB,
		};
	}
}

static void add_edge_to(struct maker *m, size_t from, uint32_t to,
			enum cfg_edge_kind kind)
{
	struct cfg *cfg = m->cfg;

	cfg->edges = fdo_grow(cfg->edges, cfg->nedges, &m->edges_room,
			      sizeof(*cfg->edges));
	cfg->edges[cfg->nedges++] = (struct cfg_edge){ from, to, kind };
}

static void add_edge(struct maker *m, size_t from, uint32_t to_insn,
		     enum cfg_edge_kind kind)
{
	add_edge_to(m, from, m->block_of[to_insn], kind);
}

/* To all targets of a switch. */
static void fan_out(struct maker *m, size_t from, uint32_t number)
{
	const struct code_switch *s = &m->code.switches[number];

	for (size_t i = 0; i < s->ntargets; i++)
		add_edge(m, from, s->targets[i], CFG_SWITCH);
}

/* Who is called, if it is through a place that has a name. */
static void name_call(const struct maker *m, struct cfg_call *call,
		      const struct insn *insn)
{
	const struct object *o = m->program->object;
	const struct object_function *f;

	if (insn->class == INSN_CALL_INDIRECT ||
	    insn->class == INSN_JUMP_INDIRECT) {
		call->name = insn->rip_relative
				     ? object_got_name(o, insn_data(insn))
				     : NULL;
		call->external = call->name;
		call->indirect = !call->name;
		return;
	}
	call->name = object_plt_name(o, insn->target);
	call->external = call->name;
	if (call->external)
		return;
	f = object_function_at(o, insn->target);
	call->target = insn->target;
	call->name = f ? f->name : NULL;
}

static void add_call(struct maker *m, uint32_t i, bool tail)
{
	struct cfg *cfg = m->cfg;
	const struct insn *insn = &m->code.insns[i];
	struct cfg_call *call;

	cfg->calls = fdo_grow(cfg->calls, cfg->ncalls, &m->calls_room,
			      sizeof(*cfg->calls));
	call = &cfg->calls[cfg->ncalls++];
	*call = (struct cfg_call){
		.insn = i,
		.block = m->block_of[i],
		.tail = tail,
		.noreturn = m->code.marks[i] & CODE_NORETURN,
	};
	name_call(m, call, insn);
	if (tail && call->target)
		call->noreturn =
			fdo_map_get(m->program->noreturn, call->target);
}

static void tail_call(struct maker *m, uint32_t i, struct cfg_block *b)
{
	b->flags |= CFG_TAIL_CALL;
	add_call(m, i, true);
}

/* A direct jump or branch. */
static void jump(struct maker *m, uint32_t i, struct cfg_block *b)
{
	const struct insn *insn = &m->code.insns[i];
	uint32_t to = code_at(&m->code, insn->target);

	if (to != CODE_NONE)
		add_edge(m, b - m->cfg->blocks, to,
			 insn->class == INSN_JUMP ? CFG_JUMP : CFG_TAKEN);
	else if (code_part(&m->code, insn->target))
		b->flags |= CFG_RUNS_OFF; /* into what is no code */
	else
		tail_call(m, i, b);
}

static void jump_indirect(struct maker *m, uint32_t i, struct cfg_block *b)
{
	uint16_t marks = m->code.marks[i];
	uint32_t s = m->switch_of[i];

	if (s != NONE && m->hub_of[s] != NONE)
		add_edge_to(m, b - m->cfg->blocks, m->hub_of[s], CFG_SWITCH);
	else if (s != NONE)
		fan_out(m, b - m->cfg->blocks, s);

	if (marks & CODE_UNRESOLVED)
		b->flags |= CFG_UNRESOLVED;
	else if (!(marks & (CODE_TABLE | CODE_LABELS)))
		tail_call(m, i, b);
}

static void fall(struct maker *m, uint32_t i, struct cfg_block *b)
{
	uint32_t next = code_at(&m->code, insn_end(&m->code.insns[i]));

	if (next != CODE_NONE)
		add_edge(m, b - m->cfg->blocks, next, CFG_FALL);
	else
		b->flags |= CFG_RUNS_OFF;
}

/* The ways out of a block by its last instruction. */
static void leave(struct maker *m, uint32_t last, struct cfg_block *b)
{
	switch (m->code.insns[last].class) {
	case INSN_BRANCH:
	case INSN_JUMP:
		jump(m, last, b);
		break;
	case INSN_JUMP_INDIRECT:
		jump_indirect(m, last, b);
		break;
	case INSN_RETURN:
		b->flags |= CFG_RETURNS;
		break;
	case INSN_TRAP:
		b->flags |= CFG_TRAP;
		break;
	default:
		break;
	}
	if (m->code.marks[last] & CODE_NORETURN)
		b->flags |= CFG_NORETURN;
	else if (code_goes_on(&m->code, last))
		fall(m, last, b);
}

static int compare_edges(const void *a, const void *b)
{
	const struct cfg_edge *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->kind - y->kind;
}

/* Bring the edges from one block into order, each once. */
static void finish_edges(struct cfg *cfg, struct cfg_block *b)
{
	struct cfg_edge *edges = cfg->edges + b->first_edge;
	size_t n = cfg->nedges - b->first_edge, kept = 0;

	if (!n)
		return;
	qsort(edges, n, sizeof(*edges), compare_edges);
	for (size_t e = 0; e < n; e++)
		if (!kept || compare_edges(&edges[kept - 1], &edges[e]) != 0)
			edges[kept++] = edges[e];
	cfg->nedges = b->first_edge + kept;
	b->nedges = kept;
}

static void make_edges(struct maker *m, struct cfg_block *b)
{
	struct code *code = &m->code;
	uint32_t end = b->first_insn + b->ninsns;

	for (uint32_t i = b->first_insn; i < end; i++)
		if (insn_is_call(&code->insns[i]))
			add_call(m, i, false);
	leave(m, end - 1, b);
	while (m->next_way < code->nways &&
	       code->ways[m->next_way].from < end) {
		const struct code_way *way = &code->ways[m->next_way++];

		add_edge(m, b - m->cfg->blocks, way->to, CFG_EXCEPTION);
	}
}

static int compare_ways(const void *a, const void *b)
{
	const struct code_way *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

static void make_all_edges(struct maker *m)
{
	if (m->code.nways)
		qsort(m->code.ways, m->code.nways, sizeof(*m->code.ways),
		      compare_ways);
	for (size_t i = 0; i < m->cfg->nblocks; i++) {
		struct cfg_block *b = &m->cfg->blocks[i];

		b->first_edge = m->cfg->nedges;
		b->first_call = m->cfg->ncalls;
		if (b->flags & CFG_HUB)
			fan_out(m, i, b->address - CFG_NOWHERE);
		else
			make_edges(m, b);
		finish_edges(m->cfg, b);
		b->ncalls = m->cfg->ncalls - b->first_call;
	}
}

/* The edges once more, by where they lead. */
static void make_in(struct cfg *cfg)
{
	uint32_t next = 0;

	cfg->in = fdo_alloc(cfg->nedges, sizeof(*cfg->in));
	for (size_t e = 0; e < cfg->nedges; e++)
		cfg->blocks[cfg->edges[e].to].nin++;
	for (size_t b = 0; b < cfg->nblocks; b++) {
		cfg->blocks[b].first_in = next;
		next += cfg->blocks[b].nin;
		cfg->blocks[b].nin = 0;
	}
	for (size_t e = 0; e < cfg->nedges; e++) {
		struct cfg_block *b = &cfg->blocks[cfg->edges[e].to];

		cfg->in[b->first_in + b->nin++] = e;
	}
}

static void count(struct maker *m)
{
	struct cfg_counters *c = &m->cfg->counters;

	for (uint32_t i = 0; i < m->code.ninsns; i++) {
		uint16_t marks = m->code.marks[i];

		c->tables += (marks & CODE_TABLE) != 0;
		c->label_tables += (marks & CODE_LABELS) != 0;
		c->indirect_tail_calls += (marks & CODE_TAIL_CALL) != 0;
		c->unresolved += (marks & CODE_UNRESOLVED) != 0;
	}
	c->indirect_jumps = c->tables + c->label_tables +
			    c->indirect_tail_calls + c->unresolved;
	for (size_t b = 0; b < m->cfg->nblocks; b++) {
		c->entered += (m->cfg->blocks[b].flags & CFG_ENTERED) != 0;
		c->orphans += (m->cfg->blocks[b].flags & CFG_ORPHAN) != 0;
	}
	c->overlapping = m->code.overlapping;
	c->undecodable = m->code.undecodable;
}

static void make(struct maker *m)
{
	m->block_of = fdo_alloc(m->code.ninsns, sizeof(*m->block_of));
	m->switch_of = fdo_alloc(m->code.ninsns, sizeof(*m->switch_of));
	m->hub_of = fdo_alloc(m->code.nswitches, sizeof(*m->hub_of));
	memset(m->switch_of, -1, m->code.ninsns * sizeof(*m->switch_of));
	mark_leaders(&m->code);
	make_blocks(m);
	make_hubs(m);
	make_all_edges(m);
	make_in(m->cfg);
	count(m);
	free(m->block_of);
	free(m->switch_of);
	free(m->hub_of);
	m->cfg->insns = m->code.insns;
	m->cfg->ninsns = m->code.ninsns;
	m->code.insns = NULL;
}

bool cfg_build(struct cfg_program *program, const struct object_function *f,
	       struct cfg *cfg, struct fdo_error *err)
{
	const struct object *o = program->object;
	uint32_t owner = program->functions[f - o->functions].owner;
	struct maker m = { .program = program, .cfg = cfg };

	*cfg = (struct cfg){ .name = o->functions[owner].name };
	cfg->parts = cfg_program_parts(program, owner, &cfg->nparts);
	if (!cfg->nparts ||
	    cfg->parts[0].address != o->functions[owner].address) {
		free(cfg->parts);
		return fdo_fail(err, "%s: %s has no code", o->path, cfg->name);
	}
	cfg_program_code(program, owner, cfg->parts, cfg->nparts, &m.code);
	if (code_at(&m.code, cfg->parts[0].address) == CODE_NONE) {
		code_free(&m.code);
		free(cfg->parts);
		return fdo_fail(err, "%s: %s does not begin with code", o->path,
				cfg->name);
	}
	make(&m);
	code_free(&m.code);
	return true;
}

void cfg_free(struct cfg *cfg)
{
	free(cfg->parts);
	free(cfg->insns);
	free(cfg->blocks);
	free(cfg->edges);
	free(cfg->in);
	free(cfg->calls);
}

size_t cfg_block_at(const struct cfg *cfg, uint64_t address)
{
	size_t low = 0, high = cfg->nblocks;

	/* The last block that begins at or before the address. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (cfg->blocks[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low-- ||
	    (address != cfg->blocks[low].address &&
	     address - cfg->blocks[low].address >= cfg->blocks[low].size))
		return CFG_NO_BLOCK;
	return low;
}

const struct insn *cfg_insn_at(const struct cfg *cfg, size_t block,
			       uint64_t address)
{
	const struct cfg_block *b = &cfg->blocks[block];
	const struct insn *insn = &cfg->insns[b->first_insn];
	size_t i = fdo_lower_bound(insn, b->ninsns, sizeof(*insn), address);

	return i < b->ninsns && insn[i].address == address ? &insn[i] : NULL;
}

size_t cfg_switch_of(const struct cfg *cfg, size_t block)
{
	const struct cfg_block *b = &cfg->blocks[block];
	uint32_t to = b->nedges ? cfg->edges[b->first_edge].to : block;

	return cfg->blocks[to].flags & CFG_HUB ? to : block;
}

const struct insn *cfg_last_insn(const struct cfg *cfg, size_t block)
{
	const struct cfg_block *b = &cfg->blocks[block];

	return b->ninsns ? &cfg->insns[b->first_insn + b->ninsns - 1] : NULL;
}

uint64_t cfg_last_address(const struct cfg *cfg, size_t block)
{
	const struct insn *last = cfg_last_insn(cfg, block);

	return last ? last->address : cfg->blocks[block].address;
}

const unsigned char *cfg_bytes(const struct cfg *cfg, const struct insn *insn)
{
	for (size_t p = 0; p < cfg->nparts; p++)
		if (insn->address - cfg->parts[p].address < cfg->parts[p].size)
			return cfg->parts[p].bytes +
			       (insn->address - cfg->parts[p].address);
	assert(!"an instruction of this graph");
	return NULL;
}

const char *cfg_edge_kind_name(enum cfg_edge_kind kind)
{
	static const char *const names[] = {
		[CFG_FALL] = "fall",	       [CFG_TAKEN] = "taken",
		[CFG_JUMP] = "jump",	       [CFG_SWITCH] = "switch",
		[CFG_EXCEPTION] = "exception",
	};

	return names[kind];
}
