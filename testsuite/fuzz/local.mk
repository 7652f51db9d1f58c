# Add the files of this folder here.
dist_check_SCRIPTS += %D%/elf.test

# The readers once more, with the sanitizers.
check_LIBRARIES = %D%/libsanitized.a
%C%_libsanitized_a_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
%C%_libsanitized_a_SOURCES = \
	base/alloc.c \
	base/build_id.c \
	base/cursor.c \
	base/error.c \
	base/file.c \
	base/map.c \
	base/output.c \
	base/spool.c \
	base/text.c \
	converter/perf/addrmap.c \
	converter/perf/aggregate.c \
	converter/perf/aggregate_file.c \
	converter/perf/branches.c \
	converter/perf/events.c \
	converter/perf/firsts.c \
	converter/keys/patch.c \
	converter/keys/patch_lines.c \
	converter/keys/patch_read.c \
	converter/perf/passes.c \
	converter/perf/perfdata.c \
	converter/perf/perfdir.c \
	converter/perf/perfevents.c \
	converter/perf/perffile.c \
	converter/perf/perfinput.c \
	converter/perf/perfqueue.c \
	converter/perf/perfrecord.c \
	converter/perf/perfregs.c \
	converter/perf/perfstream.c \
	converter/perf/perfunpack.c \
	converter/perf/registers.c \
	converter/perf/samples.c \
	converter/perf/stacks.c \
	converter/perf/stuck.c \
	converter/perf/tally.c \
	svr-train/table.c \
	$(profile_libprofile_la_SOURCES)
EXTRA_DIST += %D%/damage.h

check_PROGRAMS += %D%/perfdata
%C%_perfdata_SOURCES = %D%/perfdata.c $(perf_writer)
%C%_perfdata_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
%C%_perfdata_LDADD = %D%/libsanitized.a $(ZSTD_LIBS)

check_PROGRAMS += %D%/profile_fuzz
%C%_profile_fuzz_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
%C%_profile_fuzz_LDADD = %D%/libsanitized.a $(M_LIBS)

check_PROGRAMS += %D%/tables
%C%_tables_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
%C%_tables_LDADD = %D%/libsanitized.a

# Of the converter's readers only these; -g, since it reads itself.
check_PROGRAMS += %D%/texts
%C%_texts_SOURCES = %D%/texts.c \
	base/text.c \
	converter/compare/compiled.c \
	converter/compare/table.c \
	converter/count/machine.c \
	converter/count/weights.c \
	converter/truth/truth.c \
	converter/truth/truth_callgrind.c \
	converter/truth/truth_simulator.c
%C%_texts_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) -g
%C%_texts_LDADD = converter/libconverter.la base/libbase.la

check_PROGRAMS += %D%/patch
%C%_patch_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
%C%_patch_LDADD = %D%/libsanitized.a

# The flow solver, by tests of its own.
check_LIBRARIES += %D%/libflow.a
%C%_libflow_a_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
%C%_libflow_a_SOURCES = $(mcf_libmcf_la_SOURCES)
check_PROGRAMS += %D%/flow_scaling %D%/flow_random
%C%_flow_scaling_SOURCES = testsuite/unit/scaling.c
%C%_flow_scaling_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
%C%_flow_scaling_LDADD = %D%/libflow.a %D%/libsanitized.a $(GLPK_LIBS) $(M_LIBS)
%C%_flow_random_SOURCES = testsuite/unit/smooth_random.c
%C%_flow_random_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
%C%_flow_random_LDADD = $(%C%_flow_scaling_LDADD)
