# Tables of counts and exact counts: what is wrong with them is said, with its
# place.
echo 'int main(void) { return 0; }' >app.c
gcc -O2 -g app.c -o app
at=$(nm app | sed -n 's/^0*\([0-9a-f]*\) T main$/0x\1/p')
T=$(printf '\t')

cat >callgrind.out <<END
# callgrind format
version: 1
part: 1
positions: instr line
events: Ir
summary: 7

ob=(1) app
fn=(1) main
$at 1 7
+1 1 7
jcnd=5/7 -1 1
* 1
calls=1 $at
+1 1 100

totals: 14
END
printf 'address\tcount\tclass\traw\terror\n%s\t7\ttrusted\t7\t1\n' $at >table.tsv
printf 'from\tto\tcount\n' >edges.tsv
cat >sim.truth <<END
pmusim-truth 1
command ./app
object /tmp/app build-id 00
i ${at#0x} 7
e ${at#0x} ${at#0x} taken 5
END
for good in callgrind.out table.tsv sim.truth; do
	$samplefdo compare --binary app $good callgrind.out | grep ^block
done

try() {
	echo "$1:"
	$samplefdo compare --binary app bad callgrind.out
	test $? = 1 || echo "status is not 1"
}
# An edit of a file.
sed_try() { sed "$3" $2 >bad; try "$1"; }

head -c -1 callgrind.out >bad; try "cut within a line"
sed_try "cut between lines" callgrind.out '$d'
sed_try "nothing after the header" callgrind.out 7q
echo "whole, and empty lines behind it:"
{ cat callgrind.out; echo; } >bad
$samplefdo compare --binary app bad callgrind.out | grep ^block
echo "a second part:"
{ cat callgrind.out; sed 1,2d callgrind.out; } >bad
$samplefdo compare --binary app bad callgrind.out | grep ^block
{ cat callgrind.out; sed '1,2d; $d' callgrind.out; } >bad
try "which is cut off"
tr 7 '\0' <callgrind.out >bad; try "not a text"
sed_try "negative cost" callgrind.out '10s/7$/-7/'
sed_try "cost that is none" callgrind.out '10s/7$/7x/'
sed_try "two signs" callgrind.out '11s/+1/+-1/'
sed_try "not a position" callgrind.out '11s/+1/1x/'
sed_try "a negative number of jumps" callgrind.out 's/^jcnd=5/jcnd=-5/'
sed_try "no jumps" callgrind.out "/^jcnd/d"
echo "of edges they are needed, of blocks not:"
$samplefdo blocks --edges -b app --model=exact --truth bad; echo "= $?"
$samplefdo blocks -b app --model=exact --truth bad | wc -l
$samplefdo compare -b app --functions=0 callgrind.out sim.truth | tail -2
sed_try "a jump to nowhere" callgrind.out 's,/7 -1,/7 x,'
sed_try "a name's number is none" callgrind.out 's/^ob=(1)/ob=(1x)/'
sed_try "and does not end" callgrind.out 's/^ob=(1).*/ob=(1/'

head -c -1 sim.truth >bad; try "cut within a line"
sed_try "negative" sim.truth '/^i/s/7$/-7/'
sed_try "negative, too" sim.truth '/^e/s/5$/-5/'
sed_try "a negative offset" sim.truth 's/^i /i -/'
sed_try "too large" sim.truth '/^i/s/7$/18446744073709551616/'

head -c -1 table.tsv >bad; try "cut within a line"
sed_try "negative" table.tsv "2s/${T}7/$T-7/"
sed_try "a sign" table.tsv "2s/${T}7/$T+7/"
sed_try "a blank" table.tsv "2s/${T}7/$T 7/"
sed_try "too large" table.tsv "2s/${T}7/${T}18446744073709551616/"
sed_try "nothing" table.tsv "2s/${T}7/$T/"
sed_try "a negative address" table.tsv '2s/^/-/'
sed_try "no address" table.tsv '2s/^0x/0x0x/'
sed_try "a column less" table.tsv '2s/\t[^\t]*$//'
sed_try "a negative error" table.tsv '2s/1$/-1/'
{ cat edges.tsv; printf "$at\t-$at\t7\n"; } >bad; try "a negative edge"
sed_try "two counts" table.tsv "1s/class/count/"
{ sed -n '1p' table.tsv | tr -d '\n'; printf '\tx%.0s' $(seq 600); echo; } >bad
try "too many columns"
echo "of two binaries:"
{
	sed "1s/\$/${T}binary/; 2s/\$/${T}app/" table.tsv
	sed "1d; s/\$/${T}other/; s/${T}7/${T}70/" table.tsv
} >bad
$samplefdo compare --binary app bad callgrind.out | grep ^block
sed "/app\$/d" bad >others
cp others bad; try "of others alone"
echo "a name with a tab:"
objcopy --redefine-sym "main=ma${T}in" app tabbed
sed "s/^ob=(1) app/ob=(1) tabbed/" callgrind.out >tabbed.out
$samplefdo blocks -b tabbed --model=exact --truth tabbed.out |
	awk -F '\t' '{ print NF, $1 }' | sort -u
