/*
 * command.h - what the guest was called with.
 *
 *	char text[256];
 *	command_read("./app", text, sizeof(text));	// "./app -v input"
 *
 * Errors     None: what cannot be found out is only the program's name.
 */
#ifndef PMUSIM_COMMAND_H
#define PMUSIM_COMMAND_H

#include <stddef.h>

/* "program" is the guest's file as QEMU was told it; text is cut to fit. */
void command_read(const char *program, char *ret, size_t size);

/* The last part of a path, which the kernel calls a process, in 15 bytes. */
void command_comm(const char *program, char ret[16]);

#endif
