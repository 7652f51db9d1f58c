#include "testsuite/lib/perf_story.h"

static const struct perf_map shell = { 0x400000, 0x3000, 0, "/bin/sh" };
static const struct perf_map kernel = { .start = 0xffff000000000000,
					.size = 0x1000000,
					.path = "[kernel.kallsyms]_text",
					.old = true,
					.kernel = true };
static const struct perf_map app = { 0x555500001000, 0x4000, 0x1000,
				     "/opt/app" };
static const struct perf_map library = { 0x7f0000000000, 0x8000, 0x28000,
					 "/lib/libfoo.so" };
static const struct perf_map plugin = { 0x7f0000002000, 0x1000, 0,
					"/lib/plugin.so" };
static const struct perf_map jit = { 0x7f1000000000, 0x1000, 0, "//anon" };
static const struct perf_map vdso = { 0x7ffff0000000, 0x1000, 0, "[vdso]" };

static void events(struct perf_writer *w)
{
	w->hostname = "host";
	w->arch = "x86_64";
	w->cpudesc = "A CPU";
	w->cpuid = "GenuineTest,6,1,1";
	perf_event(w, &(struct perf_event){ .name = "cycles:u", .id = 21 });
	perf_event(w, &(struct perf_event){ .name = "instructions:u",
					    .config = 1,
					    .period = 1009,
					    .id = 22 });
	perf_build_id(w, "/opt/app", "abcdefghijklmnopqrst");
	perf_build_id(w, "/lib/libfoo.so", "12345678");
	perf_begin(w);
}

static void one(struct perf_writer *w, uint32_t pid, uint64_t time, uint64_t ip,
		int event)
{
	perf_sample(w, &(struct perf_sample){ .event = event,
					      .pid = pid,
					      .time = time,
					      .ip = ip,
					      .period = event ? 1009 : 500,
					      .kernel = ip >> 63 });
}

static struct perf_who who(uint32_t pid, uint32_t tid, uint64_t time)
{
	return (struct perf_who){ .pid = pid, .tid = tid, .time = time };
}

/* The shell, and what perf found when it began: without times. */
static void first_round(struct perf_writer *w)
{
	perf_mmap(w, who(0, 0, 0), &kernel);
	perf_comm(w, who(10, 10, 0), "sh", false);
	perf_mmap(w, who(10, 10, 0), &shell);
	one(w, 10, 100, 0x400010, 0);
	one(w, 10, 110, 0x400010, 1);
	one(w, 10, 120, 0xffff000000000100, 0);
	perf_fork(w, who(11, 11, 130), 10, 10);
	/* Another CPU: the child still is the shell, then a new program. */
	one(w, 11, 140, 0x400020, 0);
	perf_comm(w, who(11, 11, 150), "app", true);
	perf_mmap(w, who(11, 11, 160), &app);
	one(w, 11, 170, 0x555500001234, 0);
	one(w, 11, 180, 0x400020, 0); /* no longer mapped here */
	perf_round(w);
}

static void second_round(struct perf_writer *w)
{
	/* One CPU is written after the other, so times go back. */
	one(w, 11, 210, 0x7f0000002010, 1); /* in the library */
	one(w, 12, 240, 0x555500001234,
	    0); /* a process of which we know none */
	one(w, 11, 260, 0x7f0000002010, 1); /* in the plugin */
	one(w, 11, 265, 0x7f0000003010, 1); /* in the library, behind it */
	perf_mmap(w, who(11, 11, 200), &library);
	perf_fork(w, who(11, 13, 205), 11, 11); /* a thread */
	perf_mmap(w, who(11, 13, 250), &plugin);
	perf_mmap(w, who(11, 13, 251), &jit);
	perf_mmap(w, who(11, 13, 252), &vdso);
	one(w, 11, 270, 0x7f1000000010, 0);
	one(w, 11, 271, 0x7ffff0000010, 0);
	perf_round(w);
}

static void third_round(struct perf_writer *w)
{
	perf_lost(w, who(11, 11, 300), 5);
	perf_lost_samples(w, (struct perf_who){ 11, 11, 301, 1 }, 3);
	perf_throttle(w, who(11, 11, 302));
	perf_exit(w, who(11, 11, 310)); /* the thread goes on */
	one(w, 11, 320, 0x555500001234, 0);
	perf_exit(w, who(11, 13, 330));
	one(w, 10, 340, 0x400010, 1);
	perf_sample(w, &(struct perf_sample){
			       .pid = 10, .time = 350, .foreign_id = 99 });
	perf_round(w);
}

void perf_story(struct perf_writer *w)
{
	events(w);
	first_round(w);
	second_round(w);
	third_round(w);
	perf_end(w);
}

void perf_story_part(struct perf_writer *w)
{
	events(w);
	second_round(w);
	third_round(w);
	perf_end_part(w);
}

const char perf_story_samples[] =
	"files 1\n"
	"read 15\n"
	"mapped 9\n"
	"kernel 1\n"
	"anonymous 2\n"
	"unmapped 2\n"
	"unknown 1\n"
	"stuck 0\nfaults 0\n"
	"lost 5\n"
	"throttled 1\n"
	"late 0\n"
	"hostname host\n"
	"arch x86_64\n"
	"cpudesc A CPU\n"
	"cpuid GenuineTest,6,1,1\n"
	"event cycles:u role=cycles samples=9 mapped=4 period=4500 lost=0\n"
	"event instructions:u role=inst samples=5 mapped=5 period=5045 "
	"lost=3\n"
	"object /bin/sh build-id= samples=4\n"
	"\t0x10 1/500 2/2018\n"
	"\t0x20 1/500 0/0\n"
	"object /lib/libfoo.so build-id=3132333435363738 samples=2\n"
	"\t0x2a010 0/0 1/1009\n"
	"\t0x2b010 0/0 1/1009\n"
	"\tfirst 0x2a010 60\n"
	"\tfirst 0x2b010 115\n"
	"object /lib/plugin.so build-id= samples=1\n"
	"\t0x10 0/0 1/1009\n"
	"\tfirst 0x10 110\n"
	"object /opt/app "
	"build-id=6162636465666768696a6b6c6d6e6f7071727374 samples=2\n"
	"\t0x1234 2/1000 0/0\n"
	"\tfirst 0x1234 20\n";
