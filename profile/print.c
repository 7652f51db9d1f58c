/*
 * print.c - the text form; parse.c reads it, doc/samplefdo-profile.5 defines
 * it.  What is 0 or unknown is left out.
 */
#include <inttypes.h>

#include "profile/private.h"
#include "profile/profile.h"
#include "profile/values.h"
#include "profile/words.h"

static void put_text(const char *name, const char *text, FILE *stream)
{
	if (!text)
		return;
	fprintf(stream, " %s ", name);
	words_print(text, stream);
}

static void put_number(const char *name, uint64_t number, FILE *stream)
{
	if (number)
		fprintf(stream, " %s %" PRIu64, name, number);
}

/*
 * LINE[:COLUMN][.DISCRIMINATOR], the last left out for all of them; or what is
 * of no code: LINE[:COLUMN].begin, or "entry".
 */
static void put_key(const struct profile_key *key, FILE *stream)
{
	if (profile_is_entry_key(key)) {
		fputs(" entry", stream);
		return;
	}
	fprintf(stream, " %" PRId32, key->line);
	if (key->column)
		fprintf(stream, ":%" PRIu32, key->column);
	if (key->discriminator == PROFILE_BEGIN)
		fputs(".begin", stream);
	else if (key->discriminator != PROFILE_ANY)
		fprintf(stream, ".%" PRIu32, key->discriminator);
	put_text("in", key->file, stream);
}

static void put_count(const struct profile_count *count, int depth,
		      FILE *stream)
{
	fprintf(stream, "%*sat", depth + 1, "");
	put_key(&count->key, stream);
	fprintf(stream, " count %" PRIu64, count->count);
	put_number("error", count->error, stream);
	put_number("error-rest", count->error_rest, stream);
	if (count->flags & PROFILE_COND)
		fputs(" cond", stream);
	if (count->flags & PROFILE_MERGED)
		fputs(" merged", stream);
	for (size_t i = 0; i < count->ntargets; i++) {
		put_text("call", count->targets[i].name, stream);
		fprintf(stream, " %" PRIu64, count->targets[i].count);
	}
	values_print(count, stream);
	putc('\n', stream);
}

static void put_name(const struct profile_body *body, FILE *stream)
{
	putc(' ', stream);
	words_print(body->name, stream);
	put_text("file", body->file, stream);
	put_number("line", body->start_line, stream);
}

static void put_body(const struct profile_body *body, int depth, FILE *stream)
{
	for (size_t i = 0; i < body->ncounts; i++)
		put_count(&body->counts[i], depth, stream);
	for (size_t i = 0; i < body->ninlined; i++) {
		const struct profile_body *inlined = body->inlined[i];

		fprintf(stream, "%*sinlined", depth + 1, "");
		put_key(&inlined->call, stream);
		fputs(" function", stream);
		put_name(inlined, stream);
		put_number("total", inlined->total, stream);
		putc('\n', stream);
		put_body(inlined, depth + 1, stream);
	}
}

void profile_print_function(const struct profile_function *f, FILE *stream)
{
	fputs("function", stream);
	put_name(&f->body, stream);
	put_number("total", f->body.total, stream);
	put_number("entry", f->entry, stream);
	put_number("samples", f->samples, stream);
	put_number("first-use", f->first_use, stream);
	for (size_t i = 0; i < f->nbinaries; i++)
		fprintf(stream, " from %" PRIu32, f->binaries[i]);
	putc('\n', stream);
	put_body(&f->body, 0, stream);
}

static void put_event(const struct profile_event *event, FILE *stream)
{
	fputs("event ", stream);
	words_print(event->name, stream);
	put_text("role", event->role, stream);
	put_number("period", event->period, stream);
	put_number("period-rest", event->period_rest, stream);
	put_number("samples", event->samples, stream);
	put_number("mapped", event->mapped, stream);
	putc('\n', stream);
}

static void put_binary(const struct profile_binary *binary, FILE *stream)
{
	fputs("binary ", stream);
	words_print(binary->name, stream);
	if (binary->build_id_size)
		fputs(" build-id ", stream);
	for (uint32_t i = 0; i < binary->build_id_size; i++)
		fprintf(stream, "%02x", binary->build_id[i]);
	if (binary->no_frontiers)
		fputs(" no-frontiers", stream);
	putc('\n', stream);
}

static void put_whole(const struct profile *p, FILE *stream)
{
	fprintf(stream, PROFILE_TEXT_START "%d\n", profile_version(p));
	if (p->tool) {
		fputs("tool ", stream);
		words_print(p->tool, stream);
		putc('\n', stream);
	}
	if (p->model) {
		fputs("model ", stream);
		words_print(p->model, stream);
		putc('\n', stream);
	}
	for (size_t i = 0; i < p->nevents; i++)
		put_event(&p->events[i], stream);
	for (size_t i = 0; i < p->nbinaries; i++)
		put_binary(&p->binaries[i], stream);
	if (p->max_count)
		fprintf(stream, "max-count %" PRIu64 "\n", p->max_count);
	for (size_t i = 0; i < p->ncutoffs; i++)
		fprintf(stream,
			"cutoff %" PRIu32 " min-count %" PRIu64
			" blocks %" PRIu64 "\n",
			p->cutoffs[i].share, p->cutoffs[i].min_count,
			p->cutoffs[i].blocks);
}

void profile_print_unsampled(const struct profile_unsampled *u, FILE *stream)
{
	fprintf(stream, "unsampled %08" PRIx32 " in %08" PRIx32, u->name,
		u->file);
	put_number("line", u->line, stream);
	put_number("lines", u->lines, stream);
	put_number("samples", u->samples, stream);
	putc('\n', stream);
}

void profile_print(struct profile *p, FILE *stream)
{
	profile_sort(p);
	put_whole(p, stream);
	for (size_t i = 0; i < p->nfunctions; i++)
		profile_print_function(p->functions[i], stream);
	for (size_t i = 0; i < p->nunsampled; i++)
		profile_print_unsampled(&p->unsampled[i], stream);
}
