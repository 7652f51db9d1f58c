# A file that may not get so large (ulimit -f) is a failed write, not a signal.
limited() {
	(ulimit -f 0 && "$@" 2>&1 && echo "= 0" || echo "= $?") | cat
}
cp "$cases/data/small.txt" small.txt
awk -f "$cases/../lib/blocks.awk" >a.tsv
echo old >old
limited $samplefdo merge small.txt -o old
limited $samplefdo merge --text small.txt -o old
limited sh -c '$samplefdo show small.txt >shown'
limited $svr_train -q a.tsv -o weights
cat old
ls
# What is executed is ended by it, as without us.
cat >perf <<'END'
#!/bin/sh
case $* in
*try.data*) exec head -c 2000 /dev/zero >large ;;
esac
END
chmod +x perf
PATH=$PWD:$PATH
(ulimit -f 1 && $samplefdo record -o try.data true
test $? -gt 128 && echo ended) 2>/dev/null | cat
