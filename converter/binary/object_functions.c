/*
 * object_functions.c - which code is which function.
 *
 * Symbol tables have several names for one address, labels within functions,
 * sizes of 0 for hand-written assembly, and sizes that reach into the next
 * function.  What comes out is a list of functions that are disjoint, each
 * with one name: the same name whatever the order of the symbols.
 *
 * Code that no symbol names (all of it, in a stripped file) comes from the
 * frame descriptions, which every function needs for unwinding.
 */
#include "converter/binary/object_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cursor.h"
#include "base/error.h"
#include "base/map.h"
#include "converter/binary/unwind.h"

struct symbol {
	uint64_t address;
	uint64_t size;
	const char *name;
	int file; /* local: number of the STT_FILE before it; global: -1 */
	int rank; /* of several names for one place the lowest is taken */
	bool global;
	bool resolves; /* it is a resolver: who decides at run time */
};

struct symbols {
	struct symbol *all;
	size_t n, room;
};

enum rank { STRONG, WEAK, LOCAL, LABEL, FRAME };

/* Names as the compiler gave them: no symbol version. */
static const char *plain_name(struct object *o, const char *name)
{
	const char *at = strchr(name, '@');
	char *copy;

	if (!at || at == name)
		return fdo_intern(o->private_->strings, name);
	copy = fdo_copy_part(name, at - name);
	name = fdo_intern(o->private_->strings, copy);
	free(copy);
	return name;
}

static void add(struct symbols *to, struct symbol symbol)
{
	to->all = fdo_grow(to->all, to->n, &to->room, sizeof(*to->all));
	to->all[to->n++] = symbol;
}

static enum rank rank_of(const GElf_Sym *sym)
{
	if (GELF_ST_TYPE(sym->st_info) == STT_NOTYPE)
		return LABEL;
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_LOCAL:
		return LOCAL;
	case STB_WEAK:
		return WEAK;
	default:
		return STRONG;
	}
}

/* Assembly may lack the type; its global labels are still functions. */
static bool is_function(const struct object *o, const GElf_Sym *sym,
			uint64_t address)
{
	const struct object_section *section = object_section_at(o, address);
	bool local = GELF_ST_BIND(sym->st_info) == STB_LOCAL;

	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_ABS ||
	    !section || !section->executable)
		return false;
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return true;
	case STT_NOTYPE:
		return !local;
	default:
		return false;
	}
}

typedef void take_symbol(struct object *o, const struct symbol *symbol,
			 void *data);

/* All functions in the symbol table, by all their names. */
static void visit_symbols(struct object *o, take_symbol *take, void *data)
{
	Dwfl_Module *module = o->private_->module;
	int n = dwfl_module_getsymtab(module), file = 0;

	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		GElf_Addr address;
		const char *name = dwfl_module_getsym_info(
			module, i, &sym, &address, NULL, NULL, NULL);
		bool local;

		if (!name)
			continue;
		if (GELF_ST_TYPE(sym.st_info) == STT_FILE)
			file++;
		address -= o->private_->elf_bias;
		if (!*name || !is_function(o, &sym, address))
			continue;
		local = GELF_ST_BIND(sym.st_info) == STB_LOCAL;
		take(o,
		     &(struct symbol){
			     .address = address,
			     .size = sym.st_size,
			     .name = name,
			     .rank = rank_of(&sym),
			     .global = !local,
			     .resolves =
				     GELF_ST_TYPE(sym.st_info) == STT_GNU_IFUNC,
			     .file = local ? file : -1,
		     },
		     data);
	}
}

static void add_symbol(struct object *o, const struct symbol *symbol,
		       void *data)
{
	struct symbol plain = *symbol;

	plain.name = plain_name(o, symbol->name);
	add(data, plain);
}

struct named {
	const char *name;
	uint64_t *addresses;
	size_t n, room;
};

static void add_named(struct object *o, const struct symbol *symbol, void *data)
{
	struct named *named = data;

	(void)o;
	if (strcmp(symbol->name, named->name) != 0)
		return;
	named->addresses = fdo_grow(named->addresses, named->n, &named->room,
				    sizeof(*named->addresses));
	named->addresses[named->n++] = symbol->address;
}

uint64_t *object_named(const struct object *o, const char *name, size_t *n)
{
	struct named named = { .name = name };

	visit_symbols((struct object *)o, add_named, &named);
	*n = named.n;
	return named.addresses;
}

bool object_symbol(const struct object *o, const char *name, uint64_t *ret)
{
	Dwfl_Module *module = o->private_->module;
	int n = dwfl_module_getsymtab(module);

	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		GElf_Addr address;
		const char *found = dwfl_module_getsym_info(
			module, i, &sym, &address, NULL, NULL, NULL);

		if (!found || sym.st_shndx == SHN_UNDEF ||
		    strcmp(found, name) != 0)
			continue;
		*ret = address - o->private_->elf_bias;
		return true;
	}
	return false;
}

/*
 * The length of the code that a frame description is for, 0 if unknown.
 * Its first fields: length, distance of the common part, beginning and length
 * of the code, which are written as the common part says.
 */
static uint64_t frame_size(const struct object *o, uint64_t frame,
			   uint64_t code)
{
	struct cursor c = unwind_cursor(o, frame), at;
	struct unwind_common common;
	uint32_t length, distance;
	uint64_t begin, size;
	struct fdo_error err;

	if (!cursor_u32(&c, &length, &err) || length == UINT32_MAX ||
	    !cursor_u32(&c, &distance, &err))
		return 0;
	at = unwind_cursor(o, frame + sizeof(length) - distance);
	if (!unwind_read_common(&at, &common, &err) ||
	    !unwind_pointer(&c, common.pointer_encoding, &begin, &err) ||
	    !unwind_form(&c, common.pointer_encoding, &size, &err) ||
	    begin != code)
		return 0;
	return size;
}

/*
 * The table for binary search has them sorted already.  All linkers write
 * it in one way, GNU ld's: signed 32 bits relative to its beginning.
 */
static void add_frames(struct object *o, struct symbols *to)
{
	const struct object_section *header =
		object_section_named(o, ".eh_frame_hdr");
	const struct object_section *section;
	uint32_t versions, frames, n, code, frame;
	struct fdo_error err;
	struct cursor c;
	char name[32];

	if (!header || !header->bytes)
		return;
	c = cursor_new(o->path, header->bytes, header->size);
	if (!cursor_u32(&c, &versions, &err) || versions != 0x3b031b01 ||
	    !cursor_u32(&c, &frames, &err) || !cursor_u32(&c, &n, &err))
		return;
	while (n-- > 0 && cursor_u32(&c, &code, &err) &&
	       cursor_u32(&c, &frame, &err)) {
		uint64_t address = header->address + (int32_t)code;

		section = object_section_at(o, address);
		if (!section || !section->executable ||
		    strncmp(section->name, ".plt", 4) == 0)
			continue;
		snprintf(name, sizeof(name), "0x%llx",
			 (unsigned long long)address);
		add(to, (struct symbol){
				.address = address,
				.size = frame_size(
					o, header->address + (int32_t)frame,
					address),
				.name = fdo_intern(o->private_->strings, name),
				.rank = FRAME,
			});
	}
}

/* At one address, the one whose name is taken comes first. */
static int compare_places(const void *va, const void *vb)
{
	const struct symbol *a = va, *b = vb;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if ((a->rank == FRAME) != (b->rank == FRAME))
		return a->rank == FRAME ? 1 : -1;
	if (!a->size != !b->size)
		return a->size ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank - b->rank;
	return strcmp(a->name, b->name);
}

static int compare_names(const void *va, const void *vb)
{
	const struct symbol *a = va, *b = vb;
	int order = strcmp(a->name, b->name);

	if (order)
		return order;
	if (a->file != b->file)
		return a->file - b->file;
	return (a->address > b->address) - (a->address < b->address);
}

/* What a symbol says of its size is better than a frame description. */
static bool has_better_size(const struct symbol *a, const struct symbol *b)
{
	return a->size >= b->size ||
	       (a->size && a->rank != FRAME && b->rank == FRAME);
}

/* Names for the same place: the first stays, with the largest size. */
static void merge_names(struct symbols *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct symbol *last = kept ? &s->all[kept - 1] : NULL;

		if (!last || last->address != s->all[i].address)
			s->all[kept++] = s->all[i];
		else if (!has_better_size(last, &s->all[i]))
			last->size = s->all[i].size;
	}
	s->n = kept;
}

static uint64_t section_end(const struct object *o, uint64_t address)
{
	const struct object_section *s = object_section_at(o, address);

	return s->address + s->size;
}

/*
 * Labels and frame descriptions inside a function that has a size are no
 * functions, nor is a function that is wholly inside another one.
 */
static void make_disjoint(struct object *o, const struct symbols *s)
{
	struct object_function *functions =
		fdo_alloc(s->n + 1, sizeof(*functions));
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct symbol *symbol = &s->all[i];
		uint64_t limit = section_end(o, symbol->address);
		uint64_t end = symbol->address + symbol->size;
		struct object_function *last = n ? &functions[n - 1] : NULL;
		uint64_t last_end = last ? last->address + last->size : 0;

		if (end > limit || end < symbol->address)
			end = limit;
		if (last && !last->size_guessed && symbol->address < last_end &&
		    (!symbol->size || end <= last_end || symbol->rank == FRAME))
			continue;
		if (last && symbol->address < last_end)
			last->size = symbol->address - last->address;
		functions[n++] = (struct object_function){
			.address = symbol->address,
			.size = (symbol->size ? end : limit) - symbol->address,
			.name = symbol->name,
			.global = symbol->global,
			.size_guessed = !symbol->size,
		};
	}
	o->private_->functions = functions;
	o->functions = functions;
	o->nfunctions = n;
}

size_t object_length_before_cold(const char *name)
{
	const char *cold = NULL, *next = name;

	while ((next = strstr(next, ".cold"))) {
		cold = next;
		next += 5;
	}
	if (!cold || cold == name ||
	    (cold[5] && (cold[5] != '.' || !cold[6] ||
			 cold[6 + strspn(cold + 6, "0123456789")])))
		return 0;
	return cold - name;
}

/* Among all names: the same file's, for a local one, else the global one. */
static const struct symbol *find_name(const struct symbols *by_name,
				      const char *name, int file)
{
	struct symbol key = { .name = name, .file = file };
	size_t low = 0, high = by_name->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_names(&by_name->all[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < by_name->n && by_name->all[low].file == file &&
	    strcmp(by_name->all[low].name, name) == 0)
		return &by_name->all[low];
	return file < 0 ? NULL : find_name(by_name, name, -1);
}

/*
 * A fragment may be empty, and then it is where the next one is: only the one
 * whose name the code has is joined.
 */
static void join_cold(struct object *o, const struct symbols *by_name)
{
	for (size_t i = 0; i < by_name->n; i++) {
		const struct symbol *s = &by_name->all[i], *hot;
		size_t length = object_length_before_cold(s->name);
		const struct object_function *cold, *whole;
		char *name;

		if (!length)
			continue;
		name = fdo_copy_part(s->name, length);
		hot = find_name(by_name, name, s->file);
		free(name);
		cold = object_function_at(o, s->address);
		whole = hot ? object_function_at(o, hot->address) : NULL;
		if (cold && whole && cold != whole && !whole->cold_of &&
		    cold->address == s->address && cold->name == s->name &&
		    !object_length_before_cold(whole->name))
			o->private_->functions[cold - o->functions].cold_of =
				whole;
	}
}

/* A name that is for others comes first, then as at one address. */
static bool is_more_public(const struct symbol *a, const struct symbol *b)
{
	if ((*a->name == '_') != (*b->name == '_'))
		return *b->name == '_';
	if (a->rank != b->rank)
		return a->rank < b->rank;
	return strcmp(a->name, b->name) < 0;
}

static const char *resolver_name(const struct symbols *s, uint64_t address)
{
	const struct symbol *best = NULL;

	for (size_t i = 0; i < s->n; i++)
		if (s->all[i].resolves && s->all[i].address == address &&
		    (!best || is_more_public(&s->all[i], best)))
			best = &s->all[i];
	return best ? best->name : NULL;
}

/*
 * In a static program "memcpy" is one of several names of its resolver, which
 * also has one as a function; the slot is all that is left of who was called.
 */
static void name_slots(struct object *o, const struct symbols *s)
{
	for (size_t i = 0; i < o->private_->nrelocations; i++) {
		struct object_relocation *r = &o->private_->relocations[i];

		if (r->indirect && !r->name && object_is_slot(o, r->address))
			r->name = resolver_name(s, r->value);
	}
}

void object_read_functions(struct object *o)
{
	struct symbols symbols = { 0 }, by_name = { 0 };

	visit_symbols(o, add_symbol, &symbols);
	name_slots(o, &symbols);
	by_name.n = symbols.n;
	by_name.all = fdo_alloc(symbols.n + 1, sizeof(*by_name.all));
	if (symbols.n)
		memcpy(by_name.all, symbols.all,
		       symbols.n * sizeof(*by_name.all));
	add_frames(o, &symbols);
	if (symbols.n)
		qsort(symbols.all, symbols.n, sizeof(*symbols.all),
		      compare_places);
	merge_names(&symbols);
	make_disjoint(o, &symbols);
	qsort(by_name.all, by_name.n, sizeof(*by_name.all), compare_names);
	join_cold(o, &by_name);
	free(symbols.all);
	free(by_name.all);
}
