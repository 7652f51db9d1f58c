#!/bin/sh
# gcc.sh gcc|g++ VERSION [ARGUMENT]... - the GCC of that major version, which
# Debian calls gcc-VERSION.  Elsewhere there is but one, which is just gcc.
name=$1 version=$2
shift 2
if command -v "$name-$version" >/dev/null; then
	exec "$name-$version" "$@"
fi
case $("$name" -dumpversion 2>/dev/null) in
"$version" | "$version".*) exec "$name" "$@" ;;
esac
echo "gcc.sh: there is no $name-$version, and no $name of that version" >&2
exit 127
