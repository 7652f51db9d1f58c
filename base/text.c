#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

bool fdo_text_open(struct fdo_text *text, const char *path,
		   struct fdo_error *err)
{
	*text = (struct fdo_text){ .path = path, .stream = fopen(path, "r") };
	return text->stream || fdo_fail(err, "%s: %s", path, strerror(errno));
}

bool fdo_text_open_input(struct fdo_text *text, const char *input,
			 struct fdo_error *err)
{
	if (strcmp(input, "-") != 0)
		return fdo_text_open(text, input, err);
	*text = (struct fdo_text){
		.path = fdo_file_input_name(input),
		.stream = stdin,
	};
	return true;
}

void fdo_text_close(struct fdo_text *text)
{
	if (text->stream && text->stream != stdin)
		fclose(text->stream);
	free(text->line);
	*text = (struct fdo_text){ 0 };
}

bool fdo_text_next(struct fdo_text *text, bool *good, struct fdo_error *err)
{
	ssize_t length = getline(&text->line, &text->room, text->stream);

	if (length < 0) {
		if (!feof(text->stream))
			*good = fdo_fail(err, "%s: %s", text->path,
					 strerror(errno));
		return false;
	}
	text->number++;
	if (memchr(text->line, '\0', length))
		return *good = fdo_text_fail(text, err, "not a text");
	if (text->line[length - 1] != '\n')
		return *good = fdo_text_fail(text, err, "the line is cut off");
	text->line[length - 1] = '\0';
	return true;
}

bool fdo_text_fail(const struct fdo_text *text, struct fdo_error *err,
		   const char *format, ...)
{
	struct fdo_error what;
	va_list args;

	va_start(args, format);
	vsnprintf(what.text, sizeof(what.text), format, args);
	va_end(args);
	return fdo_fail(err, "%s: line %u: %s", text->path, text->number,
			what.text);
}

bool fdo_text_begins(const char *path, const char *what)
{
	FILE *stream = fopen(path, "r");

	if (!stream)
		return false;
	while (*what && getc(stream) == *what)
		what++;
	fclose(stream);
	return !*what;
}

bool fdo_text_number(const char *word, int base, uint64_t *ret)
{
	size_t length = strspn(word, base == 16 ? "0123456789abcdefABCDEF"
						: "0123456789");

	errno = 0;
	*ret = strtoull(word, NULL, base);
	return length > 0 && !word[length] && errno == 0;
}

bool fdo_text_real(const char *word, double *ret)
{
	char *end;

	*ret = strtod(word, &end);
	return *word >= '0' && *word <= '9' &&
	       !word[strspn(word, "0123456789.eE+-")] && !*end &&
	       isfinite(*ret);
}

void fdo_text_name(const char *name, FILE *out)
{
	for (; *name; name++)
		fputc((unsigned char)*name < ' ' || *name == '\x7f' ? '?'
								    : *name,
		      out);
}
