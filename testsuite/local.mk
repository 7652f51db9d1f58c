EXTRA_DIST += %D%/lib/tap.h %D%/lib/random_cfg.h %D%/lib/random_program.h \
	%D%/lib/own_code.h %D%/lib/network_check.h %D%/lib/flow_check.h %D%/lib/simplex_check.h \
	%D%/lib/tangle.h %D%/lib/profiles.h %D%/lib/units.h %D%/lib/blocks.awk %D%/lib/interpreter.awk \
	%D%/lib/torture.sh

# Makes perf.data for tests.
perf_writer = \
	%D%/lib/perf_story.c %D%/lib/perf_story.h \
	%D%/lib/perf_writer.c %D%/lib/perf_writer.h

include testsuite/unit/local.mk
include testsuite/tool/local.mk
include testsuite/asm/local.mk
include testsuite/plugin/local.mk
include testsuite/system/local.mk
include testsuite/fuzz/local.mk
include testsuite/pmusim/local.mk
include testsuite/bench/local.mk
include testsuite/install/local.mk

TESTS += $(check_PROGRAMS) $(dist_check_SCRIPTS)

# Every test speaks TAP, so one driver reads them all.
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
TEST_EXTENSIONS = .test
TEST_LOG_DRIVER = $(LOG_DRIVER)
AM_TESTS_ENVIRONMENT = top_builddir='$(abs_top_builddir)'; \
	top_srcdir='$(abs_top_srcdir)'; GCC_VERSIONS='$(GCC_VERSIONS)'; \
	export top_builddir top_srcdir GCC_VERSIONS;
