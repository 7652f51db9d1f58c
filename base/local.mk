# What C lacks: errors, memory, bounded reading, tables, whole files, lines.
noinst_LTLIBRARIES += %D%/libbase.la
%C%_libbase_la_SOURCES = \
	%D%/alloc.c %D%/alloc.h \
	%D%/build_id.c %D%/build_id.h \
	%D%/bytes.h \
	%D%/cursor.c %D%/cursor.h \
	%D%/error.c %D%/error.h \
	%D%/file.c %D%/file.h \
	%D%/json.c %D%/json.h \
	%D%/map.c %D%/map.h \
	%D%/output.c %D%/output.h \
	%D%/progress.c %D%/progress.h \
	%D%/search.h \
	%D%/spool.c %D%/spool.h \
	%D%/text.c %D%/text.h
