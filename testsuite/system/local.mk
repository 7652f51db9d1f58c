dist_check_SCRIPTS += %D%/convert.test
EXTRA_DIST += %D%/workload.c
# Tests that compile whole programs and look at the result.
noinst_PROGRAMS += %D%/places
%C%_places_SOURCES = %D%/places.c
%C%_places_LDADD = converter/libconverter.la base/libbase.la
dist_check_SCRIPTS += %D%/places.test
EXTRA_DIST += %D%/places.awk %D%/places-c.c %D%/places-cxx.cc \
	%D%/places-fortran.f90
noinst_PROGRAMS += %D%/busy %D%/samples_print
%C%_busy_SOURCES = %D%/busy.c
%C%_busy_LDFLAGS = -pthread -Wl,--build-id
%C%_samples_print_SOURCES = %D%/samples_print.c \
	testsuite/lib/samples_print.c testsuite/lib/samples_print.h
%C%_samples_print_LDADD = converter/libconverter.la base/libbase.la
dist_check_SCRIPTS += %D%/first-use.test %D%/samples.test
dist_check_SCRIPTS += %D%/folded.test
EXTRA_DIST += %D%/lambdas.cc %D%/overloads.cc
dist_check_SCRIPTS += %D%/plain-names.test
EXTRA_DIST += %D%/numbers.c %D%/numbers.cc %D%/numbers.f90
dist_check_SCRIPTS += %D%/numbers.test
dist_check_SCRIPTS += %D%/begins.test %D%/clones.test %D%/cold.test %D%/compare.test %D%/copies.test \
	%D%/entries.test \
	%D%/frontiers.test %D%/tails.test
noinst_PROGRAMS += %D%/truth_pair
%C%_truth_pair_SOURCES = %D%/truth_pair.c
%C%_truth_pair_LDADD = converter/libconverter.la base/libbase.la
dist_check_SCRIPTS += %D%/remap.test
dist_check_SCRIPTS += %D%/models.test
EXTRA_DIST += %D%/parts.c
dist_check_SCRIPTS += %D%/listing.test
dist_check_SCRIPTS += %D%/branches.test
EXTRA_DIST += %D%/pointers.c
noinst_PROGRAMS += %D%/recording
%C%_recording_SOURCES = %D%/recording.c $(perf_writer)
%C%_recording_LDADD = converter/libconverter.la base/libbase.la $(ZSTD_LIBS)
EXTRA_DIST += %D%/arms.s %D%/kernel.s
dist_check_SCRIPTS += %D%/arms.test %D%/asked.test
dist_check_SCRIPTS += %D%/lost.test
dist_check_SCRIPTS += %D%/step.test %D%/values.test %D%/outcomes.test %D%/faults.test \
	%D%/tables.test %D%/interpreter.test %D%/thunks.test \
	%D%/kernel.test %D%/conditions.test
EXTRA_DIST += %D%/stepped.c %D%/values.c %D%/outcomes.c %D%/faults.c %D%/tables.c
# A recording in many files.
noinst_PROGRAMS += %D%/deal
%C%_deal_SOURCES = %D%/deal.c
%C%_deal_LDADD = converter/libconverter.la base/libbase.la
dist_check_SCRIPTS += %D%/threads.test
