try() { $samplefdo remap "$@"; echo "= $?"; }
cp "$cases/data/small.txt" small.txt
printf '%s\n' '--- a' '+++ a' '@@ -1 +1 @@' '-x' '+y' >a.diff
sed '4s/-/*/' a.diff >bad.diff
try
try small.txt
try -d a.diff small.txt
try -d a.diff small.txt small.txt -o out
try -d - - -o out
try --json -d a.diff small.txt -o -
try --json -d a.diff small.txt -o /dev/fd/1
try -d a.diff -p x small.txt -o out
try -d a.diff -p -1 small.txt -o out
try -d bad.diff small.txt -o out
try -d missing.diff small.txt -o out
try -d a.diff small.txt -o ./a.diff
try -q -d a.diff small.txt -o small.txt
cp "$cases/data/small.txt" small.txt
try -d small.txt small.txt -o out
try -d . small.txt -o out
try -d a.diff a.diff -o out
try -d a.diff missing.afdo -o out
try -d a.diff small.txt -o /dev/full
try -d missing.diff missing.afdo -o ./missing/out
try -q -d a.diff small.txt -o out
try --help | head -1
sed 's/.*/\x1b[1m&\x1b[m/' a.diff >coloured.diff
try -d coloured.diff small.txt -o out
echo "Two files of the patch could be the profile's:"
sed 's/^\([-+]\{3\}\) a/\1 x\/app.c/' a.diff >two.diff
sed 's/^\([-+]\{3\}\) a/\1 y\/app.c/' a.diff >>two.diff
try -d two.diff small.txt -o out
ls
