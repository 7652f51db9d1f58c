/*
 * jumptable.c - first what each jump's own instructions say (trace.h), then,
 * for those that say too little, what the function's tables say.
 *
 * In a large interpreter the address of the table sits in a register or on
 * the stack for thousands of instructions.  But a table with entries that are
 * labels of this function can serve nothing else than its indirect jumps, so a
 * jump whose table is not known may use any of these.
 *
 * An interpreter may have thousands of jumps by one table of thousands of
 * labels, so that what was read is kept for whoever asks for it again.
 */
#include "converter/graph/jumptable.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/graph/addresses.h"
#include "converter/graph/code.h"
#include "converter/binary/object.h"
#include "converter/graph/trace.h"

struct traced {
	uint32_t insn;
	struct trace_value value;
};

/* How the entries of a table become targets. */
struct table {
	uint64_t address;
	uint64_t base; /* added to each */
	unsigned size; /* of an entry in bytes */
};

struct targets {
	uint32_t *insns;
	size_t n, room;
};

/* What up to n entries of a table say. */
struct reading {
	struct table table;
	uint64_t n;
	bool elsewhere;		/* see read_entries() */
	bool shared;		/* its targets are in shared_labels */
	uint64_t made;		/* so many made sense */
	size_t nlabels;		/* and so many of these were labels */
	struct targets targets; /* ascending, each once */
	size_t next;		/* of the same address: a reading + 1, or 0 */
};

struct jumptables {
	const struct code *code;
	const struct addresses *switches; /* tables, of all functions */
	struct addresses data;		  /* what the function refers to */
	struct addresses tables;	  /* what its jumps are known to use */
	struct addresses labels; /* its own code whose address it takes */
	struct traced *traced;	 /* by insn */
	size_t ntraced, room;
	struct reading *readings;
	size_t nreadings, readings_room;
	struct fdo_map *reading_of; /* by address: the last reading + 1 */
	struct targets one;	    /* the target of a jump by no table */
	int32_t *depths;	    /* of the stack; NULL until needed */
	bool has_frame;
	/* Targets of all tables that no jump is known to use. */
	bool shared_known, label_tables;
	struct targets shared_labels, shared_switches;
};

static void add_target(struct targets *t, uint32_t insn)
{
	t->insns = fdo_grow(t->insns, t->n, &t->room, sizeof(*t->insns));
	t->insns[t->n++] = insn;
}

static int compare_insns(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void sort_targets(struct targets *t)
{
	size_t n = 0, ascending = 1;

	while (ascending < t->n &&
	       t->insns[ascending - 1] < t->insns[ascending])
		ascending++;
	if (ascending >= t->n)
		return;
	qsort(t->insns, t->n, sizeof(*t->insns), compare_insns);
	for (size_t i = 0; i < t->n; i++)
		if (!n || t->insns[n - 1] != t->insns[i])
			t->insns[n++] = t->insns[i];
	t->n = n;
}

static bool signed_bytes(const struct code *code, uint64_t address,
			 unsigned size, int64_t *ret)
{
	size_t left;
	const unsigned char *bytes = object_bytes(code->object, address, &left);
	uint64_t value = 0;

	if (!bytes || left < size)
		return false;
	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)bytes[i] << 8 * i;
	*ret = size == 4 ? (int32_t)value : (int64_t)value;
	return true;
}

/* The address in entry k of a table; false where the table cannot be. */
static bool entry_address(const struct code *code, const struct table *t,
			  uint64_t k, uint64_t *ret)
{
	uint64_t at = t->address + k * t->size;
	int64_t difference;

	if (t->size == 8 && !t->base)
		return object_pointer(code->object, at, ret);
	if (!signed_bytes(code, at, t->size, &difference))
		return false;
	*ret = t->base + difference;
	return true;
}

static bool is_code(const struct code *code, uint64_t address)
{
	const struct object_section *s =
		object_section_at(code->object, address);

	return s && s->executable;
}

/* Where a case that can never come has its label: behind all code. */
static bool is_end(const struct code *code, uint64_t address)
{
	for (size_t p = 0; p < code->nparts; p++)
		if (address == code->parts[p].address + code->parts[p].size)
			return true;
	return false;
}

/*
 * Add the targets of up to n entries; returns how many made sense.  Where it is
 * known how many there are, or they are pointers, some may lead elsewhere: to a
 * fragment that nothing names, or to whatever is behind the function.
 */
static uint64_t read_entries(const struct code *code, const struct table *t,
			     uint64_t n, bool elsewhere,
			     struct targets *targets)
{
	uint64_t start = code->parts[0].address;

	for (uint64_t k = 0; k < n; k++) {
		uint64_t address;
		uint32_t insn;

		if (!entry_address(code, t, k, &address))
			return k;
		insn = code_at(code, address);
		/* A pointer to the function itself is no label. */
		if (insn != CODE_NONE && (t->size == 4 || address != start))
			add_target(targets, insn);
		else if (!is_end(code, address) &&
			 (!elsewhere || !is_code(code, address)))
			return k;
	}
	return n;
}

static bool is_reading_of(const struct reading *r, const struct table *t,
			  uint64_t n, bool elsewhere)
{
	return r->table.base == t->base && r->table.size == t->size &&
	       r->n == n && r->elsewhere == elsewhere;
}

/* read_entries(), once; the answer is good until another table is read. */
static struct reading *read_table(struct jumptables *j, const struct table *t,
				  uint64_t n, bool elsewhere)
{
	uint64_t *last = fdo_map_at(j->reading_of, t->address);
	struct reading *r;

	for (size_t i = *last; i; i = j->readings[i - 1].next)
		if (is_reading_of(&j->readings[i - 1], t, n, elsewhere))
			return &j->readings[i - 1];
	j->readings = fdo_grow(j->readings, j->nreadings, &j->readings_room,
			       sizeof(*j->readings));
	r = &j->readings[j->nreadings++];
	*r = (struct reading){ *t, n, elsewhere, .next = *last };
	*last = j->nreadings;
	r->made = read_entries(j->code, t, n, elsewhere, &r->targets);
	r->nlabels = r->targets.n;
	sort_targets(&r->targets);
	return r;
}

/*
 * Entries up to whatever else the function is known to refer to, and no further
 * than to the next switch's table.  The entries of that count from its own place:
 * from this one, some lead here by chance.
 */
static uint64_t extent(const struct jumptables *j, const struct table *t)
{
	uint64_t data = addresses_next(&j->data, t->address);
	uint64_t table = addresses_next(&j->tables, t->address);
	uint64_t other = addresses_next(j->switches, t->address);
	uint64_t end = data < table ? data : table;
	size_t left;

	if (other < end)
		end = other;
	if (!object_bytes(j->code->object, t->address, &left))
		return 0;
	if (end - t->address < left)
		left = end - t->address;
	return left / t->size;
}

/* An address that an instruction names, or 0. */
static uint64_t named(const struct code *code, const struct insn *insn)
{
	const struct object_section *section;
	uint64_t address = insn->displacement;

	if (insn->rip_relative)
		return insn_data(insn);
	if (code->object->type != OBJECT_FIXED || !insn->displacement)
		return 0;
	section = object_section_at(code->object, address);
	return section && !section->executable ? address : 0;
}

static void collect_references(struct jumptables *j)
{
	const struct code *code = j->code;

	for (uint32_t i = 0; i < code->ninsns; i++) {
		const struct insn *insn = &code->insns[i];
		uint64_t address = named(code, insn);
		uint32_t label = code_at(code, address);

		if (!address)
			continue;
		if (label == CODE_NONE)
			addresses_add(&j->data, address);
		else if (insn->lea && address != code->parts[0].address)
			addresses_add(&j->labels, label);
	}
	addresses_sort(&j->data);
	addresses_sort(&j->labels);
}

static struct table table_of(const struct trace_value *v)
{
	return (struct table){ v->constant, v->base, v->size };
}

static void trace_all(struct jumptables *j)
{
	const struct code *code = j->code;

	for (uint32_t i = 0; i < code->ninsns; i++) {
		struct traced *t;

		if (code->insns[i].class != INSN_JUMP_INDIRECT)
			continue;
		j->traced = fdo_grow(j->traced, j->ntraced, &j->room,
				     sizeof(*j->traced));
		t = &j->traced[j->ntraced++];
		*t = (struct traced){ i, trace_jump(code, i) };
		if (t->value.kind == TRACE_ENTRY)
			addresses_add(&j->tables, t->value.constant);
	}
	addresses_sort(&j->tables);
}

struct jumptables *jumptables_new(const struct code *code,
				  const struct addresses *switches)
{
	struct jumptables *j = fdo_alloc(1, sizeof(*j));

	j->code = code;
	j->switches = switches;
	j->reading_of = fdo_map_new();
	trace_all(j);
	if (j->ntraced)
		collect_references(j);
	return j;
}

void jumptables_free(struct jumptables *j)
{
	if (!j)
		return;
	addresses_clear(&j->data);
	addresses_clear(&j->tables);
	addresses_clear(&j->labels);
	free(j->traced);
	free(j->depths);
	for (size_t i = 0; i < j->nreadings; i++)
		free(j->readings[i].targets.insns);
	free(j->readings);
	fdo_map_free(j->reading_of);
	free(j->one.insns);
	free(j->shared_labels.insns);
	free(j->shared_switches.insns);
	free(j);
}

static void add_all(struct targets *to, const struct targets *from)
{
	for (size_t k = 0; k < from->n; k++)
		add_target(to, from->insns[k]);
}

/* A table of labels of this function. */
static void share_labels(struct jumptables *j, const struct table *t)
{
	struct reading *r = read_table(j, t, extent(j, t), t->size == 8);

	if (r->nlabels < 2 || r->shared)
		return;
	r->shared = true;
	j->label_tables = true;
	add_all(&j->shared_labels, &r->targets);
}

/* A switch's table that no jump is known to use. */
static void share_switch(struct jumptables *j, uint64_t address)
{
	struct table t = { address, address, 4 };
	const struct reading *r;

	if (addresses_has(&j->tables, address))
		return;
	r = read_table(j, &t, extent(j, &t), false);
	if (r->nlabels >= 3)
		add_all(&j->shared_switches, &r->targets);
}

/* Tables that another jump is known to use, but not for a switch. */
static void share_traced(struct jumptables *j)
{
	for (size_t i = 0; i < j->ntraced; i++) {
		const struct trace_value *v = &j->traced[i].value;
		struct table t = table_of(v);

		if (v->kind == TRACE_ENTRY && v->base != v->constant)
			share_labels(j, &t);
	}
}

static void find_shared(struct jumptables *j)
{
	if (j->shared_known)
		return;
	j->shared_known = true;
	for (size_t i = 0; i < j->data.n; i++) {
		struct table t = { j->data.values[i], 0, 8 };

		if (is_code(j->code, t.address))
			continue;
		share_labels(j, &t);
		share_switch(j, t.address);
	}
	share_traced(j);
	for (size_t i = 0; i < j->labels.n; i++)
		add_target(&j->shared_labels, j->labels.values[i]);
	sort_targets(&j->shared_labels);
	sort_targets(&j->shared_switches);
}

static void find_depths(struct jumptables *j)
{
	if (j->depths)
		return;
	j->depths = trace_stack(j->code);
	for (uint32_t i = 0; i < j->code->ninsns; i++)
		if (j->depths[i] != TRACE_DEPTH_UNKNOWN && j->depths[i])
			j->has_frame = true;
}

/* Is the stack as it was at the entry? */
static bool gave_up_frame(struct jumptables *j, uint32_t i)
{
	find_depths(j);
	return j->depths[i] == 0;
}

/*
 * A jump that goes through a table of known place.  What its index is compared
 * with may be more than the table has, where another comparison says less.
 */
static enum jump_kind by_table(struct jumptables *j, uint32_t i,
			       const struct trace_value *v,
			       const struct targets **ret)
{
	struct table t = table_of(v);
	bool exact = false;
	uint64_t n = trace_bound(j->code, v, &exact), room = extent(j, &t);
	const struct reading *r;
	uint64_t address;

	if (n) {
		r = read_table(j, &t, n, t.size == 8 || (exact && n <= room));
		*ret = &r->targets;
		if (r->made == n && r->nlabels)
			return JUMP_TABLE;
	}
	r = read_table(j, &t, n && n < room ? n : room, t.size == 8);
	*ret = &r->targets;
	if (r->nlabels >= 2)
		return JUMP_LABELS;
	if (!r->nlabels &&
	    (gave_up_frame(j, i) || (entry_address(j->code, &t, 0, &address) &&
				     is_code(j->code, address))))
		return JUMP_TAIL_CALL;
	return JUMP_UNRESOLVED;
}

/* A jump that could use any of the tables that are left over. */
static enum jump_kind by_sharing(struct jumptables *j, uint32_t i,
				 const struct trace_value *v,
				 const struct targets **ret)
{
	const struct targets *shared = &j->shared_labels;

	find_shared(j);
	if (v->kind != TRACE_LOADED && j->shared_switches.n)
		shared = &j->shared_switches;
	/* Without labels, or with a frame given up, it leaves. */
	if (gave_up_frame(j, i) && (j->has_frame || !shared->n))
		return JUMP_TAIL_CALL;
	if (!shared->n)
		return JUMP_UNRESOLVED;
	*ret = shared;
	/* Labels alone, without a table, may be for something else. */
	return shared == &j->shared_switches || j->label_tables
		       ? JUMP_LABELS
		       : JUMP_UNRESOLVED;
}

static enum jump_kind by_constant(struct jumptables *j, uint64_t address,
				  const struct targets **ret)
{
	uint32_t insn = code_at(j->code, address);

	if (insn == CODE_NONE)
		return JUMP_TAIL_CALL;
	j->one.n = 0;
	add_target(&j->one, insn);
	*ret = &j->one;
	return JUMP_TABLE;
}

static const struct traced *find_traced(const struct jumptables *j, uint32_t i)
{
	size_t low = 0, high = j->ntraced;

	while (low + 1 < high) {
		size_t middle = low + (high - low) / 2;

		if (j->traced[middle].insn <= i)
			low = middle;
		else
			high = middle;
	}
	return &j->traced[low];
}

void jumptables_resolve(struct jumptables *j, uint32_t i,
			struct jumptable_result *ret)
{
	const struct trace_value *v = &find_traced(j, i)->value;
	const struct targets none = { 0 }, *found = &none;

	if (v->kind == TRACE_ENTRY)
		ret->kind = by_table(j, i, v, &found);
	else if (v->kind == TRACE_CONSTANT)
		ret->kind = by_constant(j, v->constant, &found);
	else
		ret->kind = by_sharing(j, i, v, &found);
	if (ret->kind == JUMP_TAIL_CALL)
		found = &none;
	ret->targets = found->insns;
	ret->ntargets = found->n;
}
