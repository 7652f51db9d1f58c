/*
 * texts.c - names have long beginnings in common (mangled names, folders), so
 * each says only where it departs from the one before it in sorted order.
 *
 * That the shared part is bounded keeps a small file from becoming large in
 * memory.
 */
#include "profile/texts.h"

#include "profile/format.h"
#include "profile/private.h"

void texts_add(struct texts *texts, const char *text)
{
	if (!text)
		return;
	texts->text = fdo_grow(texts->text, texts->count, &texts->room,
			       sizeof(*texts->text));
	texts->text[texts->count++] = text;
}

static int by_text(const void *a, const void *b)
{
	return profile_compare_texts(*(const char *const *)a,
				     *(const char *const *)b);
}

void texts_finish(struct texts *texts)
{
	size_t n = 0;

	if (texts->count)
		qsort(texts->text, texts->count, sizeof(*texts->text), by_text);
	for (size_t i = 0; i < texts->count; i++)
		if (n == 0 || strcmp(texts->text[n - 1], texts->text[i]) != 0)
			texts->text[n++] = texts->text[i];
	texts->count = n;
}

void texts_free(struct texts *texts)
{
	free(texts->text);
	*texts = (struct texts){ 0 };
}

size_t texts_place(const struct texts *texts, const char *text)
{
	const char **found;

	if (!text)
		return 0;
	found = bsearch(&text, texts->text, texts->count, sizeof(text),
			by_text);
	return found ? found - texts->text + 1 : 0;
}

static size_t shared(const char *a, const char *b)
{
	size_t n = 0;

	while (n < FORMAT_PREFIX && a[n] && a[n] == b[n])
		n++;
	return n;
}

void texts_write(const struct texts *texts, struct bytes *out)
{
	const char *last = "";

	bytes_uleb(out, texts->count);
	for (size_t i = 0; i < texts->count; i++) {
		const char *text = texts->text[i];
		size_t prefix = shared(last, text);

		bytes_u8(out, prefix);
		bytes_add(out, text + prefix, strlen(text + prefix) + 1);
		last = text;
	}
}

/* The beginning of the last text, which line has, and the rest. */
static const char *join(struct bytes *line, size_t prefix, const char *rest,
			struct fdo_strings *strings)
{
	line->size = prefix;
	bytes_add(line, rest, strlen(rest) + 1);
	return fdo_intern(strings, (const char *)line->data);
}

/* line has the last text, and then this one. */
static bool read_one(struct texts *texts, struct bytes *line,
		     struct fdo_strings *strings, struct cursor *c,
		     struct fdo_error *err)
{
	const char *last = texts->count ? texts->text[texts->count - 1] : "";
	struct cursor start = *c;
	const char *rest = NULL, *text;
	uint8_t prefix = 0;

	if (!cursor_u8(c, &prefix, err) || !cursor_string(c, &rest, err))
		return false;
	if (prefix > strlen(last))
		return cursor_fail(&start, err,
				   "a text shares more than there is");
	text = join(line, prefix, rest, strings);
	if (texts->count && strcmp(last, text) >= 0)
		return cursor_fail(&start, err, "texts are not sorted");
	if (shared(last, text) != prefix)
		return cursor_fail(&start, err,
				   "a text shares less than it could");
	texts_add(texts, text);
	return true;
}

bool texts_read(struct texts *texts, struct fdo_strings *strings,
		struct cursor *c, struct fdo_error *err)
{
	struct bytes line = { 0 };
	uint64_t count = 0;
	bool good;

	*texts = (struct texts){ 0 };
	good = cursor_uleb(c, &count, err);
	for (uint64_t i = 0; good && i < count; i++)
		good = read_one(texts, &line, strings, c, err);
	free(line.data);
	return good;
}

bool texts_get(const struct texts *texts, struct cursor *c, bool optional,
	       const char **ret, struct fdo_error *err)
{
	struct cursor start = *c;
	uint64_t place = 0;

	if (!cursor_uleb(c, &place, err))
		return false;
	if (place > texts->count)
		return cursor_fail(&start, err, "there is no text %llu",
				   (unsigned long long)place);
	if (place == 0 && !optional)
		return cursor_fail(&start, err, "a name is missing");
	*ret = place ? texts->text[place - 1] : NULL;
	return true;
}
