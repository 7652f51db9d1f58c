#!/bin/sh
# install.sh install|uninstall - the plugin, and the specs that make
#
#	gcc -fplugin=samplefdo.so -fprofile-file=prof.afdo
#
# work as it stands, for every GCC of $GCC_VERSIONS.  install.mk calls it with
# GCC_VERSIONS, prefix, libdir, DESTDIR, srcdir and builddir of plugin/.
#
# GCC reads two files named "specs" by itself, and they differ:
#
#   The main one, lib/gcc/MACHINE/VERSION/specs or found through LIBRARY_PATH,
#   stands for everything that GCC would work out at its start.  With only our
#   lines in it, GCC would link without libgcc_s, --eh-frame-hdr and
#   --build-id.  It has to be complete: what -dumpspecs prints, then ours.
#
#   lib/gcc/MACHINE/specs is read in addition, always, by every version.
#
# So an installation below /usr or /usr/local, which is for everybody, adds to
# the second and puts the plugin where each GCC looks for a short name.  Any
# other prefix gets main ones of its own, for those who set LIBRARY_PATH.

say() {
	echo "samplefdo: $*"
}

die() {
	echo "samplefdo: $*" >&2
	exit 1
}

# What LIBRARY_PATH says is for the GCC that is used later, not for this one.
gcc_says() {
	env -u LIBRARY_PATH sh "$srcdir/gcc.sh" gcc "$version" "$@"
}

# rules PLUGIN: how our options become those that GCC knows.  GCC wants a
# plugin before its arguments, and what a rule says goes to the end of the
# command line, hence this order, and hence the arguments are moved too.  And
# it takes an option it does not know only if a rule uses what follows it, %*.
rules() {
	cat <<-EOF
	*self_spec:
	+ %{fplugin=samplefdo.so:-fplugin=$1} %{fplugin=samplefdo:-fplugin=$1} \\
	%<fplugin=samplefdo.so %<fplugin=samplefdo \\
	%{fprofile-file=*:%{!fplugin=*:-fplugin=$1}} \\
	%{fprofile-file=*:-fplugin-arg-samplefdo-profile-file=%*} \\
	%<fprofile-file=* \\
	%{fplugin-arg-samplefdo-*:-fplugin-arg-samplefdo-%*} \\
	%<fplugin-arg-samplefdo-*
	EOF
}

for_everybody() {
	case $prefix in
	/usr | /usr/local) true ;;
	*) false ;;
	esac
}

# Set plugin_dir and specs for $version, without DESTDIR.
find_places() {
	own_dir=$(gcc_says -print-file-name=plugin) || return 1
	case $own_dir in
	/*/plugin) ;;
	*) die "gcc-$version has no folder for plugins (Debian: gcc-$version-plugin-dev)" ;;
	esac
	if for_everybody; then
		plugin_dir=$own_dir
		specs=${own_dir%/*/plugin}/specs
	else
		plugin_dir=$libdir/samplefdo/$(gcc_says -dumpmachine)
		# Its own name for it, which may be the whole version.
		plugin_dir=$plugin_dir/$(gcc_says -dumpversion)
		specs=$plugin_dir/specs
	fi
	return 0
}

block() {
	if for_everybody; then
		rules samplefdo
	else
		gcc_says -dumpspecs
		rules "$plugin_dir/samplefdo.so"
	fi
}

# Only one main specs file is read.
warn_of_hidden_specs() {
	hidden=${own_dir%/plugin}/specs
	test -f "$hidden" &&
		say "note: with LIBRARY_PATH set, gcc-$version will not read $hidden"
}

explain() {
	for_everybody && die "cannot write to $1: become root, or configure with --prefix=\$HOME/..."
	die "cannot write to $1"
}

# GCC may be another build by now, which make does not see.
check_plugin() {
	gcc_says -fplugin="$1" -fplugin-arg-samplefdo-profile-file=none \
		-E -x c /dev/null >/dev/null ||
		die "gcc-$version does not take $1: make clean, then make again"
}

install_one() {
	find_places || exit 1
	check_plugin "$builddir/$version/samplefdo.so"
	mkdir -p "$DESTDIR$plugin_dir" 2>/dev/null &&
	install -m 644 "$builddir/$version/samplefdo.so" \
		"$DESTDIR$plugin_dir/samplefdo.so" || explain "$DESTDIR$plugin_dir"
	test -z "$strip" || strip -g "$DESTDIR$plugin_dir/samplefdo.so"
	block | sh "$srcdir/specs.sh" add "$DESTDIR$specs" ||
		explain "$DESTDIR$specs"
	for_everybody || warn_of_hidden_specs
	say "gcc-$version: $DESTDIR$plugin_dir/samplefdo.so, $DESTDIR$specs"
}

remove_empty_folders() {
	(cd "$DESTDIR$libdir" 2>/dev/null &&
	 rmdir -p "samplefdo/${plugin_dir#"$libdir/samplefdo/"}" 2>/dev/null)
}

# The specs that all versions share go with the last plugin.
uninstall_one() {
	find_places || { say "no gcc-$version any more: skipped"; return; }
	rm -f "$DESTDIR$plugin_dir/samplefdo.so" || explain "$DESTDIR$plugin_dir"
	if for_everybody; then
		ls "$DESTDIR${specs%/specs}"/*/plugin/samplefdo.so \
			>/dev/null 2>&1 && return
	fi
	if test -d "$DESTDIR${specs%/specs}"; then
		sh "$srcdir/specs.sh" remove "$DESTDIR$specs" || exit 1
	fi
	for_everybody || remove_empty_folders
}

case $1 in
install | uninstall) ;;
*) echo "usage: install.sh install|uninstall" >&2; exit 2 ;;
esac
for version in $GCC_VERSIONS; do
	${1}_one
done
if test "$1" = install && ! for_everybody; then
	say "to compile with it:  export LIBRARY_PATH=$libdir/samplefdo"
fi
exit 0
