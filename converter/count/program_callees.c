/*
 * program_callees.c - which function of a program is called.
 */
#include "converter/binary/object.h"
#include "converter/count/program.h"

static int compare_place(const struct program_function *f, size_t binary,
			 uint64_t address)
{
	uint64_t begin = f->cfg.parts[0].address;

	if (f->binary != binary)
		return f->binary < binary ? -1 : 1;
	return begin < address ? -1 : begin > address;
}

size_t program_callee(const struct program *p, size_t binary, uint64_t address)
{
	size_t from = 0, to = p->nfunctions;

	while (address && from < to) {
		size_t middle = (from + to) / 2;
		int order =
			compare_place(&p->functions[middle], binary, address);

		if (order == 0)
			return middle;
		if (order < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return p->nfunctions;
}

static size_t exported(const struct program *p, size_t binary, const char *name)
{
	uint64_t address = object_export(p->binaries[binary].object, name);

	return program_callee(p, binary, address);
}

/*
 * As the loader finds it, what the program has comes first.  Of several libraries
 * nobody knows the order.
 */
static size_t named(const struct program *p, const char *name)
{
	size_t none = p->nfunctions, found = none, one;

	for (size_t i = 0; i < p->nbinaries; i++)
		if (p->binaries[i].object->type != OBJECT_SHARED &&
		    (one = exported(p, i, name)) != none)
			return one;
	for (size_t i = 0; i < p->nbinaries; i++) {
		one = exported(p, i, name);
		if (one != none && found != none)
			return none;
		if (one != none)
			found = one;
	}
	return found;
}

size_t program_called(const struct program *p, size_t binary,
		      const struct cfg_call *call)
{
	if (call->indirect)
		return p->nfunctions;
	if (call->external && call->name)
		return named(p, call->name);
	return program_callee(p, binary, call->target);
}
