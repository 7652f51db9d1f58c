# script.sh - what the scripts here say and how they fail.
#
# The comment at the head of a script, up to the first empty line, is what it
# prints for --help.  $name is the program that it is busy with, if any.

usage() {
	sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
}

fail() {
	echo "$(basename "$0"): $*" >&2
	exit 1
}

say() {
	printf '%s  %-8s %s\n' "$(date +%T)" "$name" "$*" >&2
}
