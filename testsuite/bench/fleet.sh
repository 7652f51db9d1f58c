# fleet.sh - profiles as large as those of a fleet.  For merge and compile, which
# set $samplefdo and fail().

# fleet_text FIRST N SEED: counts of N functions of some length.
fleet_text() {
	awk -v first="$1" -v n="$2" -v seed="$3" 'BEGIN {
		print "samplefdo profile 1"
		print "event cycles role cycles period 1000 samples 90000000" \
			" mapped 90000000"
		for (i = first; i < first + n; i++) {
			printf "function fleet_function_%d_of_many file" \
				" src/component_%d/file_%d.cc line %d" \
				" total 5000000 entry 100 samples 1000\n",
				i, i % 97, i % 1009, i % 5000 + 1
			for (k = 0; k < 24; k++)
				printf " at %d:%d count %d\n", k + 1, k % 30 + 3, \
					(i * 7919 + k * 104729 + \
					seed * (i % 13) * 31337) % 1000000
		}
	}'
}

# fleet_llvm FIRST N SEED: the same as a sample profile of LLVM.
fleet_llvm() {
	awk -v first="$1" -v n="$2" -v seed="$3" 'BEGIN {
		for (i = first; i < first + n; i++) {
			printf "fleet_function_%d_of_many:5000000:100\n", i
			for (k = 0; k < 24; k++)
				printf " %d: %d\n", k + 1, \
					(i * 7919 + k * 104729 + \
					seed * (i % 13) * 31337) % 1000000
		}
	}'
}

# fleet_functions MEGABYTES: how many are that much, by a small piece.
fleet_functions() {
	fleet_text 100000 2000 0 | "$samplefdo" merge - -o fleet.piece ||
		fail "no profile"
	echo $(($1 * 1000000 / ($(stat -c %s fleet.piece) / 2000)))
	rm -f fleet.piece
}

# fleet_profile N SEED FIRST OUTPUT [PROFILE...]: N functions from FIRST on, made
# in parts, since text is read at once; and other profiles.
fleet_profile() {
	local n=$1 seed=$2 first=$3 output=$4 each=50000 at
	shift 4
	mkdir -p fleet.parts && rm -f fleet.parts/*
	for ((at = 0; at < n; at += each)); do
		test $((n - at)) -ge $each || each=$((n - at))
		fleet_text $((first + at)) $each "$seed" |
			"$samplefdo" merge - -o fleet.parts/$at ||
			fail "no profile"
	done
	"$samplefdo" merge fleet.parts/* "$@" -o "$output" ||
		fail "no large profile"
	rm -rf fleet.parts
}
