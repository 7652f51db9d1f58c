# A change list moves functions, keys and inlined copies, in several files.
cat >prof.txt <<'END'
samplefdo profile 2
event cycles role cycles period 1000 samples 900 mapped 900
max-count 100000
cutoff 990000 min-count 5 blocks 2
function work file /b/src/loop.c line 3 total 600000 entry 100 samples 1000 first-use 2500000
 at 3:20 count 100000
 at 4:6 count 99900
 at 5:4 count 0
 at 7:8 count 99900 call leaf 99900
 at 2:5 in src/leaf.h count 8
 at 9:9 count 100
 inlined 4:7 function leaf file src/leaf.h line 10 total 100
  at 1:4 count 5
 inlined 5:4 function leaf file src/leaf.h line 10 total 50
  at 1:4 count 2
function leaf file src/leaf.h line 10 total 600000 entry 100 samples 1000
 at 1:4 count 100000
function other file src/other.c line 5 total 7 samples 3
 at 1:4 count 7
function removed file src/dead.c line 5 total 7 samples 3
 at 1:4 count 7
# Behind the edits of loop.c, within one, before them; of leaf.h behind and
# above what comes in; and of dead.c and other.c.
unsampled 00000001 in 003de3ab line 20 lines 5 samples 9000
unsampled 00000002 in 003de3ab line 6 lines 1 samples 9000
unsampled 00000003 in 003de3ab line 3 lines 3 samples 9000
unsampled 00000004 in 62105591 line 7 lines 1 samples 9000
unsampled 00000005 in 62105591 line 5 lines 2 samples 9000
unsampled 00000006 in f615f3be line 50 lines 1 samples 9000
unsampled 00000007 in 88d1d820 line 50 lines 1 samples 9000
END
cat >change.diff <<'END'
diff --git a/src/loop.c b/src/loops.c
similarity index 90%
rename from src/loop.c
rename to src/loops.c
--- a/src/loop.c
+++ b/src/loops.c
@@ -1,2 +1,3 @@
+#include "x.h"
 int tab[64];
 void rare(int);
@@ -7,4 +8,3 @@ int work(int n)
-		if (tab[i & 63] > 1000)
-			rare(i);
+		while (tab[i & 63] > 999)
 		else
 			sum += tab[i & 63];
diff --git a/src/leaf.h b/src/leaf.h
--- a/src/leaf.h
+++ b/src/leaf.h
@@ -6,0 +7,2 @@
+
+
diff --git a/src/dead.c b/src/dead.c
deleted file mode 100644
--- a/src/dead.c
+++ /dev/null
@@ -5,2 +0,0 @@
-void removed(void)
-{ out(); }
diff --git a/src/logo.png b/src/logo.png
index 1234567..89abcde 100644
Binary files a/src/logo.png and b/src/logo.png differ
END
$samplefdo remap -q --diff=change.diff prof.txt --text -o -
$samplefdo remap --diff=change.diff prof.txt --text -o new.txt --json
echo "Nothing has changed:"
$samplefdo merge prof.txt -o prof.afdo
$samplefdo remap -q -d /dev/null prof.afdo -o same.afdo &&
	cmp prof.afdo same.afdo && echo same
echo "There and back again:"
cat >there.diff <<'END'
--- old/src/other.c
+++ new/src/other.c
@@ -1,0 +2,7 @@
+
+
+
+
+
+
+
END
sed -e 's/^+$/-/' -e 's/@@.*/@@ -2,7 +1,0 @@/' there.diff >back.diff
$samplefdo remap -d there.diff -d back.diff - <prof.afdo -o same.afdo &&
	cmp prof.afdo same.afdo && echo same
echo "What is said of a whole inlined body stays, whatever its declaration is now:"
cat >body.txt <<'TXT'
samplefdo profile 1
max-count 100
function main file m.c line 20 total 1000 entry 1 samples 10
 at 1:3.0 count 10
 inlined 2:5.0 function foo file m.c line 10 total 500
  at entry count 7
  at 0:12.begin count 8
  at 1:3.0 count 50
TXT
cat >other-above.diff <<'TXT'
--- a/m.c
+++ b/m.c
@@ -10 +10,4 @@
-static int foo(int aaaaaaaaaaaa, int bbbbbbbbbb) {
+static int xfoo_helper(int aaaaaaaaaaaa, int bbbbbbbbbb) {
+ return 77777777777;
+}
+long foo(void *zz) {
TXT
cat >all-new.diff <<'TXT'
--- a/m.c
+++ b/m.c
@@ -10 +10 @@
-static int foo(int aaaaaaaaaaaa, int bbbbbbbbbb) {
+long foo(void *zz) {
TXT
cat >longer.diff <<'TXT'
--- a/m.c
+++ b/m.c
@@ -10 +10 @@
-static int foo(int aaaaaaaaaaaa, int bbbbbbbbbb) {
+static inline int foo(int aaaaaaaaaaaa, int bbbbbbbbbb) {
TXT
for change in other-above all-new longer; do
	$samplefdo remap -d $change.diff body.txt --text -o - 2>&1
done
printf %s "$(cat longer.diff)" >cut.diff
$samplefdo remap -d cut.diff body.txt --text -o - 2>&1
