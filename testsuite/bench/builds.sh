# builds.sh - sources, samples and the four builds of a program.
#
# A recipe, programs/NAME or $recipe, is read before.  It says where the
# source is (package, or source) and defines
#
#	prepare		optional: in the source folder, once ($CC is there)
#	inputs		optional: in the folder inputs/, once
#	build		make ./program in the current folder, from $source, with
#			$CC $CXX $CFLAGS; compile and link_program below do it
#	train SIZE	run "$program" on the training input, each time through
#	ref SIZE	`run`; SIZE is full, or small for counting instructions;
#			train also knows medium, half a billion of them
#
# They run beside links to the source and to the inputs of this folder (given),
# so that the program is told the same names wherever the tree is.
#
# What train and ref print must depend on nothing but the program.

all_arms="O2 flags sampled counted"

# A Debian source package, whether or not the machine has deb-src lines: we
# derive them from its deb lines, in a private configuration of apt.
apt_config() {
	test -f "$work/apt/done" && return
	mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" \
		"$work/apt/sources.list.d"
	for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		test -f "$list" && sed -n 's/^deb \{1,\}/deb-src /p' "$list"
	done >"$work/apt/sources.list"
	for list in /etc/apt/sources.list.d/*.sources; do
		test -f "$list" && sed 's/^Types:.*/Types: deb-src/' "$list" \
			>"$work/apt/sources.list.d/$(basename "$list")"
	done
	cat >"$work/apt/apt.conf" <<-EOF2
		Dir::Etc::sourcelist "$work/apt/sources.list";
		Dir::Etc::sourceparts "$work/apt/sources.list.d";
		Dir::State::lists "$work/apt/lists";
		Dir::Cache "$work/apt/cache";
		APT::Sandbox::User "root";
		Acquire::Retries "3";
		Acquire::Languages "none";
	EOF2
	say "reading the lists of Debian sources"
	APT_CONFIG=$work/apt/apt.conf apt-get -q update >"$work/apt/log" 2>&1 ||
		fail "apt-get update failed; see $work/apt/log"
	: >"$work/apt/done"
}

get_source() {
	if test -z "$package"; then
		prepare_once
		return
	fi
	if ! test -f fetched; then
		command -v dpkg-source >/dev/null ||
			fail "dpkg-source is not installed (package dpkg-dev)"
		apt_config
		say "fetching the source of $package"
		rm -rf fetch && mkdir fetch && (cd fetch &&
			APT_CONFIG=$work/apt/apt.conf apt-get -q source \
				"$package") >fetch.log 2>&1 ||
			fail "cannot fetch $package; see $home/fetch.log"
		: >fetched
	fi
	source=$(echo "$home"/fetch/*/)
	source=${source%/}
	test -d "$source" || fail "no single source folder in $home/fetch"
	prepare_once
}

prepare_once() {
	test -f prepared && return
	if declare -F prepare >/dev/null; then
		say "configuring"
		(cd "$source" && CC=$cc && prepare) >prepare.log 2>&1 ||
			fail "preparing failed; see $home/prepare.log"
	fi
	: >prepared
}

prepare_inputs() {
	ln -sfn "$source" source && ln -sfn "$bench/inputs" given || exit 1
	local key
	key=$(recipe_key)
	test -f inputs/done && test "$key" = "$(cat inputs.key 2>/dev/null)" &&
		return
	rm -rf inputs && mkdir inputs
	if declare -F inputs >/dev/null; then
		say "making inputs"
		(cd inputs && inputs) >inputs.log 2>&1 ||
			fail "making inputs failed; see $home/inputs.log"
	fi
	: >inputs/done
	echo "$key" >inputs.key
}

# compile OPTIONS -- SOURCES: objects in the current folder, two at a time.
# The compiler sees the same paths in all builds, so that profiles fit.
compile() {
	local flags=
	while test "$1" != --; do flags="$flags $1"; shift; done
	shift
	local compiler=$CC
	test "$language" = c || compiler=$CXX
	for file; do
		local object=${file//\//_}
		echo "$compiler $CFLAGS $flags -c $file -o ${object%.*}.o"
	done | tee commands | xargs -P 2 -I COMMAND sh -c COMMAND || return 1
}

link_program() {
	local linker=$CC
	test "$language" = c || linker=$CXX
	$linker $CFLAGS -o program *.o "$@"
}

# The same text for __FILE__ in any folder: its length moves what is behind it.
same_names() {
	echo "-fmacro-prefix-map=$source=source -fmacro-prefix-map=$home=home"
}

# in_arm ARM CFLAGS: build there, with what the compiler says in build.log.
in_arm() {
	(cd "$home/$1" && CC=$cc CXX=${cc/gcc/g++} &&
		CFLAGS="$2 $(same_names)" && build) \
		>"$home/$1/build.log" 2>&1 && test -x "$home/$1/program" ||
		fail "building $1 failed; see $home/$1/build.log"
}

# Again only if the flags or the profile changed since.
is_built() {
	test -x "$1/program" && test "$2" = "$(cat "$1/flags" 2>/dev/null)"
}

# The recipe, and the files that it may use: all recipes', and its own.
recipe_key() {
	cat "${recipe:-$bench/programs/$name}" "$bench"/inputs/* \
		"$bench/inputs/$name"/* 2>/dev/null | cksum
}

# What a build depends on, beside its flags.
build_key() {
	printf '%s ' "$cc" "$version" "$2"
	recipe_key
	test -n "$package" || cat "$source"/*.* | cksum
	test "$1" != sampled || cat profile.afdo ${plugin:+"$plugin"} | cksum
}

build_arm() {
	local key
	key=$(build_key "$1" "$2")
	is_built "$1" "$key" && return
	say "building $1"
	rm -rf "$1" && mkdir "$1"
	in_arm "$1" "$2"
	echo "$key" >"$1/flags"
}

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
	rm -f counted/*.o counted/program
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

plugin_flags() {
	if test -n "$plugin"; then
		echo "-fplugin=$plugin" \
			"-fplugin-arg-samplefdo-profile-file=$home/profile.afdo"
	else
		echo "-fplugin=samplefdo.so -fprofile-file=$home/profile.afdo"
	fi
}

# perf says "(1234 samples)" when it is done.
count_samples() {
	sed -n 's/.*(\([0-9]*\) samples).*/\1/p' perf.log |
		awk '{ n += $1 } END { print n + 0 }'
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

record_and_convert() {
	if test -n "$profile"; then
		cp "$profile" profile.afdo || fail "cannot read $profile"
		return
	fi
	record
	say "converting"
	"$samplefdo" convert --binary "$home/O2/program" perf/*.data \
		-o profile.afdo 2>convert.log ||
		fail "samplefdo convert failed: $(cat convert.log)"
	sed "s/^/                    /" convert.log >&2
}
