/*
 * truth_pair BINARY TRUTH TRUTH - do two kinds of exact counts agree?
 *
 * Every instruction of .text that one of the files has, and both ways of
 * every conditional branch, must have the same count.  Prints the first
 * differences and how much was compared; the status is 1 if anything differs.
 *
 * Repeated string instructions are left out, since callgrind counts each of
 * their steps; and so are branches to where a function begins, which are
 * calls to callgrind.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "converter/graph/decode.h"
#include "converter/binary/object.h"
#include "converter/truth/truth.h"

enum { SHOWN = 20 };

struct pair {
	struct object *object;
	struct decoder *decoder;
	const struct truth *a, *b;
	uint64_t instructions, branches, different, executions;
};

static void compare(struct pair *p, const char *what, uint64_t address,
		    uint64_t a, uint64_t b)
{
	if (a == b)
		return;
	if (p->different++ < SHOWN)
		printf("%" PRIx64 ": %s %" PRIu64 " and %" PRIu64 "\n", address,
		       what, a, b);
}

static bool is_text(const struct object *o, uint64_t address)
{
	const struct object_section *s = object_section_at(o, address);

	return s && strcmp(s->name, ".text") == 0;
}

static bool begins_function(const struct pair *p, uint64_t address)
{
	const struct object_function *f =
		object_function_at(p->object, address);

	return f && f->address == address;
}

static void compare_at(struct pair *p, uint64_t address)
{
	struct insn insn;
	size_t size;
	const unsigned char *bytes = object_bytes(p->object, address, &size);

	if (!is_text(p->object, address) || !bytes ||
	    !decode(p->decoder, bytes, size, address, &insn) || insn.repeated)
		return;
	p->instructions++;
	p->executions += truth_executions(p->a, address);
	compare(p, "executions", address, truth_executions(p->a, address),
		truth_executions(p->b, address));
	if (insn.class != INSN_BRANCH || begins_function(p, insn.target))
		return;
	p->branches++;
	compare(p, "taken", address, truth_jumps(p->a, address, insn.target),
		truth_jumps(p->b, address, insn.target));
}

/* Those of "t" that the other has not, or all. */
static void compare_all(struct pair *p, const struct truth *t,
			const struct truth *other)
{
	size_t n;
	uint64_t *addresses = truth_addresses(t, &n);

	for (size_t i = 0; i < n; i++)
		if (!other || !truth_executions(other, addresses[i]))
			compare_at(p, addresses[i]);
	free(addresses);
}

static int finish(const struct pair *p)
{
	printf("%" PRIu64 " instructions, %" PRIu64 " branches, %" PRIu64
	       " executions: %" PRIu64 " differ\n",
	       p->instructions, p->branches, p->executions, p->different);
	return p->different || !p->branches ? EXIT_FAILURE : EXIT_SUCCESS;
}

static bool run(char **argv, int *status, struct fdo_error *err)
{
	struct object_options options = { 0 };
	struct pair p = { .object = object_open(argv[1], &options, err) };

	if (!p.object)
		return false;
	p.a = truth_read(argv[2], p.object, err);
	if (!p.a)
		return false;
	p.b = truth_read(argv[3], p.object, err);
	if (!p.b)
		return false;
	p.decoder = decoder_new();
	compare_all(&p, p.a, NULL);
	compare_all(&p, p.b, p.a);
	*status = finish(&p);
	decoder_free(p.decoder);
	truth_free((struct truth *)p.a);
	truth_free((struct truth *)p.b);
	object_free(p.object);
	return true;
}

int main(int argc, char **argv)
{
	struct fdo_error err;
	int status = EXIT_FAILURE;

	if (argc != 4) {
		fputs("usage: truth_pair BINARY TRUTH TRUTH\n", stderr);
		return 2;
	}
	if (!run(argv, &status, &err))
		fprintf(stderr, "truth_pair: %s\n", err.text);
	return status;
}
