/*
 * What outcome.h promises: on a small graph, and for each kind of test against
 * the processor itself.
 */
#include "converter/graph/outcome.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "converter/binary/object.h"
#include "converter/graph/cfg.h"
#include "testsuite/lib/tap.h"

enum { AT = 0x1000, INSNS = 16, LOAD = 0x7000000 };

struct code {
	struct cfg cfg;
	struct insn insns[INSNS];
	struct insn_operands operands[INSNS];
	struct cfg_block blocks[INSNS];
	struct cfg_edge edges[INSNS];
	uint64_t end;
};

static void begin(struct code *c)
{
	*c = (struct code){ .end = AT };
	c->cfg.insns = c->insns;
	c->cfg.blocks = c->blocks;
	c->cfg.edges = c->edges;
}

/* A block of these bytes. */
static void block(struct code *c, const struct decoder *d, const char *bytes,
		  size_t size)
{
	struct cfg_block *b = &c->blocks[c->cfg.nblocks++];
	size_t at = 0;

	*b = (struct cfg_block){ .address = c->end,
				 .size = size,
				 .first_insn = c->cfg.ninsns,
				 .first_edge = c->cfg.nedges };
	while (at < size) {
		struct insn *insn = &c->insns[c->cfg.ninsns];

		if (!decode(d, bytes + at, size - at, c->end, insn))
			abort();
		decode_operands(d, bytes + at, insn,
				&c->operands[c->cfg.ninsns++]);
		b->ninsns++;
		at += insn->length;
		c->end += insn->length;
	}
}

/* From the last block. */
static void edge(struct code *c, uint32_t to, enum cfg_edge_kind kind)
{
	struct cfg_block *b = &c->blocks[c->cfg.nblocks - 1];

	c->edges[c->cfg.nedges++] =
		(struct cfg_edge){ c->cfg.nblocks - 1, to, kind };
	b->nedges++;
}

#define BLOCK(c, d, bytes) block(c, d, bytes, sizeof(bytes) - 1)

/* rcx and rdx, and nothing else. */
static struct outcome_state two(uint64_t rcx, uint64_t rdx)
{
	struct outcome_state state = {
		.known = REG_BIT(REG_RCX) | REG_BIT(REG_RDX),
		.load = LOAD,
	};

	state.registers[REG_RCX] = rcx;
	state.registers[REG_RDX] = rdx;
	return state;
}

static size_t follow(const struct code *c, uint32_t insn,
		     struct outcome_state state, struct outcome *ret)
{
	return outcome_follow(&c->cfg, c->operands, insn, &state, INSNS, ret);
}

static void test_graph(const struct decoder *d)
{
	struct outcome found[INSNS];
	struct outcome_state flags = { .load = LOAD };
	struct code c;

	begin(&c);
	BLOCK(&c, d, "\x8b\x06\x39\xca\x74\x05"); /* load; cmp; je 2 */
	edge(&c, 1, CFG_FALL);
	edge(&c, 2, CFG_TAKEN);
	BLOCK(&c, d, "\x48\x83\xc1\x01\x90"); /* add $1,%rcx; nop */
	edge(&c, 2, CFG_FALL);
	BLOCK(&c, d, "\x48\x39\xc2\x72\xf6"); /* cmp %rax,%rdx; jb 1 */
	edge(&c, 1, CFG_TAKEN);
	edge(&c, 3, CFG_FALL);
	BLOCK(&c, d, "\xff\xe2"); /* jmp *%rdx */
	edge(&c, 0, CFG_SWITCH);
	edge(&c, 1, CFG_SWITCH);

	check_int(follow(&c, 0, two(3, 4), found), 1, "on past the load");
	check(found[0].block == 0 && found[0].edge == 0, "and not taken");
	check_int(follow(&c, 1, two(4, 4), found), 1, "what is equal");
	check(found[0].block == 0 && found[0].edge == 1, "is taken");
	check_int(follow(&c, 1, two(UINT64_C(9) << 32 | 4, 4), found), 1,
		  "the low half");
	check_int(found[0].edge, 1, "is all that is compared");
	check_int(follow(&c, 3, two(3, 4), found), 0,
		  "rax is not known where it matters");
	outcome_set_flags(&flags, 1);
	check_int(follow(&c, 6, flags, found), 1, "flags at the branch itself");
	check(found[0].block == 2 && found[0].edge == 0, "carry is below");
	outcome_set_flags(&flags, 0);
	check_int(follow(&c, 6, flags, found), 1, "without it");
	check_int(found[0].edge, 1, "it falls through, to what nobody knows");
	check_int(follow(&c, 7, two(0, LOAD + AT + 6), found), 1,
		  "where a register leads");
	check(found[0].block == 3 && found[0].edge == 1, "is an edge");
	check_int(follow(&c, 7, two(0, LOAD + AT + 0x500), found), 1,
		  "or elsewhere");
	check_int(found[0].edge, 2, "which is out of the function");
}

/* Two jumps, and a hub between them and where they lead. */
/* What a condition without a branch comes to is told where it is. */
static void test_conditions(const struct decoder *d)
{
	struct outcome found[INSNS];
	struct code c;

	begin(&c);
	/* cmp; setb; load; cmovne; sbb; cmp; ja */
	BLOCK(&c, d,
	      "\x48\x39\xd1\x0f\x92\xc0\x8b\x06\x0f\x45\xc1\x19\xc0"
	      "\x39\xca\x77\x05");
	edge(&c, 0, CFG_FALL);
	edge(&c, 0, CFG_TAKEN);
	check_int(follow(&c, 0, two(3, 4), found), 4, "three, and a branch");
	check(found[0].address == AT + 3 && found[0].edge == 1, "it is less");
	check(found[1].address == AT + 8 && found[1].edge == 1, "not equal");
	check(found[2].address == AT + 11 && found[2].edge == 1, "a carry");
	check(found[3].address == AT + 15 && found[3].edge == 2, "it is above");
	follow(&c, 0, two(4, 4), found);
	check(found[0].edge == 0 && found[1].edge == 0 && found[2].edge == 0,
	      "or is not");
	check_int(follow(&c, 2, two(3, 4), found), 1,
		  "without flags only what is compared then");
	check_int(found[0].address, AT + 15, "is told");
}

static void test_hub(const struct decoder *d)
{
	struct outcome found[INSNS];
	struct code c;

	begin(&c);
	BLOCK(&c, d, "\xff\xe2"); /* jmp *%rdx */
	edge(&c, 2, CFG_SWITCH);
	BLOCK(&c, d, "\xff\xe2");
	edge(&c, 2, CFG_SWITCH);
	c.blocks[c.cfg.nblocks++] = (struct cfg_block){
		.address = CFG_NOWHERE,
		.flags = CFG_HUB,
		.first_edge = c.cfg.nedges,
	};
	edge(&c, 0, CFG_SWITCH);
	edge(&c, 1, CFG_SWITCH);
	check(follow(&c, 0, two(0, LOAD + AT + 2), found) == INSNS,
	      "a jump to a hub goes on where it leads");
	check(found[0].block == 2 && found[0].edge == 1 &&
		      found[0].address == AT,
	      "by an edge of the hub");
	check(found[1].block == 2 && found[1].edge == 1 &&
		      found[1].address == AT + 2,
	      "whoever jumps");
	check(follow(&c, 0, two(0, LOAD + AT + 0x500), found) == 1 &&
		      found[0].block == 2 && found[0].edge == 2,
	      "or out of the function");
}

static void test_calls(const struct decoder *d)
{
	struct outcome found[INSNS];
	struct outcome_state state = two(1, 1);
	struct code c;

	begin(&c);
	/* call .; cmp %ecx,%edx; je */
	BLOCK(&c, d, "\xe8\xfb\xff\xff\xff\x39\xca\x74\xfe");
	edge(&c, 0, CFG_FALL);
	edge(&c, 0, CFG_TAKEN);
	check_int(follow(&c, 0, state, found), 0, "a call may write rcx");
	begin(&c);
	/* call .; cmp %rbx,%rbp; je */
	BLOCK(&c, d, "\xe8\xfb\xff\xff\xff\x48\x39\xdd\x74\xf6");
	edge(&c, 0, CFG_FALL);
	edge(&c, 0, CFG_TAKEN);
	state.known = REG_BIT(REG_RBX) | REG_BIT(REG_RBP);
	check_int(follow(&c, 0, state, found), INSNS,
		  "but not rbx, however often");
}

static void test_pointers(const struct decoder *d)
{
	struct outcome found[INSNS];
	struct code c;

	begin(&c);
	/* call *%rdx; cmp %rbx,%rbp; je */
	BLOCK(&c, d, "\xff\xd2\x48\x39\xdd\x74\xf9");
	edge(&c, 0, CFG_FALL);
	edge(&c, 0, CFG_TAKEN);
	check_int(follow(&c, 0, two(1, LOAD + 0x1234), found), 1,
		  "a call by a register");
	check(found[0].call && found[0].target == 0x1234 &&
		      found[0].address == AT,
	      "has its target");
	check_int(follow(&c, 1, two(1, LOAD + 0x1234), found), 0,
		  "but not behind it");
	begin(&c);
	BLOCK(&c, d, "\xff\xe2"); /* jmp *%rdx */
	check_int(follow(&c, 0, two(1, LOAD + 0x1234), found), 1,
		  "a jump that is a call");
	check(!found[0].call && found[0].edge == 0 && found[0].target == 0x1234,
	      "leaves the function");
}

/* A byte of a section decides, if nothing can write there. */
static void test_constants(const struct decoder *d)
{
	static const unsigned char bytes[] = { 0, 1 };
	struct object_section section = { .address = 0x2000,
					  .size = sizeof(bytes),
					  .name = ".rodata",
					  .bytes = bytes };
	struct object object = { .sections = &section, .nsections = 1 };
	struct outcome_state first = two(0, LOAD + 0x2000), second = first;
	struct outcome found[INSNS];
	struct code c;

	begin(&c);
	BLOCK(&c, d, "\x80\x3a\x00\x74\x00"); /* cmpb $0,(%rdx); je 1 */
	edge(&c, 1, CFG_FALL);
	edge(&c, 1, CFG_TAKEN);
	BLOCK(&c, d, "\xc3");
	check_int(follow(&c, 0, first, found), 0, "memory is not known");
	first.object = second.object = &object;
	second.registers[REG_RDX]++;
	check_int(follow(&c, 0, first, found), 1, "but a constant is");
	check_int(found[0].edge, 1, "which is zero");
	check_int(follow(&c, 0, second, found), 1, "and another one");
	check_int(found[0].edge, 0, "is not");
	second.registers[REG_RDX]++;
	check_int(follow(&c, 0, second, found), 0, "behind it is nothing");
	section.writable = true;
	check_int(follow(&c, 0, first, found), 0, "what is written may change");
}

/* A pointer of a table tells who is called, as of a C++ class's functions. */
static void test_table(const struct decoder *d)
{
	uint64_t pointer = LOAD + 0x1234;
	struct object_section section = { .address = 0x2000,
					  .size = sizeof(pointer),
					  .name = ".rodata",
					  .bytes = (unsigned char *)&pointer };
	struct object object = { .sections = &section, .nsections = 1 };
	struct outcome_state state = two(0, LOAD + 0x2000 - 8);
	struct outcome found[INSNS];
	struct code c;

	begin(&c);
	BLOCK(&c, d, "\xff\x52\x08"); /* call *8(%rdx) */
	edge(&c, 0, CFG_FALL);
	check_int(follow(&c, 0, state, found), 0, "memory is not known");
	state.object = &object;
	check_int(follow(&c, 0, state, found), 1, "but a table is");
	check(found[0].call && found[0].target == 0x1234, "with its target");
	state.registers[REG_RDX]++;
	check_int(follow(&c, 0, state, found), 0, "as far as it goes");
	state.registers[REG_RDX]--;
	section.writable = true;
	check_int(follow(&c, 0, state, found), 0, "and who may write there");
	begin(&c);
	BLOCK(&c, d, "\xff\x72\x08"); /* push 8(%rdx) */
	edge(&c, 0, CFG_FALL);
	section.writable = false;
	check_int(follow(&c, 0, state, found), 0,
		  "what is pushed is not called");
}

/* Second bytes of an instruction on rcx and rdx, by width. */
struct kind {
	const char *name;
	const char *bytes[4]; /* 8, 16, 32, 64 bits; NULL: has none */
	uint8_t size[4];
};

static const struct kind kinds[] = {
#define FOUR(a, b, c, d)                                                   \
	{ a, b, c, d },                                                    \
	{                                                                  \
		sizeof(a) - 1, sizeof(b) - 1, sizeof(c) - 1, sizeof(d) - 1 \
	}
	{ "add", FOUR("\x00\xd1", "\x66\x01\xd1", "\x01\xd1", "\x48\x01\xd1") },
	{ "sub", FOUR("\x28\xd1", "\x66\x29\xd1", "\x29\xd1", "\x48\x29\xd1") },
	{ "cmp", FOUR("\x38\xd1", "\x66\x39\xd1", "\x39\xd1", "\x48\x39\xd1") },
	{ "test",
	  FOUR("\x84\xd1", "\x66\x85\xd1", "\x85\xd1", "\x48\x85\xd1") },
	{ "and", FOUR("\x20\xd1", "\x66\x21\xd1", "\x21\xd1", "\x48\x21\xd1") },
	{ "or", FOUR("\x08\xd1", "\x66\x09\xd1", "\x09\xd1", "\x48\x09\xd1") },
	{ "xor", FOUR("\x30\xd1", "\x66\x31\xd1", "\x31\xd1", "\x48\x31\xd1") },
	{ "inc", FOUR("\xfe\xc1", "\x66\xff\xc1", "\xff\xc1", "\x48\xff\xc1") },
	{ "dec", FOUR("\xfe\xc9", "\x66\xff\xc9", "\xff\xc9", "\x48\xff\xc9") },
	{ "neg", FOUR("\xf6\xd9", "\x66\xf7\xd9", "\xf7\xd9", "\x48\xf7\xd9") },
	{ "not", FOUR("\xf6\xd1", "\x66\xf7\xd1", "\xf7\xd1", "\x48\xf7\xd1") },
	{ "shl", FOUR("\xc0\xe1\x03", "\x66\xc1\xe1\x03", "\xc1\xe1\x03",
		      "\x48\xc1\xe1\x03") },
	{ "shr", FOUR("\xc0\xe9\x05", "\x66\xc1\xe9\x05", "\xc1\xe9\x05",
		      "\x48\xc1\xe9\x05") },
	{ "sar", FOUR("\xc0\xf9\x02", "\x66\xc1\xf9\x02", "\xc1\xf9\x02",
		      "\x48\xc1\xf9\x02") },
	{ "mov", FOUR("\x88\xd1", "\x66\x89\xd1", "\x89\xd1", "\x48\x89\xd1") },
	{ "cmp $", FOUR("\x80\xf9\xf0", "\x66\x83\xf9\xf0", "\x83\xf9\xf0",
			"\x48\x83\xf9\xf0") },
	{ "high byte", FOUR("\x38\xd5", "\x08\xf1", "\x30\xee", "\x00\xcd") },
	{ "extended", FOUR("\x0f\xb6\xca", "\x0f\xbe\xca", "\x48\x63\xca",
			   "\x48\x0f\xbf\xca") },
	{ "imul", FOUR("\x66\x0f\xaf\xca", "\x6b\xca\x07", "\x0f\xaf\xca",
		       "\x48\x69\xca\xf0\xff\xff\xff") },
	{ "ror, rol", FOUR("\xc0\xc9\x03", "\x66\xc1\xc1\x05", "\xc1\xc9\x11",
			   "\x48\xc1\xc1\x2a") },
	{ "cmp, cmov and set",
	  FOUR("\x48\x39\xd1\x48\x0f\x4c\xca", "\x48\x39\xd1\x0f\x47\xca",
	       "\x48\x39\xd1\x0f\x92\xc1", "\x48\x39\xd1\x66\x0f\x4e\xca") },
	{ "lea, bt", FOUR("\x8d\x4c\x51\x07", "\x48\x8d\x0c\xd1",
			  "\x0f\xa3\xd1", "\x48\x0f\xa3\xd1") },
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static const uint64_t values[] = {
	0,
	1,
	2,
	0x7f,
	0x80,
	0xff,
	0x100,
	0x7fff,
	0x8000,
	0xffff,
	0x7fffffff,
	0x80000000,
	0xffffffff,
	INT64_MAX,
	UINT64_C(1) << 63,
	UINT64_MAX,
	0x1234567890abcdef,
};
enum { VALUES = sizeof(values) / sizeof(values[0]) };

/* An instruction, perhaps "cmp %rdx,%rcx" or "test %rcx,%rcx", and setcc. */
static size_t write_code(unsigned char *to, const char *bytes, size_t size,
			 int second, int condition)
{
	static const char *const seconds[] = { "", "\x48\x39\xd1",
					       "\x48\x85\xc9" };
	size_t n = 0, more = second ? 3 : 0;

	memcpy(to, "\x48\x89\xf9\x48\x89\xf2", 6); /* rcx, rdx */
	n = 6;
	memcpy(to + n, bytes, size);
	memcpy(to + n + size, seconds[second], more);
	n += size + more;
	memcpy(to + n,
	       (unsigned char[]){ 0x0f, 0x90 + condition, 0xc0, 0x0f, 0xb6,
				  0xc0, 0xc3 },
	       7);
	return n;
}

typedef int compiled(uint64_t rcx, uint64_t rdx);

/*
 * How many outcomes are told, and how many of them are wrong, of one
 * instruction and condition.
 */
static void compare(const struct decoder *d, unsigned char *memory,
		    const char *bytes, size_t size, int second, int condition,
		    int *told, int *wrong)
{
	size_t end = write_code(memory, bytes, size, second, condition);
	char branch[INSNS] = { 0 };
	compiled *run;
	struct code c;

	memcpy(&run, &memory, sizeof(run));
	memcpy(branch, memory + 6, end - 6);
	branch[end - 6] = 0x70 + condition;
	branch[end - 5] = -2 - (end - 6);
	begin(&c);
	block(&c, d, branch, end - 4);
	edge(&c, 0, CFG_TAKEN);
	edge(&c, 1, CFG_FALL);
	BLOCK(&c, d, "\xc3");
	for (int i = 0; i < VALUES * VALUES; i++) {
		uint64_t rcx = values[i / VALUES], rdx = values[i % VALUES];
		struct outcome found[INSNS];

		size_t n = follow(&c, 0, two(rcx, rdx), found), at = 0;

		/* Behind conditions in the code, if any. */
		while (at < n && found[at].address != c.end - 3)
			at++;
		if (at == n)
			continue;
		++*told;
		*wrong += (found[at].edge == 0) != run(rcx, rdx);
	}
}

static void test_instructions(const struct decoder *d)
{
	unsigned char *memory =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int k = 0; memory != MAP_FAILED && k < KINDS; k++) {
		int told = 0, wrong = 0;

		for (int i = 0; i < 4 * 3 * 16; i++)
			compare(d, memory, kinds[k].bytes[i / 48],
				kinds[k].size[i / 48], i / 16 % 3, i % 16,
				&told, &wrong);
		check_int(wrong, 0, kinds[k].name);
		/* With a second instruction all conditions are told. */
		check(told >= 4 * 2 * 16 * VALUES * VALUES, "is told");
	}
}

/* Straight code: nops, and a jump at the end by what flags are all along. */
static void test_straight(const struct decoder *d)
{
	enum { NOPS = 100000 };
	struct cfg_block b = { .address = AT,
			       .size = NOPS + 2,
			       .ninsns = NOPS + 1 };
	struct cfg cfg = { .ninsns = NOPS + 1, .blocks = &b, .nblocks = 1 };
	struct insn_operands *operands = calloc(cfg.ninsns, sizeof(*operands));
	struct outcome_state flags = { .load = LOAD }, same;
	struct outcome found[1];

	cfg.insns = calloc(cfg.ninsns, sizeof(*cfg.insns));
	for (unsigned i = 0; i <= NOPS; i++) {
		const char *bytes = i < NOPS ? "\x90" : "\x74\x05";

		if (!decode(d, bytes, i < NOPS ? 1 : 2, AT + i, &cfg.insns[i]))
			abort();
		decode_operands(d, bytes, &cfg.insns[i], &operands[i]);
	}
	outcome_set_flags(&flags, 0);
	same = flags;
	check_int(outcome_follow(&cfg, operands, NOPS - 500, &same, 1, found),
		  1, "a jump behind 500 instructions is told");
	same = flags;
	check_int(outcome_follow(&cfg, operands, 0, &same, 1, found), 0,
		  "one behind many thousand is not worth the way");
	check(cfg_insn_at(&cfg, 0, AT + NOPS - 7) == &cfg.insns[NOPS - 7] &&
		      !cfg_insn_at(&cfg, 0, AT + NOPS + 1),
	      "which of many instructions is at an address");
	free(cfg.insns);
	free(operands);
}

int main(void)
{
	struct decoder *d = decoder_new();

	test_graph(d);
	test_straight(d);
	test_conditions(d);
	test_hub(d);
	test_calls(d);
	test_pointers(d);
	test_constants(d);
	test_table(d);
	test_instructions(d);
	decoder_free(d);
	return done();
}
