# arms.sh - the builds of a program that speedup compares.  For each arm there
# is build_ARM, which leaves ARM/program in $home; builds.sh says the rest.

build_counted() {
	local key
	key=$(build_key counted)
	is_built counted "$key" && return
	rm -rf counted && mkdir counted
	say "building with -fprofile-generate"
	in_arm counted "-O2 -g -fprofile-generate -fprofile-update=single"
	say "training it"
	use_program counted
	run() { "$@"; }
	(train full) >/dev/null || fail "the instrumented program failed"
	rm -f counted/*.o && mv counted/program counted/instrumented
	say "building counted (-fprofile-use)"
	in_arm counted "-O2 -g -fprofile-use -Wno-missing-profile \
		-Wno-coverage-mismatch"
	echo "$key" >counted/flags
}

# What -fprofile-use switches on, but for the profile itself.
fdo_flags() {
	: | "$cc" -O2 -Q --help=optimizers >"$work/plain.flags"
	"$cc" -O2 -fprofile-use -Q --help=optimizers |
		diff "$work/plain.flags" - | sed -n 's/\[[^]]*|[^]]*\]//
			s/^> *-f\([a-z=-]*\) *\[enabled\]/-f\1/p
			s/^> *-f\([a-z-]*=\)[ \t]*\([a-z]*\)$/-f\1\2/p' |
		grep -v -e profile -e branch-prob -e vpt -e grow-size | xargs
}

# plugin_flags PROFILE
plugin_flags() {
	local option options=
	for option in $plugin_options; do
		options="$options -fplugin-arg-samplefdo-$option"
	done
	if test -n "$plugin"; then
		echo "-fplugin=$plugin" \
			"-fplugin-arg-samplefdo-profile-file=$home/$1$options"
	else
		echo "-fplugin=samplefdo.so -fprofile-file=$home/$1$options"
	fi
}

# With the plugin, by a profile.
build_annotated() {
	build_arm "$1" "-O2 -g $(plugin_flags "$2")" "$2" ${plugin:+"$plugin"}
}

record_once() {
	run() {
		recordings=$((recordings + 1))
		perf record -e cpu-clock:u -F 19997 \
			-o "perf/$recordings.data" -- "$@" 2>>perf.log
		local status=$? # the program's own
		test -s "perf/$recordings.data" ||
			fail "perf record failed; see $home/perf.log"
		return $status
	}
	train full >/dev/null || fail "the program failed; see $home/perf.log"
}

record() {
	test "$(build_key O2)" = "$(cat perf/done 2>/dev/null)" && return
	rm -rf perf perf.log && mkdir perf
	use_program O2
	recordings=0
	for round in 1 2 3 4 5 6 7 8 9 10; do
		say "recording, round $round: $(count_samples 2>/dev/null) samples"
		record_once
		test "$(count_samples)" -ge "$samples" && break
	done
	say "$(count_samples) samples"
	build_key O2 >perf/done
}

# convert PROFILE OPTION...
convert() {
	local profile=$1
	shift
	"$samplefdo" convert --binary "$home/O2/program" "$@" -o "$profile" \
		2>convert.log ||
		fail "samplefdo convert failed: $(cat convert.log)"
}

build_O2() {
	build_arm O2 "-O2 -g"
}

build_flags() {
	build_arm flags "-O2 -g $(fdo_flags)"
}

build_sampled() {
	if test -n "$profile"; then
		cp "$profile" sampled.afdo || fail "cannot read $profile"
	else
		record
		say "converting"
		convert sampled.afdo perf/*.data
		sed "s/^/                    /" convert.log >&2
	fi
	build_annotated sampled sampled.afdo
}

# As record(), by bursts of steps.
step() {
	test "$(build_key O2)" = "$(cat step/done 2>/dev/null)" && return
	rm -rf step step.log && mkdir step
	use_program O2
	stepped=0
	for round in 1 2 3 4 5 6 7 8 9 10; do
		say "stepping, round $round: $(count_steps) steps"
		step_once
		test "$(count_steps)" -ge "$steps" && break
	done
	say "$(count_steps) steps"
	build_key O2 >step/done
}

step_once() {
	run() {
		stepped=$((stepped + 1))
		"$samplefdo" step -F 100 -o "step/$stepped.data" \
			-- "$@" 2>>step.log
		local status=$? # the program's own
		test -s "step/$stepped.data" ||
			fail "samplefdo step failed; see $home/step.log"
		return $status
	}
	train full >/dev/null || fail "the program failed; see $home/step.log"
}

count_steps() {
	sed -n 's/.* \([0-9]*\) instructions.*/\1/p' step.log 2>/dev/null |
		awk '{ sum += $1 } END { print sum + 0 }'
}

build_stepped() {
	record
	step
	say "converting"
	convert stepped.afdo perf/*.data step/*.data
	sed "s/^/                    /" convert.log >&2
	build_annotated stepped stepped.afdo
}

# autofdo ARM MODEL: for GCC as it is, without the plugin.
autofdo() {
	record
	convert "$1.gcov" -q --format gcc --gcc-version "${version%%.*}" \
		--model "$2" perf/*.data
	build_arm "$1" "-O2 -g -fauto-profile=$home/$1.gcov" "$1.gcov"
}

build_autofdo() {
	autofdo autofdo default
}

build_autofdo-raw() {
	autofdo autofdo-raw raw
}

# Instructions, cycles and TLB misses in the simulator, and its exact counts.
simulate_training() {
	local arm=O2
	simulate training event=INST_RETIRED/4001/rand=0x7ff \
		event=CPU_CLK_UNHALTED.THREAD/4001/rand=0x7ff \
		event=DTLB_MISS/101/rand=0x1f
}

build_simulated() {
	simulate_training
	only 0 2
	convert simulated.afdo -q $data
	build_annotated simulated simulated.afdo
}

build_exact() {
	simulate_training
	convert exact.afdo -q --model exact --truth "$truth"
	build_annotated exact exact.afdo
}
