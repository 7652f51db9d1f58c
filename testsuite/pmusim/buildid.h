/*
 * buildid.h - the build-id that the linker left in a file.
 *
 *	char id[41];
 *	build_id_of("/bin/true", id);	// "8b3c...", or "-"
 *
 * Errors     None: a file that cannot be read, or is no 64-bit ELF file, has
 *            no build-id.
 */
#ifndef PMUSIM_BUILDID_H
#define PMUSIM_BUILDID_H

void build_id_of(const char *path, char ret[41]);

#endif
