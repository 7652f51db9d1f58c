# FDO_GCC_PLUGINS
# Find every installed GCC that has plugin headers.  GCC_VERSIONS becomes the
# list of their major versions.
AC_DEFUN([FDO_GCC_PLUGINS], [
AC_ARG_VAR([GCC_VERSIONS],
	[major versions of the GCCs to build the plugin for (default: all that have plugin headers)])
AC_MSG_CHECKING([for GCCs with plugin headers])
fdo_found=
for fdo_v in ${GCC_VERSIONS:-11 12 13 14 15 16}; do
	fdo_dir=`sh "$srcdir/plugin/gcc.sh" gcc $fdo_v -print-file-name=plugin 2>/dev/null`
	if test -f "$fdo_dir/include/gcc-plugin.h" &&
	   sh "$srcdir/plugin/gcc.sh" g++ $fdo_v --version >/dev/null 2>&1; then
		fdo_found="$fdo_found $fdo_v"
	elif test -n "$GCC_VERSIONS"; then
		fdo_missing="$fdo_missing gcc-$fdo_v-plugin-dev g++-$fdo_v"
	fi
done
fdo_asked=$GCC_VERSIONS
GCC_VERSIONS=`echo $fdo_found`
AC_MSG_RESULT([${GCC_VERSIONS:-none}])
if test -z "$GCC_VERSIONS$fdo_asked"; then
	fdo_v=`gcc -dumpversion 2>/dev/null | sed 's/\..*//'`
	fdo_v=${fdo_v:-12}
	fdo_missing="$fdo_missing gcc-$fdo_v-plugin-dev g++-$fdo_v"
fi
])

# FDO_SUMMARY
AC_DEFUN([FDO_SUMMARY], [
AC_MSG_NOTICE([the plugin will be built for GCC: $GCC_VERSIONS])
])
