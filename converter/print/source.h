/*
 * source.h - lines of source files, where the files are to be had.
 *
 *	struct source *s = source_new(folders, nfolders, &built);
 *	int length;
 *	const char *text = source_line(s, "/home/me", "main.c", 12, &length);
 *	if (text)
 *		printf("%.*s\n", length, text);
 *	source_free(s);
 *
 * A file is looked for by its name, below the folder of the compilation, and
 * last below each of the folders given to source_new(), whole and then without
 * its own.
 *
 * Units      Lines count from 1.
 * Ownership  Lines belong to the source.  Names and folders must outlive it.
 * Errors     What cannot be read has no lines.
 */
#ifndef CONVERTER_PRINT_SOURCE_H
#define CONVERTER_PRINT_SOURCE_H

#include <stddef.h>
#include <time.h>

struct source;

/* folders: where else to look.  built: when the program was. */
struct source *source_new(const char *const *folders, size_t nfolders,
			  const struct timespec *built);
void source_free(struct source *s);

/*
 * A line without its end, and how long it is; NULL: not to be had.  compiled:
 * the folder of the compilation; NULL: unknown.
 */
const char *source_line(struct source *s, const char *compiled,
			const char *file, unsigned line, int *length);

/*
 * How many files with lines that were asked for are newer than the program, so
 * that the lines may be others; the first of them in *first_ret.
 */
size_t source_newer(const struct source *s, const char **first_ret);

#endif
