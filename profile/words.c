#include "profile/words.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* Bytes of the UTF-8 character there, or 0 if it is none to be printed. */
static int utf8_size(const unsigned char *s)
{
	int size = *s >= 0xc2 && *s < 0xe0   ? 2
		   : *s >= 0xe0 && *s < 0xf0 ? 3
		   : *s >= 0xf0 && *s < 0xf5 ? 4
					     : 0;

	for (int i = 1; i < size; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((*s == 0xc2 && s[1] < 0xa0) || /* control characters */
	    (*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] >= 0xa0) ||
	    (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] >= 0x90))
		return 0;
	return size;
}

static bool is_plain(const char *word)
{
	if (!*word || *word == '#')
		return false;
	for (; *word; word++)
		if (*word <= ' ' || *word > '~' || *word == '"' ||
		    *word == '\\')
			return false;
	return true;
}

static void print_quoted(const char *word, FILE *stream)
{
	int size;

	putc('"', stream);
	for (; *word; word += size) {
		size = utf8_size((const unsigned char *)word);
		if (size) {
			fwrite(word, 1, size, stream);
			continue;
		}
		size = 1;
		if (*word == '"' || *word == '\\')
			fprintf(stream, "\\%c", *word);
		else if (*word == '\n')
			fputs("\\n", stream);
		else if (*word == '\t')
			fputs("\\t", stream);
		else if (*word >= ' ' && *word <= '~')
			putc(*word, stream);
		else
			fprintf(stream, "\\x%02x", (unsigned char)*word);
	}
	putc('"', stream);
}

void words_print(const char *word, FILE *stream)
{
	if (is_plain(word))
		fputs(word, stream);
	else
		print_quoted(word, stream);
}

static int digit(char c)
{
	const char *digits = "0123456789abcdef";
	const char *found = c ? strchr(digits, c) : NULL;

	return found ? found - digits : -1;
}

/* What stands for the escape at *at, which is moved past it; 0: nothing. */
static char escape(char **at)
{
	char c = *(*at)++;

	if (c == 'n')
		return '\n';
	if (c == 't')
		return '\t';
	if (c == '"' || c == '\\')
		return c;
	if (c != 'x' || digit((*at)[0]) < 0 || digit((*at)[1]) < 0)
		return 0;
	c = digit((*at)[0]) << 4 | digit((*at)[1]);
	*at += 2;
	return c;
}

/* *at is after the mark; write over what has been read. */
static bool unquote(char **at, struct fdo_error *err)
{
	char *to = *at;

	while (**at != '"') {
		char c = *(*at)++;

		if (c == '\\')
			c = escape(at);
		else if (c && (unsigned char)c < ' ')
			return fdo_fail(err, "a control character in quotes");
		if (!c)
			return fdo_fail(err,
					(*at)[-1] ? "no such escape in quotes"
						  : "quotes do not end");
		*to++ = c;
	}
	(*at)++;
	if (**at && **at != ' ')
		return fdo_fail(err, "no blank after quotes");
	if (**at)
		(*at)++;
	*to = 0;
	return true;
}

static bool next_word(struct words *words, char **at, struct fdo_error *err)
{
	bool quoted = **at == '"';
	char *start = *at + quoted;

	words->word = fdo_grow(words->word, words->count, &words->room,
			       sizeof(*words->word));
	words->word[words->count++] = start;
	*at = start;
	if (quoted)
		return unquote(at, err);
	for (; **at && **at != ' '; (*at)++)
		if ((unsigned char)**at < ' ' || **at == '"' || **at == 127)
			return fdo_fail(err, "a character that needs quotes");
	if (**at)
		*(*at)++ = 0;
	return true;
}

bool words_split(struct words *words, char *line, struct fdo_error *err)
{
	char *at = line;

	words->count = 0;
	words->indent = strspn(line, " ");
	for (at += words->indent; *at && *at != '#'; at += strspn(at, " "))
		if (!next_word(words, &at, err))
			return false;
	return true;
}

bool words_number(const char *word, uint64_t most, uint64_t *ret,
		  struct fdo_error *err)
{
	uint64_t value = 0;
	const char *at = word;

	for (; *at >= '0' && *at <= '9'; at++) {
		if (value > (most - (*at - '0')) / 10 ||
		    (uint64_t)(*at - '0') > most)
			return fdo_fail(err, "%.30s is over %llu", word,
					(unsigned long long)most);
		value = value * 10 + (*at - '0');
	}
	if (*at || at == word || (*word == '0' && at - word > 1))
		return fdo_fail(err, "'%.30s' is not a number", word);
	*ret = value;
	return true;
}
