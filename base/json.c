#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>

/* How long the character that begins here is; 0: it is no UTF-8. */
static size_t character(const unsigned char *s)
{
	size_t size = s[0] < 0x80    ? 1
		      : s[0] >= 0xf8 ? 0
		      : s[0] >= 0xf0 ? 4
		      : s[0] >= 0xe0 ? 3
		      : s[0] >= 0xc0 ? 2
				     : 0;
	unsigned value = s[0] & (0xff >> (size + 1));

	if (size <= 1)
		return size;
	for (size_t i = 1; i < size; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (s[i] & 0x3f);
	}
	/* Longer than need be, a surrogate, or beyond Unicode. */
	if (value < (size == 2	 ? 0x80u
		     : size == 3 ? 0x800u
				 : 0x10000u) ||
	    (value >= 0xd800 && value < 0xe000) || value > 0x10ffff)
		return 0;
	return size;
}

void json_text(const char *text, FILE *out)
{
	const unsigned char *s = (const unsigned char *)text;

	fputc('"', out);
	while (*s) {
		size_t size = character(s);

		if (size == 0)
			fputs("\\ufffd", out);
		else if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if (*s < ' ')
			fprintf(out, "\\u%04x", *s);
		else
			fwrite(s, 1, size, out);
		s += size ? size : 1;
	}
	fputc('"', out);
}
