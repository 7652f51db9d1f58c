# common.sh - programs, their simulated runs, and what is estimated from them.
#
# A script of this folder sets
#
#	fields		the names of the table's columns
#	usual		programs that it looks at if none are named
#	quick		"" or "1": two programs, short inputs
#
# and defines one_program, which prints lines of the table for $name, in the
# folder $home, and may use
#
#	simulate TAG OPTION...	run the training input under pmusim; the
#				samples are then $data, the exact counts $truth
#	overlap METRIC MODEL [OPTION]...	as `samplefdo compare` has it
#
# Everything that a simulation depends on is in its TAG, the program's build
# and the simulator's; what is there and fits is used again.  $arm is the build that
# is run, O2 unless a script builds another.

bench=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
top=$(cd "$bench/../.." && pwd)
figure=$(basename "$0")
results=$bench/results
work=figures-work build= cc=gcc size=medium quick= programs= name= arm=O2
export LC_ALL=C
. "$bench/builds.sh"

usage() {
	sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
	cat <<-EOF2

		  --build DIR	samplefdo and the simulator from this build folder (required)
		  --work DIR	where everything is made (figures-work)
		  --results DIR	where FIGURE.tsv and FIGURE.svg go (testsuite/bench/results)
		  --gcc CC	the compiler (gcc)
		  --size SIZE	of the training input: small, medium, full (medium)
		  --quick	two programs, short inputs; for a test, not for a table
	EOF2
}

fail() {
	echo "$figure: $*" >&2
	exit 1
}

say() {
	printf '%s  %-8s %s\n' "$(date +%T)" "$name" "$*" >&2
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
	commit=$(git -C "$top" describe --always --dirty 2>/dev/null)
}

begin() {
	options "$@"
	tools
	mkdir -p "$work" "$results" && work=$(cd "$work" && pwd) &&
		results=$(cd "$results" && pwd) || exit 1
}

# One run of a program: a recording with its truth.
record_run() {
	runs=$((runs + 1))
	local status
	top_builddir=$build "$pmusim" record -o "$dir/$runs" \
		"${simulator[@]}" -- "$@" 2>>"$dir/log"
	status=$?
	test $status -lt 124 || fail "pmusim failed; see $dir/log"
	return $status
}

simulation_key() {
	cksum <$arm/program
	cat "$bench/programs/$name" "$bench"/inputs/* inputs/* 2>/dev/null |
		cksum
	cksum <"$build/testsuite/pmusim/pmusim.so"
	cksum <"$pmusim"
	echo "$size $*"
}

# Runs of one program are added up.
add_truths() {
	awk '$1 == "object" { object = $0 }
		$1 == "i" { n[object, $2] += $3; line[object, $2] = "i " $2 }
		$1 == "e" {
			key = object SUBSEP $2 SUBSEP $3 SUBSEP $4
			n[key] += $5
			line[key] = "e " $2 " " $3 " " $4
		}
		END {
			for (key in n) {
				split(key, part, SUBSEP)
				print part[1] "\t" line[key], n[key]
			}
		}' "$@" | sort | awk -F '\t' '
		BEGIN { print "pmusim-truth 1" }
		$1 != object { print object = $1 }
		{ print $2 }'
}

simulate() {
	dir=$home/sim/$1.$size truth=$home/sim/$1.$size/truth data=
	shift
	if test "$(simulation_key "$@")" != "$(cat "$dir/done" 2>/dev/null)"; then
		rm -rf "$dir" && mkdir -p "$dir"
		say "simulating ${dir##*/}"
		simulator=("$@") runs=0
		run() { record_run "$@"; }
		use_program $arm
		(train "$size") >"$dir/output" || fail "$name failed"
		if test -f "$dir/2.truth"; then
			add_truths "$dir"/*.truth >"$truth"
		else
			cp "$dir/1.truth" "$truth"
		fi
		simulation_key "$@" >"$dir/done"
	fi
	data=$(echo "$dir"/*.data)
}

# All instructions that a simulation executed, in millions.
millions() {
	awk '$1 == "instructions" { n += $2 }
		END { printf "%.0f\n", n / 1e6 }' "$dir"/[0-9]*.truth
}

use_program() {
	program=$home/$1/program
}

# How many samples an event has.
samples() {
	cat "$dir"/[0-9]*.samples | awk -v name="$1" '
		$1 == "event" && $NF == name { event = $2 }
		$1 == "sample" && $3 == event { n++ }
		END { print n + 0 }'
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

# histogram: event number, file offset, samples of the last simulation.
histogram() {
	awk -v program="$program" -f "$bench/figures/histogram.awk" \
		"$dir"/[0-9]*.samples
}

# Everything about one program, in its own shell and folder.
in_program() {
	name=$1
	home=$work/$name
	mkdir -p "$home" && cd "$home" || exit 1
	if test "$name" = "$figure"; then
		one_program
		return
	fi
	test -f "$bench/programs/$name" || fail "no program $name"
	package= language=c
	. "$bench/programs/$name"
	get_source
	prepare_inputs
	build_arm O2 "-O2 -g"
	one_program
}

# metric NAME: of a comparison as JSON on standard input, in percent.
metric() {
	sed -n "s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" |
		awk '{ printf "%.2f\n", 100 * $1 }'
}

# compared edges|blocks OPTION...: what samplefdo makes of $data, against the
# truth.  Several recordings cannot be compared at once, a table of them can.
compared() {
	local kind=$1
	shift
	"$samplefdo" blocks $(test "$kind" = blocks || echo --edges) \
		--binary "$program" "$@" $data >"$home/$kind.tsv" 2>"$home/log" &&
		"$samplefdo" compare --json --binary "$program" \
			"$home/$kind.tsv" "$truth" 2>>"$home/log" ||
		fail "$name: $(tail -n 1 "$home/log")"
}

# The head of a table: what made it.
heading() {
	printf '# %s\n' "$@"
	echo "# command: testsuite/bench/figures/$figure --build build" \
		"${quick:+--quick }--size $size$programs"
	echo "# version: $commit, $("$cc" --version | head -n 1)," \
		"$(qemu-x86_64 --version | head -n 1)"
}

# table WHAT...: all programs, into FIGURE.tsv.
table() {
	{
		heading "$@"
		echo "$fields" | tr ' ' '\t'
		for program_name in $programs; do
			(in_program "$program_name") || exit 1
		done
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
	grep -v '^#' "$results/$figure.tsv" | column -t -s "$(printf '\t')"
}
