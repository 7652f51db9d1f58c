#include "converter/graph/graphs.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "converter/graph/cfg.h"

struct graphs {
	struct cfg_program *cfgs;
	struct fdo_map *numbers; /* object_function to 1 + that of its graph */
	struct cfg **made;	 /* NULL: it was taken */
	size_t n, room;
};

struct graphs *graphs_new(struct cfg_program *cfgs)
{
	struct graphs *graphs = fdo_alloc(1, sizeof(*graphs));

	graphs->cfgs = cfgs;
	graphs->numbers = fdo_map_new();
	return graphs;
}

void graphs_free(struct graphs *graphs)
{
	if (!graphs)
		return;
	for (size_t i = 0; i < graphs->n; i++) {
		if (graphs->made[i])
			cfg_free(graphs->made[i]);
		free(graphs->made[i]);
	}
	free(graphs->made);
	fdo_map_free(graphs->numbers);
	free(graphs);
}

const struct cfg *graphs_find(struct graphs *graphs,
			      const struct object_function *function)
{
	uint64_t *number = fdo_map_at(graphs->numbers, (uintptr_t)function);
	struct fdo_error err;
	struct cfg *cfg;

	if (*number)
		return graphs->made[*number - 1];
	cfg = fdo_alloc(1, sizeof(*cfg));
	if (!cfg_build(graphs->cfgs, function, cfg, &err)) {
		free(cfg);
		return NULL;
	}
	graphs->made = fdo_grow(graphs->made, graphs->n, &graphs->room,
				sizeof(*graphs->made));
	graphs->made[graphs->n++] = cfg;
	*number = graphs->n;
	return cfg;
}

bool graphs_take(struct graphs *graphs, const struct object_function *function,
		 struct cfg *ret, struct fdo_error *err)
{
	const uint64_t *number =
		fdo_map_get(graphs->numbers, (uintptr_t)function);
	struct cfg **made =
		number && *number ? &graphs->made[*number - 1] : NULL;

	if (!made)
		return cfg_build(graphs->cfgs, function, ret, err);
	*ret = **made;
	free(*made);
	*made = NULL;
	return true;
}
