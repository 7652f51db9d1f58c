try() { $samplefdo merge "$@"; echo "= $?"; }
cp "$cases/data/small.txt" small.txt
cp small.txt 'name:0'
echo "no profile" >text
try
try small.txt
try small.txt:0 -o out
try small.txt:1152921504606846976 -o out
try small.txt:9223372036854775808 -o out
try small.txt:0.5 -o out
try missing:0.5 -o out
try small.txt text -o none
try small.txt -o ./missing/out
try small.txt -o /dev/full
echo "Where nothing can be written, nothing is read:"
try text -o ./missing/out
try text -o . --text
try --help | head -1
echo "A name like that of a file with a weight is that of the file."
try name:0 -o out
try name:0:3 -o out
ls
echo "A text that was cut off is none:"
head -c -1 small.txt >cut.txt
try cut.txt -o out
echo "What is in a log stays there:"
echo begin >log
$samplefdo merge small.txt -o /dev/stdout >>log
head -c 6 log
tail -c +7 log >tail
$samplefdo show --summary tail | head -1
echo "A name may be as long as names can be:"
long=$(printf '%0250d' 7)
try small.txt -o $long
rm $long
echo "Standard input is there once:"
try - - -o out <small.txt
try -o out -- -:2 small.txt - <small.txt
echo "What begins with - is an option:"
try -o out -:2 <small.txt
try -o out -- -:2 <small.txt
cp small.txt ./-2
try small.txt -2 -o out
try small.txt ./-2 -o out
try small.txt -o out -- -2
rm ./-2
try small.txt -2 -o out
