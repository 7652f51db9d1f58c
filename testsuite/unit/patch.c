/* patch.c - change lists: which file, line, column and function is where. */
#include "converter/keys/patch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "testsuite/lib/tap.h"

static const char path[] = "patch.diff";

static struct patch *read_text(const char *text, int strip,
			       struct fdo_error *err)
{
	FILE *stream = fopen(path, "w");
	struct patch *p;

	fputs(text, stream);
	fclose(stream);
	p = patch_read(path, strip, err);
	unlink(path);
	return p;
}

static struct patch *good(const char *text, int strip)
{
	struct fdo_error err = { "" };
	struct patch *p = read_text(text, strip, &err);

	if (!p)
		printf("# %s\n", err.text);
	return p;
}

/* The line that a line is now, 0: gone. */
static int line(const struct patch_file *f, int old)
{
	struct patch_place place = patch_place(f, old, 0);

	return place.gone ? 0 : (int)place.line;
}

static int column(const struct patch_file *f, int old_line, int old_column)
{
	struct patch_place place = patch_place(f, old_line, old_column);

	return place.gone ? 0 : (int)place.column;
}

static const char edits[] = "--- a/app.c\t2020-01-01\n"
			    "+++ b/app.c\t2020-01-02\n"
			    "@@ -1,3 +1,4 @@ int x\n"
			    "+#include <new.h>\n"
			    " one\n"
			    " two\n"
			    " three\n"
			    "@@ -10,5 +11,3 @@\n"
			    " ten\n"
			    "-eleven eleven\n"
			    "-twelve\n"
			    "-if (a < b) call(c);\n"
			    "+\tif (a <= b) call(c);\n"
			    " fourteen\n"
			    "\\ No newline at end of file\n";

static void test_lines(void)
{
	struct patch *p = good(edits, PATCH_STRIP_AUTO);
	const struct patch_file *f = &p->files[0];

	check_int(p->nfiles, 1, "one file");
	check_int(line(f, 1), 2, "a line at the top moves the first");
	check_int(line(f, 9), 10, "and what is between the hunks");
	check_int(line(f, 11), 0, "a line that was taken out is gone");
	check_int(line(f, 12), 0, "so is the next");
	check_int(line(f, 13), 12, "a line that was changed is still there");
	check_int(line(f, 14), 13, "as is what follows it");
	check_int(line(f, 999), 998, "to the end");
	check_int(column(f, 13, 1), 2, "its beginning is indented");
	check_int(column(f, 13, 14), 16, "its end is behind what came in");
	check_int(column(f, 14, 7), 7, "other lines keep their columns");
	check_int(patch_near(f, 12), 12, "near a line that is gone");
	patch_free(p);
}

static void test_gone_columns(void)
{
	struct patch *p = good("--- app.c\n+++ app.c\n@@ -5 +5 @@\n"
			       "-x = first(1) + old_name(2) + last(3);\n"
			       "+x = first(1) + changed + last(3);\n",
			       PATCH_STRIP_AUTO);
	const struct patch_file *f = &p->files[0];

	check_int(column(f, 5, 5), 5, "the same beginning");
	check_int(column(f, 5, 19), 0, "what is in between is gone");
	check_int(column(f, 5, 30), 26, "the same end");
	patch_free(p);
}

static void test_declarations(void)
{
	static const char text[] = "diff --git a/f.cc b/f.cc\n"
				   "--- a/f.cc\n+++ b/f.cc\n"
				   "@@ -3,4 +3,3 @@\n"
				   "-int f(int a, char *b)\n"
				   "-int gone(void)\n"
				   "+static unsigned long\n"
				   "+f(struct whole *w)\n"
				   " {\n"
				   "-	old line of it\n";
	struct patch *p = good(text, PATCH_STRIP_AUTO);
	const struct patch_file *file = &p->files[0];

	check_int(patch_declaration(file, 3, "f"), 4, "by name");
	check_int(patch_declaration(file, 3, "_Z1fiPc"), 4, "of C++");
	check_int(patch_declaration(file, 3, "_ZN2ns1fEv"), 4, "qualified");
	check_int(patch_declaration(file, 4, "gone"), 0, "none");
	check_int(patch_declaration(file, 9, "h"), 8, "one that moved");
	patch_free(p);
}

static const char tree[] =
	"diff -ru old/src/util.c new/src/util.c\n"
	"--- old/src/util.c\t2020-01-01 00:00:00.000000000 +0000\n"
	"+++ new/src/util.c\t2020-01-01 00:00:00.000000000 +0000\n"
	"@@ -1 +1,2 @@\n+x\n y\n"
	"Only in new/src: more.c\n"
	"Binary files old/logo.png and new/logo.png differ\n"
	"--- old/lib/util.c\t2020\n"
	"+++ new/lib/util.c\t2020\n"
	"@@ -1 +1,3 @@\n+x\n+x\n y\n"
	"diff --git a/was.c b/sub/is.c\n"
	"similarity index 100%\n"
	"rename from was.c\n"
	"rename to sub/is.c\n"
	"diff --git a/dead.c b/dead.c\n"
	"deleted file mode 100644\n"
	"--- a/dead.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
	"diff --git \"a/\\303\\244 b.c\" \"b/\\303\\244 b.c\"\n"
	"--- \"a/\\303\\244 b.c\"\n+++ \"b/\\303\\244 b.c\"\n"
	"@@ -1,0 +2 @@\n+x\n"
	"diff --git a/src/util.c b/copy.c\n"
	"copy from src/util.c\n"
	"copy to copy.c\n"
	"--- a/src/util.c\n+++ b/copy.c\n@@ -1 +0,0 @@\n-x\n";

static int find(const struct patch *p, const char *name)
{
	bool ambiguous;
	const struct patch_file *f = patch_find(p, name, &ambiguous);

	return ambiguous ? -1 : f ? (int)(f - p->files) + 1 : 0;
}

static bool renamed(const struct patch *p, const char *name, const char *to)
{
	bool ambiguous;
	char *now = patch_renamed(patch_find(p, name, &ambiguous), name);
	bool same = strcmp(now, to) == 0;

	if (!same)
		printf("# %s\n", now);
	free(now);
	return same;
}

static void test_files(void)
{
	struct patch *p = good(tree, PATCH_STRIP_AUTO);

	check_int(p->nfiles, 5, "a copy is no change, nor is a picture");
	check_int(find(p, "/build/src/util.c"), 1, "by its folder");
	check_int(find(p, "lib/util.c"), 2, "the other");
	check_int(find(p, "../src/./util.c"), 1, "whatever the way there");
	check_int(find(p, "lib/../src/util.c"), 1, "back and forth");
	check_int(find(p, "util.c"), -1, "two could be this");
	check_int(find(p, "other/util.c"), 0, "neither is that");
	check_int(find(p, "til.c"), 0, "nor one whose name ends alike");
	check_int(find(p, "x/\303\244 b.c"), 5, "a name in quotes");
	check(renamed(p, "/b/was.c", "/b/sub/is.c"), "a renamed file");
	check(renamed(p, "was.c", "is.c"), "a short path stays short");
	check(renamed(p, "/b/src/util.c", "/b/src/util.c"), "or its name");
	check(!p->files[3].new_name, "a removed file");
	patch_free(p);
	p = good("--- x/y/util.c\n+++ x/y/util.c\n@@ -1,0 +2 @@\n+x\n", 2);
	check_int(find(p, "z/util.c"), 1, "two folders less");
	patch_free(p);
	p = good("--- util.c.orig\n+++ util.c\n@@ -1,0 +2 @@\n+x\n",
		 PATCH_STRIP_AUTO);
	check_int(find(p, "z/util.c"), 1, "a copy that was kept");
	patch_free(p);
	p = good(" \n\n", PATCH_STRIP_AUTO);
	check(p && p->nfiles == 0, "nothing has changed");
	patch_free(p);
}

static const struct {
	const char *text, *message;
} bad[] = {
	{ "hello\n", "patch.diff: not a unified diff" },
	{ "@@ -1 +1 @@\n-a\n+b\n", "patch.diff:1: a hunk of no file" },
	{ "--- a\n+++ a\n@@ -1 +1\n", "patch.diff:3: not the head of a hunk" },
	{ "--- a\n+++ a\n@@ -1 +99999999999 @@\n",
	  "patch.diff:3: not the head of a hunk" },
	{ "--- a\n+++ a\n@@ -1 +1 @@\n-a\n",
	  "patch.diff:4: ends within a hunk" },
	{ "--- a\n+++ a\n@@ -1 +1 @@\n-a\nx\n",
	  "patch.diff:5: not a line of this hunk" },
	{ "--- a\n+++ a\n@@ -1 +1 @@\n-a\n-b\n",
	  "patch.diff:5: not a line of this hunk" },
	{ "--- a\n+++ a\n@@ -5 +5 @@\n-a\n+b\n@@ -5 +5 @@\n-a\n+b\n",
	  "patch.diff:6: a hunk is before the one before it" },
	{ "--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n--- a\n+++ a\n"
	  "@@ -1 +1 @@\n-a\n+b\n",
	  "patch.diff:8: a file for the second time: give one change list "
	  "for each step" },
	{ "--- \n+++ a\n", "patch.diff:1: not the name of a file" },
	{ "diff --cc a\n", "patch.diff:1: a combined diff: compare with one "
			   "parent only" },
};

static void test_bad(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct fdo_error err = { "" };
		struct patch *p =
			read_text(bad[i].text, PATCH_STRIP_AUTO, &err);

		check(!p && strcmp(err.text, bad[i].message) == 0,
		      bad[i].message);
		if (p || strcmp(err.text, bad[i].message) != 0)
			printf("# %s\n", err.text);
		patch_free(p);
	}
}

int main(void)
{
	test_lines();
	test_gone_columns();
	test_declarations();
	test_files();
	test_bad();
	return done();
}
