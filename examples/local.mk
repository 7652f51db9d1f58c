# One real program, an interpreter for Scheme.  testsuite/bench/speedup makes
# it faster by its profile; libc is all that it needs.
noinst_PROGRAMS += %D%/scheme/scheme
%C%_scheme_scheme_SOURCES = \
	%D%/scheme/compile.c %D%/scheme/error.c %D%/scheme/expand.c \
	%D%/scheme/forms.c %D%/scheme/heap.c %D%/scheme/list.c \
	%D%/scheme/main.c %D%/scheme/number.c %D%/scheme/ops.h \
	%D%/scheme/port.c %D%/scheme/print.c %D%/scheme/read.c \
	%D%/scheme/rules.c %D%/scheme/scheme.h %D%/scheme/string.c \
	%D%/scheme/symbol.c %D%/scheme/table.c %D%/scheme/tree.h \
	%D%/scheme/vm.c
nodist_%C%_scheme_scheme_SOURCES = %D%/scheme/prelude-text.c
%C%_scheme_scheme_LDADD = $(M_LIBS)

# The prelude as a string.
%D%/scheme/prelude-text.c: %D%/scheme/prelude.scm %D%/scheme/embed.sed
	$(AM_V_GEN)$(MKDIR_P) %D%/scheme && \
	$(SED) -f $(srcdir)/%D%/scheme/embed.sed \
		$(srcdir)/%D%/scheme/prelude.scm >$@
CLEANFILES += %D%/scheme/prelude-text.c

dist_check_SCRIPTS += %D%/scheme/scheme.test
EXTRA_DIST += \
	%D%/scheme/README %D%/scheme/embed.sed %D%/scheme/prelude.scm \
	%D%/scheme/ref.scm %D%/scheme/train.scm %D%/scheme/tests
