# common.sh - programs, their simulated runs, and what is estimated from them.
#
# A script of this folder sets
#
#	fields		the names of the table's columns
#	usual		programs that it looks at if none are named
#
# and defines one_program, which prints lines of the table for $name, in the
# folder $home, and may use
#
#	simulate TAG OPTION...	run the training input under pmusim; see
#				simulate.sh
#	simulate_shared		the one run that most figures look at
#	simulate_recorded	one with registers, as "samplefdo record" has them
#	events FIRST LAST	the samples of these events, as text
#	only FIRST LAST [DEPTH]	the same as perf.data, in $data; with DEPTH,
#				so many branch records of the events BR_...
#	compared edges|blocks OPTION...	what `samplefdo compare` says
#	aside			a file for what the table does not have; after
#				table, asides prints those of all programs
#
# The lines of a program are used again if its simulations, samplefdo and the
# scripts are the same.

bench=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
top=$(cd "$bench/../.." && pwd)
figure=$(basename "$0")
given= # options of its own, as text
results=$bench/results
work=figures-work build= cc=gcc size=medium quick= programs= name= arm=O2
all_programs="bzip2 gzip lua mawk minisat picosat sqlite3 zstd"
export LC_ALL=C
. "$bench/script.sh"
. "$bench/builds.sh"
. "$bench/simulate.sh"

usage() {
	sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
	cat <<-EOF2

		  --build DIR	samplefdo and the simulator from this build folder (required)
		  --work DIR	where everything is made (figures-work)
		  --results DIR	where FIGURE.tsv and FIGURE.svg go (testsuite/bench/results)
		  --gcc CC	the compiler (gcc)
		  --size SIZE	of the training input: small, medium, full ($size)
		  --quick	two programs, short inputs; for a test, not for a table
	EOF2
}

options() {
	while test $# -gt 0; do
		case $1 in
		--help) usage; exit 0 ;;
		--quick) quick=1; shift; continue ;;
		--*) test $# -ge 2 || { usage >&2; exit 2; } ;;
		esac
		case $1 in
		--work) work=$2 ;;
		--build) build=$(cd "$2" && pwd) || exit 1 ;;
		--results) results=$2 ;;
		--gcc) cc=$2 ;;
		--size) size=$2 ;;
		--*) usage >&2; exit 2 ;;
		*) programs="$programs $1"; shift; continue ;;
		esac
		shift 2
	done
	test -n "$build" || fail "--build DIR is missing"
	test -z "$quick" || size=small
	test "$usual" != "$figure" || programs=" $usual"
	test -n "$programs" || programs=${quick:+ bzip2 mawk}
	test -n "$programs" || programs=" $usual"
}

tools() {
	samplefdo=$build/samplefdo
	pmusim=$top/testsuite/pmusim/pmusim
	machine=$top/testsuite/pmusim/pmusim.machine
	for tool in "$cc" qemu-x86_64; do
		command -v "$tool" >/dev/null || fail "$tool is not installed"
	done
	test -x "$samplefdo" && test -f "$build/testsuite/pmusim/pmusim.so" ||
		fail "no samplefdo, or no simulator, in $build"
	version=$("$cc" -dumpversion)
	commit=$(describe_tree)
}

# progress DONE ALL WHAT: for people who watch.
progress() {
	test -t 2 || return 0
	awk -v done="$1" -v all="$2" -v what="$figure: $3" 'BEGIN {
		for (i = 0; i < 30; i++)
			bar = bar (i * all < done * 30 ? "#" : ".")
		printf "\r[%s] %d of %d  %-40s%s", bar, done, all, what,
			done == all ? "\n" : ""
	}' >&2
}

begin() {
	options "$@"
	tools
	mkdir -p "$work" "$results" && work=$(cd "$work" && pwd) &&
		results=$(cd "$results" && pwd) || exit 1
}

# The run that figures share, for each program one: its events, each with the
# numbers of the first and the last of them.
model_events="0 3"
ibs_event=4
wu_mencer_periods="64K 128K 256K 512K 1M 2M 4M 8M 16M" # the paper's
wu_mencer_first=5
hps_frequencies="100 500 1000 5000 10000"
hps_bursts="1 10 50 100"
hps_first=14

# wu_mencer_period P: ours for the paper's.
wu_mencer_period() {
	local number=${1%[KM]}
	test "$1" = "${1%M}" || number=$((number * 1024))
	echo $((number * 1024 / 16))
}

simulate_shared() {
	local list=(event=INST_RETIRED/4001/rand=0x7ff
		event=CPU_CLK_UNHALTED.THREAD/4001/rand=0x7ff
		event=DTLB_MISS/101/rand=0x1f event=L2_MISS/211/rand=0x3f
		event=IBS_OP/4001/rand=0x7ff)
	local period
	for p in $wu_mencer_periods; do
		period=$(wu_mencer_period "$p")
		list+=("event=CPU_CLK_UNHALTED.$p/$period/rand=$((
			period / 8 - 1))")
	done
	for f in $hps_frequencies; do
		for b in $hps_bursts; do
			list+=("event=BR_CALL.$f.$b/$((
				b * (f - 1)))/burst=$b")
		done
	done
	simulate shared lbr=1 "${list[@]}"
}

# The events of models alone, with registers.
simulate_recorded() {
	simulate recorded registers=1 event=INST_RETIRED/4001/rand=0x7ff \
		event=CPU_CLK_UNHALTED.THREAD/4001/rand=0x7ff \
		event=DTLB_MISS/101/rand=0x1f event=L2_MISS/211/rand=0x3f
}

# All instructions that a simulation executed, in millions.
millions() {
	awk '$1 == "instructions" { n += $2 }
		END { printf "%.0f\n", n / 1e6 }' "$dir"/[0-9]*.truth
}

use_program() {
	program=$home/$1/program
}

# How many samples an event has, by its number.
samples() {
	events "$1" "$1" | grep -c '^sample'
}

# own_program SOURCE FLAG...: one of this folder, instead of a recipe.
own_program() {
	local own=$bench/figures/$1
	shift
	mkdir -p O2
	"$cc" "$@" -o O2/program "$own" >build.log 2>&1 ||
		fail "building $own failed; see $home/build.log"
	use_program O2
}

# histogram FIRST LAST: event number, file offset, samples of these events.
histogram() {
	events "$1" "$2" | awk -v program="$program" \
		-f "$bench/figures/histogram.awk"
}

# Everything about one program, in its own shell and folder.
in_program() {
	name=$1
	home=$work/$name
	mkdir -p "$home" && cd "$home" || exit 1
	if test "$name" != "$figure"; then
		recipe=$bench/programs/$name
		test -f "$recipe" || recipe=$bench/lessons/$name
		test -f "$recipe" || fail "no program $name"
		package= language=c
		. "$recipe"
		get_source
		prepare_inputs
		build_arm O2 "-O2 -g"
		use_program O2
	fi
	lines_of_program
}

# What the lines of a program depend on.
lines_key() {
	cat "$samplefdo" "$pmusim" "$top"/testsuite/pmusim/*.[ch] "$machine" \
		"$bench"/figures/* inputs/* O2/program ${recipe:+"$recipe"} \
		2>/dev/null | cksum
	"$cc" --version | head -n 1
	echo "$size $quick $variant"
}

lines_of_program() {
	local kept=$home/kept/$figure
	mkdir -p "$home/kept"
	if ! test -f "$kept" ||
		test "$(lines_key)" != "$(cat "$kept.key" 2>/dev/null)"
	then
		rm -f "$kept.key" "$(aside)"
		one_program >"$kept" || exit 1
		lines_key >"$kept.key"
	fi
	cat "$kept"
}

aside() {
	echo "$home/kept/$figure.aside"
}

asides() {
	for program_name in $programs; do
		cat "$work/$program_name/kept/$figure.aside"
	done
}

# metric NAME: of a comparison as JSON on standard input, in percent.
metric() {
	sed -n "s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" |
		awk '{ printf "%.2f\n", 100 * $1 }'
}

# compared edges|blocks OPTION...: what samplefdo makes of $data, against the
# truth.  Several recordings cannot be compared at once, a table of them can.
compared() {
	local kind=$1 table=$home/$figure.$1.tsv
	shift
	"$samplefdo" blocks $(test "$kind" = blocks || echo --edges) \
		--binary "$program" "$@" $data >"$table" 2>"$home/log" &&
		"$samplefdo" compare --json --binary "$program" \
			"$table" "$truth" 2>>"$home/log" ||
		fail "$name: $(tail -n 1 "$home/log")"
}

# The head of a table: what made it.
heading() {
	printf '# %s\n' "$@"
	echo "# command: testsuite/bench/figures/$figure --build build" \
		"${quick:+--quick }--size $size$given$programs"
	echo "# version: $commit, $("$cc" --version | head -n 1)," \
		"$(qemu-x86_64 --version | head -n 1)"
}

# table WHAT...: all programs, into FIGURE.tsv.
table() {
	local done=0
	{
		heading "$@"
		echo "$fields" | tr ' ' '\t'
		for program_name in $programs; do
			progress "$done" "$(echo $programs | wc -w)" \
				"$program_name"
			(in_program "$program_name") || exit 1
			done=$((done + 1))
		done
		progress "$done" "$done" done
	} >"$work/$figure.tsv.new" || exit 1
	mv "$work/$figure.tsv.new" "$results/$figure.tsv"
}

# means WHOSE CELL...: the mean of each column, and a line of numbers to stand
# beside it, one for each column, "-" where there is none.
means() {
	local row
	row=$(IFS='	'; echo "$*")
	awk -F '\t' -v OFS='\t' -v row="$row" '
		{ print }
		/^#/ { next }
		lines++ { for (i = 2; i <= NF; i++) sum[i] += $i; columns = NF }
		END {
			printf "mean"
			for (i = 2; i <= columns; i++)
				printf "\t%.2f", sum[i] / (lines - 1)
			print "\n" row
		}' "$results/$figure.tsv" >"$work/$figure.tsv.new" &&
		mv "$work/$figure.tsv.new" "$results/$figure.tsv"
}

# chart KIND TITLE FIRST [NAME=VALUE]...: FIGURE.svg of the columns from the
# number FIRST on; see chart.awk.  With table=FILE, of another table.
chart() {
	local kind=$1 title=$2 first=$3 settings=() table=$results/$figure.tsv
	shift 3
	for setting; do
		case $setting in
		table=*) table=${setting#table=} ;;
		*) settings+=(-v "$setting") ;;
		esac
	done
	awk -F '\t' -v kind="$kind" -v title="$title" -v first="$first" \
		"${settings[@]}" -f "$bench/figures/chart.awk" \
		"$table" >"$work/$figure.svg.new" &&
		mv "$work/$figure.svg.new" "$results/$figure.svg"
}

# Aligned, for people.
show() {
	sed -n 's/^# //p' "$results/$figure.tsv"
	grep -v '^#' "$results/$figure.tsv" | aligned
}
