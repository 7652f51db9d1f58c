# Each of these is a mistake of its own kind.
try() { $samplefdo show "$@"; echo "= $?"; }
try
try --nonsense x
try a b
try --summary --function=f a
try --most=few a
try --most=3 --summary a
try --most=3 --function=f a
try ./missing
try .
: >empty
try empty
echo "no profile" >text
try text
$samplefdo merge "$cases/data/small.txt" -o small.afdo
$samplefdo show small.afdo >/dev/full; echo "= $?"
head -c 100 small.afdo >short
try short
try - <short
cat small.afdo text >long
try long

# A line that can be there once.
sed "/^max-count/p" "$cases/data/small.txt" >twice
try twice
