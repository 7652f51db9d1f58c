# lib.sh - what the tests of the plugin share; read with ".".
#
# Each test runs in a new folder of its own, once for each GCC.  A test says
#
#	compile -O2 -c app.c		# with the plugin, profile prof.afdo
#	ok $? 'app.c compiles'
#	has dump 'block 2 count 100' 'the count of ...'
#
# Everything that a test makes is under that folder.

here=$(cd "$(dirname "$0")" && pwd)
top_builddir=${top_builddir:-$PWD}
samplefdo=$top_builddir/samplefdo
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
export LC_ALL=C
n=0

# ok STATUS TEXT: one result.
ok() {
	n=$((n + 1))
	if test "$1" -eq 0; then
		echo "ok $n - $version: $2"
	else
		echo "not ok $n - $version: $2"
	fi
}

skip() {
	n=$((n + 1))
	echo "ok $n # SKIP $version: $1"
}

# Show a file where a result went wrong.
show() {
	sed -n '1,30s/^/# /p' "$1"
}

# has FILE REGEXP TEXT, and its opposite.
has() {
	if grep -Eq -e "$2" "$1"; then
		ok 0 "$3"
	else
		ok 1 "$3"
		echo "# no '$2' in:"
		show "$1"
	fi
}

has_not() {
	if grep -Eq -e "$2" "$1"; then
		ok 1 "$3"
		echo "# '$2' in:"
		show "$1"
	else
		ok 0 "$3"
	fi
}

same() {
	if cmp -s "$1" "$2"; then
		ok 0 "$3"
	else
		ok 1 "$3"
		diff -u "$1" "$2" | head -n 40 | sed 's/^/# /'
	fi
}

plugin() {
	echo "$top_builddir/plugin/$version/samplefdo.so"
}

# The profile prof.afdo from its text form on stdin, without the two lines
# that each of ours begins with.
profile() {
	{
		echo 'samplefdo profile 1'
		echo 'event cycles role cycles period 1000 samples 90000 mapped 90000'
		cat
	} >prof.txt
	"$samplefdo" merge prof.txt -o "${1:-prof.afdo}" ||
		ok 1 'the profile can be read'
}

# The compiler of this language, with the plugin and prof.afdo.
compile() { compile_as gcc "$@"; }
compile_cxx() { compile_as g++ "$@"; }
compile_fortran() { compile_as gfortran "$@"; }
compile_as() {
	command=$1-$version
	shift
	"$command" -fplugin="$(plugin)" \
		-fplugin-arg-samplefdo-profile-file=prof.afdo "$@"
}

# The dump of a compilation of C, in dump.
dump() {
	compile "$@" -c -o dump.o -fplugin-arg-samplefdo-dump=dump \
		2>messages || show messages
}

# Run the test, a function, for each GCC.
each_gcc() {
	for version in $GCC_VERSIONS; do
		rm -rf "$folder/$version"
		mkdir "$folder/$version"
		cd "$folder/$version" || exit 99
		"$@"
	done
}

finish() {
	cd /
	echo "1..$n"
}
