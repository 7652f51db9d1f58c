/*
 * places.c - what object.h and lines.h say of a file, as text, so that
 * scripts can compare it with what other readers say.
 *
 *	places [--debug-dir DIR] FILE < ADDRESSES	as addr2line -a -f -i
 *	places --columns FILE < ADDRESSES	with columns
 *	places --paths FILE < ADDRESSES	with folders
 *	places --functions FILE	the functions, the PLT's names
 *	places --pointers FILE < ADDRESSES	what pointers there point to
 *	places --damage FILE	each beginning of it, each header byte changed
 *
 * It prints, as no library may; failures go to stderr with exit code 1.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "converter/binary/lines.h"
#include "converter/binary/object.h"

static int fail(const struct fdo_error *err)
{
	fprintf(stderr, "places: %s\n", err->text);
	return EXIT_FAILURE;
}

enum detail { PLAIN, COLUMNS, PATHS };

static void print_place(const char *name, const char *file, unsigned line,
			unsigned column, unsigned discriminator,
			enum detail detail)
{
	const char *slash = file && detail != PATHS ? strrchr(file, '/') : NULL;

	printf("%s\n%s:", name, slash ? slash + 1 : file && line ? file : "??");
	printf(line ? "%u" : "?", line);
	if (detail == COLUMNS)
		printf(":%u", column);
	if (discriminator)
		printf(" (discriminator %u)", discriminator);
	putchar('\n');
}

static void print_address(const struct lines *l, uint64_t address,
			  enum detail detail)
{
	struct lines_place p;
	const struct lines_frame *f;

	printf("0x%016llx\n", (unsigned long long)address);
	lines_at(l, address, &p);
	if (!p.frame)
		print_place("??", p.file, p.line, p.column, p.discriminator,
			    detail);
	for (f = p.frame; f; f = f->parent) {
		print_place(f->name, p.file, p.line, p.column, p.discriminator,
			    detail);
		p.file = f->call_file;
		p.line = f->call_line;
		p.column = f->call_column;
		p.discriminator = f->call_discriminator;
	}
}

static int print_places(const struct object *o, enum detail detail)
{
	char text[64];
	struct fdo_error err;
	struct lines *l = lines_new(o, &err);

	if (!l)
		return fail(&err);
	while (fgets(text, sizeof(text), stdin))
		print_address(l, strtoull(text, NULL, 16), detail);
	lines_free(l);
	return EXIT_SUCCESS;
}

static void print_function(const struct object *o,
			   const struct object_function *f)
{
	printf("%llx %llx %s%s%s", (unsigned long long)f->address,
	       (unsigned long long)f->size, f->name, f->global ? " global" : "",
	       f->size_guessed ? " guessed" : "");
	if (f->cold_of)
		printf(" part of %s", f->cold_of->name);
	if (object_noreturn(o, f->name))
		printf(" noreturn");
	putchar('\n');
}

static int print_functions(const struct object *o)
{
	static const char *const types[] = { "fixed", "PIE", "shared" };

	printf("%s\n", types[o->type]);
	for (size_t i = 0; i < o->nfunctions; i++)
		print_function(o, &o->functions[i]);
	for (size_t i = 0; i < o->nsections; i++) {
		const struct object_section *s = &o->sections[i];

		for (uint64_t a = s->address;
		     s->executable && a < s->address + s->size; a += 8) {
			const char *name = object_plt_name(o, a);

			if (name)
				printf("plt %s%s\n", name,
				       object_noreturn(o, name) ? " noreturn"
								: "");
		}
	}
	return EXIT_SUCCESS;
}

static int print_pointers(const struct object *o)
{
	char text[64];

	while (fgets(text, sizeof(text), stdin)) {
		uint64_t address = strtoull(text, NULL, 16), offset, to, back;
		const char *slot = object_got_name(o, address);

		if (object_pointer(o, address, &to))
			printf("%llx", (unsigned long long)to);
		else
			printf("unknown");
		if (object_offset(o, address, &offset) &&
		    object_address(o, offset, &back) && back == address)
			printf(" loaded");
		printf("%s%s\n", slot ? " slot " : "", slot ? slot : "");
	}
	return EXIT_SUCCESS;
}

/* Use all of it; the answers do not matter. */
static void use(const char *path)
{
	struct fdo_error err;
	struct object_options options = { 0 };
	struct object *o = object_open(path, &options, &err);
	struct lines *l = o ? lines_new(o, &err) : NULL;
	struct lines_place place;
	uint64_t pointer;

	for (size_t i = 0; o && i < o->nsections; i++) {
		const struct object_section *s = &o->sections[i];

		for (uint64_t at = 0; at < s->size && at < 65536; at += 8) {
			object_pointer(o, s->address + at, &pointer);
			object_plt_name(o, s->address + at);
			if (l)
				lines_at(l, s->address + at, &place);
		}
	}
	if (o)
		object_noreturn(o, "main");
	lines_free(l);
	object_free(o);
}

static void change(int fd, const char *scratch, size_t at, unsigned char byte)
{
	if (pwrite(fd, &byte, 1, at) != 1) {
		perror(scratch);
		exit(EXIT_FAILURE);
	}
}

/* Changed bytes at even distances, so that all sections get some. */
static int damage(const char *path, const char *scratch, size_t steps)
{
	struct fdo_file file;
	struct fdo_error err;
	size_t step, size;
	int fd;

	if (!fdo_file_open(&file, path, &err))
		return fail(&err);
	fd = open(scratch, O_RDWR | O_CREAT | O_TRUNC, 0666);
	if (fd < 0 || write(fd, file.data, file.size) != (ssize_t)file.size) {
		perror(scratch);
		return EXIT_FAILURE;
	}
	step = file.size / steps + 1;
	for (size_t at = 0; at < file.size; at += at < 1024 ? 3 : step) {
		change(fd, scratch, at, file.data[at] ^ 0xff);
		use(scratch);
		change(fd, scratch, at, file.data[at] ^ (1 << at % 8));
		use(scratch);
		change(fd, scratch, at, file.data[at]);
	}
	for (size = file.size; size > step; size -= step)
		if (ftruncate(fd, size) == 0)
			use(scratch);
	close(fd);
	unlink(scratch);
	fdo_file_close(&file);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct object_options options = { 0 };
	struct fdo_error err;
	struct object *o;
	bool functions = false, pointers = false;
	enum detail detail = PLAIN;
	int result;

	for (argv++; argc > 2 && **argv == '-'; argv++, argc--) {
		if (strcmp(*argv, "--columns") == 0) {
			detail = COLUMNS;
		} else if (strcmp(*argv, "--paths") == 0) {
			detail = PATHS;
		} else if (strcmp(*argv, "--functions") == 0) {
			functions = true;
		} else if (strcmp(*argv, "--pointers") == 0) {
			pointers = true;
		} else if (strcmp(*argv, "--debug-dir") == 0) {
			options.debug_dir = *++argv;
		} else if (strcmp(*argv, "--damage") == 0) {
			return damage(argv[1], argv[2], atoi(argv[3]));
		}
	}
	o = object_open(*argv, &options, &err);
	if (!o)
		return fail(&err);
	result = functions  ? print_functions(o)
		 : pointers ? print_pointers(o)
			    : print_places(o, detail);
	object_free(o);
	return result;
}
