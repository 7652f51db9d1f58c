/*
 * qemu.h - what the plugin uses of QEMU's interface for TCG plugins, version 1
 * (QEMU 4.2 to 8.x).
 *
 * Debian's qemu-user offers the interface and does not install its header, so
 * the functions are declared here.  The user emulator defines them; the
 * plugin is loaded into it.
 *
 * Units      Addresses are the guest's.
 * Ownership  A block or instruction handle lives until the translation
 *            callback returns; what is passed as "data" is kept.
 * Threads    Translation is serialized by QEMU.  The other callbacks come in
 *            the thread whose virtual CPU they name.
 */
#ifndef PMUSIM_QEMU_H
#define PMUSIM_QEMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QEMU_API_VERSION = 1 };

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;

struct qemu_plugin_tb;
struct qemu_plugin_insn;

/* Only pointers to it are used. */
struct qemu_info_t {
	const char *target;
	int oldest_api, newest_api;
};

enum qemu_plugin_registers { QEMU_NO_REGISTERS };
enum qemu_plugin_access { QEMU_READ = 1, QEMU_WRITE, QEMU_ACCESS };

typedef void qemu_on_thread(qemu_plugin_id_t id, unsigned int cpu);
typedef void qemu_on_translation(qemu_plugin_id_t id,
				 struct qemu_plugin_tb *block);
typedef void qemu_on_block(unsigned int cpu, void *data);
typedef void qemu_on_access(unsigned int cpu, qemu_plugin_meminfo_t info,
			    uint64_t address, void *data);
typedef void qemu_on_syscall(qemu_plugin_id_t id, unsigned int cpu,
			     int64_t number, uint64_t a1, uint64_t a2,
			     uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
			     uint64_t a7, uint64_t a8);
typedef void qemu_on_syscall_end(qemu_plugin_id_t id, unsigned int cpu,
				 int64_t number, int64_t result);
typedef void qemu_on_exit(qemu_plugin_id_t id, void *data);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, qemu_on_thread *f);
void qemu_plugin_register_vcpu_exit_cb(qemu_plugin_id_t id, qemu_on_thread *f);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   qemu_on_translation *f);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block,
					  qemu_on_block *f,
					  enum qemu_plugin_registers registers,
					  void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
				      qemu_on_access *f,
				      enum qemu_plugin_registers registers,
				      enum qemu_plugin_access access,
				      void *data);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id,
					  qemu_on_syscall *f);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t id,
					      qemu_on_syscall_end *f);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_on_exit *f,
				    void *data);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *
qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t i);

const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);

/* Where the guest's instruction is in QEMU's own memory. */
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);

/* The program's file, to be freed with free(). */
const char *qemu_plugin_path_to_binary(void);

/*
 * Not of that interface, but exported by Debian's QEMU: the flags of the last
 * operation.  NULL where it is not.
 */
struct state;
uint32_t cpu_cc_compute_all(const struct state *state, int operation)
	__attribute__((__weak__));

#endif
