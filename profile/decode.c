/*
 * decode.c - bytes to records; encode.c is its mirror.
 *
 * Nothing is believed: a number, an order or a repetition that the writer
 * would not have written in just this way is an error.  Memory grows with what
 * has been read, not with what a number claims will follow.
 */
#include <stdlib.h>

#include "base/error.h"
#include "profile/format.h"
#include "profile/private.h"
#include "profile/record.h"
#include "profile/texts.h"
#include "profile/values.h"

/* What the parts of one record have in common. */
struct decoder {
	struct fdo_strings *strings;
	size_t nbinaries;
	int version;
	struct profile *p; /* of what is said of the whole */
	struct cursor *c;
	struct texts texts;
	struct fdo_error *err;
};

struct last {
	int64_t file;
	struct profile_key key;
};

static const struct last nothing = { .file = -1 };

static bool get(struct decoder *d, uint64_t most, uint64_t *ret)
{
	struct cursor start = *d->c;
	uint64_t value = 0;

	if (!cursor_uleb(d->c, &value, d->err))
		return false;
	if (value > most)
		return cursor_fail(&start, d->err, "%llu is over %llu",
				   (unsigned long long)value,
				   (unsigned long long)most);
	*ret = value;
	return true;
}

static bool get_u32(struct decoder *d, uint32_t *ret)
{
	uint64_t value = 0;

	if (!get(d, UINT32_MAX, &value))
		return false;
	*ret = value;
	return true;
}

static bool get_text(struct decoder *d, bool optional, const char **ret)
{
	return texts_get(&d->texts, d->c, optional, ret, d->err);
}

/* How many of something follow, each of at least size bytes. */
static bool get_number(struct decoder *d, size_t size, size_t *ret)
{
	struct cursor start = *d->c;
	uint64_t value = 0;

	if (!cursor_uleb(d->c, &value, d->err))
		return false;
	if (value > cursor_left(d->c) / size)
		return cursor_fail(&start, d->err, "%llu items cannot follow",
				   (unsigned long long)value);
	*ret = value;
	return true;
}

/* A sum of at most limit, of which base is known and at least 1 is new. */
static bool get_step(struct decoder *d, int64_t base, int64_t limit,
		     int64_t *ret)
{
	struct cursor start = *d->c;
	uint64_t step = 0;

	if (!cursor_uleb(d->c, &step, d->err))
		return false;
	if (step == 0)
		return cursor_fail(&start, d->err, "keys are not sorted");
	if (step > (uint64_t)(limit - base))
		return cursor_fail(&start, d->err, "a key is out of range");
	*ret = base + (int64_t)step;
	return true;
}

static bool get_file(struct decoder *d, struct last *last)
{
	uint64_t line = 0;

	if (!get_step(d, last->file, d->texts.count, &last->file) ||
	    !get(d, UINT32_MAX, &line))
		return false;
	last->key.file = last->file ? d->texts.text[last->file - 1] : NULL;
	last->key.line = record_unzigzag(line);
	return true;
}

static bool get_line(struct decoder *d, struct last *last)
{
	int64_t line = 0;

	if (!get_step(d, last->key.line, INT32_MAX, &line))
		return false;
	last->key.line = line;
	return true;
}

static bool get_column(struct decoder *d, struct last *last)
{
	int64_t column = 0;

	if (!get_step(d, last->key.column, UINT32_MAX, &column))
		return false;
	last->key.column = column;
	return true;
}

static bool get_discriminator(struct decoder *d, int level, bool any,
			      struct last *last)
{
	int64_t value = PROFILE_ANY;
	uint64_t whole = 0;

	if (level == KEY_DISCRIMINATOR) {
		if (last->key.discriminator == PROFILE_ANY)
			return cursor_fail(d->c, d->err, "keys are not sorted");
		if (!any && !get_step(d, last->key.discriminator,
				      PROFILE_ANY - 1, &value))
			return false;
	} else if (!any) {
		if (!get(d, PROFILE_ANY - 1, &whole))
			return false;
		value = whole;
	}
	last->key.discriminator = value;
	return true;
}

/*
 * The key that follows *last, which it becomes.  body is where it is; bits
 * are those of the byte before the key that are not the key's.
 */
static bool get_key(struct decoder *d, const struct profile_body *body,
		    struct last *last, int *bits)
{
	struct cursor start = *d->c;
	uint8_t first = 0;
	int level;
	bool any, read = true;

	if (!cursor_u8(d->c, &first, d->err))
		return false;
	level = first & KEY_LEVEL;
	any = first & KEY_ANY;
	*bits = first & ~(KEY_LEVEL | KEY_ANY);
	if (level > KEY_SAME || (level == KEY_SAME && any) ||
	    (last->file < 0 && level != KEY_FILE))
		return cursor_fail(&start, d->err, "not the start of a key");
	if (level == KEY_SAME)
		return true;
	if (level == KEY_FILE)
		read = get_file(d, last);
	else if (level == KEY_LINE)
		read = get_line(d, last);
	if (!read)
		return false;
	if (last->key.file && last->key.file == body->file)
		return cursor_fail(&start, d->err,
				   "the file of a key is that of its function");
	if (level <= KEY_LINE)
		read = get_u32(d, &last->key.column);
	else if (level == KEY_COLUMN)
		read = get_column(d, last);
	return read && get_discriminator(d, level, any, last);
}

static bool get_targets(struct decoder *d, struct profile_count *count,
			size_t n)
{
	struct cursor first = *d->c;

	for (size_t i = 0; i < n; i++) {
		struct cursor start = *d->c;
		struct profile_target target = { 0 }, *last;

		if (!get_text(d, false, &target.name) ||
		    !get(d, PROFILE_MAX, &target.count))
			return false;
		last = i ? &count->targets[i - 1] : NULL;
		if (last &&
		    (last->count < target.count ||
		     (last->count == target.count &&
		      profile_compare_texts(last->name, target.name) >= 0)))
			return cursor_fail(&start, d->err,
					   "call targets are not sorted");
		count->targets = profile_grow(count->targets, i,
					      sizeof(*count->targets));
		count->targets[count->ntargets++] = target;
	}
	/* What this order does not show: the same with another count. */
	profile_sort_targets(count);
	return count->ntargets == n ||
	       cursor_fail(&first, d->err, "a function is called twice");
}

/* If there is no target, there are values, and then there may be targets. */
static bool get_more(struct decoder *d, struct profile_count *count)
{
	size_t n = 0;

	if (!get_number(d, 2, &n))
		return false;
	if (n == 0 &&
	    (!values_decode(count, d->c, d->err) || !get_number(d, 2, &n)))
		return false;
	return get_targets(d, count, n);
}

static bool get_numbers(struct decoder *d, struct profile_count *count)
{
	struct cursor start;
	uint64_t error = 0;

	if (!get(d, PROFILE_MAX, &count->count) ||
	    !get(d, 2 * PROFILE_MAX + 1, &error))
		return false;
	count->error = error >> 1;
	start = *d->c;
	if (error & 1) {
		if (!get(d, 2 * count->error, &count->error_rest))
			return false;
		if (count->error_rest == 0 || count->error == PROFILE_MAX)
			return cursor_fail(&start, d->err,
					   "the rest of an error is wrong");
	}
	return true;
}

static bool get_count(struct decoder *d, struct profile_body *body,
		      struct last *last)
{
	struct cursor start = *d->c;
	struct profile_count *count, *before;
	int bits = 0;
	bool same;

	if (!get_key(d, body, last, &bits))
		return false;
	if ((start.data[start.at] & KEY_LEVEL) == KEY_SAME)
		return cursor_fail(&start, d->err, "a key is there twice");
	count = profile_append_count(body);
	count->key = last->key;
	count->flags = bits >> KEY_FLAGS;
	before = body->ncounts > 1 ? count - 1 : NULL;
	if (bits & KEY_REPEAT) {
		if (!before)
			return cursor_fail(&start, d->err,
					   "nothing is before the first count");
		count->count = before->count;
		count->error = before->error;
		count->error_rest = before->error_rest;
	} else {
		if (!get_numbers(d, count))
			return false;
		same = before && count->count == before->count &&
		       count->error == before->error &&
		       count->error_rest == before->error_rest;
		if (same)
			return cursor_fail(&start, d->err,
					   "a count is repeated at length");
	}
	return !(bits & KEY_MORE) || get_more(d, count);
}

static bool get_body(struct decoder *d, struct profile_body *body, int depth);

static bool get_inlined(struct decoder *d, struct profile_body *in,
			struct last *last, int depth)
{
	struct cursor start = *d->c;
	struct profile_body *body;
	int bits = 0;

	if (depth > PROFILE_DEPTH)
		return cursor_fail(&start, d->err,
				   "bodies are nested too deep");
	if (!get_key(d, in, last, &bits))
		return false;
	if (bits)
		return cursor_fail(&start, d->err, "not the start of a call");
	body = profile_append_inlined(in);
	body->call = last->key;
	if (!get_body(d, body, depth))
		return false;
	if (in->ninlined > 1 &&
	    profile_compare_inlined(in->inlined[in->ninlined - 2], body) >= 0)
		return cursor_fail(&start, d->err,
				   "inlined calls are not sorted");
	return true;
}

static bool get_body(struct decoder *d, struct profile_body *body, int depth)
{
	struct last last = nothing;
	size_t n = 0;

	if (!get_text(d, false, &body->name) ||
	    !get_text(d, true, &body->file) || !get_u32(d, &body->start_line) ||
	    !get(d, PROFILE_MAX, &body->total) || !get_number(d, 1, &n))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!get_count(d, body, &last))
			return false;
	last = nothing;
	if (!get_number(d, 7, &n))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!get_inlined(d, body, &last, depth + 1))
			return false;
	return true;
}

static bool get_binaries(struct decoder *d, struct profile_function *f)
{
	size_t n = 0;

	if (!get_number(d, 1, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct cursor start = *d->c;
		uint64_t binary = 0;

		if (!cursor_uleb(d->c, &binary, d->err))
			return false;
		if (binary >= d->nbinaries)
			return cursor_fail(&start, d->err,
					   "there is no binary %llu",
					   (unsigned long long)binary);
		if (i && f->binaries[i - 1] >= binary)
			return cursor_fail(&start, d->err,
					   "binaries are not sorted");
		f->binaries =
			profile_grow(f->binaries, i, sizeof(*f->binaries));
		f->binaries[f->nbinaries++] = binary;
	}
	return true;
}

static bool get_hosts(struct decoder *d, struct profile_function *f)
{
	size_t n = 0;

	if (!get_number(d, 1, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct cursor start = *d->c;
		const char *host = NULL;

		if (!get_text(d, false, &host))
			return false;
		if (i && profile_compare_texts(f->hosts[i - 1], host) >= 0)
			return cursor_fail(&start, d->err,
					   "hosts are not sorted");
		f->hosts = profile_grow(f->hosts, i, sizeof(*f->hosts));
		f->hosts[f->nhosts++] = host;
	}
	return true;
}

static bool get_end(struct decoder *d)
{
	if (cursor_left(d->c))
		return cursor_fail(d->c, d->err, "something follows the end");
	return true;
}

static bool get_function(struct decoder *d, struct profile_function *f)
{
	return texts_read(&d->texts, d->strings, d->c, d->err) &&
	       get_body(d, &f->body, 0) && get(d, PROFILE_MAX, &f->entry) &&
	       get(d, PROFILE_MAX, &f->samples) &&
	       (d->version < FORMAT_VERSION_3 ||
		get(d, PROFILE_MAX, &f->first_use)) &&
	       get_binaries(d, f) && get_hosts(d, f) && get_end(d);
}

struct profile_function *record_decode(struct fdo_strings *strings,
				       size_t nbinaries, int version,
				       struct cursor *c, struct fdo_error *err)
{
	struct decoder d = {
		.strings = strings,
		.nbinaries = nbinaries,
		.version = version,
		.c = c,
		.err = err,
	};
	struct profile_function *f = fdo_alloc(1, sizeof(*f));

	if (!get_function(&d, f)) {
		profile_function_free(f);
		f = NULL;
	}
	texts_free(&d.texts);
	return f;
}

static bool get_event(struct decoder *d, struct profile_event *event)
{
	return get_text(d, false, &event->name) &&
	       get_text(d, false, &event->role) &&
	       get(d, PROFILE_MAX, &event->period) &&
	       get(d, PROFILE_MAX, &event->period_rest) &&
	       get(d, PROFILE_MAX, &event->samples) &&
	       get(d, PROFILE_MAX, &event->mapped);
}

static bool add_event(struct decoder *d, size_t *room)
{
	struct profile *p = d->p;
	struct cursor start = *d->c;
	struct profile_event event = { 0 }, *last;
	int order = -1;

	if (!get_event(d, &event))
		return false;
	if (p->nevents) {
		last = &p->events[p->nevents - 1];
		order = profile_compare_texts(last->name, event.name);
		if (!order)
			order = profile_compare_texts(last->role, event.role);
	}
	if (order >= 0)
		return cursor_fail(&start, d->err, "events are not sorted");
	if (event.period_rest && event.period_rest >= event.samples)
		return cursor_fail(&start, d->err,
				   "the rest of a period is wrong");
	p->events = fdo_grow(p->events, p->nevents, room, sizeof(event));
	p->events[p->nevents++] = event;
	return true;
}

static bool get_events(struct decoder *d)
{
	size_t n = 0, room = 0;

	if (!get_number(d, 6, &n))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!add_event(d, &room))
			return false;
	return true;
}

static bool add_build_id(struct decoder *d, size_t *room)
{
	struct profile *p = d->p;
	struct cursor start = *d->c;
	struct profile_binary binary = { 0 };
	const void *id = NULL;
	uint64_t size = 0;

	if (!get_text(d, false, &binary.name) ||
	    !get(d, FORMAT_NO_FRONTIERS + sizeof(binary.build_id), &size))
		return false;
	binary.no_frontiers = size & FORMAT_NO_FRONTIERS;
	size &= ~(uint64_t)FORMAT_NO_FRONTIERS;
	if (size > sizeof(binary.build_id))
		return cursor_fail(&start, d->err, "too long a build-id");
	if (!cursor_bytes(d->c, size, &id, d->err))
		return false;
	binary.build_id_size = size;
	memcpy(binary.build_id, id, size);
	if (p->nbinaries &&
	    profile_compare_binaries(&p->binaries[p->nbinaries - 1], &binary) >=
		    0)
		return cursor_fail(&start, d->err, "binaries are not sorted");
	p->binaries = fdo_grow(p->binaries, p->nbinaries, room, sizeof(binary));
	p->binaries[p->nbinaries++] = binary;
	return true;
}

static bool get_build_ids(struct decoder *d)
{
	size_t n = 0, room = 0;

	if (!get_number(d, 2, &n))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!add_build_id(d, &room))
			return false;
	return true;
}

static bool get_cutoffs(struct decoder *d)
{
	struct profile *p = d->p;
	size_t n = 0, room = 0;

	if (!get_number(d, 3, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct cursor start = *d->c;
		struct profile_cutoff cutoff = { 0 };

		if (!get_u32(d, &cutoff.share) ||
		    !get(d, PROFILE_MAX, &cutoff.min_count) ||
		    !get(d, PROFILE_MAX, &cutoff.blocks))
			return false;
		if (cutoff.share > 1000000 ||
		    (i && p->cutoffs[i - 1].share >= cutoff.share))
			return cursor_fail(&start, d->err,
					   "cutoffs are not sorted");
		p->cutoffs =
			fdo_grow(p->cutoffs, i, &room, sizeof(*p->cutoffs));
		p->cutoffs[p->ncutoffs++] = cutoff;
	}
	return true;
}

bool record_decode_meta(struct profile *p, struct cursor *c,
			struct fdo_error *err)
{
	struct decoder d = { .p = p, .c = c, .err = err };
	bool read = texts_read(&d.texts, p->private_->strings, c, err) &&
		    get_text(&d, true, &p->tool) &&
		    get_text(&d, true, &p->model) && get_events(&d) &&
		    get_build_ids(&d) && get(&d, PROFILE_MAX, &p->max_count) &&
		    get_cutoffs(&d) && get_end(&d);

	texts_free(&d.texts);
	return read;
}
