# From data to weights: the known weights are found again.
blocks() { awk -v seed=$1 -v extra="$2" -f "$cases/../lib/blocks.awk"; }
for i in 1 2 3; do blocks $i >$i.tsv; done
$svr_train 1.tsv 2.tsv 3.tsv -o weights
cat weights

echo "The order of tables, lines or columns makes no difference."
$svr_train 3.tsv 1.tsv 2.tsv -q -o again && cmp weights again
for i in 1 2 3; do
	{ head -n 1 $i.tsv; sed 1d $i.tsv | sort -rn; } >x && mv x $i.tsv
done
$svr_train 2.tsv 3.tsv 1.tsv -q -o - | cmp weights -
cp 3.tsv 0.tsv
$svr_train 1.tsv 2.tsv 0.tsv -q -o - | cmp weights -
$svr_train 1.tsv 2.tsv ./3.tsv -q -o - | cmp weights -
swap() { awk -F'\t' -v OFS='\t' '{ x = $4; $4 = $5; $5 = x } 1' $1.tsv; }
swap 1 >00.tsv
$svr_train 00.tsv 2.tsv 3.tsv -q -o - | cmp weights -
for i in 2 3; do swap $i >0$i.tsv; done
$svr_train 00.tsv 02.tsv 03.tsv -q -o - | cmp weights -

echo "One that knows nothing, and one that says the same as another."
for i in 1 2 3; do blocks $i "noise twin" >$i.tsv; done
$svr_train 1.tsv 2.tsv 3.tsv -e other=noise:1009 -o weights
grep weight weights

echo "Events that were recorded with a period are the same ones."
blocks 1 | sed '1s|\([a-z]*\):u|\1/period=1009/u|g' >periods.tsv
head -n 1 periods.tsv
blocks 1 >names.tsv
$svr_train names.tsv -q -o weights
$svr_train periods.tsv -q -o - | sed 's|/period=1009/u|:u|' | cmp weights -

echo "Limits and the cycles of a stall are such that convert reads them."
larger() {
	awk -F'\t' -v OFS='\t' -v CONVFMT=%.0f -v i=$1 -v c=$2 \
		'NR > 1 { $4 = i * $4; $5 = c * $5 } 1' names.tsv
}
larger 500000003 500000003 >many.tsv
$svr_train many.tsv -q -o weights
awk '$1 == "stall" { n++; bad += $4 > 1e9 } END { print n + 0, bad + 0 }' weights
larger 1 1099511627776 >many.tsv
$svr_train many.tsv -q -o weights
grep '^[uo]' weights

echo "Periods of all that the classes are from, or of none."
try() { $svr_train names.tsv -q -o weights "$@" 2>&1; echo "= $?"; }
i='inst=instructions:u' c='cycles=cycles:u' d='dTLB-load-misses:u'
try -e $c:1009
try -e $i:1009 -e $c:1009
try -e $i:1009 -e stall=$d:100
try -e $i:1009 -e $c:1009 -e stall=$d:100
grep -E '^(base|cycles|stall)' weights | cut -f1-3
try -e $i:1009 -e $c:1009 -e other=$d
try -e $i:1009 -e other=cycles:u

echo "For machines."
$svr_train --json 1.tsv -o weights | tr ',' '\n' | sed -n 1,20p
$svr_train --json -q 1.tsv -o weights | tr "," "\n" | sed -n 1,2p
echo "weights on standard output by another name, and nothing else:"
$svr_train 1.tsv 2.tsv 3.tsv -o - 2>report >by-dash
$svr_train 1.tsv 2.tsv 3.tsv -o /dev/stdout 2>again >by-name
cmp by-dash by-name && cmp report again && test -s report; echo "= $?"
echo "A table from standard input:"
$svr_train 1.tsv - 3.tsv -q -o - <2.tsv | cmp by-dash -
$svr_train - -o weights <1.tsv | sed -n 1p
$svr_train --json 1.tsv - -o weights <2.tsv | grep -o '"table":"[^"]*"'
cut -f1-3 1.tsv | $svr_train - -o none; echo "= $?"
$svr_train - -o none </dev/null; echo "= $?"
$svr_train - - -o none <1.tsv; echo "= $?"
$svr_train - 1.tsv -o none <1.tsv; echo "= $?"
$svr_train - -o 1.tsv <1.tsv; echo "= $?"
