/*
 * object_debug.c - where the debug information is.
 *
 * libdwfl does the finding: in the file itself, by .gnu_debuglink, by
 * build-id, from a debuginfod server, and the common part that dwz took out
 * (.gnu_debugaltlink).  It decompresses, too.
 */
#include "converter/binary/object_private.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"

/* The file was opened by its name: there is nothing else to look for. */
static int find_elf(Dwfl_Module *module, void **userdata, const char *name,
		    Dwarf_Addr base, char **file_name, Elf **elf)
{
	(void)module, (void)userdata, (void)name, (void)base;
	(void)file_name, (void)elf;
	return -1;
}

/* libdwfl's own path, with ours before the system's. */
static char *debug_path(const char *dir)
{
	static const char format[] = ":.debug:%s:/usr/lib/debug";
	size_t size = sizeof(format) + strlen(dir);
	char *path = fdo_alloc(1, size);

	snprintf(path, size, format, dir);
	return path;
}

bool object_open_debug(struct object *o, const struct object_options *options,
		       struct fdo_error *err)
{
	struct object_private *in = o->private_;

	if (options->debug_dir)
		in->debug_path = debug_path(options->debug_dir);
	in->callbacks = (Dwfl_Callbacks){
		.find_elf = find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = in->debug_path ? &in->debug_path : NULL,
	};
	in->dwfl = dwfl_begin(&in->callbacks);
	if (in->dwfl)
		/* At 0, so that its addresses are those of the file. */
		in->module = dwfl_report_elf(in->dwfl, o->path, o->path, -1, 0,
					     true);
	if (in->module && dwfl_report_end(in->dwfl, NULL, NULL) == 0)
		in->elf = dwfl_module_getelf(in->module, &in->elf_bias);
	return in->elf || fdo_fail(err, "%s: %s", o->path, dwfl_errmsg(-1));
}

/* Older libelf knows one way to compress only, and says that there is nothing. */
static bool has_zstd(Elf *elf)
{
	enum { ZSTD = 2 }; /* of ch_type */
	Elf_Scn *section = NULL;
	GElf_Chdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getchdr(section, &header) && header.ch_type == ZSTD)
			return true;
	return false;
}

/* What libdwfl took for the program's debug information, or NULL. */
static const char *debug_file(const struct object_private *in)
{
	const char *path = NULL;

	dwfl_module_info(in->module, NULL, NULL, NULL, NULL, NULL, NULL, &path);
	return path;
}

/* The program itself, or the file that libdwfl found for it. */
static bool is_zstd(const struct object_private *in)
{
	struct fdo_error err;
	struct fdo_file file;
	const char *path = debug_file(in);
	bool found;
	Elf *elf;

	if (!path || !fdo_file_open(&file, path, &err))
		return has_zstd(in->elf);
	elf = elf_memory((char *)file.data, file.size);
	found = elf && has_zstd(elf);
	elf_end(elf);
	fdo_file_close(&file);
	return found;
}

/*
 * Is a file in one of the folders of a path, or there in a folder's place?
 * Then its name is in ret.
 */
static bool is_in(const char *path, const char *folder, const char *name,
		  char *ret, size_t size)
{
	while (*path) {
		int length = (int)strcspn(path, ":");

		snprintf(ret, size, "%.*s/%s", length, path, name);
		if (access(ret, F_OK) == 0)
			return true;
		snprintf(ret, size, "%.*s%s/%s", length, path, folder, name);
		if (folder[0] == '/' && access(ret, F_OK) == 0)
			return true;
		path += length + (path[length] == ':');
	}
	return false;
}

/* The program names a file, and libdwfl found none that is its. */
static void explain_link(const struct object *o, const char *name)
{
	struct object_private *in = o->private_;
	const char *slash = strrchr(o->path, '/');
	const char *more = in->debug_path ? in->debug_path + strlen(":.debug")
					  : ":/usr/lib/debug";
	char folder[PATH_MAX], path[4 * PATH_MAX], found[2 * PATH_MAX];

	snprintf(folder, sizeof(folder), "%.*s",
		 slash ? (int)(slash - o->path) : 1, slash ? o->path : ".");
	snprintf(path, sizeof(path), "%s:%s/.debug%s", folder, folder, more);
	if (is_in(path, folder, name, found, sizeof(found)))
		snprintf(in->debug_problem, sizeof(in->debug_problem),
			 "%s is not of this build", found);
	else
		snprintf(in->debug_problem, sizeof(in->debug_problem),
			 "it is in %s, which was not found", name);
}

/* The common part by that name, if it is of the build that is asked for. */
static bool open_common(struct object_private *in, const char *path,
			const void *id, ssize_t size)
{
	const void *own;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Dwarf *dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);

	if (dwarf &&
	    dwelf_elf_gnu_build_id(dwarf_getelf(dwarf), &own) == size &&
	    memcmp(own, id, (size_t)size) == 0) {
		dwarf_setalt(in->dwarf, dwarf);
		in->common = dwarf;
		in->common_fd = fd;
		return true;
	}
	dwarf_end(dwarf);
	if (fd >= 0)
		close(fd);
	return false;
}

/*
 * Debian names the common part of a package /usr/lib/debug/.dwz/TRIPLET/NAME.
 * Below another folder libdwfl looks for .dwz/NAME alone.
 */
static void find_common(struct object *o, const char *dirs)
{
	static const char system[] = "/usr/lib/debug/";
	struct object_private *in = o->private_;
	const char *name;
	const void *id;
	ssize_t size;

	if (!dirs || dwarf_getalt(in->dwarf))
		return;
	size = dwelf_dwarf_gnu_debugaltlink(in->dwarf, &name, &id);
	if (size <= 0 || strncmp(name, system, strlen(system)) != 0)
		return;
	while (*dirs) {
		int length = (int)strcspn(dirs, ":");
		char path[2 * PATH_MAX];

		snprintf(path, sizeof(path), "%.*s/%s", length, dirs,
			 name + strlen(system));
		if (length && open_common(in, path, id, size))
			return;
		dirs += length + (dirs[length] == ':');
	}
}

void object_find_debug(struct object *o)
{
	struct object_private *in = o->private_;
	Dwarf_Addr bias = 0;
	const char *link;
	GElf_Word crc;

	in->dwarf = dwfl_module_getdwarf(in->module, &bias);
	if (in->dwarf) {
		in->dwarf_bias = in->elf_bias - bias;
		find_common(o, in->debug_path);
	} else if (is_zstd(in))
		snprintf(in->debug_problem, sizeof(in->debug_problem),
			 "it is compressed with zstd, which libelf reads from "
			 "0.189 on; 'objcopy --decompress-debug-sections' "
			 "helps");
	else if (!debug_file(in) &&
		 (link = dwelf_elf_gnu_debuglink(in->elf, &crc)))
		explain_link(o, link);
	else
		snprintf(in->debug_problem, sizeof(in->debug_problem), "%s",
			 dwfl_errmsg(-1));
}

Dwarf *object_dwarf(const struct object *o, uint64_t *bias_ret)
{
	*bias_ret = o->private_->dwarf_bias;
	return o->private_->dwarf;
}

static bool has_lines(Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die, sub;
	uint8_t type;

	while (dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, &sub) ==
	       0)
		if (dwarf_hasattr(&die, DW_AT_stmt_list) ||
		    (type == DW_UT_skeleton && sub.addr))
			return true;
	return false;
}

/* What DWARF 5 has for that, which libdw does not know.  NULL: nothing. */
static const char *supplementary(Dwarf *dwarf)
{
	enum {
		NAME = 3
	}; /* after its version, and which of both files it is */
	Elf *elf = dwarf_getelf(dwarf);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	Elf_Data *data;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *name, *bytes;

		if (!gelf_getshdr(section, &header) ||
		    !(name = elf_strptr(elf, names, header.sh_name)) ||
		    strcmp(name, ".debug_sup") != 0 ||
		    !(data = elf_getdata(section, NULL)))
			continue;
		bytes = data->d_buf;
		if (data->d_size > NAME && bytes[NAME - 1] == 0 &&
		    memchr(bytes + NAME, 0, data->d_size - NAME))
			return bytes + NAME;
	}
	return NULL;
}

/*
 * What several programs have in common is in a file of its own (dwz -m).  Most
 * functions have their names there: without it, next to nothing is known.
 */
static bool has_common_part(const struct object *o, struct fdo_error *err)
{
	Dwarf *dwarf = o->private_->dwarf;
	const char *name;
	const void *id;

	if (dwarf_getalt(dwarf))
		return true;
	if (dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id) > 0)
		return fdo_fail(err,
				"%s: a part of its debug information is in "
				"%s, which was not found (--debug-dir)",
				o->path, name);
	name = supplementary(dwarf);
	return !name ||
	       fdo_fail(err,
			"%s: a part of its debug information is in %s, by "
			".debug_sup, which libdw does not read: use dwz "
			"without --dwarf-5",
			o->path, name);
}

bool object_needs_debug(const struct object *o, struct fdo_error *err)
{
	const struct object_private *in = o->private_;

	if (in->dwarf && has_lines(in->dwarf))
		return has_common_part(o, err);
	return fdo_fail(err,
			"%s: no debug information with line numbers (%s): "
			"build with -g, or install the package's -dbgsym, or "
			"use --debug-dir or DEBUGINFOD_URLS",
			o->path,
			in->dwarf ? "no line table" : in->debug_problem);
}
