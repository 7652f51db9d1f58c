/* Bursts of steps, and what is written of them, read again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "converter/perf/perfdata.h"
#include "converter/perf/perfwrite.h"
#include "converter/perf/stacks.h"
#include "converter/step/burst.h"
#include "converter/step/process.h"
#include "testsuite/lib/perf_writer.h"
#include "testsuite/lib/tap.h"

/* Read from this process's memory; never run. */
static const unsigned char code[] = {
	0x90,			      /* 0 nop */
	0x75, 0xfd,		      /* 1 jne 0 */
	0xf3, 0xa4,		      /* 3 rep movsb */
	0xe8, 0,    0,	  0,	0,    /* 5 call 10 */
	0xc3,			      /* 10 ret */
	0xcc,			      /* 11 int3 */
	0x06,			      /* 12 no instruction */
	0x0f, 0x05,		      /* 13 syscall */
	0xf7, 0xf1,		      /* 15 div %ecx */
	0xe8, 1,    0,	  0,	0,    /* 17 call 23, a stub */
	0xc3,			      /* 22 ret */
	0xf3, 0x0f, 0x1e, 0xfa,	      /* 23 endbr64 */
	0xff, 0x25, 0,	  0,	0, 0, /* 27 jmp *0(%rip) */
	0xff, 0x15, 0,	  0,	0, 0, /* 33 call *0(%rip) */
	0xff, 0xd0,		      /* 39 call *%rax */
	0x39, 0xc8,		      /* 41 cmp %ecx, %eax */
	0xeb, 2,		      /* 43 jmp 47 */
	0xf2, 0xc3,		      /* 45 bnd ret */
	0x7c, 0xf8,		      /* 47 jl 41 */
	0xe2, 0xfe,		      /* 49 loop 49 */
	0x74, 0xfe,		      /* 51 je 51 */
	0xcb,			      /* 53 lret */
};

enum { CARRY = 1, ZERO = 1 << 6, SIGN = 1 << 7 };

static uint64_t at(size_t offset)
{
	return (uintptr_t)code + offset;
}

/* Go where the offsets say; the steps that it took until it was over. */
static size_t go(struct burst *b, struct process *p, unsigned steps,
		 const size_t *offsets, size_t n)
{
	size_t made = 1;

	burst_begin(b, at(offsets[0]), steps);
	while (made < n && burst_step(b, p, at(offsets[made])))
		made++;
	return made;
}

static void check_branch(const struct burst *b, size_t i, size_t from,
			 size_t to)
{
	check(b->branches[i].from == at(from) && b->branches[i].to == at(to),
	      "the branch is where it was taken");
}

static void test_branches(struct process *p, struct burst *b)
{
	static const size_t way[] = { 0, 1, 0, 1, 3, 3, 3, 5, 10, 3, 5, 10 };

	check_int(go(b, p, 100, way, 12), 12, "nothing ends it");
	check_int(b->nbranches, 4, "what is taken; not what goes on, or again");
	check_branch(b, 0, 1, 0);
	check_branch(b, 1, 5, 10);
	check_branch(b, 2, 10, 3);
	check_int(b->made, 11, "steps");
}

static void test_begins(struct process *p)
{
	check(burst_may_begin(p, at(0)), "at an instruction");
	check(!burst_may_begin(p, at(3)), "not in one of many rounds");
	check(!burst_may_begin(p, at(12)), "nor at none");
}

static void test_ends(struct process *p, struct burst *b)
{
	static const size_t loop[] = { 0, 1, 0, 1, 0, 1, 0 };
	static const size_t signal[] = { 0, 10 }, bad[] = { 12, 0 };
	static const size_t straight[] = { 3, 3, 3, 3, 5 };

	check_int(go(b, p, 3, loop, 7), 4,
		  "it goes on to the first branch behind its last step");
	check_int(b->nbranches, 2, "which counts");
	check_int(go(b, p, 2, straight, 5), 5, "and not without one");
	check_int(go(b, p, 100, signal, 2), 1, "no instruction goes there");
	check_int(b->nbranches, 0, "so it was no branch");
	check_int(go(b, p, 100, bad, 2), 1, "nor this");
}

static void test_moves(struct process *p, struct burst *b)
{
	burst_begin(b, at(0), 10);
	check(burst_moves(b, p, at(1)), "a step");
	check(!burst_moves(b, p, at(0)), "maybe none");
	burst_begin(b, at(11), 10);
	check(!burst_moves(b, p, at(12)), "its own breakpoint");
	burst_begin(b, at(13), 10);
	check(!burst_moves(b, p, at(15)), "a system call may signal");
	check(burst_enters_kernel(b, p), "and is one");
}

static void test_tells(struct process *p, struct burst *b)
{
	burst_begin(b, at(15), 10);
	check(burst_tells(b, p, at(0)), "behind a division");
	burst_begin(b, at(0), 10);
	check(!burst_tells(b, p, at(15)), "not before it");
	check(burst_tells(b, p, at(17)), "before a call through a stub");
	check(burst_tells(b, p, at(33)), "and through the stub's pointer");
	check(!burst_tells(b, p, at(39)), "not of another pointer");
	check(!burst_tells(b, p, at(5)), "nor of a function that is there");
	check(!burst_tells(b, p, at(12)), "nor of no instruction");
}

/* Where it leads from there with such flags, as an offset; -1: nobody knows. */
static int decided(struct burst *b, struct process *p, size_t offset,
		   uint64_t flags)
{
	uint64_t stack = at(29);

	burst_begin(b, at(offset), 10);
	burst_decide(b, p, flags, (uintptr_t)&stack);
	return b->decided ? (int)(b->next - at(0)) : -1;
}

static void test_decided(struct process *p, struct burst *b)
{
	check_int(decided(b, p, 1, 0), 0, "jne, if it is not equal");
	check_int(decided(b, p, 1, ZERO), 3, "and else on");
	check_int(decided(b, p, 47, SIGN), 41, "jl");
	check_int(decided(b, p, 47, CARRY | ZERO), 49, "and else on");
	check_int(decided(b, p, 10, 0), 29, "back to what is on the stack");
	check_int(decided(b, p, 45, 0), 29, "whatever stands before it");
	check_int(decided(b, p, 53, 0), -1, "but not to another segment");
	check_int(decided(b, p, 49, 0), -1, "no flag tells this");
	check_int(decided(b, p, 33, 0), -1, "nor where a pointer leads");
	check_int(decided(b, p, 13, 0), -1, "nor what the kernel does");
	check_int(decided(b, p, 12, 0), -1, "or what is no instruction");
}

static int stop(const struct burst *b, struct process *p)
{
	return (int)(burst_stop(b, p) - at(0));
}

static void test_stops(struct process *p, struct burst *b)
{
	burst_begin(b, at(0), 10);
	check_int(stop(b, p), 1, "on to a branch");
	burst_begin(b, at(1), 10);
	check_int(stop(b, p), 1, "which is looked at");
	burst_begin(b, at(3), 10);
	check_int(stop(b, p), 10, "over all rounds and a call to a return");
	burst_begin(b, at(15), 10);
	check_int(stop(b, p), 17, "but not farther than a division");
	burst_begin(b, at(41), 10);
	check_int(stop(b, p), 47, "over a jump");
	decided(b, p, 47, CARRY);
	check_int(stop(b, p), 49, "out of a loop");
	decided(b, p, 47, SIGN);
	check_int(stop(b, p), 41, "or half of it");
	decided(b, p, 51, ZERO);
	check_int(stop(b, p), 51, "where there is no half");
	decided(b, p, 51, 0);
	check_int(stop(b, p), 53, "or out of that");
	burst_begin(b, at(11), 10);
	check_int(stop(b, p), 11, "its own breakpoint");
}

static void test_caught_up(struct process *p, struct burst *b)
{
	decided(b, p, 1, ZERO);
	check(burst_catch_up(b, p, at(10)), "it made some steps");
	check(b->address == at(5) && b->made == 2, "all but the last one");
	check(b->nbranches == 0, "none of them a branch");
	check(!b->decided, "of the next one nothing is known");
	check(burst_step(b, p, at(10)), "the last one");
	check_branch(b, 0, 5, 10);
	burst_decide(b, p, 0, (uintptr_t) & (uint64_t){ at(41) });
	check(burst_catch_up(b, p, at(47)), "by a return");
	check(b->address == at(43), "to before a jump");
	check_branch(b, 1, 10, 41);
	decided(b, p, 47, SIGN);
	b->steps = 1;
	check(!burst_catch_up(b, p, at(43)), "its end on the way");
	check_int(b->nbranches, 1, "by a branch");
}

static const struct perfwrite_who who = { 7, 8, 1000 };

static const struct perfdata_sample with_registers = {
	.ip = 77,
	.known = 0xffff,
	.registers = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
};

static void write_all(FILE *stream, const struct burst *b)
{
	struct perfwrite *w = perfwrite_new(stream, "branch-steps");
	struct perfdata_map map = { .start = 0x1000,
				    .size = 0x2000,
				    .offset = 0x100,
				    .path = "/opt/an application",
				    .executable = true,
				    .build_id = { 4, "abcd" } };

	perfwrite_comm(w, who, "app", true);
	perfwrite_map(w, who, &map);
	map.build_id.size = 0;
	map.start = 0x9000;
	perfwrite_map(w, who, &map);
	burst_write(b, w, who, 10);
	perfwrite_sample(w, who, &with_registers);
	perfwrite_free(w);
}

static void check_map(struct perfdata *data, uint64_t start, int size)
{
	struct perfdata_record r;
	struct fdo_error err;

	check(perfdata_next(data, &r, &err) && r.kind == PERFDATA_MAP, "a map");
	check(r.map.start == start && r.map.size == 0x2000 &&
		      r.map.offset == 0x100 && r.map.executable,
	      "where it is");
	check(strcmp(r.map.path, "/opt/an application") == 0, "of what");
	check_int(r.map.build_id.size, size, "of which build");
}

static void check_sample(struct perfdata *data, size_t branches, uint64_t first)
{
	struct perfdata_record r;
	struct fdo_error err;

	check(perfdata_next(data, &r, &err) && r.kind == PERFDATA_SAMPLE,
	      "a sample");
	check(r.pid == 7 && r.tid == 8 && r.time == 1000, "when and of whom");
	check_int(r.sample.nbranches, branches, "its branches");
	check_int(r.sample.period, (branches - 1) * 10,
		  "what they stand for; of the oldest, no more is known");
	check(r.sample.branches[branches - 1].from == first, "newest first");
	check(r.sample.ip == r.sample.branches[0].to, "where it ended");
	check_int(r.sample.known, 0, "without registers");
}

/* More branches than a stack has, so that it is two. */
static void test_written(struct burst *b)
{
	struct perfdata_record r;
	struct perfdata *data;
	struct fdo_error err;
	char *bytes, path[64];
	size_t size;
	FILE *stream = open_memstream(&bytes, &size);
	int fd;

	b->nbranches = STACKS_DEEPEST + 9;
	for (size_t i = 0; i < b->nbranches; i++)
		b->branches[i] = (struct perfdata_branch){ i, 1000 + i, 2 };
	write_all(stream, b);
	fclose(stream);
	fd = perf_open(bytes, size, path);
	data = perfdata_open(path, &err);
	check(data != NULL, "it can be read");
	check(perfdata_next(data, &r, &err) && r.kind == PERFDATA_COMM &&
		      r.comm.exec && strcmp(r.comm.name, "app") == 0,
	      "a name");
	check_map(data, 0x1000, 4);
	check_map(data, 0x9000, 0);
	check_sample(data, STACKS_DEEPEST, 0);
	check_sample(data, 10, STACKS_DEEPEST - 1);
	check(perfdata_next(data, &r, &err) && r.sample.known == 0xffff &&
		      memcmp(r.sample.registers, with_registers.registers,
			     sizeof(r.sample.registers)) == 0,
	      "registers");
	check(r.sample.ip == 77 && r.sample.period == 0,
	      "that stand for nothing");
	check(perfdata_next(data, &r, &err) && r.kind == PERFDATA_END,
	      "no more");
	check_int(perfdata_events(data), 1, "one event");
	check(strcmp(perfdata_event(data, 0)->name, "branch-steps:u") == 0 ||
		      strcmp(perfdata_event(data, 0)->name, "branch-steps") ==
			      0,
	      "with its name");
	perfdata_close(data);
	close(fd);
	free(bytes);
}

int main(void)
{
	struct process *p = process_new(getpid());
	struct burst *b = malloc(sizeof(*b));

	test_begins(p);
	test_branches(p, b);
	test_ends(p, b);
	test_moves(p, b);
	test_tells(p, b);
	test_decided(p, b);
	test_stops(p, b);
	test_caught_up(p, b);
	test_written(b);
	process_free(p);
	free(b);
	return done();
}
