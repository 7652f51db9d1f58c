# measure.sh - what the builds of a program are compared by.
#
# All goes on where it was stopped: outputs, counts and times are kept with a
# sum of the program that they are of, and made anew when it is another one.

use_program() {
	program=$home/$1/program
}

# What a measurement depends on.
program_key() {
	cksum <"$1/program"
	cat inputs.key
}

check_outputs() {
	run() { "$@"; }
	for arm in $arms; do
		test "$(program_key O2) $(program_key "$arm")" = \
			"$(cat "output.$arm.key" 2>/dev/null)" && continue
		use_program "$arm"
		(ref full) >"output.$arm" 2>"errors.$arm" ||
			fail "$arm: the program failed; see $home/errors.$arm"
		cmp -s output.O2 "output.$arm" ||
			fail "$arm prints other output than O2:" \
				"compare $home/output.O2 and output.$arm"
		echo "$(program_key O2) $(program_key "$arm")" \
			>"output.$arm.key"
	done
	test -s output.O2 || fail "the program prints nothing on its input"
	say "all print the same: $(cksum <output.O2)"
}

# The user time of all runs of a command, in seconds; with system time: +.
cpu_time() {
	awk '{ s += $1 + $2 } END { printf "%.3f\n", s }' user-times
}

user_time() {
	: >user-times
	run() {
		TIMEFORMAT=%3U
		{ time taskset -c "$cpu" "$@" 2>/dev/null 3>&-; } 2>>user-times
	}
	"$1" full >/dev/null
	cpu_time
}

# The arms take turns, and the order changes with each round, so that what
# else the machine does falls on all of them.  So does the layout: to the same
# instructions at other addresses, processors give times that differ by more
# than most profiles gain.  A round that was stopped is begun again.
measure_times() {
	local input=$1 file=$home/times.$1 order=$timed arm key round=1
	cpu=$(($(nproc) - 1))
	key=$(echo "a layout a round"
		for arm in $timed; do echo "$arm"; program_key "$arm"; done)
	test "$key" = "$(cat "$file.key" 2>/dev/null)" || rm -f "$file"
	echo "$key" >"$file.key"
	touch "$file"
	while test $round -le "$pairs"; do
		if ! grep -q "^$round " "$file"; then
			say "timing on $input, round $round of $pairs"
			for arm in $order; do
				lay_out "$arm" "$round" || exit 1
				use_program laid-out
				echo "$round $arm $(user_time "$input")"
			done >"$file.round" && cat "$file.round" >>"$file"
		fi
		case $order in *" "*) order="${order#* } ${order%% *}" ;; esac
		round=$((round + 1))
	done
}

# What it costs to learn: rounds of the program as it is, under perf as samplefdo
# record calls it, with samples as rare as one may afford all day, as often as that
# takes them by itself, and as often as we do here; stepped through as often as samplefdo does by
# itself, and as often as here; and instrumented.  User and system time, with
# whatever perf and samplefdo do beside.
training_time() {
	local how=$1
	: >user-times
	run() {
		TIMEFORMAT='%3U %3S'
		case $how in
		plain) set -- taskset -c "$cpu" "$@" ;;
		perf-*) set -- taskset -c "$cpu" perf record \
			"${timer_samples[@]}" -F "${how#perf-}" -o overhead.data -- "$@" ;;
		step-*) set -- taskset -c "$cpu" "$samplefdo" step -q \
			-F "${how#step-}" -o overhead.step -- "$@" ;;
		instrumented) set -- taskset -c "$cpu" \
			env GCOV_PREFIX="$home/overhead.gcda" "$@" ;;
		esac
		{ time "$@" 2>/dev/null 3>&-; } 2>>user-times
	}
	use_program O2
	test "$how" != instrumented || program=$home/counted/instrumented
	train full >/dev/null
	cpu_time
}

measure_overhead() {
	local how file=$home/overhead key round
	local order="plain perf-999 perf-2000 perf-$frequency step-20 step-200"
	order="$order instrumented"
	cpu=$(($(nproc) - 1))
	key=$(program_key O2; cksum <counted/instrumented)
	test "$key" = "$(cat "$file.key" 2>/dev/null)" || rm -f "$file"
	echo "$key" >"$file.key"
	touch "$file"
	for round in $(seq "$overhead"); do
		grep -q "^$round " "$file" && continue
		say "timing what training costs, round $round of $overhead"
		for how in $order; do
			echo "$round $how $(training_time "$how")"
		done >"$file.round" && cat "$file.round" >>"$file"
	done
}

# count INPUT ARM: instructions, mispredictions and misses in the first cache
# of instructions (of 32 KiB), and instructions by function.
count() {
	local input=$1 arm=$2 out=$home/count.$1.$2 caches=no key
	key="$(cd "$home" && program_key "$arm") $quick"
	test "$key" = "$(cat "$out.key" 2>/dev/null)" && return
	test -n "$quick" || caches=yes
	rm -f "$out".*
	use_program "$arm"
	run() {
		setarch -R valgrind -q --demangle=no \
			--tool=cachegrind --cache-sim=$caches \
			--I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 \
			--branch-sim=yes --log-file="$out.log" \
			--cachegrind-out-file="$out.$(unused "$out." "")" "$@"
	}
	("$input" small) >/dev/null || fail "valgrind failed; see $out.log"
	cat "$out".[0-9]* | awk '
		/^events:/ { for (i = 2; i <= NF; i++) event[i] = $i }
		/^summary:/ { for (i = 2; i <= NF; i++) n[event[i]] += $i }
		END {
			printf "%.0f %.0f", n["Ir"], n["Bcm"] + n["Bim"]
			if ("I1mr" in n)
				printf " %.0f", n["I1mr"]
			print ""
		}' >"$out.total"
	# Functions: their share of what the program itself executes.
	cat "$out".[0-9]* | awk '
		/^fn=/ { name = substr($0, 4) }
		/^[0-9]/ { n[name] += $2 }
		END { for (name in n) print n[name], name }' |
		sort -rn >"$out.functions"
	rm -f "$out".[0-9]*
	echo "$key" >"$out.key"
}

# Two at a time: other than times, the counts do not mind.  Each in a folder of
# its own, whose name is as long as the others': it gets into the environment.
measure_counts() {
	local input=$1 arm folder=10 running=
	say "counting instructions, $input"
	for arm in $arms; do
		case $running in
		*" "*) wait_first ;;
		esac
		folder=$((folder + 1))
		(mkdir -p "count.$folder" && cd "count.$folder" &&
			ln -sfn ../inputs inputs && ln -sfn ../given given &&
			ln -sfn ../source source && count "$input" "$arm") &
		running=${running:+$running }$!
	done
	while test -n "$running"; do
		wait_first
	done
}

wait_first() {
	wait "${running%% *}" || exit 1
	case $running in
	*" "*) running=${running#* } ;;
	*) running= ;;
	esac
}

# Percent of instructions in *.cold: the compiler laid them out as never run.
# On the training input if it was counted: there nothing is unexpected.
cold_share() {
	local input=train
	test -f "count.train.$1.functions" || input=ref
	awk '{ n += $1 } $2 ~ /\.cold(\.|$)/ { c += $1 }
		END { printf "%.2f\n", n ? 100 * c / n : 0 }' \
		"count.$input.$1.functions"
}

# no_entry_share PROFILE: percent of the instructions of O2 in functions whose
# entry count is 0.
no_entry_share() {
	"$samplefdo" show "$1" |
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
		no-entry "count.${count_inputs%% *}.O2.functions"
}

code_size() {
	size -A -d "$1/program" | awk '$1 == ".text" { print $2 }'
}

# All figures, one a line, for results.awk.
figures() {
	local arm input
	for arm in $arms; do
		echo "code $arm $(code_size "$arm")"
		for input in $count_inputs; do
			echo "count $input $arm $(cat "count.$input.$arm.total")"
		done
		test -n "$count_inputs" || continue
		echo "cold $arm $(cold_share "$arm")"
		test ! -f "$arm.afdo" ||
			echo "no_entry $arm $(no_entry_share "$arm.afdo")"
	done
	for input in $time_inputs; do
		test "$pairs" = 0 || sed "s/^/time $input /" "times.$input"
	done
	test "$overhead" = 0 || sed 's/^/overhead /' "$home/overhead"
}

# The table, aligned, with the columns that a person looks at.
table() {
	awk -F '\t' -f "$bench/table.awk"
}
