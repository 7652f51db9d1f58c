# The command svr-train: main() and the parts as a library, for unit tests.
noinst_LTLIBRARIES += %D%/libsvr.la
%C%_libsvr_la_SOURCES = \
	converter/perf/events.c converter/perf/events.h \
	%D%/classes.c %D%/classes.h \
	%D%/json.c \
	%D%/metrics.c %D%/metrics.h \
	%D%/report.c %D%/report.h \
	%D%/role.c %D%/role.h \
	%D%/study.c %D%/study.h \
	%D%/svr.c %D%/svr.h \
	%D%/table.c %D%/table.h \
	%D%/training.c %D%/training.h \
	%D%/validate.c %D%/validate.h \
	%D%/weights.c
%C%_libsvr_la_LIBADD = base/libbase.la $(LINEAR_LIBS) $(M_LIBS)

bin_PROGRAMS += %D%/svr-train
%C%_svr_train_SOURCES = %D%/main.c
%C%_svr_train_LDADD = %D%/libsvr.la
