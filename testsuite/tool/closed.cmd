# A standard stream that is closed is missed by what needs it, and by nothing else.
cp "$cases/data/small.txt" small.txt
awk -f "$cases/../lib/blocks.awk" >a.tsv
$samplefdo merge small.txt -o 1.afdo
$samplefdo merge small.txt -o 2.afdo >&-
echo "= $?"
$samplefdo merge small.txt -o 3.afdo <&- >&- 2>&-
echo "= $?"
cmp 1.afdo 2.afdo && cmp 1.afdo 3.afdo
$samplefdo show small.txt >&-
echo "= $?"
$samplefdo merge small.txt -o - >&-
echo "= $?"
$samplefdo show - <&-
echo "= $?"
$svr_train -q a.tsv -o weights >&-
echo "= $?"
