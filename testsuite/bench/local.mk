# Measurements: built by name, and no part of check.

# The network simplex beside GLPK and, where they are there, LEMON and profi.
EXTRA_PROGRAMS += %D%/mcf
%C%_mcf_SOURCES = \
	%D%/mcf.c %D%/mcf_bench.h %D%/memory.c \
	%D%/mcf_graphs.c %D%/mcf_graphs.h
%C%_mcf_CPPFLAGS = $(AM_CPPFLAGS)
%C%_mcf_LDADD = mcf/libmcf.la $(M_LIBS)
EXTRA_DIST += %D%/cfgs %D%/plot
if HAVE_LEMON
%C%_mcf_SOURCES += %D%/mcf_lemon.cc
%C%_mcf_CPPFLAGS += -DHAVE_LEMON
endif
if HAVE_LLVM
%C%_mcf_SOURCES += %D%/mcf_profi.cc
%C%_mcf_CPPFLAGS += -DHAVE_LLVM $(LLVM_CPPFLAGS)
%C%_mcf_LDADD += $(LLVM_LIBS)
endif

# Real programs made faster; speedup --help says more.
EXTRA_DIST += \
	%D%/accuracy %D%/compile %D%/gccs %D%/order %D%/stale %D%/torture \
	%D%/speedup %D%/script.sh %D%/builds.sh %D%/simulate.sh %D%/arms.sh %D%/measure.sh \
	%D%/results.awk %D%/table.awk %D%/kept.awk %D%/overhead.awk %D%/lost \
	%D%/inputs %D%/programs %D%/unseen

# Linux made faster; kernel --help says more.
EXTRA_DIST += %D%/kernel %D%/linux

# The papers' figures, in a simulation; each script says --help.
EXTRA_DIST += %D%/README %D%/RESULTS %D%/HISTORY %D%/TRIED %D%/figures %D%/results testsuite/pmusim/pmusim.machine

# Weights learnt again for a new CPU; train --help says more.
EXTRA_DIST += %D%/train
# Edge overlap with the truth, by model of costs.
EXTRA_PROGRAMS += %D%/costs
%C%_costs_LDADD = mcf/libmcf.la $(M_LIBS)
dist_check_SCRIPTS += \
	%D%/accuracy.test %D%/cfgs.test %D%/figures.test %D%/speedup.test \
	%D%/tables.test

# Whole programs of random functions that call each other.
EXTRA_PROGRAMS += %D%/span
%C%_span_SOURCES = %D%/span.c %D%/mcf_bench.h %D%/memory.c
%C%_span_LDADD = mcf/libmcf.la $(M_LIBS)

# The same beside GLPK, function by function, on graphs that GCC makes.
EXTRA_PROGRAMS += %D%/judge
%C%_judge_LDADD = mcf/libmcf.la $(M_LIBS)
EXTRA_DIST += %D%/judged

# LLVM's profi on the blocks of a binary, for figures/anchors.
if HAVE_LLVM
EXTRA_PROGRAMS += %D%/profi
%C%_profi_SOURCES = %D%/profi.cc
%C%_profi_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
%C%_profi_LDADD = $(LLVM_LIBS)
else
EXTRA_DIST += %D%/profi.cc
endif

# What a conversion costs; convert --help says more.
EXTRA_PROGRAMS += %D%/rates
%C%_rates_LDADD = converter/libconverter.la $(ZYDIS_LIBS)
EXTRA_DIST += %D%/convert

# What adding up large profiles costs; merge --help says more.
EXTRA_DIST += %D%/merge %D%/fleet.sh

# What BOLT estimates, for accuracy and figures/ablation.
EXTRA_DIST += %D%/bolt.sh %D%/bolt.awk

# How long blocks wait; waits --help says more.
EXTRA_PROGRAMS += %D%/fit
%C%_fit_LDADD = converter/libconverter.la mcf/libmcf.la $(ZYDIS_LIBS) $(M_LIBS)
EXTRA_DIST += %D%/waits %D%/lessons
