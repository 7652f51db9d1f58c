# A perf that can count what $have lists and says what it was asked to record.
mkdir bin
cat >bin/perf <<'PERF'
#!/bin/sh
case $1 in
stat)
	event=${4%:[uk]}
	case " $have " in
	*" $event "*) echo "1234,,$4,100,100.00,," >&2 ;;
	*) echo "<not supported>,,$4,0,100.00,," >&2 ;;
	esac ;;
record)
	if test "$2" = --dry-run; then
		case " $3 $have " in
		*" --no-bpf-event "*" bpf "*) exit 0 ;;
		*) exit 129 ;;
		esac
	fi
	arguments=$*
	needs() {
		case $arguments in
		*$1*) case " $have " in *" $2 "*) ;; *) exit 255 ;; esac ;;
		esac
	}
	needs --user-regs= registers
	needs --intr-regs= registers
	needs " -j " branches
	needs cpu-clock clock
	needs page-faults faults
	needs --no-bpf-event bpf
	needs --buildid-mmap build-ids
	needs " -a " all
	test "$4" = - || echo "perf $*"
	while test "$1" != --; do shift; done
	shift
	test "$2" = step || "$@" ;;
esac
PERF
chmod +x bin/perf
PATH=$PWD/bin:$PATH

# Periods are primes that differ from run to run.
try() {
	have=$1
	shift
	export have
	echo "--- $have"
	"$samplefdo" record "$@" >printed 2>&1
	status=$?
	sed -i -e "s/ -p $pid,$pid / -p PID,PID /" -e "s/ -p $pid / -p PID /" \
		-e "s/ -p $pid,$child / -p PID,CHILD /" printed
	tr -cs '0-9' '\n' <printed | grep -E '^[0-9]{3,}$' | factor |
		awk 'NF != 2 { print "not a prime: " $0 }'
	sed -e "s,$(realpath "$samplefdo"),SAMPLEFDO," \
		-e 's/[0-9]\{4,\}/NUMBER/g' printed
	echo "status $status"
}
try "instructions cycles dTLB-load-misses branches clock" -o x.data -- true -x
try "instructions cycles clock" -- sh -c 'exit 7'
try "cycles clock registers" true
try "instructions branches registers" true
try "clock registers" true
try "clock registers faults" true
try "cycles registers faults" true
try "clock" -F 4000 true
try "clock registers bpf build-ids" true
try "cycles bpf" true
try "clock" -s -o s.data -- true -x
sleep 60 &
pid=$!
try "clock" -p $pid
try "clock" -p $pid -- sleep 0
try "clock" -p $pid,$pid -- sleep 0
try "clock" -p $pid -p $pid -- sleep 0
kill $pid
mkfifo begun
sh -c 'sleep 60 & echo $! >begun; wait' &
pid=$!
read -r child <begun
try "clock" -p $pid -- sleep 0
try "clock" -p $pid,$child -- sleep 0
kill $pid $child
try "clock registers faults build-ids" --kernel -- true
try "instructions cycles branches registers all" -k -a -- true
try "" -k -a -- true
try "clock registers faults build-ids all" -a
try "instructions cycles all" -o all.data --all-cpus sleep 0
try "instructions cycles clock" -a true
try "nothing" true
echo "--- no perf at all"
(PATH=$PWD/empty; "$samplefdo" record /bin/true)
echo "status $?"
"$samplefdo" record
echo "status $?"
"$samplefdo" record -F 1e3 true
"$samplefdo" record --step -o - true
"$samplefdo" record --step -p 1 -p 2,3
"$samplefdo" record --step -a true
"$samplefdo" record --step -k true
"$samplefdo" record -p 1 -a
"$samplefdo" record -p self
"$samplefdo" record -p 1,self
"$samplefdo" record -p "1 2"
"$samplefdo" step -p 1,
"$samplefdo" step -p 1 -p 1,
"$samplefdo" step -p 1,2 true
mkdir folder
# What cannot begin leaves no file.
: >plain
for command in nowhere ./nowhere ./plain ./folder; do
	"$samplefdo" record -o none -- $command
	echo "status $?"
	"$samplefdo" record -s -o none -- $command
done
"$samplefdo" record -o none -p 2147483647
echo "status $?"
# Who may signal all gives that up.
if kill -0 1 2>/dev/null && setpriv --bounding-set=-kill true 2>/dev/null; then
	setpriv --reuid=65534 sleep 60 &
	# It is root's until then.
	until test "$(stat -c %u /proc/$!)" = 65534; do sleep .1; done
	setpriv --bounding-set=-kill "$samplefdo" record -o none -p $! 2>&1
	echo "status $?"
	kill $!
elif ! kill -0 1 2>/dev/null; then
	"$samplefdo" record -o none -p 1 2>&1
	echo "status $?"
else # in a container where all is of one user
	echo "samplefdo: process 1: Operation not permitted"
	echo "status 1"
fi | sed 's/process [0-9]*/process PID/'
"$samplefdo" record -o none/file true
echo "status $?"
echo none*
"$samplefdo" record -o folder true
cp bin/perf command
"$samplefdo" record -o command ./command
"$samplefdo" step -o command ./command
cmp bin/perf command
