/*
 * declared.cc - what functions are called, and where they are declared.
 *
 * As it is in debug information, since that is where the profile has it from.
 * With -flto, GCC forgets names of templates and where classes are declared,
 * before its first pass; so all is noted when the functions were parsed.
 */
#include "plugin/samplefdo.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "plugin/numbers.h"
#include "plugin/renamed.h"
#include "plugin/sources.h"

struct declared {
	struct fdo_map *numbers; /* of ids, by DECL_UID, from 1 */
	struct function_id *ids; /* with names as they are now */
	size_t n, room;
	struct renamed *renamed; /* to names of the profile */
};

/* A name given with asm() comes with a star. */
static const char *assembler_name(const_tree decl)
{
	tree id = DECL_ASSEMBLER_NAME(CONST_CAST_TREE(decl));
	const char *name = id ? IDENTIFIER_POINTER(id) : NULL;

	return name && *name == '*' ? name + 1 : name;
}

/*
 * As the debug information has it: all that it has of what no other unit can
 * see and is inlined everywhere.  A template's is that of the instance
 * (half<int>).
 */
static const char *plain_name(tree decl)
{
	const char *name = NULL;

	if (!TREE_PUBLIC(decl) && !DECL_NAMELESS(decl))
		name = lang_hooks.dwarf_name(decl, 0);
	return name ? name : IDENTIFIER_POINTER(DECL_NAME(decl));
}

/* The declaration of the class that a function is of; NULL: of none. */
static tree class_of(const_tree decl)
{
	tree context = DECL_CONTEXT(decl);

	return context && TYPE_P(context)
		       ? TYPE_STUB_DECL(TYPE_MAIN_VARIANT(context))
		       : NULL;
}

/* The function of the source that a region of OpenMP is of; NULL: it is none. */
static const_tree outer_function(const_tree decl)
{
	const_tree outer = decl;

	do
		outer = DECL_CONTEXT(outer);
	while (outer && TREE_CODE(outer) == FUNCTION_DECL &&
	       DECL_ARTIFICIAL(outer));
	return outer && TREE_CODE(outer) == FUNCTION_DECL ? DECL_ORIGIN(outer)
							  : NULL;
}

/*
 * Code that the compiler made up is declared nowhere.  But a class that it is
 * of is, and a lambda is a class with such code; and so is a function that it is
 * a part of.
 */
static void set_place(struct function_id *id, struct profile *p,
		      const_tree decl)
{
	const_tree at = decl;

	if (DECL_ARTIFICIAL(decl))
		at = class_of(decl);
	if (!at)
		at = outer_function(decl);
	id->file = profile_text(p, DECL_SOURCE_FILE(at ? at : decl));
	id->start_line = at ? DECL_SOURCE_LINE(at) : 0;
}

/* But for what the assembler calls a clone of it. */
static struct function_id id_of(struct profile *p, tree origin)
{
	struct function_id id = {};

	id.names[0] = id.names[1] = profile_text(p, assembler_name(origin));
	id.is_public = TREE_PUBLIC(origin);
	if (DECL_NAME(origin))
		id.names[2] = profile_text(p, plain_name(origin));
	set_place(&id, p, origin);
	return id;
}

/* The number of its id, from 1, which is noted if it is not yet. */
static uint64_t note(struct declared *d, struct profile *p, tree origin)
{
	uint64_t *number = fdo_map_at(d->numbers, DECL_UID(origin));

	if (*number)
		return *number;
	d->ids = (struct function_id *)fdo_grow(d->ids, d->n, &d->room,
						sizeof(*d->ids));
	d->ids[d->n++] = id_of(p, origin);
	*number = d->n;
	return d->n;
}

/* All places of its file that a function has code of. */
static void see_places(struct renamed_function *function, const_tree decl)
{
	struct function *f = DECL_STRUCT_FUNCTION(decl);
	basic_block bb;

	if (!f || !f->cfg || !DECL_SOURCE_FILE(decl))
		return;
	FOR_EACH_BB_FN(bb, f)
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i);
	     gsi_next(&i)) {
		expanded_location at =
			match_where(gimple_location(gsi_stmt(i)));

		if (is_gimple_debug(gsi_stmt(i)) || at.line == 0 ||
		    strcmp(at.file, DECL_SOURCE_FILE(decl)))
			continue;
		source_see(function->source,
			   at.line - (int32_t)function->id->start_line,
			   at.column, NULL);
	}
}

/* Functions with numbers in their names had other ones when they were profiled. */
static void find_renamed(struct declared *d, struct profile *p)
{
	struct renamed_function *functions =
		XCNEWVEC(struct renamed_function, d->n);
	struct sources *sources = sources_new();
	struct cgraph_node *node;
	struct fdo_error err;
	struct number number;

	for (size_t i = 0; i < d->n; i++)
		functions[i].id = &d->ids[i];
	FOR_EACH_DEFINED_FUNCTION(node)
	{
		struct renamed_function *f =
			&functions[*fdo_map_at(d->numbers,
					       DECL_UID(node->decl)) -
				   1];

		if (node->alias || f->source ||
		    !numbers_own(f->id->names[1], &number))
			continue;
		f->source = sources_add(sources, f->id);
		see_places(f, node->decl);
	}
	d->renamed = renamed_new(p, functions, d->n, &err);
	sources_free(sources);
	XDELETEVEC(functions);
	if (!d->renamed)
		fatal_error(UNKNOWN_LOCATION, "samplefdo: %s", err.text);
}

/* What a clone of a constructor is a clone of, GCC forgets as well. */
struct declared *declared_new(struct profile *p)
{
	struct declared *d = XCNEW(struct declared);
	struct cgraph_node *node;

	d->numbers = fdo_map_new();
	FOR_EACH_FUNCTION(node)
	{
		uint64_t number =
			note(d, p, CONST_CAST_TREE(DECL_ORIGIN(node->decl)));

		*fdo_map_at(d->numbers, DECL_UID(node->decl)) = number;
	}
	find_renamed(d, p);
	return d;
}

void declared_free(struct declared *d)
{
	if (!d)
		return;
	fdo_map_free(d->numbers);
	free(d->ids);
	renamed_free(d->renamed);
	XDELETE(d);
}

static const struct function_id *noted(const struct declared *d,
				       const_tree decl)
{
	const uint64_t *number =
		d ? fdo_map_get(d->numbers, DECL_UID(decl)) : NULL;

	return number ? &d->ids[*number - 1] : NULL;
}

static bool is_shared(const_tree decl, const struct function_id *id)
{
	struct cgraph_node *node = cgraph_node::get(decl);

	return node && !node->address_taken && !TREE_PUBLIC(decl) && id->file &&
	       strcmp(fdo_file_base(id->file),
		      fdo_file_base(main_input_filename));
}

struct function_id declared_id(const struct samplefdo *s, const_tree decl)
{
	tree origin = CONST_CAST_TREE(DECL_ORIGIN(decl));
	const struct function_id *known = noted(s->declared, decl);
	struct function_id id;

	if (!known)
		known = noted(s->declared, origin);
	id = known ? *known : id_of(s->profile, origin);
	id.names[0] = profile_text(s->profile, assembler_name(decl));
	if (s->declared)
		for (size_t i = 0; i < FUNCTION_NAMES; i++)
			id.names[i] =
				renamed_name(s->declared->renamed, id.names[i]);
	id.is_public = TREE_PUBLIC(decl);
	id.is_shared = is_shared(decl, &id);
	return id;
}
