/*
 * object.c - the file itself: what kind it is, and which bytes are where.
 *
 * libelf takes files that are cut off, and libdwfl then says things that
 * nobody understands.  Both therefore get only files that passed check().
 */
#include "converter/binary/object_private.h"

#include <assert.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "converter/perf/samples.h"

static const char *machine_name(unsigned machine, char text[32])
{
	static const struct {
		unsigned machine;
		const char *name;
	} known[] = {
		{ EM_386, "32-bit x86" },
		{ EM_X86_64, "x86-64 with 32-bit pointers (x32)" },
		{ EM_ARM, "32-bit ARM" },
		{ EM_AARCH64, "AArch64" },
		{ EM_RISCV, "RISC-V" },
		{ EM_PPC, "32-bit PowerPC" },
		{ EM_PPC64, "PowerPC64" },
		{ EM_S390, "s390" },
		{ EM_MIPS, "MIPS" },
		{ EM_SPARCV9, "SPARC" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].machine == machine)
			return known[i].name;
	snprintf(text, 32, "machine number %u", machine);
	return text;
}

/* Is the part of the file that a header speaks of there? */
static bool inside(const struct object *o, uint64_t offset, uint64_t size)
{
	uint64_t have = o->private_->file.size;

	return offset <= have && size <= have - offset;
}

static bool check_kind(const struct object *o, const GElf_Ehdr *header,
		       struct fdo_error *err)
{
	char text[32];

	switch (header->e_type) {
	case ET_EXEC:
	case ET_DYN:
		break;
	case ET_CORE:
		return fdo_fail(err, "%s: a core dump, not a program", o->path);
	case ET_REL:
		return fdo_fail(err,
				"%s: a relocatable object: only linked "
				"programs and shared objects can be profiled",
				o->path);
	default:
		return fdo_fail(err,
				"%s: neither a program nor a shared "
				"object (ELF type %u)",
				o->path, header->e_type);
	}
	if (header->e_machine != EM_X86_64 ||
	    header->e_ident[EI_CLASS] != ELFCLASS64 ||
	    header->e_ident[EI_DATA] != ELFDATA2LSB)
		return fdo_fail(err, "%s: for %s; only x86-64 is supported",
				o->path, machine_name(header->e_machine, text));
	return true;
}

static bool check_segments(const struct object *o, Elf *elf,
			   struct fdo_error *err)
{
	size_t n, code = 0;
	GElf_Phdr p;

	if (elf_getphdrnum(elf, &n) != 0)
		return fdo_fail(err, "%s: damaged program headers", o->path);
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, &p))
			return fdo_fail(err,
					"%s: program header %zu is "
					"damaged or cut off",
					o->path, i);
		if (p.p_type != PT_LOAD)
			continue;
		if (p.p_filesz > p.p_memsz || p.p_vaddr + p.p_memsz < p.p_vaddr)
			return fdo_fail(err,
					"%s: program header %zu is "
					"damaged",
					o->path, i);
		code += (p.p_flags & PF_X) != 0;
	}
	return code > 0 || fdo_fail(err, "%s: no code to load", o->path);
}

/*
 * A file with debug information only has the headers of the whole program,
 * but neither its code nor its data.
 */
static bool check_sections(const struct object *o, Elf *elf,
			   const GElf_Ehdr *header, struct fdo_error *err)
{
	size_t n;
	GElf_Shdr s;

	if (header->e_shoff == 0)
		return true;
	/* Of a table that is cut off libelf says that it is empty. */
	if (elf_getshdrnum(elf, &n) != 0 || n < header->e_shnum ||
	    !inside(o, header->e_shoff, n * sizeof(Elf64_Shdr)))
		return fdo_fail(err,
				"%s: cut off in or before its section headers",
				o->path);
	for (size_t i = 1; i < n; i++) {
		Elf_Scn *section = elf_getscn(elf, i);

		if (!section || !gelf_getshdr(section, &s))
			return fdo_fail(err,
					"%s: section header %zu is "
					"damaged",
					o->path, i);
		if (s.sh_type == SHT_NOBITS && s.sh_flags & SHF_EXECINSTR)
			return fdo_fail(err,
					"%s: only the debug information "
					"of a program; name the program",
					o->path);
		if (s.sh_type != SHT_NOBITS &&
		    !inside(o, s.sh_offset, s.sh_size))
			return fdo_fail(err, "%s: cut off in section %zu",
					o->path, i);
	}
	return true;
}

static bool check_loaded(const struct object *o, Elf *elf,
			 struct fdo_error *err)
{
	size_t n = 0;
	GElf_Phdr p;

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, i, &p) && p.p_type == PT_LOAD &&
		    !inside(o, p.p_offset, p.p_filesz))
			return fdo_fail(err,
					"%s: cut off: segment %zu is not "
					"all there",
					o->path, i);
	return true;
}

/* What libtool links into .libs/ it puts a script in front of. */
static bool refuse(const struct object *o, struct fdo_error *err)
{
	const char *base = fdo_file_base(o->path);
	char *program;

	if (asprintf(&program, "%.*s.libs/%s", (int)(base - o->path), o->path,
		     base) < 0)
		abort();
	if (access(program, F_OK) == 0)
		fdo_fail(err, "%s: not an ELF file, but a script for %s",
			 o->path, program);
	else
		fdo_fail(err, "%s: not an ELF file", o->path);
	free(program);
	return false;
}

static bool check_elf(const struct object *o, Elf *elf, struct fdo_error *err)
{
	GElf_Ehdr header;

	if (!elf || elf_kind(elf) != ELF_K_ELF)
		return refuse(o, err);
	if (!gelf_getehdr(elf, &header))
		return fdo_fail(err, "%s: damaged ELF header", o->path);
	return check_kind(o, &header, err) && check_segments(o, elf, err) &&
	       check_sections(o, elf, &header, err) &&
	       check_loaded(o, elf, err);
}

static bool check(const struct object *o, struct fdo_error *err)
{
	struct fdo_file *file = &o->private_->file;
	Elf *elf;
	bool fine;

	if (file->size < EI_NIDENT || memcmp(file->data, ELFMAG, SELFMAG) != 0)
		return refuse(o, err);
	if (file->size < sizeof(Elf64_Ehdr))
		return fdo_fail(err, "%s: cut off in its ELF header", o->path);
	elf_version(EV_CURRENT);
	/* libelf writes only what it was asked to write. */
	elf = elf_memory((char *)file->data, file->size);
	fine = check_elf(o, elf, err);
	elf_end(elf);
	return fine;
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

const void *object_find(const void *array, size_t n, size_t size,
			uint64_t address)
{
	size_t low = 0;

	while (low < n) {
		size_t middle = low + (n - low) / 2;
		const char *at = (const char *)array + middle * size;

		if (*(const uint64_t *)at <= address)
			low = middle + 1;
		else
			n = middle;
	}
	return low ? (const char *)array + (low - 1) * size : NULL;
}

static void read_segments(struct object *o)
{
	struct object_private *in = o->private_;
	size_t n = 0;
	GElf_Phdr p;

	elf_getphdrnum(in->elf, &n);
	in->segments = fdo_alloc(n, sizeof(*in->segments));
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(in->elf, i, &p) || p.p_type != PT_LOAD)
			continue;
		in->segments[o->nsegments++] = (struct object_segment){
			.address = p.p_vaddr,
			.size = p.p_memsz,
			.offset = p.p_offset,
			.file_size = p.p_filesz,
			.executable = p.p_flags & PF_X,
			.writable = p.p_flags & PF_W,
		};
	}
	qsort(in->segments, o->nsegments, sizeof(*in->segments), by_address);
	o->segments = in->segments;
}

static void add_section(struct object *o, const char *name, const GElf_Shdr *s)
{
	struct object_private *in = o->private_;

	in->sections[o->nsections++] = (struct object_section){
		.address = s->sh_addr,
		.size = s->sh_size,
		.name = fdo_intern(in->strings, name ? name : ""),
		.executable = s->sh_flags & SHF_EXECINSTR,
		.writable = s->sh_flags & SHF_WRITE,
		.bytes = s->sh_type == SHT_NOBITS
				 ? NULL
				 : in->file.data + s->sh_offset,
	};
}

/* A file without section headers: its segments take their place. */
static void sections_of_segments(struct object *o)
{
	for (size_t i = 0; i < o->nsegments; i++) {
		const struct object_segment *s = &o->segments[i];

		add_section(o, "",
			    &(GElf_Shdr){
				    .sh_type = SHT_PROGBITS,
				    .sh_addr = s->address,
				    .sh_size = s->file_size,
				    .sh_offset = s->offset,
				    .sh_flags = (s->executable ? SHF_EXECINSTR
							       : 0) |
						(s->writable ? SHF_WRITE : 0),
			    });
	}
}

static void read_sections(struct object *o)
{
	struct object_private *in = o->private_;
	size_t n = 0, names = 0;
	GElf_Shdr s;

	elf_getshdrnum(in->elf, &n);
	elf_getshdrstrndx(in->elf, &names);
	in->sections = fdo_alloc(n + o->nsegments, sizeof(*in->sections));
	for (size_t i = 1; i < n; i++) {
		Elf_Scn *section = elf_getscn(in->elf, i);

		/* .tbss has an address, but no memory there. */
		if (!section || !gelf_getshdr(section, &s) ||
		    !(s.sh_flags & SHF_ALLOC) || s.sh_size == 0 ||
		    (s.sh_flags & SHF_TLS && s.sh_type == SHT_NOBITS) ||
		    s.sh_addr + s.sh_size < s.sh_addr)
			continue;
		if (s.sh_type == SHT_NOBITS ||
		    inside(o, s.sh_offset, s.sh_size))
			add_section(o, elf_strptr(in->elf, names, s.sh_name),
				    &s);
	}
	if (o->nsections == 0)
		sections_of_segments(o);
	qsort(in->sections, o->nsections, sizeof(*in->sections), by_address);
	o->sections = in->sections;
}

/* Does the dynamic section say so?  Older linkers say nothing: see below. */
static bool dynamic_says(const struct object *o, bool *has_name_ret)
{
	Elf_Scn *section = NULL;
	bool says = false;
	GElf_Shdr s;
	GElf_Dyn d;

	*has_name_ret = false;
	while ((section = elf_nextscn(o->private_->elf, section))) {
		if (!gelf_getshdr(section, &s) || s.sh_type != SHT_DYNAMIC)
			continue;
		Elf_Data *data = elf_getdata(section, NULL);

		for (int i = 0; data && gelf_getdyn(data, i, &d); i++) {
			says |= d.d_tag == DT_FLAGS_1 &&
				d.d_un.d_val & DF_1_PIE;
			*has_name_ret |= d.d_tag == DT_SONAME;
		}
	}
	return says;
}

static enum object_type type_of(const struct object *o, const GElf_Ehdr *header)
{
	size_t n = 0;
	bool has_name, interpreter = false;
	GElf_Phdr p;

	if (header->e_type == ET_EXEC)
		return OBJECT_FIXED;
	if (dynamic_says(o, &has_name))
		return OBJECT_PIE;
	elf_getphdrnum(o->private_->elf, &n);
	for (size_t i = 0; i < n; i++)
		interpreter |= gelf_getphdr(o->private_->elf, i, &p) &&
			       p.p_type == PT_INTERP;
	return interpreter && !has_name ? OBJECT_PIE : OBJECT_SHARED;
}

static void read_build_id(struct object *o)
{
	const void *bytes;
	ssize_t size = dwelf_elf_gnu_build_id(o->private_->elf, &bytes);

	if (size > 0)
		o->build_id = fdo_build_id(bytes, size);
}

/*
 * Code that is thrown away once all is set up is what Linux has in a section of
 * its own; and where it begins, perf says of it in each recording.
 */
static void find_kernel(struct object *o)
{
	uint64_t text;

	if (o->type != OBJECT_FIXED || !object_section_named(o, ".init.text") ||
	    !object_symbol(o, "_text", &text))
		return;
	o->kernel = text;
	o->real_path = SAMPLES_KERNEL;
}

static bool open_all(struct object *o, const struct object_options *options,
		     struct fdo_error *err)
{
	struct object_private *in = o->private_;
	GElf_Ehdr header;

	if (!fdo_file_open(&in->file, o->path, err) || !check(o, err) ||
	    !object_open_debug(o, options, err))
		return false;
	gelf_getehdr(in->elf, &header);
	o->type = type_of(o, &header);
	o->entry = header.e_entry;
	read_build_id(o);
	object_find_debug(o);
	read_segments(o);
	read_sections(o);
	object_read_relocations(o);
	object_read_exports(o);
	object_read_functions(o);
	find_kernel(o);
	return true;
}

static void set_real_path(struct object *o)
{
	char *real = realpath(o->path, NULL);

	o->real_path = real ? fdo_intern(o->private_->strings, real) : o->path;
	free(real);
}

struct object *object_open(const char *path,
			   const struct object_options *options,
			   struct fdo_error *err)
{
	struct object *o = fdo_alloc(1, sizeof(*o));

	o->private_ = fdo_alloc(1, sizeof(*o->private_));
	o->private_->strings = fdo_strings_new();
	o->path = fdo_intern(o->private_->strings, path);
	o->prefixes = options->prefixes;
	o->nprefixes = options->nprefixes;
	set_real_path(o);
	if (open_all(o, options, err))
		return o;
	object_free(o);
	return NULL;
}

void object_free(struct object *o)
{
	if (!o)
		return;
	dwfl_end(o->private_->dwfl);
	if (o->private_->common) {
		dwarf_end(o->private_->common);
		close(o->private_->common_fd);
	}
	fdo_file_close(&o->private_->file);
	fdo_strings_free(o->private_->strings);
	free(o->private_->debug_path);
	free(o->private_->segments);
	free(o->private_->sections);
	free(o->private_->functions);
	free(o->private_->relocations);
	fdo_map_free(o->private_->exports);
	free(o->private_->manners);
	free(o->private_);
	free(o);
}

/* Where segments share a page of the file, code is what was meant. */
bool object_address(const struct object *o, uint64_t offset, uint64_t *ret)
{
	bool found = false;

	if (o->kernel) {
		*ret = o->kernel + offset;
		return object_section_at(o, *ret);
	}
	for (size_t i = 0; i < o->nsegments; i++) {
		const struct object_segment *s = &o->segments[i];

		if (offset < s->offset || offset - s->offset >= s->file_size ||
		    (found && !s->executable))
			continue;
		*ret = s->address + (offset - s->offset);
		found = true;
	}
	return found;
}

bool object_offset(const struct object *o, uint64_t address, uint64_t *ret)
{
	const struct object_segment *s =
		object_find(o->segments, o->nsegments, sizeof(*s), address);

	if (o->kernel) {
		*ret = address - o->kernel;
		return object_section_at(o, address);
	}
	if (!s || address - s->address >= s->file_size)
		return false;
	*ret = s->offset + (address - s->address);
	return true;
}

const struct object_section *object_section_at(const struct object *o,
					       uint64_t address)
{
	const struct object_section *s =
		object_find(o->sections, o->nsections, sizeof(*s), address);

	return s && address - s->address < s->size ? s : NULL;
}

const struct object_section *object_section_named(const struct object *o,
						  const char *name)
{
	for (size_t i = 0; i < o->nsections; i++)
		if (strcmp(o->sections[i].name, name) == 0)
			return &o->sections[i];
	return NULL;
}

const unsigned char *object_bytes(const struct object *o, uint64_t address,
				  size_t *size_ret)
{
	const struct object_section *s = object_section_at(o, address);

	if (!s || !s->bytes)
		return NULL;
	*size_ret = s->size - (address - s->address);
	return s->bytes + (address - s->address);
}

const struct object_function *object_function_at(const struct object *o,
						 uint64_t address)
{
	const struct object_function *f =
		object_find(o->functions, o->nfunctions, sizeof(*f), address);

	return f && address - f->address < f->size ? f : NULL;
}
