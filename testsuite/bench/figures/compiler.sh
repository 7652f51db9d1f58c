# compiler.sh - how near counts in the compiler are to its own exact ones;
# read with "." after common.sh.
#
#	compiled TAG PROFILE [OPTION]...	ours beside the compiler's own
#				counts of the training input, as JSON from
#				`samplefdo compare`; OPTION is the plugin's, as
#				in model=cgo10.  TAG.compared is left in $home
#
# In the folder instrumented/, sources are compiled with -fprofile-generate,
# trained, and compiled again with -fprofile-use and the plugin.  If that
# inlines by the profile, it has to do the same both times.

plugin_of_build() {
	plugin=$build/plugin/${version%%.*}/samplefdo.so
	test -f "$plugin" || fail "no plugin for GCC $version in $build"
}

# instrument FLAGS [FILE]...: which these depend on.  Counts are found by the
# paths of the sources, some of which are in this tree.
instrument() {
	local key
	key="$(build_key instrumented "$@") $size \
		$(cat inputs/* 2>/dev/null | cksum) $top"
	test "$key" = "$(cat instrumented/key 2>/dev/null)" && return
	say "instrumenting"
	rm -rf instrumented && mkdir instrumented
	in_arm instrumented "-O2 -g -fprofile-generate \
		-fprofile-update=single $1"
	use_program instrumented
	run() { "$@"; }
	(train "$size") >instrumented/output ||
		fail "the instrumented program failed"
	echo "$key" >instrumented/key
}

compiled() {
	local tag=$1 profile=$home/$2 option flags
	plugin_of_build
	flags="-fplugin=$plugin -fplugin-arg-samplefdo-profile-file=$profile"
	shift 2
	local options=$*
	for option; do
		flags="$flags -fplugin-arg-samplefdo-$option"
	done
	case " $options " in
	*" inline "*)
		instrument "$flags -fplugin-arg-samplefdo-only-inline" \
			"$profile" "$plugin" ;;
	*) instrument "" ;;
	esac
	rm -f "$tag.compared" instrumented/*.o instrumented/program
	in_arm instrumented "-O2 -g -fprofile-use -Wno-missing-profile \
		-Wno-coverage-mismatch $flags \
		-fplugin-arg-samplefdo-compare=$home/$tag.compared"
	rm -f instrumented/*.o instrumented/program
	"$samplefdo" compare --json "$tag.compared" 2>>"$home/log" ||
		fail "$name: $(tail -n 1 "$home/log")"
}

# convert PROFILE OPTION...: from $data, of the program in $program.
convert() {
	local profile=$1
	shift
	"$samplefdo" convert -q --binary "$program" "$@" -o "$profile" \
		2>"$home/log" || fail "$name: $(tail -n 1 "$home/log")"
}
