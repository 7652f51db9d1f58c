/*
 * object_relocations.c - what the loader writes into the program's data,
 * and who is called through it.
 */
#include "converter/binary/object_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"

struct table {
	struct object_relocation *all;
	size_t n, room;
};

static const char *symbol_name(struct object *o, const GElf_Shdr *symbols,
			       const GElf_Sym *sym)
{
	const char *name =
		elf_strptr(o->private_->elf, symbols->sh_link, sym->st_name);

	return name ? fdo_intern(o->private_->strings, name) : "";
}

static void add_symbolic(struct object *o, struct table *to, Elf_Scn *link,
			 const GElf_Rela *rela, bool with_addend)
{
	struct object_relocation r = { .address = rela->r_offset };
	Elf_Data *data = link ? elf_getdata(link, NULL) : NULL;
	GElf_Shdr header;
	GElf_Sym sym;

	if (!data || !gelf_getshdr(link, &header) ||
	    !gelf_getsym(data, GELF_R_SYM(rela->r_info), &sym))
		return;
	/* A slot of the GOT keeps its name even if the function is here. */
	if (sym.st_shndx == SHN_UNDEF || !with_addend)
		r.name = symbol_name(o, &header, &sym);
	if (sym.st_shndx != SHN_UNDEF) {
		r.value = sym.st_value + (with_addend ? rela->r_addend : 0);
		r.indirect = GELF_ST_TYPE(sym.st_info) == STT_GNU_IFUNC;
		r.known = true;
	}
	to->all = fdo_grow(to->all, to->n, &to->room, sizeof(*to->all));
	to->all[to->n++] = r;
}

static void add_relocation(struct object *o, struct table *to, Elf_Scn *link,
			   const GElf_Rela *rela)
{
	unsigned type = GELF_R_TYPE(rela->r_info);

	switch (type) {
	case R_X86_64_RELATIVE:
	case R_X86_64_IRELATIVE:
		to->all = fdo_grow(to->all, to->n, &to->room, sizeof(*to->all));
		to->all[to->n++] = (struct object_relocation){
			.address = rela->r_offset,
			.value = rela->r_addend,
			.indirect = type == R_X86_64_IRELATIVE,
			.known = true,
		};
		break;
	case R_X86_64_64:
	case R_X86_64_GLOB_DAT:
	case R_X86_64_JUMP_SLOT:
		add_symbolic(o, to, link, rela, type == R_X86_64_64);
		break;
	}
}

static int compare(const void *va, const void *vb)
{
	const struct object_relocation *a = va, *b = vb;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return strcmp(a->name ? a->name : "", b->name ? b->name : "");
}

void object_read_relocations(struct object *o)
{
	Elf *elf = o->private_->elf;
	Elf_Scn *section = NULL;
	struct table table = { 0 };
	GElf_Shdr header;
	GElf_Rela rela;

	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    header.sh_type != SHT_RELA ||
		    !(header.sh_flags & SHF_ALLOC))
			continue;
		Elf_Data *data = elf_getdata(section, NULL);
		Elf_Scn *link =
			header.sh_link ? elf_getscn(elf, header.sh_link) : NULL;

		for (int i = 0; data && gelf_getrela(data, i, &rela); i++)
			add_relocation(o, &table, link, &rela);
	}
	if (table.n)
		qsort(table.all, table.n, sizeof(*table.all), compare);
	o->private_->relocations = table.all;
	o->private_->nrelocations = table.n;
}

static const struct object_relocation *relocation_at(const struct object *o,
						     uint64_t address)
{
	const struct object_relocation *r =
		object_find(o->private_->relocations, o->private_->nrelocations,
			    sizeof(*r), address);

	return r && r->address == address ? r : NULL;
}

bool object_pointer(const struct object *o, uint64_t address, uint64_t *ret)
{
	const struct object_relocation *r = relocation_at(o, address);
	const unsigned char *bytes;
	uint64_t value = 0;
	size_t size;

	if (r) {
		*ret = r->value;
		return r->known && !r->indirect;
	}
	bytes = object_bytes(o, address, &size);
	if (!bytes || size < 8)
		return false;
	for (int i = 7; i >= 0; i--)
		value = value << 8 | bytes[i];
	*ret = value;
	return true;
}

bool object_is_slot(const struct object *o, uint64_t address)
{
	const struct object_section *s = object_section_at(o, address);

	return s && strncmp(s->name, ".got", 4) == 0;
}

const char *object_got_name(const struct object *o, uint64_t slot)
{
	const struct object_relocation *r = relocation_at(o, slot);
	const struct object_function *f;

	if (!r)
		return NULL;
	if (r->name)
		return r->name;
	if (!object_is_slot(o, slot))
		return NULL;
	f = object_function_at(o, r->value);
	return f && f->address == r->value ? f->name : NULL;
}

/* "jmp *slot(%rip)", after endbr64 or bnd or not. */
static bool jump_slot(const unsigned char *code, size_t size, uint64_t address,
		      uint64_t *ret)
{
	size_t at = 0;
	int32_t distance;

	if (size >= 4 && memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0)
		at = 4;
	if (at < size && code[at] == 0xf2)
		at++;
	if (size - at < 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return false;
	distance =
		(int32_t)((uint32_t)code[at + 2] | (uint32_t)code[at + 3] << 8 |
			  (uint32_t)code[at + 4] << 16 |
			  (uint32_t)code[at + 5] << 24);
	*ret = address + at + 6 + distance;
	return true;
}

const char *object_plt_name(const struct object *o, uint64_t address)
{
	const struct object_section *s = object_section_at(o, address);
	size_t size;
	const unsigned char *code;
	uint64_t slot;

	if (!s || !s->executable ||
	    (strncmp(s->name, ".plt", 4) != 0 && strcmp(s->name, ".iplt") != 0))
		return NULL;
	code = object_bytes(o, address, &size);
	if (!code || !jump_slot(code, size, address, &slot))
		return NULL;
	return object_got_name(o, slot);
}
