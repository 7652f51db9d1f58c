/*
 * recording PROGRAM OUTPUT [LOST [cycles]] - a perf.data of samples that are where one
 * says, and of how many more the kernel has lost.
 *
 * Each line of the standard input is an address of the program, in hexadecimal
 * digits, and how many samples of a timer name it; at 0 there is no file.  All
 * have the registers that samplefdo record asks for: rcx is 7, r15 counts the
 * samples, since all registers alike would say that the program has stopped, and
 * others are 0.  With "cycles" they are of that counter instead.  PROGRAM may be Linux, which is found elsewhere than its file says.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "converter/binary/object.h"
#include "testsuite/lib/perf_writer.h"

/* By perf's numbers. */
enum { CX = 2, IP = 8, FLAGS = 9, R8 = 16, R15 = 23, REGISTERS = 24 };

static const uint64_t known = 0x7f | 1 << IP | 1 << FLAGS | 0xff << R8;
/* Where the program is mapped. */
static uint64_t where = 0x10000000;
static bool kernel;

/* As perf says it of the kernel: as an offset, where its code begins. */
static void map_kernel(struct perf_writer *w, const struct object *object)
{
	static const uint64_t moved = 0x11200000;

	where = object->kernel + moved;
	perf_mmap(w, (struct perf_who){ .pid = -1 },
		  &(struct perf_map){ .start = where - 0x1000,
				      .size = 0x1001000,
				      .offset = where,
				      .path = "[kernel.kallsyms]_text",
				      .old = true,
				      .kernel = true });
}

static void map_program(struct perf_writer *w, const char *path)
{
	struct perf_who who = { .pid = 1, .tid = 1 };

	perf_comm(w, who, "program", true);
	perf_mmap(w, who,
		  &(struct perf_map){
			  .start = where, .size = 0x1000000, .path = path });
}

static void begin(struct perf_writer *w, const struct object *object,
		  const char *counter)
{
	perf_event(w, &(struct perf_event){
			      .name = counter ? counter : "cpu-clock:u",
			      .type = counter ? PERF_TYPE_HARDWARE
					      : PERF_TYPE_SOFTWARE,
			      .config = counter ? PERF_COUNT_HW_CPU_CYCLES
						: PERF_COUNT_SW_CPU_CLOCK,
			      .sample_type = PERF_USUAL | PERF_SAMPLE_REGS_USER,
			      .user_registers = known,
			      .period = 50000,
			      .id = 1,
			      .user_only = !kernel });
	perf_begin(w);
	if (kernel)
		map_kernel(w, object);
	else
		map_program(w, object->path);
}

static void add(struct perf_writer *w, uint64_t offset, unsigned n)
{
	static uint64_t samples;
	uint64_t registers[REGISTERS] = { [CX] = 7, [IP] = where + offset };

	for (unsigned i = 0; i < n; i++) {
		registers[R15] = ++samples;
		perf_sample(w, &(struct perf_sample){
				       .pid = 1,
				       .tid = 1,
				       .time = 1,
				       .ip = where + offset,
				       .period = 50000,
				       .kernel = kernel,
				       .user_abi = PERF_SAMPLE_REGS_ABI_64,
				       .user_registers = registers });
	}
}

static bool put(const struct perf_writer *w, const char *path)
{
	FILE *out = fopen(path, "wb");
	bool done = out && fwrite(w->data, 1, w->size, out) == w->size;

	return (out && fclose(out) == 0) && done;
}

int main(int argc, char **argv)
{
	struct object_options options = { 0 };
	struct perf_writer w = { .arch = "x86_64" };
	struct fdo_error err;
	struct object *object;
	uint64_t address, offset;
	unsigned n;

	if (argc < 3 || argc > 5)
		return 2;
	object = object_open(argv[1], &options, &err);
	if (!object) {
		fprintf(stderr, "recording: %s\n", err.text);
		return 1;
	}
	kernel = object->kernel;
	begin(&w, object, argc == 5 ? argv[4] : NULL);
	while (scanf("%" SCNx64 " %u", &address, &n) == 2) {
		if (address == 0) {
			offset = -where;
		} else if (!object_offset(object, address, &offset)) {
			fprintf(stderr, "recording: no code at %" PRIx64 "\n",
				address);
			return 1;
		}
		add(&w, offset, n);
	}
	object_free(object);
	if (argc > 3)
		perf_lost_samples(&w, (struct perf_who){ .pid = 1, .tid = 1 },
				  strtoull(argv[3], NULL, 10));
	perf_end(&w);
	if (!put(&w, argv[2])) {
		perror("recording");
		return 1;
	}
	perf_free(&w);
	return 0;
}
