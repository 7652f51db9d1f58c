# arms.sh - the builds of a program that speedup compares.  For each arm there
# is build_ARM, which leaves ARM/program in $home; builds.sh says the rest.

counted_flags="-O2 -g -fprofile-use -Wno-missing-profile -Wno-coverage-mismatch"

build_counted() {
	local key
	# What is counted bears the name of the folder.
	key="$(build_key counted) $home"
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
	in_arm counted "$counted_flags"
	echo "$key" >counted/flags
}

# counted_again ARM FLAG...: from the same run.
counted_again() {
	local arm=$1 key
	shift
	build_counted
	key=$(build_key "$arm" "" counted/*.gcda)
	is_built "$arm" "$key" && return
	rm -rf "$arm" && mkdir "$arm" && cp counted/*.gcda "$arm"
	say "building $arm"
	in_arm "$arm" "$counted_flags $*"
	echo "$key" >"$arm/flags"
}

build_counted-xj() {
	counted_again counted-xj -fno-crossjumping
}

build_counted+partial() {
	counted_again counted+partial -fprofile-partial-training
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

# collect FOLDER WANTED COUNT COMMAND...: what the command, with "-o FILE --" and
# then the program of the arm $from (O2), finds in training runs, until COUNT, of
# what it said, is enough.
collect() {
	local folder=$1 wanted=$2 count=$3 key
	shift 3
	key="$(build_key O2 "" ${from:+"$from/program"}) $wanted"
	test "$key" = "$(cat "$folder/done" 2>/dev/null)" && return
	rm -rf "$folder" "$folder.log" && mkdir "$folder"
	use_program "${from:-O2}"
	for round in $(seq 40); do
		collect_once "$folder" "$@"
		say "$folder, round $round: $("$count" "$folder.log")"
		test "$("$count" "$folder.log")" -ge "$wanted" && break
	done
	echo "$key" >"$folder/done"
}

collect_once() {
	local folder=$1
	shift
	collector=("$@")
	run() {
		local status data
		data=$folder/$(unused "$folder/" .data).data
		"${collector[@]}" -o "$data" -- "$@" 2>>"$folder.log"
		status=$? # the program's own
		test -s "$data" ||
			fail "${collector[0]} failed; see $home/$folder.log"
		return $status
	}
	train full >/dev/null ||
		fail "the program failed; see $home/$folder.log"
}

# record [-NUMBER]: of independent recordings, another than the first.
record() {
	collect "perf$1" "$samples" count_samples \
		perf record "${timer_samples[@]}" -F "$frequency"
}

# step [-NUMBER]: by bursts of steps.
step() {
	collect "step$1" "$steps" count_steps "$samplefdo" step -F 200
}

count_steps() {
	sed -n 's/.* \([0-9]*\) instructions.*/\1/p' "$1" |
		awk '{ sum += $1 } END { print sum + 0 }'
}

# convert PROFILE OPTION...
convert() {
	local profile=$1
	shift
	"$samplefdo" convert --binary "$home/${from:-O2}/program" "$@" \
		-o "$profile" \
		2>convert.log ||
		fail "samplefdo convert failed: $(cat convert.log)"
}

build_O2() {
	build_arm O2 "-O2 -g"
}

build_flags() {
	build_arm flags "-O2 -g $(fdo_flags)"
}

# build_sampled [-NUMBER]: of the recordings.
build_sampled() {
	if test -n "$profile"; then
		cp "$profile" sampled.afdo || fail "cannot read $profile"
	else
		record "$1"
		say "converting"
		convert "sampled$1.afdo" "perf$1"/*.data
		sed "s/^/                    /" convert.log >&2
	fi
	build_annotated "sampled$1" "sampled$1.afdo"
}

# sampled_again ARM FLAG...: by the first recording.
sampled_again() {
	local arm=$1
	shift
	build_sampled
	build_arm "$arm" "-O2 -g $* $(plugin_flags sampled.afdo)" \
		sampled.afdo ${plugin:+"$plugin"}
}

build_sampled+xj() {
	sampled_again sampled+xj -fcrossjumping
}

build_sampled+partial() {
	sampled_again sampled+partial -fprofile-partial-training
}

# The build with a profile is profiled.
build_resampled() {
	build_sampled
	local from=sampled
	record -again
	say "converting"
	convert resampled.afdo perf-again/*.data
	sed "s/^/                    /" convert.log >&2
	build_annotated resampled resampled.afdo
}

build_stepped() {
	record "$1"
	step "$1"
	say "converting"
	convert "stepped$1.afdo" "perf$1"/*.data "step$1"/*.data
	sed "s/^/                    /" convert.log >&2
	build_annotated "stepped$1" "stepped$1.afdo"
}

# autofdo ARM MODEL: for GCC as it is, without the plugin.  By the counts of some
# recordings it crashes; then by those of the next one.
autofdo() {
	local number
	for number in "" -2 -3; do
		record "$number"
		convert "$1.gcov" -q --format gcc \
			--gcc-version "${version%%.*}" --model "$2" \
			"perf$number"/*.data
		(build_arm "$1" "-O2 -g -fauto-profile=$home/$1.gcov" \
			"$1.gcov") && return
		grep -q "internal compiler error" "$1/build.log" || exit 1
		say "with these counts GCC crashes"
	done
	fail "$1: GCC crashes with the counts of three recordings"
}

build_autofdo() {
	autofdo autofdo default
}

build_autofdo-raw() {
	autofdo autofdo-raw raw
}

# Instructions, cycles and TLB misses in the simulator, with registers.
simulate_training() {
	local arm=O2
	simulate training registers=1 event=INST_RETIRED/8009/rand=0x7ff \
		event=CPU_CLK_UNHALTED.THREAD/8009/rand=0x7ff \
		event=DTLB_MISS/101/rand=0x1f
}

build_simulated() {
	simulate_training
	only 0 2
	convert simulated.afdo -q $data
	build_annotated simulated simulated.afdo
}

# Counts alone take a twentieth of the time that events take.
#
# profile_exact PROFILE [TAG]
profile_exact() {
	local arm=${from:-O2}
	test "$size" = small || local size=full
	simulate "counts$2" model=0
	convert "$1" -q --model exact --truth "$truth"
}

build_exact() {
	profile_exact exact.afdo
	build_annotated exact exact.afdo
}

build_reexact() {
	build_exact
	local from=exact
	profile_exact reexact.afdo -again
	build_annotated reexact reexact.afdo
}
