/*
 * lines_rows.c - the line tables: versions 2 to 5.
 *
 * Not libdw's reader, for two reasons.  It sorts the rows of a unit by
 * address, and then nobody can tell the rows of a function that the linker
 * threw away (it stays in the table, at address 0) from those of the code
 * that is really at these addresses.  And it must read all rows when only
 * the names of the files are wanted.
 */
#include "converter/binary/lines_private.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/binary/object.h"

/* Reads beyond the end give 0 and leave "over" set: one test at the end. */
struct reader {
	const unsigned char *at;
	const unsigned char *end;
	bool over;
};

struct program {
	struct lines *lines;
	struct lines_source *source;
	struct reader header;
	struct reader code;
	unsigned version;
	bool wide;     /* 64-bit DWARF */
	unsigned step; /* bytes of the shortest instruction */
	bool is_stmt;
	int line_base;
	unsigned line_range;
	unsigned opcode_base;
	const unsigned char *operands; /* of the standard opcodes */
	struct lines_files files;
};

static uint64_t take(struct reader *r, unsigned size)
{
	uint64_t value = 0;

	if ((size_t)(r->end - r->at) < size) {
		r->at = r->end;
		r->over = true;
		return 0;
	}
	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)r->at[i] << 8 * i;
	r->at += size;
	return value;
}

static void skip(struct reader *r, uint64_t size)
{
	if ((uint64_t)(r->end - r->at) < size) {
		r->at = r->end;
		r->over = true;
	} else {
		r->at += size;
	}
}

static uint64_t take_uleb(struct reader *r)
{
	uint64_t value = 0;
	unsigned shift = 0;

	while (r->at < r->end) {
		unsigned char byte = *r->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80))
			return value;
	}
	r->over = true;
	return 0;
}

static int64_t take_sleb(struct reader *r)
{
	uint64_t value = 0;
	unsigned shift = 0;

	while (r->at < r->end) {
		unsigned char byte = *r->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80)) {
			if (byte & 0x40 && shift < 64)
				value |= -(uint64_t)1 << shift;
			return (int64_t)value;
		}
	}
	r->over = true;
	return 0;
}

static const char *take_string(struct reader *r)
{
	const char *text = (const char *)r->at;
	const unsigned char *nul = memchr(r->at, 0, r->end - r->at);

	if (!nul) {
		r->at = r->end;
		r->over = true;
		return "";
	}
	r->at = nul + 1;
	return text;
}

static const char *string_at(const Elf_Data *section, uint64_t offset)
{
	const char *text;

	if (!section || offset >= section->d_size)
		return "";
	text = (const char *)section->d_buf + offset;
	return memchr(text, 0, section->d_size - offset) ? text : "";
}

/* A value of a file's or folder's entry (version 5), as text or number. */
static bool take_form(struct program *p, unsigned form, const char **text_ret,
		      uint64_t *number_ret)
{
	struct reader *r = &p->header;
	struct lines_source *alt = &p->lines->sources[LINES_ALT];
	unsigned size = p->wide ? 8 : 4;

	switch (form) {
	case DW_FORM_string:
		*text_ret = take_string(r);
		return true;
	case DW_FORM_line_strp:
		*text_ret = string_at(p->source->line_str, take(r, size));
		return true;
	case DW_FORM_strp:
		*text_ret = string_at(p->source->str, take(r, size));
		return true;
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		*text_ret = string_at(alt->str, take(r, size));
		return true;
	case DW_FORM_udata:
		*number_ret = take_uleb(r);
		return true;
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
		*number_ret = take(r, form == DW_FORM_data1   ? 1
				      : form == DW_FORM_data2 ? 2
				      : form == DW_FORM_data4 ? 4
							      : 8);
		return true;
	case DW_FORM_data16:
		skip(r, 16);
		return true;
	case DW_FORM_block:
		skip(r, take_uleb(r));
		return true;
	default:
		return false;
	}
}

struct entry {
	const char *name;
	uint64_t directory;
};

struct entries {
	struct entry *all;
	size_t n, room;
};

static void add_entry(struct entries *to, struct entry entry)
{
	to->all = fdo_grow(to->all, to->n, &to->room, sizeof(*to->all));
	to->all[to->n++] = entry;
}

/* Version 5: a list that says how its entries look. */
static bool read_entries(struct program *p, struct entries *to)
{
	struct reader *r = &p->header;
	unsigned nfields = take(r, 1), type[8], form[8];
	uint64_t n;

	if (nfields > 8)
		return false;
	for (unsigned i = 0; i < nfields; i++) {
		type[i] = take_uleb(r);
		form[i] = take_uleb(r);
	}
	n = take_uleb(r);
	/* Each has at least a byte: no count makes this loop for ever. */
	for (; n > 0 && r->at < r->end && nfields > 0; n--) {
		struct entry entry = { "", 0 };

		for (unsigned i = 0; i < nfields; i++) {
			const char *text = "";
			uint64_t number = 0;

			if (!take_form(p, form[i], &text, &number))
				return false;
			if (type[i] == DW_LNCT_path)
				entry.name = text;
			else if (type[i] == DW_LNCT_directory_index)
				entry.directory = number;
		}
		add_entry(to, entry);
	}
	return !r->over;
}

/* Versions 2 to 4: lists that end with an empty name, counted from 1. */
static bool read_old_entries(struct program *p, struct entries *directories,
			     struct entries *files)
{
	struct reader *r = &p->header;
	const char *name;

	add_entry(directories, (struct entry){ "", 0 });
	add_entry(files, (struct entry){ "", 0 });
	while (*(name = take_string(r)))
		add_entry(directories, (struct entry){ name, 0 });
	while (*(name = take_string(r))) {
		add_entry(files, (struct entry){ name, take_uleb(r) });
		take_uleb(r); /* time of last change */
		take_uleb(r); /* size */
	}
	return !r->over;
}

/* As if the program had been built elsewhere: see object.h. */
static char *map_prefix(const struct object *o, char *path)
{
	for (size_t i = o->nprefixes; i-- > 0;) {
		const struct object_prefix *p = &o->prefixes[i];
		size_t length = strlen(p->old);
		char *mapped;

		if (strncmp(path, p->old, length) != 0)
			continue;
		if (asprintf(&mapped, "%s%s", p->new, path + length) < 0)
			abort();
		free(path);
		return mapped;
	}
	return path;
}

const char *lines_path(struct lines *l, const char *directory, const char *name)
{
	bool joins = *directory && *name != '/';
	const char *text;
	char *path;

	if (asprintf(&path, "%s%s%s", joins ? directory : "", joins ? "/" : "",
		     name) < 0)
		abort();
	text = path = map_prefix(l->object, path);
	while (text[0] == '.' && text[1] == '/')
		text += 2 + strspn(text + 2, "/");
	text = fdo_intern(l->strings, text);
	free(path);
	return text;
}

/* The number of a file name as it is in a line table. */
static uint32_t number_of(struct lines *l, const char *directory,
			  const char *name)
{
	const char *text;
	uint64_t *id;

	if (!*name)
		return 0;
	text = lines_path(l, directory, name);
	id = fdo_map_at(l->file_ids, (uintptr_t)text);
	if (!*id) {
		l->files = fdo_grow(l->files, l->nfiles, &l->room_files,
				    sizeof(*l->files));
		*id = l->nfiles;
		l->files[l->nfiles++] = text;
	}
	return *id;
}

/*
 * Folder 0 is where the compiler ran: names relative to it are as they were
 * given to the compiler, and are left so.
 */
static bool read_files(struct program *p)
{
	struct entries directories = { 0 }, files = { 0 };
	bool fine = p->version >= 5 ? read_entries(p, &directories) &&
					      read_entries(p, &files)
				    : read_old_entries(p, &directories, &files);

	for (size_t i = 0; i < files.n; i++) {
		uint64_t d = files.all[i].directory;
		const char *directory = d > 0 && d < directories.n
						? directories.all[d].name
						: "";

		p->files.ids = fdo_grow(p->files.ids, p->files.n,
					&p->files.room, sizeof(*p->files.ids));
		p->files.ids[p->files.n++] =
			number_of(p->lines, directory, files.all[i].name);
	}
	free(directories.all);
	free(files.all);
	return fine;
}

/* The fixed part of the header, and where the rest and the program are. */
static bool read_header(struct program *p, uint64_t offset)
{
	const Elf_Data *section = p->source->line;
	struct reader *r = &p->header;
	uint64_t size;

	if (!section || offset >= section->d_size)
		return false;
	r->at = (const unsigned char *)section->d_buf + offset;
	r->end = (const unsigned char *)section->d_buf + section->d_size;
	size = take(r, 4);
	p->wide = size == 0xffffffff;
	if (p->wide)
		size = take(r, 8);
	if (r->over || size > (uint64_t)(r->end - r->at))
		return false;
	r->end = r->at + size;
	p->version = take(r, 2);
	if (p->version < 2 || p->version > 5)
		return false;
	if (p->version >= 5)
		skip(r, 2); /* sizes of addresses and of segment selectors */
	size = take(r, p->wide ? 8 : 4);
	if (r->over || size > (uint64_t)(r->end - r->at))
		return false;
	p->code = (struct reader){ r->at + size, r->end, false };
	r->end = p->code.at;
	p->step = take(r, 1);
	if (p->version >= 4)
		skip(r, 1); /* operations of a VLIW instruction */
	p->is_stmt = take(r, 1);
	p->line_base = (int8_t)take(r, 1);
	p->line_range = take(r, 1);
	p->opcode_base = take(r, 1);
	p->operands = r->at;
	skip(r, p->opcode_base ? p->opcode_base - 1 : 0);
	return !r->over && p->line_range > 0 && p->opcode_base > 0;
}

/* The state of a line program. */
struct machine {
	struct lines_row row;
	uint64_t file;			/* as the table numbers them */
	struct lines_sequence sequence; /* n 0: none has begun */
};

static void reset(const struct program *p, struct machine *m)
{
	*m = (struct machine){
		.row = { .line = 1, .is_stmt = p->is_stmt },
		.file = 1,
	};
}

/* What the linker threw away has rows, but no code. */
static void end_sequence(struct lines *l, struct machine *m, uint64_t end)
{
	struct lines_sequence *s = &m->sequence;
	uint64_t limit;

	if (s->n == 0)
		return;
	limit = lines_code_end(l, s->address);
	s->end = end < limit ? end : limit;
	s->nbegins = l->nbegins - s->first_begin;
	if (s->end > s->address) {
		l->sequences =
			fdo_grow(l->sequences, l->nsequences,
				 &l->room_sequences, sizeof(*l->sequences));
		l->sequences[l->nsequences++] = *s;
	} else {
		l->nrows = s->first;
		l->nbegins = s->first_begin;
	}
	s->n = 0;
}

static void add_begin(struct lines *l, const struct lines_row *row)
{
	if (!row->is_stmt || row->line == 0)
		return;
	l->begins = fdo_grow(l->begins, l->nbegins, &l->room_begins,
			     sizeof(*l->begins));
	l->begins[l->nbegins++] = (struct lines_begin){
		row->address,
		l->files[row->file],
		row->line,
		row->column,
	};
}

/* Of several rows for one address, the last is kept. */
static void add_row(struct program *p, struct machine *m)
{
	struct lines *l = p->lines;
	struct lines_row *last;

	m->row.file = m->file < p->files.n ? p->files.ids[m->file] : 0;
	last = m->sequence.n ? &l->rows[l->nrows - 1] : NULL;
	if (last && last->address > m->row.address) {
		end_sequence(l, m, last->address + 1);
		last = NULL;
	}
	if (!last) {
		m->sequence = (struct lines_sequence){
			.address = m->row.address,
			.first = l->nrows,
			.first_begin = l->nbegins,
		};
	}
	if (!last || last->address != m->row.address) {
		l->rows = fdo_grow(l->rows, l->nrows, &l->room_rows,
				   sizeof(*l->rows));
		last = &l->rows[l->nrows++];
		m->sequence.n++;
	}
	*last = m->row;
	add_begin(l, last);
	m->row.discriminator = 0;
}

static void run_extended(struct program *p, struct machine *m)
{
	struct reader *r = &p->code;
	uint64_t size = take_uleb(r);
	struct reader operand = *r;

	skip(r, size);
	if (r->over || size == 0)
		return;
	operand.end = r->at;
	switch (take(&operand, 1)) {
	case DW_LNE_end_sequence:
		end_sequence(p->lines, m, m->row.address);
		reset(p, m);
		break;
	case DW_LNE_set_address:
		m->row.address =
			take(&operand, size == 5 ? 4 : 8) - p->source->bias;
		break;
	case DW_LNE_set_discriminator:
		m->row.discriminator = take_uleb(&operand);
		break;
	}
}

static void run_standard(struct program *p, struct machine *m, unsigned opcode)
{
	struct reader *r = &p->code;

	switch (opcode) {
	case DW_LNS_copy:
		add_row(p, m);
		break;
	case DW_LNS_advance_pc:
		m->row.address += take_uleb(r) * p->step;
		break;
	case DW_LNS_advance_line:
		m->row.line += take_sleb(r);
		break;
	case DW_LNS_set_file:
		m->file = take_uleb(r);
		break;
	case DW_LNS_set_column:
		m->row.column = take_uleb(r);
		break;
	case DW_LNS_negate_stmt:
		m->row.is_stmt = !m->row.is_stmt;
		break;
	case DW_LNS_const_add_pc:
		m->row.address +=
			(255 - p->opcode_base) / p->line_range * p->step;
		break;
	case DW_LNS_fixed_advance_pc:
		m->row.address += take(r, 2);
		break;
	default:
		for (unsigned i = 0; i < p->operands[opcode - 1]; i++)
			take_uleb(r);
	}
}

static bool run(struct program *p)
{
	struct reader *r = &p->code;
	struct machine m;

	reset(p, &m);
	while (r->at < r->end) {
		unsigned opcode = *r->at++;

		if (opcode >= p->opcode_base) {
			opcode -= p->opcode_base;
			m.row.address += opcode / p->line_range * p->step;
			m.row.line +=
				p->line_base + (int)(opcode % p->line_range);
			add_row(p, &m);
		} else if (opcode == 0) {
			run_extended(p, &m);
		} else {
			run_standard(p, &m, opcode);
		}
	}
	if (m.sequence.n) {
		/* Cut off: of the last row only its first byte is sure. */
		end_sequence(p->lines, &m, m.row.address + 1);
		return false;
	}
	return !r->over;
}

/* lines_source.tables: twice the number in lines.tables, from 1, plus this. */
enum { HAS_ROWS = 1 };

const struct lines_files *lines_read_table(struct lines *l, int source,
					   uint64_t offset, bool with_rows,
					   bool *damaged)
{
	struct program p = { .lines = l, .source = &l->sources[source] };
	uint64_t *number = fdo_map_at(p.source->tables, offset);
	bool fine;

	with_rows = with_rows && !(*number & HAS_ROWS);
	if (*number && !with_rows)
		return l->tables[*number / 2 - 1];
	fine = read_header(&p, offset);
	if (*number) {
		p.files = *l->tables[*number / 2 - 1];
	} else {
		fine = fine && read_files(&p);
		l->tables = fdo_grow(l->tables, l->ntables, &l->room_tables,
				     sizeof(*l->tables));
		l->tables[l->ntables] = fdo_alloc(1, sizeof(**l->tables));
		*l->tables[l->ntables++] = p.files;
		*number = 2 * l->ntables;
	}
	if (with_rows) {
		*number |= HAS_ROWS;
		fine = fine && run(&p);
	}
	*damaged |= !fine;
	return l->tables[*number / 2 - 1];
}
