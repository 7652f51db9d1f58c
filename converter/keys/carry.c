/*
 * carry.c - the places of a profile are changed where they are, and then it is
 * added to an empty one, which brings together what has met in one place.
 */
#include "converter/keys/carry.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/keys/patch.h"
#include "profile/profile.h"

/* What the patch knows of a file of the profile. */
struct source {
	const char *new_path;
	const struct patch_file *file; /* NULL: it is not changed */
};

struct carrier {
	struct profile *profile;
	const struct patch *patch;
	struct carry_report *report;
	struct fdo_map *known; /* path: its source, from 1 */
	struct source *sources;
	size_t nsources, room;
	bool touched; /* the function */
};

static struct source look_up(struct carrier *c, const char *path)
{
	struct source source = { .new_path = path };
	bool ambiguous;
	char *renamed;

	source.file = patch_find(c->patch, path, &ambiguous);
	if (ambiguous && c->report->ambiguous++ == 0)
		c->report->one = fdo_intern(c->patch->names, path);
	if (!source.file)
		return source;
	c->report->files++;
	renamed = patch_renamed(source.file, path);
	source.new_path = profile_text(c->profile, renamed);
	c->report->renamed += source.new_path != path;
	free(renamed);
	return source;
}

/* Paths are interned, so each is looked up once. */
static struct source source_of(struct carrier *c, const char *path)
{
	uint64_t *at;

	if (!path)
		return (struct source){ 0 };
	at = fdo_map_at(c->known, (uintptr_t)path);
	if (*at == 0) {
		c->sources = fdo_grow(c->sources, c->nsources, &c->room,
				      sizeof(*c->sources));
		c->sources[c->nsources++] = look_up(c, path);
		*at = c->nsources;
	}
	return c->sources[*at - 1];
}

/* A body's declaration before and after. */
struct declaration {
	const char *file, *new_file;
	uint32_t line, new_line;
	bool moves; /* it is known from where to where */
};

static struct declaration declaration_of(struct carrier *c,
					 const struct profile_body *body)
{
	struct source source = source_of(c, body->file);
	struct declaration d = {
		.file = body->file,
		.new_file = body->file,
		.line = body->start_line,
		.new_line = body->start_line,
		.moves = body->start_line != 0,
	};
	uint64_t line;

	if (!source.file || !body->start_line)
		return d;
	line = patch_declaration(source.file, body->start_line, body->name);
	d.moves = line > 0 && line <= UINT32_MAX && source.file->new_name;
	if (d.moves) {
		d.new_file = source.new_path;
		d.new_line = line;
	}
	return d;
}

/*
 * Where a function begins, on the line of its declaration, it still does so
 * where that is now, however much of the line is new.
 */
static void stay_at_declaration(const struct declaration *d,
				const struct profile_key *key,
				struct patch_place *place)
{
	if (key->discriminator != PROFILE_BEGIN || key->file || key->line != 0)
		return;
	if (place->gone || place->line != d->new_line)
		*place = (struct patch_place){ .line = d->new_line };
}

/* The key at its new place, or false: it is gone. */
static bool move_key(struct carrier *c, const struct declaration *d,
		     struct profile_key *key, bool is_call)
{
	const char *file = key->file ? key->file : d->file;
	struct source source = source_of(c, file);
	int64_t line = (int64_t)d->line + key->line;
	struct patch_place place = { .line = line, .column = key->column };

	if (source.file && line > 0) {
		place = patch_place(source.file, line, key->column);
		stay_at_declaration(d, key, &place);
		if (place.gone && is_call) {
			place.line = patch_near(source.file, line);
			place.column = 0;
			c->report->calls++;
			c->touched = true;
		} else if (place.gone) {
			return false;
		}
	}
	key->column = place.column;
	line = (int64_t)place.line - d->new_line;
	if (line < INT32_MIN || line > INT32_MAX)
		return false;
	key->line = line;
	key->file = source.new_path == d->new_file ? NULL : source.new_path;
	return true;
}

static bool is_same_place(const struct declaration *d,
			  const struct profile_key *a,
			  const struct profile_key *b)
{
	return (a->file ? a->file : d->file) ==
		       (b->file ? b->file : d->new_file) &&
	       (int64_t)a->line + d->line == (int64_t)b->line + d->new_line &&
	       a->column == b->column;
}

static void move_counts(struct carrier *c, const struct declaration *d,
			struct profile_body *body)
{
	size_t n = 0;

	for (size_t i = 0; i < body->ncounts; i++) {
		struct profile_count *count = &body->counts[i];
		struct profile_key old = count->key;

		/* That of no code has no place. */
		if (profile_is_entry_key(&old)) {
			c->report->stay++;
			body->counts[n++] = *count;
			continue;
		}
		if (!move_key(c, d, &count->key, false)) {
			profile_count_deinit(count);
			c->report->dropped++;
			c->touched = true;
			continue;
		}
		if (is_same_place(d, &old, &count->key)) {
			c->report->stay++;
		} else {
			c->report->moved++;
			c->touched = true;
		}
		body->counts[n++] = *count;
	}
	body->ncounts = n;
}

static void move_body(struct carrier *c, struct profile_body *body)
{
	struct declaration d = declaration_of(c, body);

	for (size_t i = 0; i < body->ninlined; i++) {
		struct profile_body *inlined = body->inlined[i];

		if (d.moves)
			move_key(c, &d, &inlined->call, true);
		move_body(c, inlined);
	}
	if (d.moves)
		move_counts(c, &d, body);
	else
		c->report->stay += body->ncounts;
	body->file = d.new_file;
	body->start_line = d.new_line;
}

static void move_function(struct carrier *c, struct profile_function *f)
{
	struct declaration d = declaration_of(c, &f->body);

	c->touched = d.line != d.new_line || d.file != d.new_file;
	c->report->gone += !d.moves && d.line != 0;
	move_body(c, &f->body);
	c->report->functions += c->touched;
}

/*
 * An unsampled function at its new place, or false: it may have changed.  Its
 * file is known by a hash alone, which two files of the patch may have.
 */
static bool move_unsampled(const struct patch *patch, const uint32_t *hashes,
			   struct profile_unsampled *u)
{
	const struct patch_file *file = NULL;

	for (size_t i = 0; i < patch->nfiles; i++) {
		if (!patch->files[i].old_name || hashes[i] != u->file)
			continue;
		if (file)
			return false;
		file = &patch->files[i];
	}
	if (!file)
		return true;
	if (!file->new_name ||
	    patch_touches(file, u->line, (uint64_t)u->line + u->lines))
		return false;
	u->line = patch_near(file, u->line);
	u->file = profile_hash_file(file->new_name);
	return true;
}

static void move_all_unsampled(struct carrier *c)
{
	const struct patch *patch = c->patch;
	struct profile *p = c->profile;
	uint32_t *hashes = fdo_alloc(patch->nfiles, sizeof(*hashes));
	size_t n = 0;

	for (size_t i = 0; i < patch->nfiles; i++)
		if (patch->files[i].old_name)
			hashes[i] = profile_hash_file(patch->files[i].old_name);
	for (size_t i = 0; i < p->nunsampled; i++)
		if (move_unsampled(patch, hashes, &p->unsampled[i]))
			p->unsampled[n++] = p->unsampled[i];
	c->report->unsampled = p->nunsampled - n;
	p->nunsampled = n;
	free(hashes);
}

/* What is known of the whole, in spite of the sum. */
static void keep_summary(struct profile *to, struct profile *from)
{
	to->max_count = from->max_count;
	to->cutoffs = from->cutoffs;
	to->ncutoffs = from->ncutoffs;
	from->cutoffs = NULL;
	from->ncutoffs = 0;
}

struct profile *carry(struct profile *p, const struct patch *patch,
		      struct carry_report *report)
{
	struct profile *to = profile_new();
	struct carrier c = {
		.profile = p,
		.patch = patch,
		.report = report,
		.known = fdo_map_new(),
	};

	*report = (struct carry_report){ 0 };
	for (size_t i = 0; i < p->nfunctions; i++)
		move_function(&c, p->functions[i]);
	move_all_unsampled(&c);
	profile_sort(p);
	profile_merge(to, p, 1);
	keep_summary(to, p);
	free(c.sources);
	fdo_map_free(c.known);
	return to;
}
