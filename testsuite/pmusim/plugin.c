/*
 * plugin.c - what QEMU calls.
 *
 * QEMU's callbacks for blocks and for translation take no pointer of ours, so
 * that this file has the tree's one global variable.
 *
 * A fork copies everything, with counts and samples so far.  The child throws
 * them away and writes files of its own, OUT.PID.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "testsuite/pmusim/code.h"
#include "testsuite/pmusim/maps.h"
#include "testsuite/pmusim/options.h"
#include "testsuite/pmusim/qemu.h"
#include "testsuite/pmusim/simulation.h"
#include "testsuite/pmusim/state.h"
#include "testsuite/pmusim/thread.h"

#define EXPORT __attribute__((__visibility__("default")))

EXPORT int qemu_plugin_version = QEMU_API_VERSION;

static struct simulation *simulation;

static __attribute__((__noinline__)) void on_full(struct thread *t, void *block)
{
	simulation_flush(simulation, t);
	*t->at++ = (uintptr_t)block;
}

static void on_block(unsigned int cpu, void *block)
{
	struct thread *t = simulation->threads[cpu];

	if (t->at < t->full)
		*t->at++ = (uintptr_t)block;
	else
		on_full(t, block);
}

static __attribute__((__noreturn__)) void end(const char *why)
{
	fprintf(stderr, "pmusim: %s\n", why);
	_exit(1);
}

/* Called by on_block_with_state(), which alone has it as a symbol. */
__attribute__((__used__, __visibility__("hidden"))) void
on_block_and_state(unsigned int cpu, struct block *block,
		   const struct state *state)
{
	struct thread *t = simulation->threads[cpu];

	if (state->ip != block->address)
		end("registers=1: this QEMU keeps them where 7.2 does not");
	if (t->at >= t->full)
		simulation_flush(simulation, t);
	t->states[t->nstates++ % TRACE_STATES] = *state;
	*t->at++ = (uintptr_t)block;
}

/* A block's code has the state's address in rbp, and calls this directly. */
static __attribute__((__naked__)) void
on_block_with_state(__attribute__((__unused__)) unsigned int cpu,
		    __attribute__((__unused__)) void *block)
{
	__asm__("mov %rbp, %rdx\n\tjmp on_block_and_state");
}

/* Of all accesses: QEMU 7.2 takes loads for stores where it is to choose. */
static void on_access(unsigned int cpu, qemu_plugin_meminfo_t info,
		      uint64_t address, void *tag)
{
	struct thread *t = simulation->threads[cpu];

	if (t->at < t->end)
		*t->at++ = (uintptr_t)tag |
			   trace_tag(0, qemu_plugin_mem_is_store(info)) |
			   (address & (((uint64_t)1 << TRACE_SHIFT) - 1));
}

/* The block's bytes, as far as the longest block goes. */
struct text_room {
	unsigned char bytes[TRACE_STORE][INSN_BYTES];
	uint8_t lengths[TRACE_STORE];
};

static void copy_text(const struct qemu_plugin_tb *tb, struct text_room *room,
		      struct block_text *ret)
{
	size_t size = qemu_plugin_tb_n_insns(tb);

	if (size > TRACE_STORE)
		size = TRACE_STORE;
	for (size_t i = 0; i < size; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		size_t length = qemu_plugin_insn_size(insn);

		if (length >= INSN_BYTES)
			length = INSN_BYTES - 1;
		memcpy(room->bytes[i], qemu_plugin_insn_data(insn), length);
		room->lengths[i] = length;
	}
	*ret = (struct block_text){ .address = qemu_plugin_tb_vaddr(tb),
				    .size = size,
				    .bytes = room->bytes,
				    .lengths = room->lengths };
}

static void watch(struct qemu_plugin_tb *tb, struct block *block)
{
	bool registers = simulation->options.registers;

	if (registers && qemu_plugin_tb_n_insns(tb) > 1)
		end("registers=1 needs QEMU's -singlestep");
	qemu_plugin_register_vcpu_tb_exec_cb(
		tb, registers ? on_block_with_state : on_block,
		QEMU_NO_REGISTERS, block);
	if (!simulation->options.model)
		return;
	for (int i = 0; i < block->size; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		qemu_plugin_register_vcpu_mem_cb(
			insn, on_access, QEMU_NO_REGISTERS, QEMU_ACCESS,
			(void *)(uintptr_t)trace_tag(i, false));
	}
}

/* QEMU knows it from the first thread on. */
static void learn_program(void)
{
	char *program = (char *)qemu_plugin_path_to_binary();

	if (program)
		simulation_program(simulation, program);
	free(program);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	const struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);
	uintptr_t host = (uintptr_t)qemu_plugin_insn_haddr(first);
	struct text_room *room = simulation->room;
	struct block_text text;
	struct block *block;

	(void)id;
	if (!simulation->command[0])
		learn_program();
	if (!room)
		room = simulation->room = fdo_alloc(1, sizeof(*room));
	copy_text(tb, room, &text);
	block = simulation_block(simulation, &text, host - text.address);
	if (block->size)
		watch(tb, block);
}

static void on_thread(qemu_plugin_id_t id, unsigned int cpu)
{
	(void)id;
	simulation_begin_thread(simulation, cpu);
}

static void on_thread_end(qemu_plugin_id_t id, unsigned int cpu)
{
	(void)id;
	simulation_end_thread(simulation, cpu);
}

static bool is_fork(int64_t number)
{
	return number == SYS_fork || number == SYS_vfork ||
	       number == SYS_clone || number == SYS_clone3;
}

static void on_syscall(qemu_plugin_id_t id, unsigned int cpu, int64_t number,
		       uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
		       uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	(void)id, (void)a1, (void)a2, (void)a3, (void)a4;
	(void)a5, (void)a6, (void)a7, (void)a8;
	if (is_fork(number))
		simulation_before_fork(simulation, cpu);
	else if (number == SYS_execve || number == SYS_execveat)
		simulation_write_before_exec(simulation, cpu);
}

static void on_syscall_end(qemu_plugin_id_t id, unsigned int cpu,
			   int64_t number, int64_t result)
{
	(void)id;
	if (is_fork(number) && result == 0 && getpid() != simulation->real_pid)
		simulation_in_child(simulation, cpu);
	else if (number == SYS_mmap || number == SYS_munmap ||
		 number == SYS_mremap)
		simulation_maps_changed(simulation, cpu);
}

static void on_exit_all(qemu_plugin_id_t id, void *data)
{
	(void)id, (void)data;
	simulation_write(simulation);
}

static void register_all(qemu_plugin_id_t id)
{
	qemu_plugin_register_vcpu_init_cb(id, on_thread);
	qemu_plugin_register_vcpu_exit_cb(id, on_thread_end);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, on_syscall_end);
	qemu_plugin_register_atexit_cb(id, on_exit_all, NULL);
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
			       const struct qemu_info_t *info, int argc,
			       char **argv)
{
	struct fdo_error err;

	if (strcmp(info->target, "x86_64") != 0) {
		fprintf(stderr, "pmusim: only x86_64 is simulated, not %s\n",
			info->target);
		return 1;
	}
	simulation = simulation_new(argc, argv, &err);
	if (!simulation) {
		fprintf(stderr, "pmusim: %s\n", err.text);
		return 1;
	}
	register_all(id);
	return 0;
}
