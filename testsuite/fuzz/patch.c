/*
 * Damaged change lists: each ends in a clear message, or can be asked about
 * any line.  Built with AddressSanitizer and UBSan.
 */
#include <stdlib.h>
#include <string.h>

#include "converter/keys/patch.h"
#include "testsuite/fuzz/damage.h"

static const char text[] = "From someone\n"
			   "diff --git a/was.c b/is.c\n"
			   "rename from was.c\n"
			   "rename to is.c\n"
			   "--- a/was.c\n"
			   "+++ b/is.c\n"
			   "@@ -1,3 +1,4 @@ int x\n"
			   "+#include <new.h>\n"
			   " one\n"
			   "-if (a < b) call(c);\n"
			   "+\tif (a <= b) call(c);\n"
			   " three\n"
			   "@@ -9 +11,0 @@\n"
			   "-int f(int a)\n"
			   "\\ No newline at end of file\n"
			   "--- \"a\\303/x\" y.c\"\t2020\n"
			   "+++ \"a\\303/x\" y.c\"\t2021\n"
			   "@@ -5,0 +6,2 @@\n"
			   "+\n"
			   "+\n"
			   "Binary files a and b differ\n";

/* Whatever was read answers every question. */
static void ask(const struct patch *p, const struct patch_file *f)
{
	static const uint64_t lines[] = { 1, 2, 3, 4, 9, 10, 99, UINT32_MAX };
	bool ambiguous;

	patch_find(p, "x/was.c", &ambiguous);
	free(patch_renamed(f, "x/was.c"));
	free(patch_renamed(f, f->old_name));
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		for (uint32_t column = 0; column < 25; column++)
			patch_place(f, lines[i], column);
		patch_near(f, lines[i]);
		patch_declaration(f, lines[i], "_ZN1x1fEi");
	}
}

static bool read_patch(const char *path, struct fdo_error *err)
{
	struct patch *p = patch_read(path, PATCH_STRIP_AUTO, err);

	for (size_t i = 0; p && i < p->nfiles; i++)
		ask(p, &p->files[i]);
	patch_free(p);
	return p != NULL;
}

int main(void)
{
	size_t size = strlen(text);

	damage_prefixes("prefixes of a patch", (const void *)text, size, false,
			read_patch);
	damage_bytes("changed bytes of a patch", (const void *)text, size, size,
		     read_patch);
	return done();
}
