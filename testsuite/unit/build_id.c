/* Build-ids: the same, an order, and as text. */
#include <string.h>

#include "base/build_id.h"
#include "testsuite/lib/tap.h"

int main(void)
{
	struct fdo_build_id none = { .size = 0 };
	struct fdo_build_id five = fdo_build_id("abcde", 5);
	struct fdo_build_id other = fdo_build_id("abcdf", 5);
	struct fdo_build_id padded = fdo_build_id("abcde\0\0\0\0\0\0\0\0\0\0\0"
						  "\0\0\0\0",
						  20);
	struct fdo_build_id longer = fdo_build_id("abcde\0\0\0\0\0\0\0\0\0\0\0"
						  "\0\0\0x",
						  20);
	struct fdo_build_id longest =
		fdo_build_id("abcdefghijklmnopqrstuvwxyz", 26);
	char text[FDO_BUILD_ID_TEXT];

	check_int(longest.size, 20, "no more than there is room for");
	check(fdo_build_id_same(&five, &five), "the same");
	check(!fdo_build_id_same(&five, &other), "another");
	check(fdo_build_id_same(&five, &padded) &&
		      fdo_build_id_same(&padded, &five),
	      "an old perf writes zeros behind it");
	check(!fdo_build_id_same(&five, &longer) &&
		      !fdo_build_id_same(&longer, &five),
	      "but a longer one is another");
	check(fdo_build_id_same(&none, &five), "who has none may be any");
	check(fdo_build_id_compare(&five, &five) == 0 &&
		      fdo_build_id_compare(&five, &other) < 0 &&
		      fdo_build_id_compare(&padded, &five) > 0,
	      "shorter ones first, then by their bytes");
	fdo_build_id_text(&other, text);
	check(strcmp(text, "6162636466") == 0, "as text");
	fdo_build_id_text(&longest, text);
	check_int(strlen(text), 40, "the longest");
	fdo_build_id_text(&none, text);
	check(strcmp(text, "") == 0, "none");
	return done();
}
