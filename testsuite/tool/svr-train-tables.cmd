# Each bad table: one message, exit status 1, and nothing is written.
try() {
	echo "$1:"
	$svr_train bad.tsv -o out
	test $? = 1 || echo "status is not 1"
}
awk -v rows=100 -f "$cases/../lib/blocks.awk" >good.tsv
sed_try() { sed "$2" good.tsv >bad.tsv; try "$1"; }
cut_try() { cut -f"$2" good.tsv >bad.tsv; try "$1"; }
T=$(printf '\t')

: >bad.tsv; try "empty"
head -n 1 good.tsv >bad.tsv; try "only a header"
head -c 1000 good.tsv >bad.tsv; try "cut off"
echo "hello" >bad.tsv; try "not a table"
head -c 64 /dev/zero >bad.tsv; try "not a text"
sed_try "another separator" "s/$T/,/g"
cut_try "no truth" 1-9
cut_try "no instructions" 1-2,4-
cut_try "no event" 1-3,7-
cut_try "no address" 1,3-
sed_try "two columns with one name" "1s/cycles:u/instructions:u/"
sed_try "a column without a name" "1s/cycles:u//"
sed_try "lines as on another system" "s/\$/\r/"
sed_try "a column more" "7s/\$/${T}1/"
sed_try "a column less" "7s/${T}[^$T]*\$//"
sed_try "NaN" "9s/[^$T]*\$/nan/"
sed_try "infinite" "9s/[^$T]*\$/inf/"
sed_try "too large" "9s/[^$T]*\$/1e300/"
sed_try "negative" "9s/[^$T]*\$/-1/"
sed_try "no number" "9s/[^$T]*\$/many/"
sed_try "nothing" "9s/[^$T]*\$//"
sed_try "no address" "5s/0x[0-9a-f]*/0xg/"
sed_try "an address with a sign" "5s/0x/0x-/"
sed_try "an address beyond 64 bits" "5s/0x/0x10000000000000/"
sed_try "half an instruction" "5s/^\([^$T]*$T[^$T]*$T\)[0-9]*/\10.5/"
sed_try "never the other value" "2,\$s/[^$T]*\$/7/"
awk -F'\t' -v OFS='\t' 'NR > 1 { $5 = 3 } 1' good.tsv >bad.tsv
try "an event that never changes"
head -n 9 good.tsv >bad.tsv; try "few"
awk -F'\t' -v OFS='\t' 'NR > 1 { $10 = $4 ? 0 : $10 + 7 } 1' good.tsv >bad.tsv
try "truth only where there are no samples"
echo "other events than in the first:"
sed "1s/cycles:u/cycles:k/" good.tsv >bad.tsv
$svr_train good.tsv bad.tsv -o out; echo $?
cut -f1-4,6- good.tsv >worse.tsv
$svr_train good.tsv worse.tsv -o out; echo $?
ls
echo "a block without instructions is no mistake, and left out:"
sed "2s/^\([^$T]*$T[^$T]*$T\)[0-9]*/\10/" good.tsv >bad.tsv
$svr_train bad.tsv -q -o bad && head -n 2 bad
sed 2d good.tsv >bad.tsv
$svr_train bad.tsv -q -o worse && cmp bad worse
