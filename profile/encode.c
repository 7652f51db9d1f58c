/*
 * encode.c - records to bytes; decode.c is its mirror.
 *
 * Keys come sorted, so each says only from where on it differs from the one
 * before it.  Most counts are there twice, by discriminator and for all of
 * them: the second then says "as before".
 */
#include "profile/format.h"
#include "profile/private.h"
#include "profile/record.h"
#include "profile/texts.h"
#include "profile/values.h"

/* The place of the file of the last key; -1 before the first. */
struct last {
	int64_t file;
	struct profile_key key;
};

static const struct last nothing = { .file = -1 };

static int level_of(const struct last *last, int64_t file,
		    const struct profile_key *key)
{
	if (file != last->file)
		return KEY_FILE;
	if (key->line != last->key.line)
		return KEY_LINE;
	if (key->column != last->key.column)
		return KEY_COLUMN;
	return key->discriminator != last->key.discriminator ? KEY_DISCRIMINATOR
							     : KEY_SAME;
}

/* The key, after a byte that also has the other bits. */
static void put_key(struct bytes *out, const struct texts *texts,
		    struct last *last, const struct profile_key *key, int bits)
{
	int64_t file = texts_place(texts, key->file);
	int level = level_of(last, file, key);
	bool any = level != KEY_SAME && key->discriminator == PROFILE_ANY;

	bytes_u8(out, level | (any ? KEY_ANY : 0) | bits);
	if (level == KEY_FILE) {
		bytes_uleb(out, file - last->file);
		bytes_uleb(out, record_zigzag(key->line));
	} else if (level == KEY_LINE) {
		bytes_uleb(out, (int64_t)key->line - last->key.line);
	}
	if (level <= KEY_LINE)
		bytes_uleb(out, key->column);
	else if (level == KEY_COLUMN)
		bytes_uleb(out, key->column - last->key.column);
	if (!any && level <= KEY_COLUMN)
		bytes_uleb(out, key->discriminator);
	else if (!any && level == KEY_DISCRIMINATOR)
		bytes_uleb(out, key->discriminator - last->key.discriminator);
	*last = (struct last){ file, *key };
}

/* There is always a target; so if none follows, it is values that do. */
static void put_more(struct bytes *out, const struct texts *texts,
		     const struct profile_count *count)
{
	if (count->nvalues) {
		bytes_uleb(out, 0);
		values_encode(count, out);
	}
	bytes_uleb(out, count->ntargets);
	for (size_t i = 0; i < count->ntargets; i++) {
		bytes_uleb(out, texts_place(texts, count->targets[i].name));
		bytes_uleb(out, count->targets[i].count);
	}
}

static void put_count(struct bytes *out, const struct texts *texts,
		      struct last *last, const struct profile_count *before,
		      const struct profile_count *count)
{
	bool repeat = before && before->count == count->count &&
		      before->error == count->error &&
		      before->error_rest == count->error_rest;
	bool has_more = count->ntargets || count->nvalues;

	put_key(out, texts, last, &count->key,
		(repeat ? KEY_REPEAT : 0) | (has_more ? KEY_MORE : 0) |
			count->flags << KEY_FLAGS);
	if (!repeat) {
		bytes_uleb(out, count->count);
		bytes_uleb(out, count->error << 1 | (count->error_rest != 0));
		if (count->error_rest)
			bytes_uleb(out, count->error_rest);
	}
	if (has_more)
		put_more(out, texts, count);
}

static void put_body(struct bytes *out, const struct texts *texts,
		     const struct profile_body *body)
{
	struct last last = nothing;

	bytes_uleb(out, texts_place(texts, body->name));
	bytes_uleb(out, texts_place(texts, body->file));
	bytes_uleb(out, body->start_line);
	bytes_uleb(out, body->total);
	bytes_uleb(out, body->ncounts);
	for (size_t i = 0; i < body->ncounts; i++)
		put_count(out, texts, &last, i ? &body->counts[i - 1] : NULL,
			  &body->counts[i]);
	last = nothing;
	bytes_uleb(out, body->ninlined);
	for (size_t i = 0; i < body->ninlined; i++) {
		put_key(out, texts, &last, &body->inlined[i]->call, 0);
		put_body(out, texts, body->inlined[i]);
	}
}

static void add_texts(struct texts *texts, const struct profile_body *body)
{
	texts_add(texts, body->name);
	texts_add(texts, body->file);
	for (size_t i = 0; i < body->ncounts; i++) {
		const struct profile_count *count = &body->counts[i];

		texts_add(texts, count->key.file);
		for (size_t j = 0; j < count->ntargets; j++)
			texts_add(texts, count->targets[j].name);
	}
	for (size_t i = 0; i < body->ninlined; i++) {
		texts_add(texts, body->inlined[i]->call.file);
		add_texts(texts, body->inlined[i]);
	}
}

void record_encode(const struct profile_function *f, int version,
		   struct bytes *out)
{
	struct texts texts = { 0 };

	add_texts(&texts, &f->body);
	for (size_t i = 0; i < f->nhosts; i++)
		texts_add(&texts, f->hosts[i]);
	texts_finish(&texts);
	texts_write(&texts, out);

	put_body(out, &texts, &f->body);
	bytes_uleb(out, f->entry);
	bytes_uleb(out, f->samples);
	if (version >= FORMAT_VERSION_3)
		bytes_uleb(out, f->first_use);
	bytes_uleb(out, f->nbinaries);
	for (size_t i = 0; i < f->nbinaries; i++)
		bytes_uleb(out, f->binaries[i]);
	bytes_uleb(out, f->nhosts);
	for (size_t i = 0; i < f->nhosts; i++)
		bytes_uleb(out, texts_place(&texts, f->hosts[i]));
	texts_free(&texts);
}

static void add_meta_texts(struct texts *texts, const struct profile *p)
{
	texts_add(texts, p->tool);
	texts_add(texts, p->model);
	for (size_t i = 0; i < p->nevents; i++) {
		texts_add(texts, p->events[i].name);
		texts_add(texts, p->events[i].role);
	}
	for (size_t i = 0; i < p->nbinaries; i++)
		texts_add(texts, p->binaries[i].name);
}

static void put_event(struct bytes *out, const struct texts *texts,
		      const struct profile_event *event)
{
	bytes_uleb(out, texts_place(texts, event->name));
	bytes_uleb(out, texts_place(texts, event->role));
	bytes_uleb(out, event->period);
	bytes_uleb(out, event->period_rest);
	bytes_uleb(out, event->samples);
	bytes_uleb(out, event->mapped);
}

void record_encode_meta(const struct profile *p, struct bytes *out)
{
	struct texts texts = { 0 };

	add_meta_texts(&texts, p);
	texts_finish(&texts);
	texts_write(&texts, out);

	bytes_uleb(out, texts_place(&texts, p->tool));
	bytes_uleb(out, texts_place(&texts, p->model));
	bytes_uleb(out, p->nevents);
	for (size_t i = 0; i < p->nevents; i++)
		put_event(out, &texts, &p->events[i]);
	bytes_uleb(out, p->nbinaries);
	for (size_t i = 0; i < p->nbinaries; i++) {
		bytes_uleb(out, texts_place(&texts, p->binaries[i].name));
		bytes_uleb(out, p->binaries[i].build_id_size |
					(p->binaries[i].no_frontiers
						 ? FORMAT_NO_FRONTIERS
						 : 0));
		bytes_add(out, p->binaries[i].build_id,
			  p->binaries[i].build_id_size);
	}
	bytes_uleb(out, p->max_count);
	bytes_uleb(out, p->ncutoffs);
	for (size_t i = 0; i < p->ncutoffs; i++) {
		bytes_uleb(out, p->cutoffs[i].share);
		bytes_uleb(out, p->cutoffs[i].min_count);
		bytes_uleb(out, p->cutoffs[i].blocks);
	}
	texts_free(&texts);
}
