# Minimum-cost flow, and consistent counts for a flow graph.
noinst_LTLIBRARIES += %D%/libmcf.la
%C%_libmcf_la_SOURCES = \
	%D%/bundle.c %D%/bundle.h \
	%D%/classes.c %D%/classes.h \
	%D%/connect.c \
	%D%/cost.c \
	%D%/expand.c \
	%D%/even.c \
	%D%/glpk.c \
	%D%/graph.c %D%/graph.h \
	%D%/heap.c %D%/heap.h \
	%D%/mcf.c %D%/mcf.h %D%/network.h \
	%D%/reduce.c %D%/reduce.h %D%/reduction.h \
	%D%/reduce_room.c \
	%D%/room.c %D%/room.h \
	%D%/round.c \
	%D%/scaling.c %D%/scaling.h %D%/scaling_work.h \
	%D%/scaling_again.c \
	%D%/scaling_forest.c \
	%D%/scaling_spot.c \
	%D%/scaling_update.c \
	%D%/simplex.c %D%/simplex.h \
	%D%/simplex_near.c \
	%D%/simplex_pivot.c %D%/simplex_pivot.h \
	%D%/simplex_refresh.c \
	%D%/simplex_start.c \
	%D%/simplex_tour.c \
	%D%/simplex_tree.c \
	%D%/simplex_walk.c \
	%D%/smooth.c %D%/smooth.h \
	%D%/span.c %D%/span.h %D%/span_private.h \
	%D%/span_bound.c \
	%D%/span_price.c
%C%_libmcf_la_LIBADD = base/libbase.la $(GLPK_LIBS) $(M_LIBS)
