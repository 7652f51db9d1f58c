$samplefdo compare --functions 5 "$cases/data/two.compared"
$samplefdo compare --json --functions 1 "$cases/data/two.compared"
# The same in two files.
sed '1,6d' "$cases/data/two.compared" >rest.compared
sed '6q' "$cases/data/two.compared" >first.compared
$samplefdo compare first.compared rest.compared
# Of a function that several units have, the one that ran most, in any order.
sed -n '29,$p' "$cases/data/two.compared" |
	sed 's,/src/one,/src/less,; s/ 1 10 0$/ 1 2 0/; s/ 1 10 1 of/ 1 2 1 of/' \
		>less.compared
$samplefdo compare less.compared "$cases/data/two.compared"
# A terminal is told nothing by a name.
sed "s/arms/ar$(printf '\033[31m')ms/" "$cases/data/two.compared" >odd.compared
$samplefdo compare --functions 5 odd.compared | grep ms
# What is wrong with them.
sed '5q' "$cases/data/two.compared" >cut.compared
$samplefdo compare cut.compared
sed '3s/flow 5/flow x/' "$cases/data/two.compared" >block.compared
$samplefdo compare block.compared
sed '4s/5 5$/5/' "$cases/data/two.compared" >edge.compared
$samplefdo compare edge.compared
sed '2s/own.*/own/' "$cases/data/two.compared" >function.compared
$samplefdo compare function.compared
sed '6d' "$cases/data/two.compared" >end.compared
$samplefdo compare end.compared
head -c -1 "$cases/data/two.compared" >half.compared
$samplefdo compare half.compared
sed '3s/flow 5/flow -5/' "$cases/data/two.compared" >block.compared
$samplefdo compare block.compared
sed '3s/2 3/2 -3/' "$cases/data/two.compared" >size.compared
$samplefdo compare size.compared
sed '3s/2 3/2 3x/' "$cases/data/two.compared" >size.compared
$samplefdo compare size.compared
sed '4s/edge 0/edge -1/' "$cases/data/two.compared" >edge.compared
$samplefdo compare edge.compared
sed '4s/edge 0/edge 4294967296/' "$cases/data/two.compared" >edge.compared
$samplefdo compare edge.compared
sed '4s/5$/nan/' "$cases/data/two.compared" >edge.compared
$samplefdo compare edge.compared
sed '2s/ 5 5 0/ 5 -5 0/' "$cases/data/two.compared" >function.compared
$samplefdo compare function.compared
sed '2s/ own / mine /' "$cases/data/two.compared" >function.compared
$samplefdo compare function.compared
sed '6s/end/und/' "$cases/data/two.compared" >word.compared
$samplefdo compare word.compared
$samplefdo compare first.compared none.compared
head -c 20 "$cases/data/two.compared" >begin.compared
$samplefdo compare begin.compared
