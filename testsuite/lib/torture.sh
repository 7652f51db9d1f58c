# torture.sh - a program compiled with profiles that are random, adversarial
# and matching; read with ".".
#
#	compiler=gcc-12 plugin=.../samplefdo.so samplefdo=.../samplefdo
#	torture runs 7 'app.c' -std=gnu11	# or compiles; 7 seeds profiles
#
# works in the current folder and prints a line for each level and profile:
#
#	-O2 random same
#
# "same" is: it compiles, and prints and exits as it does without the plugin.
# "ice", "error", "slow" and "wrong" are failures.  "untried" is no result:
# without the plugin, it does not compile or does not exit with 0 in time.
# "unused": no function got counts.  What is printed by a compiler that
# failed is in messages.LEVEL.PROFILE.
#
# At -O3 it is also inlined by the profile.
#
# A matching profile has the counts of the program's own run by callgrind, so
# there is none of what only compiles.

levels="-O2 -O3"
compile_seconds=120 run_seconds=10 valgrind_seconds=60

# Counts of lines that the assembly has, made up.
invented_profile() {
	awk -v kind="$1" -v seed="$seed" \
		-f "$generator" plain.s >"$1.txt" &&
		"$samplefdo" merge "$1.txt" -o "$1.afdo" 2>/dev/null
}

matching_profile() {
	timeout $valgrind_seconds valgrind -q --tool=callgrind \
		--skip-plt=no --dump-instr=yes --collect-jumps=yes \
		--callgrind-out-file=truth --log-file=truth.log \
		./plain >/dev/null 2>&1 </dev/null &&
		"$samplefdo" convert -q --model exact --truth truth \
			--binary ./plain -o matching.afdo 2>/dev/null
}

# make_program OUTPUT OPTION...
make_program() {
	local output=$1
	shift
	test $how = runs || set -- -c "$@"
	timeout $compile_seconds "$compiler" -w -fchecking -g1 "$@" $sources \
		-o "$output" $libraries
}

# Its output and exit status.
outcome() {
	if test $how = runs; then
		timeout $run_seconds "./$1" 2>&1 </dev/null
		echo "status $?"
	fi
}

# A program that prints something else each time (addresses) is held to its
# exit status alone.
same_outcome() {
	if cmp -s want again; then
		cmp -s want got
	else
		test "$(tail -n 1 want)" = "$(tail -n 1 got)"
	fi
}

without() {
	make_program plain $level "$@" >plain.messages 2>&1 || return 1
	outcome plain >want
	outcome plain >again
	test $how = compiles || test "$(tail -n 1 want)" = "status 0"
}

# with PROFILE OPTION...: what came of it, in one word.
with() {
	local messages=messages$level.$1 profile=$1 status
	shift
	test $level = -O2 || set -- "$@" -fplugin="$plugin" \
		-fplugin-arg-samplefdo-inline
	make_program tried $level "$@" -fplugin="$plugin" \
		-fplugin-arg-samplefdo-no-warn -fprofile-reorder-functions \
		-fplugin-arg-samplefdo-profile-file="$profile.afdo" \
		-fplugin-arg-samplefdo-verbose >"$messages" 2>&1
	status=$?
	if grep -q 'internal compiler error' "$messages"; then
		echo ice
	elif test $status = 124; then
		echo slow
	elif test $status != 0; then
		echo error
	else
		outcome tried >got
		if ! same_outcome; then
			echo wrong
		elif grep -Eq ' [1-9][0-9]* annotated' "$messages"; then
			echo same
		else
			echo unused
		fi
	fi
}

torture() {
	local how=$1 seed=$2 sources=$3
	shift 3
	rm -f -- *.afdo
	"$compiler" -w -S -O1 -fno-inline -g1 "$@" ${sources%% *} -o plain.s \
		2>/dev/null && invented_profile random "${sources%% *}" &&
		invented_profile adversarial "${sources%% *}" || return
	for level in $levels; do
		if ! without "$@"; then
			echo "$level all untried"
			continue
		fi
		echo "$level random $(with random "$@")"
		echo "$level adversarial $(with adversarial "$@")"
		test $how = runs || continue
		test -f matching.afdo || matching_profile || continue
		echo "$level matching $(with matching "$@")"
	done
}
