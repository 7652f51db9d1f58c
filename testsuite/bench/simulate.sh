# simulate.sh - runs of a program under the simulated PMU (testsuite/pmusim).
#
#	simulate TAG OPTION...	the training input of $size under pmusim; its
#				folder is $dir, the exact counts are $truth
#	events FIRST LAST	the samples of these events, as text
#	only FIRST LAST [DEPTH]	the same as perf.data, in $data; with DEPTH,
#				so many branch records of the events BR_...
#
# Everything that a simulation depends on is in its key: the program, its
# input, the simulator, the options.  What is there and fits is used again.
# $arm is the build that is run, $pmusim the simulator's command, $build where
# it was built; the rest is as in builds.sh.

# One run of a program: a recording with its truth.
record_run() {
	local status
	top_builddir=$build "$pmusim" record \
		-o "$dir/$(unused "$dir/" .truth)" \
		"${simulator[@]}" -- "$@" 2>>"$dir/log"
	status=$?
	test $status -lt 124 || fail "pmusim failed; see $dir/log"
	return $status
}

simulation_key() {
	cksum <$arm/program
	cat ${recipe:+"$recipe"} "$bench"/inputs/* "$bench/inputs/$name"/* \
		inputs/* 2>/dev/null | cksum
	cat "$pmusim" "$top"/testsuite/pmusim/*.[ch] | cksum
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
	local samples
	dir=$home/sim/$1.$size truth=$home/sim/$1.$size/truth data=
	shift
	test "$(simulation_key "$@")" != "$(cat "$dir/done" 2>/dev/null)" ||
		return
	rm -rf "$dir" && mkdir -p "$dir"
	say "simulating ${dir##*/}"
	simulator=("$@")
	run() { record_run "$@"; }
	use_program $arm
	(train "$size") >"$dir/output" || fail "$name failed"
	if test -f "$dir/2.truth"; then
		add_truths "$dir"/*.truth >"$truth"
	else
		cp "$dir/1.truth" "$truth"
	fi
	for samples in "$dir"/[0-9]*.samples; do
		test -f "$samples" || continue
		split_samples "$samples"
	done
	simulation_key "$@" >"$dir/done"
}

# RUN.samples becomes RUN.head and, for each event, RUN.event.NUMBER.  Branches
# are left where they are what was asked for.
split_samples() {
	awk -v run="${1%.samples}" '
		$1 == "lbr" { $2 = 0 }
		$1 == "event" { is_branch[$2] = $NF ~ /^BR_/ || $5 == "steps" }
		$1 != "sample" { print >(run ".head"); next }
		!is_branch[$3] { sub(/ branches .*/, "") }
		{ print >(run ".event." $3) }' "$1" &&
		rm "$1" "${1%.samples}.data" || fail "cannot split $1"
}

# events FIRST LAST [RUN]: the head and the samples, with their own numbers.
events() {
	local head event
	for head in "$dir"/${3:-*}.head; do
		sed '$d' "$head"
		for event in $(seq "$1" "$2"); do
			test ! -f "${head%.head}.event.$event" ||
				cat "${head%.head}.event.$event"
		done
		tail -n 1 "$head" # "end"
	done
}

# only FIRST LAST [DEPTH]: a perf.data with these events alone, for each run.
only() {
	local to=$dir/only-$1-$2${3:+-$3} head run
	if ! test -d "$to"; then
		rm -rf "$to.new" && mkdir "$to.new"
		for head in "$dir"/*.head; do
			run=${head##*/} run=${run%.head}
			events "$1" "$2" "$run" | awk -v first="$1" -v last="$2" \
				-v depth="${3:-0}" '
				$1 == "lbr" { $2 = depth }
				$1 == "sample" && depth && !steps[$3] &&
				match($0, / branches /) {
					n = split(substr($0, RSTART + RLENGTH),
						word, " ")
					$0 = substr($0, 1, RSTART + RLENGTH - 2)
					if (n > 3 * depth)
						n = 3 * depth
					for (i = 1; i <= n; i++)
						$0 = $0 " " word[i]
				}
				$1 == "event" { steps[$2] = $5 == "steps" }
				$1 == "sample" && !depth && !steps[$3] {
					sub(/ branches .*/, "")
				}
				$1 == "event" && ($2 < first || $2 > last) { next }
				$1 == "event" { $2 -= first }
				$1 == "sample" { $3 -= first }
				{ print }' >"$to.new/$run.samples"
			"$build/testsuite/pmusim/pmusim-perfdata" \
				"$to.new/$run.samples" "$to.new/$run.data" ||
				fail "cannot write $to.new/$run.data"
			rm "$to.new/$run.samples"
		done
		mv "$to.new" "$to"
	fi
	data=$(echo "$to"/*.data)
}
