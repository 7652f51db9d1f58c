cp "$cases/data/small.txt" small.txt
cp "$cases/data/two.compared" two.compared
: >empty
mkdir folder
try() { $samplefdo compare "$@"; echo "= $?"; }
try
try small.txt
try missing small.txt
try small.txt missing
try small.txt empty
try two.compared missing
try small.txt folder
# Neither can be read twice.
cat small.txt | try - small.txt
cat small.txt | try /dev/stdin small.txt
cat two.compared | try /dev/stdin two.compared
# What is damaged is no profile any more, or a bad one.
sed 1s/samplefdo/sample/ small.txt >other.txt
try small.txt other.txt
sed '2s/.*/nothing/' small.txt >bad.txt
try bad.txt small.txt
try -b app -b other small.txt other.txt
# A perf.data file is read for its samples, whatever it is compared with.
try -b app --model=exact small.txt other.txt
try --functions=3 small.txt small.txt
# Options of which nothing here has a use.
printf 'address\tcount\n' >table.tsv
for option in -bapp --event=inst=x --debug-dir=. --force --min-samples=1 \
	--machine=w --model=cgo10 --prefix-map=a=b --solver=simplex --truth=t \
	--without=walk; do
	try $option small.txt small.txt
	try $option two.compared
done
for option in --event=inst=x --force --min-samples=1 --truth=t; do
	try -b app $option table.tsv small.txt
done
try -b app --truth=t other.txt small.txt
