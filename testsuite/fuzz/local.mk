# Add the files of this folder here.
dist_check_SCRIPTS += %D%/elf.test

# The readers once more, with the sanitizers.
check_LIBRARIES = %D%/libsanitized.a
%C%_libsanitized_a_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
%C%_libsanitized_a_SOURCES = \
	base/alloc.c \
	base/cursor.c \
	base/error.c \
	base/file.c \
	base/map.c \
	converter/addrmap.c \
	converter/aggregate.c \
	converter/branches.c \
	converter/events.c \
	converter/patch.c \
	converter/patch_lines.c \
	converter/patch_read.c \
	converter/perfdata.c \
	converter/perfevents.c \
	converter/perffile.c \
	converter/perfinput.c \
	converter/perfqueue.c \
	converter/perfrecord.c \
	converter/perfunpack.c \
	converter/samples.c \
	converter/stacks.c \
	converter/tally.c \
	svr-train/table.c \
	$(profile_libprofile_la_SOURCES)
EXTRA_DIST += %D%/damage.h

check_PROGRAMS += %D%/perfdata
%C%_perfdata_SOURCES = %D%/perfdata.c $(perf_writer)
%C%_perfdata_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
%C%_perfdata_LDADD = %D%/libsanitized.a $(ZSTD_LIBS)

check_PROGRAMS += %D%/profile_fuzz
%C%_profile_fuzz_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
%C%_profile_fuzz_LDADD = %D%/libsanitized.a

check_PROGRAMS += %D%/tables
%C%_tables_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
%C%_tables_LDADD = %D%/libsanitized.a

check_PROGRAMS += %D%/patch
%C%_patch_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
%C%_patch_LDADD = %D%/libsanitized.a
