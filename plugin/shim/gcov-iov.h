/*
 * gcov-iov.h - for GCC 11, whose gcov-io.h includes this file although
 * Debian does not install it.  What it defines is not used here.
 */
#ifndef GCC_GCOV_IOV_H
#define GCC_GCOV_IOV_H

#define GCOV_VERSION ((gcov_unsigned_t)0)

#endif
