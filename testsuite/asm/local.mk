# The converter's control-flow graphs, of code made by the compiler or by
# hand, beside what is expected or what valgrind sees.
noinst_PROGRAMS += %D%/cfgcheck
%C%_cfgcheck_SOURCES = \
	%D%/cfgcheck.c \
	%D%/callgrind.c %D%/callgrind.h \
	testsuite/lib/cfg_print.c testsuite/lib/cfg_print.h
%C%_cfgcheck_LDADD = converter/libconverter.la base/libbase.la

# Its files: NAME.s and NAME.expected, or a program.
dist_check_SCRIPTS += %D%/cfg.test
EXTRA_DIST += \
	%D%/cases.s %D%/cases.expected \
	%D%/cycles.s %D%/cycles.expected \
	%D%/exceptions.cc \
	%D%/sites.s %D%/sites.expected \
	%D%/switches.c \
	%D%/trips.s %D%/trips.expected
