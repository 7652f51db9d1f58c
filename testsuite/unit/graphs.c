/*
 * graphs.c - the graph of a function is made once, for whoever asks first; the
 * linker sends here whoever makes one.
 */
#include <stdlib.h>

#include "base/error.h"
#include "converter/binary/object.h"
#include "converter/graph/graphs.h"
#include "converter/graph/cfg.h"
#include "testsuite/lib/tap.h"

static int made;

bool __real_cfg_build(struct cfg_program *program,
		      const struct object_function *function, struct cfg *ret,
		      struct fdo_error *err);

bool __wrap_cfg_build(struct cfg_program *program,
		      const struct object_function *function, struct cfg *ret,
		      struct fdo_error *err)
{
	made++;
	return __real_cfg_build(program, function, ret, err);
}

static const struct object_function *named(const struct object *o,
					   const char *name)
{
	size_t n;
	uint64_t *addresses = object_named(o, name, &n);
	const struct object_function *f =
		n == 1 ? object_function_at(o, addresses[0]) : NULL;

	free(addresses);
	check(f, name);
	return f;
}

static void test(const struct object *o, struct graphs *graphs)
{
	const struct object_function *first = named(o, "main");
	const struct object_function *second = named(o, "graphs_find");
	const struct cfg *found;
	struct fdo_error err;
	struct cfg taken;

	if (!first || !second)
		return;
	found = graphs_find(graphs, first);
	check(found && found->nblocks > 1, "it is made where it is missing");
	check(graphs_find(graphs, first) == found, "and found again");
	check_int(made, 1, "as it was made");
	check(graphs_take(graphs, first, &taken, &err) && taken.nblocks > 1,
	      "it can be taken");
	check_int(made, 1, "which makes none");
	cfg_free(&taken);
	check(!graphs_find(graphs, first), "then it is there no more");
	check(graphs_take(graphs, second, &taken, &err) && made == 2,
	      "one that nobody asked for is made then");
	cfg_free(&taken);
	check(graphs_find(graphs, second), "one that nobody takes is freed");
}

int main(void)
{
	struct object_options options = { 0 };
	struct fdo_error err;
	struct object *o = object_open("/proc/self/exe", &options, &err);
	struct cfg_program *cfgs;
	struct graphs *graphs;

	if (!check(o, "this program can be read"))
		return done();
	cfgs = cfg_program_new(o);
	graphs = graphs_new(cfgs);
	test(o, graphs);
	graphs_free(graphs);
	graphs_free(NULL);
	cfg_program_free(cfgs);
	object_free(o);
	return done();
}
