try() { $samplefdo convert "$@"; echo "= $?"; }
try
try -o out
try -b app -o out
try -b app -b app app.data -o out
try -b app app.data -o -  --json
try -b app app.data -o /dev/stdout --json
try -b app - - -o out
try -b app app.data -o out --format=xml
try -b app app.data -o out --gcc-version=12
try -b app app.data -o out --format=gcc --gcc-version=4
try -b app app.data -o out --format=gcc --gcc-version=4294967308
try -b app app.data -o out --min-samples=-1
try -b app -o out --model=exact
try --help | head -1
try -b '' app.data -o out
try -b app app.data -o ''
try -b app app.data -o out --truth=truth
try -b app -o out --model=exact --truth=truth --event=inst=cycles
try -b app -o out --model=exact --truth=truth --machine=weights
: >plain
try -b app app.data -o out --debug-dir=plain
# Before anything is read.
mkdir folder
for out in missing/out folder folder/; do
	try -b missing missing.data -o $out
done
