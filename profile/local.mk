# The profile, as a file and as text.
noinst_LTLIBRARIES += %D%/libprofile.la
%C%_libprofile_la_SOURCES = \
	%D%/crc.c \
	%D%/cutoffs.c %D%/cutoffs.h \
	%D%/decode.c \
	%D%/encode.c \
	%D%/export.h \
	%D%/export_gcc.c \
	%D%/export_llvm.c \
	%D%/format.h \
	%D%/merge.c \
	%D%/merge_files.c \
	%D%/open.c %D%/open.h \
	%D%/overlap.c %D%/overlap.h \
	%D%/parse.c %D%/parse_private.h \
	%D%/parse_function.c %D%/parse_outer.c %D%/parse_words.c \
	%D%/places.c %D%/places.h \
	%D%/print.c \
	%D%/private.h \
	%D%/profile.c %D%/profile.h \
	%D%/read.c \
	%D%/record.h \
	%D%/sort.c \
	%D%/stream.c %D%/stream.h \
	%D%/table.c %D%/table.h \
	%D%/texts.c %D%/texts.h \
	%D%/unsampled.c %D%/unsampled.h \
	%D%/values.c %D%/values.h \
	%D%/words.c %D%/words.h \
	%D%/write.c
%C%_libprofile_la_LIBADD = base/libbase.la $(M_LIBS)
