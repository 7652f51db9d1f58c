# builds.sh - sources, inputs and builds of a program.
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

# With the name of the suite that was asked for in place of the machine's own.
of_suite() {
	local own
	own=$(. /etc/os-release && echo "$VERSION_CODENAME")
	sed "s/\b$own\b/${suite:-$own}/g"
}

# A Debian source package, whether or not the machine has deb-src lines: we
# derive them from its deb lines, in a private configuration of apt.
apt_config() {
	test -f "$work/apt/done" && return
	mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" \
		"$work/apt/sources.list.d"
	for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		test -f "$list" && sed -n 's/^deb \{1,\}/deb-src /p' "$list"
	done | of_suite >"$work/apt/sources.list"
	for list in /etc/apt/sources.list.d/*.sources; do
		test -f "$list" && sed 's/^Types:.*/Types: deb-src/' "$list" |
			of_suite >"$work/apt/sources.list.d/$(basename "$list")"
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
		test -z "$suite" || package=${package%/*}/$suite
		say "fetching the source of $package"
		fetch_any "$package" ||
			fail "cannot fetch $package; see $home/fetch.log"
		: >fetched
	fi
	source=$(echo "$home"/fetch/*/)
	source=${source%/}
	test -d "$source" || fail "no single source folder in $home/fetch"
	prepare_once
}

# fetch_any PACKAGE: its source, or where a mirror has lost the newest version that
# its lists have, that of another one.
fetch_any() {
	local -x APT_CONFIG=$work/apt/apt.conf
	local version versions
	versions=$(apt-cache showsrc --only-source "$1" 2>fetch.log |
		sed -n 's/^Version: /=/p')
	for version in "" $versions; do
		rm -rf fetch && mkdir fetch || return
		(cd fetch && apt-get -q source "$1$version") >>fetch.log 2>&1 &&
			return
		say "it cannot be had${version:+ in version $version}"
	done
	return 1
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

# unused PREFIX SUFFIX: the first number from 1 whose file is not there.  Runs
# are numbered by it: a recipe may put one into a pipe, where a count is lost.
unused() {
	local number=1
	while test -e "$1$number$2"; do
		number=$((number + 1))
	done
	echo $number
}

# Tab-separated values, in columns.
aligned() {
	awk -F '\t' '
		{
			fields[NR] = NF
			for (i = 1; i <= NF; i++) {
				cell[NR, i] = $i
				if (length($i) > width[i])
					width[i] = length($i)
			}
		}
		END {
			for (r = 1; r <= NR; r++) {
				for (i = 1; i < fields[r]; i++)
					printf "%-" width[i] "s  ", cell[r, i]
				print cell[r, i]
			}
		}' "$@"
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

# Of lines, two at a time.
run_commands() {
	tee commands | xargs -d '\n' -P 2 -I COMMAND sh -c COMMAND
}

# compile OPTIONS -- SOURCES: objects in the current folder.  The compiler sees
# the same paths in all builds, so that profiles fit.
compile() {
	local flags=
	while test "$1" != --; do flags="$flags $1"; shift; done
	shift
	local compiler=$CC
	test "$language" = c || compiler=$CXX
	for file; do
		local object=${file//\//_}
		echo "$compiler $CFLAGS $flags -c $file -o ${object%.*}.o"
	done | run_commands || return 1
}

link_program() {
	local linker=$CC
	test "$language" = c || linker=$CXX
	echo "$linker $CFLAGS" >linker
	echo "$@" >libraries
	$linker $CFLAGS -o program *.o "$@"
}

# lay_out ARM NUMBER: link it again, as laid-out/program, with its code and its
# data at other addresses: behind padding, and the objects in another order, one
# of each NUMBER's own, which is the same for all arms.
lay_out() {
	local folder=$home/laid-out
	mkdir -p "$folder" && padding "$2" >"$folder/padding.s" &&
		"$cc" -c "$folder/padding.s" -o "$folder/padding.o" || return 1
	(cd "$home/$1" && $(cat linker) -o "$folder/program" \
		"$folder/padding.o" \
		$(ls *.o | in_order "$2") $(cat libraries)) ||
		fail "linking $1 in another order failed"
}

# Up to a page in front of each kind of code and of data.
padding() {
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		n = split("text.unlikely,ax text.startup,ax text.hot,ax " \
			"text,ax rodata,a data,aw", section, " ")
		print "\t.section .note.GNU-stack,\"\",@progbits"
		for (i = 1; i <= n; i++) {
			sub(",", ",\"", section[i])
			print "\t.section ." section[i] "\",@progbits"
			print "\t.skip " 16 * int(256 * rand())
		}
	}'
}

# Lines, shuffled.
in_order() {
	awk -v seed="$1" 'BEGIN { srand(seed) } { print rand(), $0 }' |
		sort -n | cut -d " " -f 2-
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
	test -x "$1/program" && test -f "$1/linker" && test "$2" = "$(cat "$1/flags" 2>/dev/null)"
}

# The recipe, and the files that it may use: all recipes', and its own.
recipe_key() {
	cat "${recipe:-$bench/programs/$name}" "$bench"/inputs/* \
		"$bench/inputs/$name"/* 2>/dev/null | cksum
}

# build_key ARM FLAGS [FILE]...: what a build depends on.
build_key() {
	printf '%s ' "$cc" "$version" "$2"
	recipe_key
	test -n "$package" || find "$source/" \
		\( -name '*.[ch]' -o -name '*.scm' -o -name '*.sed' \) -print0 |
		sort -z | xargs -0 cat | cksum
	shift $(($# < 2 ? $# : 2))
	test $# = 0 || cat "$@" | cksum
}

# build_arm ARM FLAGS [FILE]...: the compiler also reads these files.
build_arm() {
	local key
	key=$(build_key "$@")
	is_built "$1" "$key" && return
	say "building $1"
	rm -rf "$1" && mkdir "$1"
	in_arm "$1" "$2"
	echo "$key" >"$1/flags"
}

# What samplefdo record asks perf for where there is a timer only; and how many
# samples a second are taken here: so many that it does not matter much to the program
# how long taking them takes, and what that does to its caches.
user_registers=ax,bx,cx,dx,si,di,bp,ip,flags,r8,r9,r10,r11,r12,r13,r14,r15
timer_samples=(-e cpu-clock:u,page-faults:u "--user-regs=$user_registers")
frequency=4999

# count_samples [LOG]: of the timer, in the files that perf record says in its log
# that it wrote ("wrote 0.1 MB perf.data (1234 samples)").
count_samples() {
	sed -n 's/.* MB \(.*\) ([0-9]* samples).*/\1/p' "${1:-perf.log}" |
		while read -r data; do
			test "$data.count" -nt "$data" ||
				perf script -F event -i "$data" 2>/dev/null |
				grep -c cpu-clock >"$data.count"
			cat "$data.count"
		done | awk '{ n += $1 } END { print n + 0 }'
}

# The tree as it is when the script begins.  Results are not what it is made
# of: another figure may have written some.
describe_tree() {
	local commit
	if ! commit=$(git -C "$top" describe --always 2>/dev/null); then
		"$samplefdo" --version | head -n 1
	elif git -C "$top" diff --quiet HEAD -- . ':!testsuite/bench/results'
	then
		echo "$commit"
	else
		echo "$commit-dirty"
	fi
}
