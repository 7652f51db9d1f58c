/*
 * object_noreturn.c - which functions never come back.
 *
 * GCC leaves out the code after a call that does not return, so whoever
 * follows the code must know of these: else the next function's code, or
 * some other block's, seems to follow.
 */
#include "converter/binary/object_private.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"

/* The next sibling.  Damaged data may lead backwards, for ever: not here. */
static bool next_die(Dwarf_Die *die)
{
	Dwarf_Off before = dwarf_dieoffset(die);

	return dwarf_siblingof(die, die) == 0 && dwarf_dieoffset(die) > before;
}

/* Of the compilers' and the C library's own; debug information lacks these. */
static const char *const never_return[] = {
	"_Exit",
	"_Unwind_Resume",
	"_ZSt9terminatev",
	"_exit",
	"_gfortran_error_stop_numeric",
	"_gfortran_error_stop_string",
	"_gfortran_exit_i4",
	"_gfortran_exit_i8",
	"_gfortran_os_error",
	"_gfortran_os_error_at",
	"_gfortran_runtime_error",
	"_gfortran_runtime_error_at",
	"_gfortran_stop_numeric",
	"_gfortran_stop_string",
	"abort",
	"__assert_fail",
	"__assert_perror_fail",
	"__chk_fail",
	"__cxa_bad_cast",
	"__cxa_bad_typeid",
	"__cxa_call_terminate",
	"__cxa_call_unexpected",
	"__cxa_deleted_virtual",
	"__cxa_pure_virtual",
	"__cxa_rethrow",
	"__cxa_throw",
	"__cxa_throw_bad_array_length",
	"__cxa_throw_bad_array_new_length",
	"__fortify_fail",
	"__libc_fatal",
	"__libc_start_main",
	"__longjmp_chk",
	"__stack_chk_fail",
	"__stack_chk_fail_local",
	"_longjmp",
	"err",
	"errx",
	"exit",
	"longjmp",
	"pthread_exit",
	"quick_exit",
	"siglongjmp",
	"verr",
	"verrx",
};

/* What the debug information says of all functions with a name. */
enum {
	NEVER_RETURNS = 1,
	RETURNS = 2,	   /* it has a body of one that may return */
	LOCAL_RETURNS = 4, /* the same, of a static one */
};

struct object_manner {
	const char *name; /* interned */
	unsigned says;
};

static int by_name(const void *va, const void *vb)
{
	const struct object_manner *a = va, *b = vb;

	return strcmp(a->name, b->name);
}

/* Only where the name stands: copies of it and bodies refer to there. */
static void add_function(struct object *o, Dwarf_Die *die)
{
	struct object_private *in = o->private_;
	Dwarf_Attribute attribute;
	const char *name;
	unsigned says = 0;

	if (dwarf_hasattr(die, DW_AT_noreturn))
		says = NEVER_RETURNS;
	else if (!dwarf_hasattr(die, DW_AT_declaration))
		says = dwarf_hasattr(die, DW_AT_external) ? RETURNS
							  : LOCAL_RETURNS;
	if (!says || !dwarf_hasattr(die, DW_AT_name))
		return;
	name = dwarf_formstring(
		dwarf_attr(die, DW_AT_linkage_name, &attribute));
	if (!name)
		name = dwarf_diename(die);
	if (!name)
		return;
	in->manners = fdo_grow(in->manners, in->nmanners, &in->room_manners,
			       sizeof(*in->manners));
	in->manners[in->nmanners++] = (struct object_manner){
		.name = fdo_intern(in->strings, name),
		.says = says,
	};
}

/* Functions are declared in units, namespaces and classes. */
static void walk(struct object *o, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth > 16 || dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			add_function(o, &die);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
			walk(o, &die, depth + 1);
			break;
		}
	} while (next_die(&die));
}

static void read_dwarf(struct object *o, Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die, split;

	while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, &split) ==
	       0)
		walk(o, split.addr ? &split : &die, 0);
}

static void read_manners(struct object *o)
{
	struct object_private *in = o->private_;
	size_t kept = 0;

	if (!in->dwarf)
		return;
	read_dwarf(o, in->dwarf);
	if (dwarf_getalt(in->dwarf))
		read_dwarf(o, dwarf_getalt(in->dwarf));
	if (in->nmanners)
		qsort(in->manners, in->nmanners, sizeof(*in->manners), by_name);
	for (size_t i = 0; i < in->nmanners; i++) {
		if (kept && in->manners[kept - 1].name == in->manners[i].name)
			in->manners[kept - 1].says |= in->manners[i].says;
		else
			in->manners[kept++] = in->manners[i];
	}
	in->nmanners = kept;
}

/* "fatal.isra.0" is declared as "fatal". */
static const char *declared_name(const struct object *o, const char *name)
{
	const char *dot = strchr(name, '.');
	char text[1024];

	if (!dot || dot == name || (size_t)(dot - name) >= sizeof(text))
		return name;
	memcpy(text, name, dot - name);
	text[dot - name] = '\0';
	return fdo_intern(o->private_->strings, text);
}

/*
 * Where two files have static functions of one name and only one of them
 * returns, we cannot tell which is called, and an edge too many does less
 * harm than one too few.
 */
bool object_noreturn(const struct object *o, const char *name)
{
	struct object_private *in = o->private_;
	struct object_manner key = { .name = declared_name(o, name) };
	const struct object_manner *found = NULL;

	if (!in->manners_read)
		read_manners((struct object *)o);
	in->manners_read = true;
	if (in->nmanners)
		found = bsearch(&key, in->manners, in->nmanners,
				sizeof(*in->manners), by_name);
	if (found && found->says & NEVER_RETURNS)
		return !(found->says & LOCAL_RETURNS);
	if (found)
		return false;
	for (size_t i = 0; i < sizeof(never_return) / sizeof(*never_return);
	     i++)
		if (strcmp(never_return[i], key.name) == 0)
			return true;
	return false;
}
