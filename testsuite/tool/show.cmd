$samplefdo show "$cases/data/small.txt"
$samplefdo show --summary - <"$cases/data/small.txt"
$samplefdo show --json "$cases/data/small.txt"
$samplefdo show --function helper "$cases/data/small.txt"
$samplefdo show -f helper --function=main -f main "$cases/data/small.txt"
$samplefdo show -f helper -f nobody - <"$cases/data/small.txt"
$samplefdo show --function nobody - <"$cases/data/small.txt"
sed 's,^binary app,binary \xc3\xbc\xe4,' "$cases/data/small.txt" >name.txt
$samplefdo show --json name.txt | grep -a build_id
$samplefdo show --most=1 "$cases/data/small.txt"
$samplefdo show --most 0 --json - <"$cases/data/small.txt"
# Equal ones are in the order of their names.
{
	echo "samplefdo profile 1"
	for f in "b file x.c line 1 total 30" "c file x.c line 2 total 40" \
		"a file x.c line 3 total 30" "a file w.c line 9 total 30"; do
		echo "function $f entry 1 samples 2"
	done
} >equal.txt
$samplefdo show --most=3 equal.txt
# Of what no debug information speaks the file is not known.
printf 'samplefdo profile 1\nfunction bare total 7 entry 1 samples 2\n' >bare.txt
$samplefdo show --most=2 bare.txt
$samplefdo show --most=2 --json bare.txt
# A terminal is told nothing by a name, and a name is on one line.
sed 's/^function main file app.c/function "c\\to\\"\\n\\x1b[31m\\x7f\\xff" file "a\\np"/
	s/^binary app/binary "\\x1b[31m"/; s/^event cpu-clock/event "\\tcpu"/' \
	"$cases/data/small.txt" >odd.txt
$samplefdo show --most=0 odd.txt
$samplefdo show -s odd.txt | head -5
$samplefdo show odd.txt | grep "^function"
