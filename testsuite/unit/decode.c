/* What decode.h promises, on bytes as the assembler writes them. */
#include <string.h>

#include "converter/graph/asked.h"
#include "converter/graph/decode.h"
#include "testsuite/lib/tap.h"

enum { AT = 0x1000 };

struct sample {
	const char *text;
	const char *bytes;
	size_t size;
	enum insn_class class;
	uint64_t target;
};

#define BYTES(s) s, sizeof(s) - 1

static const struct sample samples[] = {
	{ "add %eax,%ecx", BYTES("\x01\xc1"), INSN_OTHER, 0 },
	{ "nop", BYTES("\x90"), INSN_NOP, 0 },
	{ "xchg %ax,%ax", BYTES("\x66\x90"), INSN_NOP, 0 },
	{ "nopw", BYTES("\x66\x0f\x1f\x44\x00\x00"), INSN_NOP, 0 },
	{ "endbr64", BYTES("\xf3\x0f\x1e\xfa"), INSN_NOP, 0 },
	{ "je .", BYTES("\x74\xfe"), INSN_BRANCH, AT },
	{ "jne .+0x106", BYTES("\x0f\x85\x00\x01\x00\x00"), INSN_BRANCH,
	  AT + 0x106 },
	{ "jrcxz .+7", BYTES("\xe3\x05"), INSN_BRANCH, AT + 7 },
	{ "loop .-3", BYTES("\xe2\xfb"), INSN_BRANCH, AT - 3 },
	{ "jmp .+7", BYTES("\xeb\x05"), INSN_JUMP, AT + 7 },
	{ "jmp *%rax", BYTES("\xff\xe0"), INSN_JUMP_INDIRECT, 0 },
	{ "notrack jmp *%rax", BYTES("\x3e\xff\xe0"), INSN_JUMP_INDIRECT, 0 },
	{ "jmp *16(%rip)", BYTES("\xff\x25\x10\x00\x00\x00"),
	  INSN_JUMP_INDIRECT, 0 },
	{ "call .", BYTES("\xe8\xfb\xff\xff\xff"), INSN_CALL, AT },
	{ "call *(%rbx)", BYTES("\xff\x13"), INSN_CALL_INDIRECT, 0 },
	{ "ret", BYTES("\xc3"), INSN_RETURN, 0 },
	{ "rep ret", BYTES("\xf3\xc3"), INSN_RETURN, 0 },
	{ "ud2", BYTES("\x0f\x0b"), INSN_TRAP, 0 },
	{ "hlt", BYTES("\xf4"), INSN_TRAP, 0 },
	{ "int3", BYTES("\xcc"), INSN_TRAP, 0 },
	{ "syscall", BYTES("\x0f\x05"), INSN_SYSCALL, 0 },
	{ "xbegin .+8", BYTES("\xc7\xf8\x02\x00\x00\x00"), INSN_BRANCH,
	  AT + 8 },
};

static void test_classes(const struct decoder *d)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		const struct sample *s = &samples[i];
		struct insn insn;

		check(decode(d, s->bytes, s->size, AT, &insn) &&
			      insn.length == s->size &&
			      insn.class == s->class &&
			      insn.target == s->target,
		      s->text);
	}
}

static void test_no_instruction(const struct decoder *d)
{
	struct insn insn;

	check(!decode(d, "\x06", 1, AT, &insn), "push %es is no more");
	check(!decode(d, "\xe8\x00", 2, AT, &insn), "half a call");
	check(!decode(d, "", 0, AT, &insn), "nothing");
}

/* Decode and look at the operands. */
static struct insn_operands operands(const struct decoder *d, const char *bytes,
				     size_t size, struct insn *insn)
{
	struct insn_operands o = { .latency = 255 };

	if (check(decode(d, bytes, size, AT, insn), "decodes"))
		decode_operands(d, bytes, insn, &o);
	return o;
}

static void test_registers(const struct decoder *d)
{
	struct insn insn;
	struct insn_operands o;

	o = operands(d, BYTES("\x48\x8b\x44\xcb\x10"), &insn);
	check(o.reads == (REG_BIT(REG_RBX) | REG_BIT(REG_RCX)),
	      "mov 16(%rbx,%rcx,8),%rax reads what forms the address");
	check(o.address_reads == o.reads, "and nothing else");
	check(o.writes == REG_BIT(REG_RAX), "and writes rax");
	check(o.loads && !o.stores, "and loads");
	check_int(o.memory.displacement, 16, "at a displacement");
	check_int(o.memory.scale, 8, "with a scale");

	o = operands(d, BYTES("\x31\xc0"), &insn);
	check(o.reads == 0, "xor %eax,%eax reads nothing");
	check(o.writes & REG_BIT(REG_RAX) && o.writes & REG_BIT(REG_ZF),
	      "and writes the register and flags");

	o = operands(d, BYTES("\x88\xc8"), &insn);
	check(o.reads & REG_BIT(REG_RAX), "mov %cl,%al keeps the rest of rax");

	o = operands(d, BYTES("\xff\xc8"), &insn);
	check(!(o.writes & REG_BIT(REG_CF)), "dec leaves the carry alone");

	o = operands(d, BYTES("\x0f\x42\xc2"), &insn);
	check(insn.conditional && o.reads & REG_BIT(REG_CF),
	      "cmovb is conditional, on the carry");

	o = operands(d, BYTES("\x53"), &insn);
	check(o.stores && !(o.writes & REG_BIT(REG_RSP)),
	      "push stores; the stack pointer is nobody's dependence");

	o = operands(d, BYTES("\xf2\x0f\x58\xc1"), &insn);
	check(o.reads == (REG_BIT(REG_VECTOR0) | REG_BIT(REG_VECTOR0 + 1)),
	      "addsd %xmm1,%xmm0 reads both");
}

/* What rewrites_apply() makes of a jump. */
static void test_thunk(const struct decoder *d)
{
	static const char jump[] = "\xe9\x00\x01\x00\x00";
	struct insn insn;
	struct insn_operands o = operands(d, BYTES(jump), &insn);

	check(!o.reads && o.operand[0].kind == OPERAND_IMM,
	      "a direct jump reads no register");
	insn.class = INSN_JUMP_INDIRECT;
	insn.by_thunk = true;
	insn.immediate = REG_RDX;
	decode_operands(d, jump, &insn, &o);
	check(o.reads == REG_BIT(REG_RDX) && o.operand[0].bits == 64 &&
		      o.operand[0].kind == OPERAND_REG &&
		      o.operand[0].reg == REG_RDX,
	      "one by a thunk reads that of the thunk");
}

static void test_vectors(const struct decoder *d)
{
	struct insn insn;

	operands(d, BYTES("\x66\x0f\xfe\xc8"), &insn);
	check_int(insn.element, 4, "paddd adds numbers of four bytes");
	check_int(insn.moved, 0, "and moves none");
	operands(d, BYTES("\xf2\x0f\x58\xc1"), &insn);
	check_int(insn.element, 0, "addsd adds one");
	operands(d, BYTES("\x66\x0f\x58\xc1"), &insn);
	check_int(insn.element, 8, "addpd adds two of eight");
	operands(d, BYTES("\x66\x0f\xef\xc0"), &insn);
	check_int(insn.element, 0, "pxor says nothing of numbers");
	operands(d, BYTES("\x66\x0f\x6f\x00"), &insn);
	check_int(insn.moved, 16, "movdqa moves a vector");
	operands(d, BYTES("\xf3\x0f\x7e\x00"), &insn);
	check_int(insn.moved, 8, "movq half of one");
	operands(d, BYTES("\xc5\xfd\x6f\x00"), &insn);
	check_int(insn.moved, 32, "vmovdqa of ymm one of 32 bytes");
	operands(d, BYTES("\xc5\xf5\xfe\xc0"), &insn);
	check_int(insn.element, 4, "vpaddd as paddd");
	operands(d, BYTES("\x83\xc0\x01"), &insn);
	check_int(insn.element, 0, "add does not");
	operands(d, BYTES("\x66\x0f\xeb\x06"), &insn);
	check_int(insn.moved, 16, "por of memory moves a vector");
	operands(d, BYTES("\x66\x0f\xeb\xc1"), &insn);
	check_int(insn.moved, 0, "that of registers none");
	operands(d, BYTES("\xc5\xf5\xfe\x00"), &insn);
	check_int(insn.moved, 32, "vpaddd of memory one of 32 bytes");
	operands(d, BYTES("\x0f\x54\x05\x00\x00\x00\x00"), &insn);
	check_int(insn.moved, 0, "andps may be of one number's sign");
}

static void test_accesses(const struct decoder *d)
{
	struct insn insn;

	operands(d, BYTES("\x8b\x06"), &insn);
	check_int(insn.accessed, 4, "mov loads four bytes");
	operands(d, BYTES("\x88\x06"), &insn);
	check_int(insn.accessed, 1, "or stores one");
	operands(d, BYTES("\xf3\x0f\x10\x06"), &insn);
	check_int(insn.accessed, 4, "movss loads four");
	operands(d, BYTES("\x48\x8b\x04\x24"), &insn);
	check_int(insn.accessed, 0, "what was spilled tells nothing");
	operands(d, BYTES("\x48\x8d\x06"), &insn);
	check_int(insn.accessed, 0, "lea accesses nothing");
	operands(d, BYTES("\x66\x0f\x6f\x00"), &insn);
	check_int(insn.accessed, 0, "movdqa no less than a vector");
	operands(d, BYTES("\xff\x26"), &insn);
	check_int(insn.accessed, 0, "a jump only looks where it goes");
}

static void test_addresses(const struct decoder *d)
{
	struct insn insn;
	struct insn_operands o;

	o = operands(d, BYTES("\x48\x8d\x05\x10\x00\x00\x00"), &insn);
	check(insn.rip_relative && insn.lea, "lea 16(%rip),%rax is relative");
	check_int(insn_data(&insn), AT + 7 + 16, "to its end");
	check_int(o.memory.displacement, AT + 7 + 16, "in its operand too");
	check(!o.loads, "and loads nothing");

	o = operands(d, BYTES("\xff\x24\xc5\x00\x20\x40\x00"), &insn);
	check(!insn.rip_relative, "jmp *0x402000(,%rax,8) is not");
	check_int(o.memory.displacement, 0x402000, "it names the table");
	check_int(o.memory.index, REG_RAX, "and the index");
	check_int(o.memory.base, REG_NONE, "and no base");

	o = operands(d, BYTES("\xf3\x48\xa5"), &insn);
	check(insn.repeated && o.loads && o.stores, "rep movsq does it all");
	operands(d, BYTES("\xf3\x0f\x10\x07"), &insn);
	check(!insn.repeated, "movss has the prefix for another reason");
	operands(d, BYTES("\xf3\xc3"), &insn);
	check(!insn.repeated, "and so has rep ret");
}

static void test_latencies(const struct decoder *d)
{
	struct insn insn;

	check_int(operands(d, BYTES("\x01\xc1"), &insn).latency, 1, "add");
	check_int(operands(d, BYTES("\x89\xc1"), &insn).latency, 0, "mov");
	check_int(operands(d, BYTES("\x0f\xaf\xc1"), &insn).latency, 3, "imul");
	check_int(operands(d, BYTES("\x48\xf7\xf1"), &insn).latency, 18,
		  "div of 64 bits");
	check_int(operands(d, BYTES("\xf7\xf9"), &insn).latency, 12,
		  "idiv of 32 bits");
	check_int(operands(d, BYTES("\xf2\x0f\x59\xc1"), &insn).latency, 4,
		  "mulsd");
	check_int(operands(d, BYTES("\x0f\x28\xc1"), &insn).latency, 1,
		  "movaps");
	check_int(operands(d, BYTES("\x0f\x44\xc1"), &insn).latency, 2,
		  "cmove");
}

static uint64_t draw(uint64_t *random)
{
	*random ^= *random >> 12;
	*random ^= *random << 25;
	*random ^= *random >> 27;
	return *random * UINT64_C(0x2545f4914f6cdd1d) >> 32;
}

static void test_immediates(const struct decoder *d)
{
	struct insn insn;

	operands(d, BYTES("\x83\xc0\xfe"), &insn);
	check_int(insn.immediate, -2, "add $-2,%eax has a constant");
	operands(d, BYTES("\x83\xc0\x07"), &insn);
	check_int(insn.immediate, 7, "another of its shape has its own");
	operands(d, BYTES("\xc7\x40\x10\x78\x56\x34\x12"), &insn);
	check_int(insn.immediate, 0x12345678, "so has a store");
	check_int(insn.displacement, 16, "which has a displacement, too");
	operands(d, BYTES("\x01\xd8"), &insn);
	check_int(insn.immediate, 0, "add %ebx,%eax has none");
	operands(d, BYTES("\x74\x10"), &insn);
	check_int(insn.immediate, 0, "nor has a jump");
	check_int(insn.target, AT + 2 + 16, "which has a target");
}

static bool same(const struct insn *a, const struct insn *b)
{
	return a->address == b->address && a->target == b->target &&
	       a->opcode == b->opcode && a->length == b->length &&
	       a->class == b->class && a->displacement == b->displacement &&
	       a->immediate == b->immediate &&
	       a->rip_relative == b->rip_relative && a->lea == b->lea &&
	       a->repeated == b->repeated && a->conditional == b->conditional &&
	       a->fuses == b->fuses && a->element == b->element &&
	       a->moved == b->moved && a->accessed == b->accessed &&
	       a->int3 == b->int3 && a->xbegin == b->xbegin &&
	       a->assigns == b->assigns;
}

/* Prefixes, escapes and what else decides how bytes are read. */
static void make_bytes(uint64_t *random, uint8_t bytes[16])
{
	static const uint8_t begins[] = { 0x0f, 0x48, 0x66, 0xf3, 0xf2,
					  0x44, 0xc5, 0xc4, 0x67, 0x64,
					  0x62, 0x8f, 0x41, 0xf0, 0x3e };
	unsigned n = draw(random) % 4;

	for (unsigned i = 0; i < 16; i++)
		bytes[i] = draw(random);
	for (unsigned i = 0; i < n; i++)
		bytes[i] = begins[draw(random) % sizeof(begins)];
}

/*
 * What is remembered of a shape must be right for all that begin alike: one
 * decoder sees each instruction as its first, near the end of the bytes, where
 * none is remembered.
 */
static void test_memory(const struct decoder *d)
{
	enum { TIMES = 300000 };
	unsigned wrong = 0, decoded = 0;
	uint64_t random = 1;
	uint8_t bytes[16];

	for (unsigned i = 0; i < TIMES; i++) {
		struct insn first = { 0 }, again = { 0 };
		unsigned kept = 1 + draw(&random) % 6;
		bool is, was;

		/* Each second one begins as the one before. */
		if (i % 2)
			for (unsigned k = kept; k < 16; k++)
				bytes[k] = draw(&random);
		else
			make_bytes(&random, bytes);
		is = decode(d, bytes, 16, AT, &again);
		was = decode(d, bytes, 14, AT, &first);
		/* More than 14 bytes are no instruction of 14. */
		if (is && again.length > 14)
			continue;
		decoded += is;
		wrong += is != was || (is && !same(&first, &again));
	}
	check(decoded > TIMES / 4, "many are instructions");
	check_int(wrong, 0, "all are the same if their shapes are known");
}

static bool same_operands(const struct insn_operands *a,
			  const struct insn_operands *b)
{
	bool same = a->reads == b->reads && a->writes == b->writes &&
		    a->address_reads == b->address_reads &&
		    a->loads == b->loads && a->stores == b->stores &&
		    a->latency == b->latency &&
		    a->memory.base == b->memory.base &&
		    a->memory.index == b->memory.index &&
		    a->memory.scale == b->memory.scale &&
		    a->memory.size == b->memory.size &&
		    a->memory.segment == b->memory.segment &&
		    a->memory.displacement == b->memory.displacement;

	for (unsigned i = 0; i < 3; i++)
		same &= a->operand[i].kind == b->operand[i].kind &&
			a->operand[i].reg == b->operand[i].reg &&
			a->operand[i].bits == b->operand[i].bits &&
			a->operand[i].high == b->operand[i].high &&
			a->operand[i].imm == b->operand[i].imm;
	return same;
}

/* Likewise of operands, by one that has seen much and one that is new. */
static void test_memory_of_operands(const struct decoder *d)
{
	enum { TIMES = 10000 };
	unsigned wrong = 0, decoded = 0;
	uint64_t random = 2;
	uint8_t bytes[16];

	for (unsigned i = 0; i < TIMES; i++) {
		struct decoder *other;
		struct insn insn;
		struct insn_operands mine, others;

		make_bytes(&random, bytes);
		for (unsigned again = 0; again < 4; again++) {
			if (!decode(d, bytes, 16, AT, &insn))
				break;
			decoded++;
			decode_operands(d, bytes, &insn, &mine);
			other = decoder_new();
			decode_operands(other, bytes, &insn, &others);
			decoder_free(other);
			wrong += !same_operands(&mine, &others);
			for (unsigned k = 1 + draw(&random) % 6; k < 16; k++)
				bytes[k] = draw(&random);
		}
	}
	check(decoded > TIMES, "many are instructions");
	check_int(wrong, 0, "all have the same operands, remembered or not");
}

static bool assigns(const struct decoder *d, const char *bytes, size_t size)
{
	struct insn insn;

	return check(decode(d, bytes, size, AT, &insn), "decodes") &&
	       insn.assigns;
}

static void test_assignments(const struct decoder *d)
{
	check(assigns(d, BYTES("\x48\x89\x07")), "mov %rax,(%rdi)");
	check(assigns(d, BYTES("\xc6\x07\x01")), "movb $1,(%rdi)");
	check(assigns(d, BYTES("\x83\x07\x01")), "addl $1,(%rdi)");
	check(assigns(d, BYTES("\x01\x07")), "add %eax,(%rdi)");
	check(assigns(d, BYTES("\xf7\x1f")), "negl (%rdi)");
	check(assigns(d, BYTES("\xff\x07")), "incl (%rdi)");
	check(assigns(d, BYTES("\xd1\x27")), "shll (%rdi)");
	check(assigns(d, BYTES("\x0f\x11\x07")), "movups %xmm0,(%rdi)");
	check(assigns(d, BYTES("\x66\x0f\x7e\x07")), "movd %xmm0,(%rdi)");
	check(assigns(d, BYTES("\x49\x89\x44\x24\x08")), "mov %rax,8(%r12)");

	check(assigns(d, BYTES("\xf3\x48\xab")), "rep stos");
	check(assigns(d, BYTES("\x0f\x94\x07")), "sete (%rdi)");
	check(assigns(d, BYTES("\xd9\x1f")), "fstps (%rdi)");
	check(assigns(d, BYTES("\xf0\x0f\xb1\x0f")),
	      "lock cmpxchg %ecx,(%rdi)");
	check(assigns(d, BYTES("\xc5\xf8\x11\x07")), "vmovups %xmm0,(%rdi)");
	check(!assigns(d, BYTES("\x48\x89\x44\x24\x08")), "mov %rax,8(%rsp)");
	check(!assigns(d, BYTES("\x53")), "push %rbx");
	check(!assigns(d, BYTES("\x48\x8d\x07")), "lea (%rdi),%rax");
	check(!assigns(d, BYTES("\x48\x8b\x07")), "mov (%rdi),%rax");
	check(!assigns(d, BYTES("\x48\x89\xc7")), "mov %rax,%rdi");
	check(!assigns(d, BYTES("\x83\x3f\x01")), "cmpl $1,(%rdi)");
	check(!assigns(d, BYTES("\x39\x07")), "cmp %eax,(%rdi)");
	check(!assigns(d, BYTES("\x03\x07")), "add (%rdi),%eax");
	check(!assigns(d, BYTES("\xf7\x27")), "mull (%rdi)");
	check(!assigns(d, BYTES("\xff\x27")), "jmp *(%rdi)");
	check(!assigns(d, BYTES("\x0f\x10\x07")), "movups (%rdi),%xmm0");
	check(!assigns(d, BYTES("\xf3\x0f\x7e\x07")), "movq (%rdi),%xmm0");
}

static uint16_t opcode_of(const struct decoder *d, const char *bytes)
{
	struct insn insn;

	check(decode(d, bytes, bytes[0] == 0x0f ? 3 : 2, AT, &insn),
	      "two bytes, or three");
	return insn.opcode;
}

/* Those of a condition and its opposite differ in the last bit. */
static void test_opposites(const struct decoder *d)
{
	for (int condition = 0; condition < 16; condition++) {
		const char jump[] = { 0x70 + condition, 5 },
			   other[] = { 0x70 + (condition ^ 1), 5 };

		check_int(decode_opposite(opcode_of(d, jump)),
			  opcode_of(d, other), "jumps where that does not");
	}
	check_int(decode_opposite(opcode_of(d, "\xe3\x05")),
		  opcode_of(d, "\xe3\x05"), "jrcxz has no opposite");
}

/* e and n: equal, and not; l and g: one is less, and none is; -: neither. */
static char asked_of(const struct decoder *d, const char *bytes)
{
	struct asked asked = { 0 };

	if (!asked_by(opcode_of(d, bytes), &asked))
		return '-';
	if (asked.order)
		return asked.holds ? 'l' : 'g';
	return asked.holds ? 'e' : 'n';
}

static void test_asked(const struct decoder *d)
{
	static const char asks[] = "--lgengllg--lggl";

	for (int condition = 0; condition < 16; condition++) {
		const char jump[] = { 0x70 + condition, 5 };
		const char move[] = { 0x0f, 0x40 + condition, 0xc1 };
		const char set[] = { 0x0f, 0x90 + condition, 0xc1 };

		check(asked_of(d, jump) == asks[condition], "what a jump asks");
		check(asked_of(d, move) == asks[condition], "what a move asks");
		check(asked_of(d, set) == asks[condition], "what sets a byte");
	}
}

int main(void)
{
	struct decoder *d = decoder_new();

	test_classes(d);
	test_opposites(d);
	test_asked(d);
	test_no_instruction(d);
	test_registers(d);
	test_thunk(d);
	test_vectors(d);
	test_accesses(d);
	test_addresses(d);
	test_immediates(d);
	test_latencies(d);
	test_memory(d);
	test_memory_of_operands(d);
	test_assignments(d);
	decoder_free(d);
	return done();
}
