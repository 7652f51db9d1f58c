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

static const char *join(struct profile *p, const char *last, size_t prefix,
			const char *rest)
{
	size_t size = strlen(rest) + 1;
	char *text = fdo_alloc(prefix + size, 1);
	const char *ret;

	memcpy(text, last, prefix);
	memcpy(text + prefix, rest, size);
	ret = profile_text(p, text);
	free(text);
	return ret;
}

static bool read_one(struct texts *texts, struct profile *p, struct cursor *c,
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
	text = join(p, last, prefix, rest);
	if (texts->count && strcmp(last, text) >= 0)
		return cursor_fail(&start, err, "texts are not sorted");
	if (shared(last, text) != prefix)
		return cursor_fail(&start, err,
				   "a text shares less than it could");
	texts_add(texts, text);
	return true;
}

bool texts_read(struct texts *texts, struct profile *p, struct cursor *c,
		struct fdo_error *err)
{
	uint64_t count = 0;

	*texts = (struct texts){ 0 };
	if (!cursor_uleb(c, &count, err))
		return false;
	for (uint64_t i = 0; i < count; i++)
		if (!read_one(texts, p, c, err))
			return false;
	return true;
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
