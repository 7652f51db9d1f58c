#!/bin/sh
# specs.sh - put our block into a specs file of GCC, or take it out again.
#
#	specs.sh add FILE <BLOCK	FILE may be missing, or somebody else's
#	specs.sh remove FILE		FILE is then as it was before "add"
#
# To add again replaces.  Whatever else stands in FILE is not touched, and
# the file changes in one step, so that a GCC that is starting sees the old
# one or the new one.
#
# A specs file is a row of entries, each ended by a blank line; a line with #
# is a comment only between two entries.  So the block needs a blank line
# before its first mark, and the mark must tell how much of it we wrote.

LC_ALL=C
export LC_ALL
begin='# samplefdo: begin'
end='# samplefdo: end'

die() {
	echo "specs.sh: $*" >&2
	exit 1
}

# Set first and last to the offsets of the two marks, and before to what the
# first mark says of the place: the newlines that are ours, or "new file".
find_block() {
	test -f "$file" || return 1
	first=$(grep -ab "^$begin" "$file" | cut -d: -f1)
	last=$(grep -ab "^$end\$" "$file" | cut -d: -f1)
	before=$(sed -n "s/^$begin, //p" "$file")
	case "$first,$before,$last" in
	,,)
		return 1 ;;
	*[0-9]",new file,"[0-9]* | *[0-9]","[012]","[0-9]*)
		test "$first" -lt "$last" 2>/dev/null && return 0 ;;
	esac
	die "$file: the marks of samplefdo are damaged; take its lines out by hand"
}

# All of the file but the block.  The newlines before it stay when something
# follows, for they now end the entry before.
without_block() {
	after=$((last + ${#end} + 1))
	kept=$first
	if test "$(wc -c <"$file")" -le $after; then
		test "$before" = "new file" || kept=$((first - before))
	fi
	head -c $kept "$file"
	tail -c +$((after + 1)) "$file"
}

newlines_missing() {
	test -s "$1" || { echo 0; return; }
	case $(tail -c 2 "$1" | od -An -tx1) in
	*" 0a 0a") echo 0 ;;
	*" 0a") echo 1 ;;
	*) echo 2 ;;
	esac
}

start_new() {
	new=$(mktemp "$file.XXXXXX") || exit 1
	trap 'rm -f "$new"' EXIT
}

write_block() {
	case $place in
	1) echo ;;
	2) echo; echo ;;
	esac
	echo "$begin, $place"
	cat
	echo
	echo "$end"
}

# Make $new the file, with the rights that the file had.
replace() {
	if test -f "$file"; then
		cmp -s "$new" "$file" && return
		chown --reference="$file" "$new" 2>/dev/null
		chmod --reference="$file" "$new"
	else
		chmod 644 "$new"
	fi
	mv -f "$new" "$file" || exit 1
}

add() {
	if find_block; then
		start_new
		without_block >"$new" || exit 1
		place=$before
	elif test -f "$file"; then
		start_new
		cat "$file" >"$new" || exit 1
	else
		start_new
		place='new file'
	fi
	if test "$place" != 'new file' || test -s "$new"; then
		place=$(newlines_missing "$new")
	fi
	write_block >>"$new" || exit 1
	replace
}

remove() {
	find_block || return 0
	start_new
	without_block >"$new" || exit 1
	if test "$before" = 'new file' && ! test -s "$new"; then
		rm -f "$file" || exit 1
	else
		replace
	fi
}

case $#,$1 in
2,add | 2,remove) ;;
*)	echo "usage: specs.sh add FILE <BLOCK | specs.sh remove FILE" >&2
	exit 2 ;;
esac
file=$2
test -L "$file" && file=$(readlink -f "$file")
$1
