#include "testsuite/pmusim/buildid.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

/* A part of a file, never more than there is. */
struct part {
	const unsigned char *data;
	uint64_t size;
};

static struct part part_of(struct part whole, uint64_t at, uint64_t size)
{
	if (at > whole.size)
		at = whole.size;
	if (size > whole.size - at)
		size = whole.size - at;
	return (struct part){ whole.data + at, size };
}

static void print_hex(struct part id, char ret[41])
{
	for (uint64_t i = 0; i < id.size && i < 20; i++)
		sprintf(ret + 2 * i, "%02x", id.data[i]);
}

static uint64_t padded(uint64_t size)
{
	return (size + 3) & ~(uint64_t)3;
}

static bool find_note(struct part notes, char ret[41])
{
	Elf64_Nhdr note;
	struct part name, text;

	while (notes.size > sizeof(note)) {
		memcpy(&note, notes.data, sizeof(note));
		notes = part_of(notes, sizeof(note), notes.size);
		name = part_of(notes, 0, note.n_namesz);
		text = part_of(notes, padded(note.n_namesz), note.n_descsz);
		if (note.n_type == NT_GNU_BUILD_ID && name.size == 4 &&
		    memcmp(name.data, "GNU", 4) == 0) {
			print_hex(text, ret);
			return true;
		}
		notes = part_of(notes,
				padded(note.n_namesz) + padded(note.n_descsz),
				notes.size);
	}
	return false;
}

static void search(struct part file, char ret[41])
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;

	if (file.size < sizeof(header))
		return;
	memcpy(&header, file.data, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64)
		return;
	for (int i = 0; i < header.e_phnum; i++) {
		struct part at =
			part_of(file, header.e_phoff + i * sizeof(segment),
				sizeof(segment));

		if (at.size < sizeof(segment))
			return;
		memcpy(&segment, at.data, sizeof(segment));
		if (segment.p_type == PT_NOTE &&
		    find_note(part_of(file, segment.p_offset, segment.p_filesz),
			      ret))
			return;
	}
}

void build_id_of(const char *path, char ret[41])
{
	struct fdo_error err;
	struct fdo_file file;

	strcpy(ret, "-");
	if (!fdo_file_open(&file, path, &err))
		return;
	search((struct part){ file.data, file.size }, ret);
	fdo_file_close(&file);
}
