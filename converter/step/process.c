/*
 * process.c - all through /proc/PID, for which being its tracer is enough.
 */
#include "converter/step/process.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "converter/graph/decode.h"
#include "converter/perf/perfdata.h"
#include "converter/perf/perfwrite.h"

enum {
	KNOWN = 1 << 12, /* instructions that are remembered */
	LONGEST = 15,	 /* bytes of an instruction */
	INT3 = 0xcc,
};

/* Addresses. */
struct range {
	uint64_t start, end;
};

struct process {
	pid_t pid;
	int memory;	    /* /proc/PID/mem, or -1 */
	char *maps;	    /* as it was last read */
	struct range *code; /* of files, for nobody to write to */
	size_t ncode, code_room;
	struct insn *known; /* by address; of length 0: none */
	struct decoder *decoder;
	uint64_t breakpoint;  /* 0: none */
	unsigned char broken; /* what is there otherwise */
};

struct process *process_new(pid_t pid)
{
	struct process *p = fdo_alloc(1, sizeof(*p));

	p->pid = pid;
	p->memory = -1;
	p->known = fdo_alloc(KNOWN, sizeof(*p->known));
	p->decoder = decoder_new();
	return p;
}

static void process_forget(struct process *p)
{
	if (p->memory >= 0)
		close(p->memory);
	p->memory = -1;
	free(p->maps);
	p->maps = NULL;
	p->ncode = 0;
	p->breakpoint = 0;
	memset(p->known, 0, KNOWN * sizeof(*p->known));
}

void process_free(struct process *p)
{
	if (!p)
		return;
	process_forget(p);
	free(p->known);
	free(p->code);
	decoder_free(p->decoder);
	free(p);
}

pid_t process_pid(const struct process *p)
{
	return p->pid;
}

/* A file of /proc/PID as a text, or NULL. */
static char *read_file(const struct process *p, const char *name)
{
	char path[64], *text = NULL;
	size_t room = 0;
	FILE *stream;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)p->pid, name);
	stream = fopen(path, "re");
	if (!stream)
		return NULL;
	if (getdelim(&text, &room, '\0', stream) < 0) {
		free(text);
		text = NULL;
	}
	fclose(stream);
	return text;
}

uint64_t process_ignores(const struct process *p)
{
	char *status = read_file(p, "status");
	const char *line = status ? strstr(status, "\nSigIgn:") : NULL;
	uint64_t set = UINT64_MAX;

	if (line)
		sscanf(line, "\nSigIgn: %" SCNx64, &set);
	free(status);
	return set;
}

/* As the process sees the file. */
static struct fdo_build_id build_id_of(const struct process *p,
				       const char *path)
{
	struct fdo_build_id id = { .size = 0 };
	char *seen = fdo_alloc(strlen(path) + 32, 1);
	const void *bytes;
	ssize_t size = 0;
	Elf *elf;
	int fd;

	sprintf(seen, "/proc/%d/root%s", (int)p->pid, path);
	fd = open(seen, O_RDONLY | O_CLOEXEC);
	free(seen);
	if (fd < 0)
		return id;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf)
		size = dwelf_elf_gnu_build_id(elf, &bytes);
	if (size > 0)
		id = fdo_build_id(bytes, size);
	elf_end(elf);
	close(fd);
	return id;
}

/* "START-END rwxp OFFSET DEVICE INODE   PATH"; *path is "" if it has none. */
static bool parse_map(const char *line, struct perfdata_map *ret,
		      char rights[8])
{
	uint64_t end;
	int length = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n",
		   &ret->start, &end, rights, &ret->offset, &length) < 4)
		return false;
	ret->size = end - ret->start;
	ret->executable = rights[2] == 'x';
	ret->path = line + length;
	return true;
}

static void keep_code(struct process *p, const struct perfdata_map *map)
{
	p->code = fdo_grow(p->code, p->ncode, &p->code_room, sizeof(*p->code));
	p->code[p->ncode++] =
		(struct range){ map->start, map->start + map->size };
}

static void write_maps(struct process *p, char *maps, struct perfwrite *writer,
		       struct perfwrite_who who)
{
	char *rest, *line;

	for (line = strtok_r(maps, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		struct perfdata_map map = { .size = 0 };
		char rights[8];

		if (!parse_map(line, &map, rights) || !map.executable ||
		    !*map.path)
			continue;
		if (*map.path == '/')
			map.build_id = build_id_of(p, map.path);
		if (*map.path == '/' && strcmp(rights, "r-xp") == 0)
			keep_code(p, &map);
		perfwrite_map(writer, who, &map);
	}
}

static void write_name(const struct process *p, struct perfwrite *writer,
		       struct perfwrite_who who, bool exec)
{
	char *name = read_file(p, "comm");

	if (name)
		name[strcspn(name, "\n")] = '\0';
	perfwrite_comm(writer, who, name ? name : "", exec);
	free(name);
}

void process_begin(struct process *p, struct perfwrite *writer, uint64_t time)
{
	struct perfwrite_who who = { p->pid, p->pid, time };

	process_forget(p);
	write_name(p, writer, who, true);
}

void process_look(struct process *p, struct perfwrite *writer, pid_t tid,
		  uint64_t time)
{
	struct perfwrite_who who = { p->pid, tid, time };
	char *maps = read_file(p, "maps");

	if (!maps)
		return;
	if (p->maps && strcmp(p->maps, maps) == 0) {
		free(maps);
		return;
	}
	process_forget(p);
	p->maps = maps;
	write_name(p, writer, who, false);
	maps = strcpy(fdo_alloc(strlen(maps) + 1, 1), maps);
	write_maps(p, maps, writer, who);
	free(maps);
}

static int memory_of(struct process *p)
{
	char path[64];

	if (p->memory < 0) {
		snprintf(path, sizeof(path), "/proc/%d/mem", (int)p->pid);
		p->memory = open(path, O_RDWR | O_CLOEXEC);
	}
	return p->memory;
}

bool process_read(struct process *p, uint64_t address, void *bytes, size_t n)
{
	return pread(memory_of(p), bytes, n, address) == (ssize_t)n;
}

static bool read_insn(struct process *p, uint64_t address, struct insn *ret)
{
	unsigned char bytes[LONGEST];
	ssize_t size = pread(memory_of(p), bytes, sizeof(bytes), address);

	return size > 0 && decode(p->decoder, bytes, size, address, ret);
}

const struct insn *process_insn(struct process *p, uint64_t address)
{
	struct insn *known = &p->known[address % KNOWN];

	if (known->length && known->address == address)
		return known;
	known->length = 0;
	return read_insn(p, address, known) ? known : NULL;
}

static bool is_code(const struct process *p, uint64_t address)
{
	for (size_t i = 0; i < p->ncode; i++)
		if (address >= p->code[i].start && address < p->code[i].end)
			return true;
	return false;
}

static bool write_byte(struct process *p, uint64_t address, unsigned char byte)
{
	return pwrite(memory_of(p), &byte, 1, address) == 1;
}

bool process_set_breakpoint(struct process *p, uint64_t address)
{
	process_clear_breakpoint(p);
	if (!is_code(p, address) || !process_read(p, address, &p->broken, 1) ||
	    p->broken == INT3 || !write_byte(p, address, INT3))
		return false;
	p->breakpoint = address;
	return true;
}

void process_clear_breakpoint(struct process *p)
{
	if (p->breakpoint)
		write_byte(p, p->breakpoint, p->broken);
	p->breakpoint = 0;
}

uint64_t process_breakpoint(const struct process *p)
{
	return p->breakpoint;
}
