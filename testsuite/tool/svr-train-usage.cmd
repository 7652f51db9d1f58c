try() { $svr_train "$@"; echo "= $?"; }
awk -f "$cases/../lib/blocks.awk" >a.tsv
try
try a.tsv
try -o out
try a.tsv -o out --nothing
try a.tsv -o out -e inst=nothing
try a.tsv -o out -e all=cycles:u
try a.tsv -o out -e cycles:u
try a.tsv -o out -e stall=cycles:u:0
try a.tsv -o out -e stall=cycles:u:x
try a.tsv -o out -e stall=cycles:u:1099511627777
try a.tsv -o out -e stall=cycles:u:99999999999999999999
try a.tsv -o ./a.tsv
try a.tsv -o ./missing/out
try missing.tsv -o ./missing/out
try a.tsv -o /dev/full
try a.tsv a.tsv -o out
try a.tsv ./a.tsv -o out
try missing.tsv -o out
try . -o out
try --version
try --help | head -1
try a.tsv -q -o out
try a.tsv -q -o out -e stall=cycles:u:1099511627776
try a.tsv -o - 2>report | head -1
head -3 report
ls
