/*
 * damage.h - a reader must survive every damaged form of a file.
 *
 *	static bool reader(const char *path, struct fdo_error *err) { ... }
 *
 *	damage_prefixes("a profile", data, size, true, reader);
 *	damage_bytes("a profile's header", data, size, header_size, reader);
 *	return done();
 *
 * The program is built with the address and undefined behaviour sanitizers
 * where the compiler has them: they end it at the first wrong access, and at
 * its end if anything leaked.  What is left to test is that a reader either
 * reads the file or says in one line, with the file's name, why not.
 */
#ifndef TESTSUITE_DAMAGE_H
#define TESTSUITE_DAMAGE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "testsuite/lib/tap.h"

typedef bool damage_reader(const char *path, struct fdo_error *err);

static inline bool damage_message_is_good(const char *path, const char *text)
{
	return strncmp(text, path, strlen(path)) == 0 &&
	       text[strlen(path)] == ':' && !strchr(text, '\n');
}

/* Read these bytes; *accepted if the reader took them. */
static inline bool damage_read(const unsigned char *data, size_t size,
			       damage_reader *reader, bool *accepted)
{
	struct fdo_error err = { "" };
	char path[64];
	int fd = memfd_create("damaged", 0);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	*accepted = reader(path, &err);
	close(fd);
	if (*accepted || damage_message_is_good(path, err.text))
		return true;
	printf("# message: '%s'\n", err.text);
	return false;
}

/* All prefixes; if "whole" none of them may be taken for a file. */
static inline void damage_prefixes(const char *what, const unsigned char *data,
				   size_t size, bool whole,
				   damage_reader *reader)
{
	size_t bad = 0, taken = 0;
	bool accepted;

	for (size_t i = 0; i < size; i++) {
		bad += !damage_read(data, i, reader, &accepted);
		taken += accepted;
		if (accepted && whole)
			printf("# %zu of %zu bytes are taken\n", i, size);
	}
	printf("# %s: %zu prefixes, %zu of them taken\n", what, size, taken);
	check(bad == 0 && (!whole || taken == 0), what);
	check(damage_read(data, size, reader, &accepted) && accepted,
	      "and the whole is read");
}

/*
 * Each byte changed: those of the header bit by bit, the others in two ways.
 */
static inline void damage_bytes(const char *what, const unsigned char *data,
				size_t size, size_t header,
				damage_reader *reader)
{
	static const unsigned char changes[] = { 0xff, 0x01, 0x02, 0x04, 0x08,
						 0x10, 0x20, 0x40, 0x80 };
	unsigned char *damaged = malloc(size ? size : 1);
	size_t bad = 0, taken = 0, runs = 0;
	bool accepted;

	memcpy(damaged, data, size);
	for (size_t i = 0; i < size; i++) {
		size_t ways = i < header ? sizeof(changes) : 2;

		for (size_t j = 0; j < ways; j++, runs++) {
			damaged[i] = data[i] ^ changes[j];
			bad += !damage_read(damaged, size, reader, &accepted);
			taken += accepted;
		}
		damaged[i] = data[i];
	}
	free(damaged);
	printf("# %s: %zu changes, %zu of them taken\n", what, runs, taken);
	check(bad == 0, what);
}

#endif
