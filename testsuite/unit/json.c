/* Texts in JSON: what must be escaped, and what is no UTF-8. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "testsuite/lib/tap.h"

static bool is(const char *text, const char *want)
{
	char *got = NULL;
	size_t size;
	FILE *out = open_memstream(&got, &size);
	bool same;

	json_text(text, out);
	fclose(out);
	same = strcmp(got, want) == 0;
	if (!same)
		printf("# %s instead of %s\n", got, want);
	free(got);
	return same;
}

int main(void)
{
	check(is("main", "\"main\""), "plain text");
	check(is("", "\"\""), "none");
	check(is("a\"b\\c", "\"a\\\"b\\\\c\""), "quotes and backslashes");
	check(is("a\nb\x01", "\"a\\u000ab\\u0001\""), "control characters");
	check(is("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80",
		 "\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\""),
	      "UTF-8 stays as it is");
	check(is("\xe4-", "\"\\ufffd-\""), "another encoding");
	check(is("\xc3", "\"\\ufffd\""), "a cut-off character");
	check(is("\xe2\x82", "\"\\ufffd\\ufffd\""), "and a longer one");
	check(is("\xc0\x80", "\"\\ufffd\\ufffd\""), "longer than need be");
	check(is("\xfc\x80\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""),
	      "of no character");
	check(is("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""), "a surrogate");
	check(is("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""),
	      "beyond Unicode");
	return done();
}
