# measure.sh - what the builds of a program are compared by.

use_program() {
	program=$home/$1/program
}

check_outputs() {
	run() { "$@"; }
	for arm in $all_arms; do
		use_program "$arm"
		(ref full) >"output.$arm" 2>"errors.$arm" ||
			fail "$arm: the program failed; see $home/errors.$arm"
		cmp -s output.O2 "output.$arm" ||
			fail "$arm prints other output than O2:" \
				"compare $home/output.O2 and output.$arm"
	done
	test -s output.O2 || fail "the program prints nothing on its input"
	say "all four print the same: $(cksum <output.O2)"
}

# The user time of all runs of a command, in seconds.
user_time() {
	: >user-times
	run() {
		TIMEFORMAT=%3U
		{ time taskset -c "$cpu" "$@" 2>/dev/null 3>&-; } 2>>user-times
	}
	ref full >/dev/null
	awk '{ s += $1 } END { printf "%.3f\n", s }' user-times
}

# The arms take turns, and the order changes with each round, so that what
# else the machine does falls on all of them.
measure_times() {
	cpu=$(($(nproc) - 1))
	local order=$all_arms
	rm -f times
	for round in $(seq "$pairs"); do
		say "timing, round $round of $pairs"
		for arm in $order; do
			use_program "$arm"
			echo "$round $arm $(user_time)" >>times
		done
		order="${order#* } ${order%% *}"
	done
}

# exact INPUT ARM: instructions and mispredictions, and those by function.
exact() {
	local input=$1 arm=$2 count=0 out=$home/count.$1.$2
	rm -f "$out".*
	use_program "$arm"
	run() {
		count=$((count + 1))
		setarch -R valgrind -q --tool=cachegrind --cache-sim=no \
			--branch-sim=yes --log-file="$out.log" \
			--cachegrind-out-file="$out.$count" "$@"
	}
	("$input" small) >/dev/null || fail "valgrind failed; see $out.log"
	cat "$out".[0-9]* | awk '
		/^summary:/ { i += $2; m += $4 + $6 }
		END { printf "%.0f %.0f\n", i, m }' >"$out.total"
	# Functions: their share of what the program itself executes.
	cat "$out".[0-9]* | awk '
		/^fn=/ { name = substr($0, 4) }
		/^[0-9]/ { n[name] += $2 }
		END { for (name in n) print n[name], name }' |
		sort -rn >"$out.functions"
}

# Two at a time: other than times, the counts do not mind.
measure_counts() {
	say "counting instructions, $1"
	exact "$1" O2 & local first=$!
	exact "$1" flags && wait $first || exit 1
	exact "$1" sampled & first=$!
	exact "$1" counted && wait $first || exit 1
}

# Percent of instructions in *.cold: the compiler laid them out as never run.
# On the training input if it was counted: there nothing is unexpected.
cold_share() {
	local input=train
	test -n "$quick" && input=ref
	awk '{ n += $1 } $2 ~ /\.cold(\.|$)/ { c += $1 }
		END { printf "%.2f\n", n ? 100 * c / n : 0 }' \
		"count.$input.$1.functions"
}

# Percent of the instructions of O2 in functions whose entry count is 0.
no_entry_share() {
	"$samplefdo" show profile.afdo |
		awk '/^function / {
			entry = -1
			for (i = 3; i < NF; i++)
				if ($i == "entry")
					entry = $(i + 1)
			if (entry == 0)
				print $2
		}' >no-entry
	awk 'FILENAME == "no-entry" { lacks[$1] = 1; next }
		{ n += $1; if ($2 in lacks) c += $1 }
		END { printf "%.2f\n", n ? 100 * c / n : 0 }' \
		no-entry "count.ref.O2.functions"
}

# One line for each build: the file that other scripts may read.
results() {
	for arm in $all_arms; do
		echo "count ref $arm $(cat "count.ref.$arm.total")"
		test -f "count.train.$arm.total" && test -z "$quick" &&
			echo "count train $arm $(cat "count.train.$arm.total")"
		echo "cold $arm $(cold_share "$arm")"
	done >figures
	echo "no_entry sampled $(no_entry_share)" >>figures
	sed 's/^/time /' times >>figures
	awk -v program="$name" -f "$bench/results.awk" figures >results.tsv
}

# The same, aligned, with the columns that a person looks at.
table() {
	awk -F '\t' -f "$bench/table.awk"
}
