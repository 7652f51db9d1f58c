/* truth_private.h - what the readers of truth fill in. */
#ifndef CONVERTER_TRUTH_PRIVATE_H
#define CONVERTER_TRUTH_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct fdo_error;
struct fdo_map;
struct object;

struct truth {
	const struct object *object;
	char *real_path;	    /* of it, behind links; NULL: not known */
	struct fdo_map *executions; /* by address */
	struct fdo_map *jumps;	    /* by from << 32 | to */
	struct fdo_map *leaves;	    /* by from */
	bool without_jumps;	    /* nobody collected them */
	char *path;		    /* of the file */
};

#define TRUTH_HOW_TO_RUN \
	"run callgrind with --dump-instr=yes --collect-jumps=yes"

bool truth_is_object(const struct truth *t, const char *path);
void truth_add_jump(struct truth *t, uint64_t from, uint64_t to,
		    uint64_t count);

/* What follows the first line. */
bool truth_read_callgrind(struct truth *t, struct fdo_text *text,
			  struct fdo_error *err);
bool truth_read_simulator(struct truth *t, struct fdo_text *text,
			  struct fdo_error *err);

/* The next word of a line, which is moved on, or NULL after the last one. */
char *truth_word(char **line);

#endif
