/*
 * object_exports.c - the functions that other objects can call by name.
 */
#include "converter/binary/object_private.h"

#include <stdlib.h>

#include "base/map.h"

/* Of what has two versions nobody knows which is called. */
static void add(struct object *o, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym sym;

	for (int i = 1; data && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_strptr(o->private_->elf, header->sh_link,
					      sym.st_name);
		unsigned type = GELF_ST_TYPE(sym.st_info);
		uint64_t *known;

		if (!name || sym.st_shndx == SHN_UNDEF || type != STT_FUNC)
			continue;
		known = fdo_map_at(o->private_->exports, fdo_hash_text(name));
		*known = *known && *known != sym.st_value ? UINT64_MAX
							  : sym.st_value;
	}
}

void object_read_exports(struct object *o)
{
	Elf *elf = o->private_->elf;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	o->private_->exports = fdo_map_new();
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) &&
		    header.sh_type == SHT_DYNSYM)
			add(o, section, &header);
}

uint64_t object_export(const struct object *o, const char *name)
{
	const uint64_t *known =
		fdo_map_get(o->private_->exports, fdo_hash_text(name));

	return known && *known != UINT64_MAX ? *known : 0;
}
