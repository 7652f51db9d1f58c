/*
 * command.c - in QEMU's own arguments the guest's are those from the
 * program's name on.
 */
#include "testsuite/pmusim/command.h"

#include <stdio.h>
#include <string.h>

static void append(char *ret, size_t size, const char *word)
{
	size_t used = strlen(ret);

	if (used)
		snprintf(ret + used, size - used, " %s", word);
	else
		snprintf(ret, size, "%s", word);
}

/* A newline in an argument must not begin a line of a file. */
static void flatten(char *text)
{
	for (; *text; text++)
		if (*text == '\n' || *text == '\r')
			*text = ' ';
}

void command_read(const char *program, char *ret, size_t size)
{
	FILE *stream = fopen("/proc/self/cmdline", "re");
	char words[65536];
	size_t length = 0, at;

	if (stream) {
		length = fread(words, 1, sizeof(words) - 1, stream);
		fclose(stream);
	}
	words[length] = '\0';
	ret[0] = '\0';
	for (at = 0; at < length; at += strlen(words + at) + 1)
		if (ret[0] || strcmp(words + at, program) == 0)
			append(ret, size, words + at);
	if (!ret[0])
		append(ret, size, program);
	flatten(ret);
}

void command_comm(const char *program, char ret[16])
{
	const char *slash = strrchr(program, '/');

	snprintf(ret, 16, "%s", slash ? slash + 1 : program);
	flatten(ret);
}
