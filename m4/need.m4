# FDO_NEED_COMPILER
# Before AC_PROG_CC, which would not name a package.
AC_DEFUN([FDO_NEED_COMPILER], [
AC_BEFORE([$0], [AC_PROG_CC])
if test -z "$CC" && ! command -v gcc >/dev/null 2>&1 &&
   ! command -v cc >/dev/null 2>&1; then
	AC_MSG_ERROR([there is no C compiler; Debian has one in this package:

    apt-get install gcc
])
fi
])

# FDO_NEED(NAME, HEADER, LIBRARY, FUNCTION, PACKAGE)
# Set NAME_LIBS, or remember the Debian package that has it.
AC_DEFUN([FDO_NEED], [
AC_CHECK_HEADER([$2], [
	fdo_save_LIBS=$LIBS
	AC_CHECK_LIB([$3], [$4], [$1_LIBS="-l$3"],
		[fdo_missing="$fdo_missing $5"])
	LIBS=$fdo_save_LIBS
], [fdo_missing="$fdo_missing $5"])
AC_SUBST([$1_LIBS])
])

# FDO_NEEDS_MET
# Stop, with all that is missing.
AC_DEFUN([FDO_NEEDS_MET], [
if test -n "$fdo_missing"; then
	fdo_missing=`echo $fdo_missing | tr ' ' '\n' | sort -u | tr '\n' ' '`
	AC_MSG_ERROR([something is missing that Debian has in these packages:

    apt-get install $fdo_missing
])
fi
])

# FDO_WANT(PROGRAM, PACKAGE)
# Only tests and measurements use PROGRAM, so its absence is no error.
AC_DEFUN([FDO_WANT], [
AC_MSG_CHECKING([for $1])
if command -v $1 >/dev/null 2>&1; then
	AC_MSG_RESULT([yes])
else
	AC_MSG_RESULT([no])
	fdo_wanted="$fdo_wanted $2"
fi
])

# FDO_WANTS_NOTICE
AC_DEFUN([FDO_WANTS_NOTICE], [
if test -n "$fdo_wanted"; then
	AC_MSG_NOTICE([some tests will be skipped; for all of them:

    apt-get install$fdo_wanted
])
fi
])
