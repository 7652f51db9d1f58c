/*
 * jumptable.c - a table is read once, however many jumps there are by it.
 *
 * The functions are interpreters of a thousand labels, each with a jump of its
 * own to any of them.  The linker sends what is read of tables through here.
 */
#include "base/error.h"
#include "converter/binary/object.h"
#include "converter/graph/cfg.h"
#include "testsuite/lib/tap.h"

enum { LABELS = 1000 };

/* Labels are 32 bytes apart; each entry of the table is made of how far. */
#define INTERPRETER(name, first, jump, entry)                       \
	__asm__(".text\n"                                           \
		".type " name ", @function\n" name ":\n" first "\n" \
		".p2align 5\n" name "_first:\n"                     \
		".rept 1000\n"                                      \
		".p2align 5\n"                                      \
		"inc %eax\n" jump "\n"                              \
		".endr\n"                                           \
		".p2align 5\n" name "_last: ret\n"                  \
		".size " name ", . - " name "\n"                    \
		".section .data.rel.ro, \"aw\"\n"                   \
		".p2align 3\n" name "_table:\n"                     \
		".set far, 0\n"                                     \
		".rept 1000\n" entry "\n"                           \
		".set far, far + 32\n"                              \
		".endr\n.quad 0\n"                                  \
		".text\n")

INTERPRETER("pointers", "",
	    "lea pointers_table(%rip), %rbx\n"
	    "jmp *(%rbx,%rax,8)",
	    ".quad pointers_first + far");
INTERPRETER("differences", "",
	    "lea differences_table(%rip), %rbx\n"
	    "movslq (%rbx,%rax,4), %rcx\n"
	    "lea differences_first(%rip), %rbx\n"
	    "add %rbx, %rcx\n"
	    "jmp *%rcx",
	    ".long far");
INTERPRETER("compared", "",
	    "cmp $999, %eax\n"
	    "ja compared_last\n"
	    "mov %eax, %eax\n"
	    "lea compared_table(%rip), %rbx\n"
	    "jmp *(%rbx,%rax,8)",
	    ".quad compared_first + far");
/* Of these nobody knows by which table they go; of "mixed", of the first. */
INTERPRETER("unknown", "lea unknown_table(%rip), %rbx", "jmp *(%rax)",
	    ".quad unknown_first + far");
INTERPRETER("mixed",
	    "test %edi, %edi\n"
	    "je mixed_first\n"
	    "jmp *(%rax)",
	    "lea mixed_table(%rip), %rbx\n"
	    "jmp *(%rbx,%rax,8)",
	    ".quad mixed_first + far");

static size_t reads;

bool __real_object_pointer(const struct object *o, uint64_t address,
			   uint64_t *ret);
const unsigned char *__real_object_bytes(const struct object *o,
					 uint64_t address, size_t *size_ret);

bool __wrap_object_pointer(const struct object *o, uint64_t address,
			   uint64_t *ret)
{
	reads++;
	return __real_object_pointer(o, address, ret);
}

const unsigned char *__wrap_object_bytes(const struct object *o,
					 uint64_t address, size_t *size_ret)
{
	reads++;
	return __real_object_bytes(o, address, size_ret);
}

static void test(struct cfg_program *program, const struct object *o,
		 const char *name, unsigned tables, unsigned label_tables)
{
	size_t n = 0;
	uint64_t *address = object_named(o, name, &n);
	struct fdo_error err;
	struct cfg cfg;

	puts(name);
	check_int(n, 1, "the function is there");
	reads = 0;
	if (!n || !cfg_build(program, object_function_at(o, address[0]), &cfg,
			     &err)) {
		free(address);
		check(false, "and has a graph");
		return;
	}
	check_int(cfg.counters.tables, tables, "jumps that compare");
	check_int(cfg.counters.label_tables, label_tables, "and that do not");
	check_int(cfg.counters.unresolved, 0, "all are understood");
	check(reads < 10 * LABELS, "each entry is read a few times");
	printf("# %zu reads\n", reads);
	cfg_free(&cfg);
	free(address);
}

int main(void)
{
	struct object_options options = { 0 };
	struct fdo_error err;
	struct object *o = object_open("/proc/self/exe", &options, &err);
	struct cfg_program *program;

	if (!check(o, "this program can be read"))
		return done();
	program = cfg_program_new(o);
	test(program, o, "pointers", 0, LABELS);
	test(program, o, "differences", 0, LABELS);
	test(program, o, "compared", LABELS, 0);
	test(program, o, "unknown", 0, LABELS);
	test(program, o, "mixed", 0, LABELS + 1);
	cfg_program_free(program);
	object_free(o);
	return done();
}
