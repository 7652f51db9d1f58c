# Text to binary to text is the identity; sums do not depend on the order.
data=$cases/data/small.txt
$samplefdo merge "$data" -o small.afdo
$samplefdo show small.afdo >small.text
$samplefdo show "$data" | cmp - small.text
$samplefdo merge small.text -o again.afdo && cmp small.afdo again.afdo
$samplefdo merge --text small.afdo -o - | cmp - small.text

$samplefdo merge small.afdo:2 "$data" -o sum.afdo
$samplefdo merge "$data" small.afdo:2 -o - | cmp - sum.afdo
mkfifo pipe
cat small.afdo >pipe &
$samplefdo merge small.afdo small.afdo small.afdo -o three.afdo
cat "$data" | $samplefdo merge pipe - small.afdo -o - | cmp - three.afdo
$samplefdo merge --text "$data" small.afdo:2 -o - | $samplefdo merge - -o - |
	cmp - sum.afdo
$samplefdo show sum.afdo
# A sum for compilers that have no plugin.
$samplefdo merge --format=llvm "$data" "$data" -o - | head -n 4
# Without what has no name there, and what is inlined of it.
sed 's/function helper/function "hel\\nper"/
	$a function "o\\ndd" file app.c line 90 total 7 entry 1 samples 1\n at 1 count 7' \
	"$data" >lines.txt
$samplefdo merge --format=llvm lines.txt -o -
$samplefdo merge --format=gcc --gcc-version=16 "$data" small.afdo -o gcc.afdo &&
	od -An -tx1 -N8 gcc.afdo
$samplefdo merge --gcc-version=16 "$data" -o none
$samplefdo merge --format=elf "$data" -o none
$samplefdo merge --format=text small.afdo -o - | cmp - small.text
