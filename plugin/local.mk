# The plugin: one for each GCC, since each has an interface of its own.
#
# What knows nothing of GCC is C and compiled once.  The rest is C++ because
# GCC's headers are, compiled by the very GCC that will load it.
noinst_LIBRARIES += %D%/libsupport.a
%C%_libsupport_a_SOURCES = \
	$(base_libbase_la_SOURCES) \
	$(mcf_libmcf_la_SOURCES) \
	$(profile_libprofile_la_SOURCES) \
	$(PLUGIN_C)
%C%_libsupport_a_CFLAGS = $(AM_CFLAGS) -fPIC

PLUGIN_C = \
	%D%/apart.c %D%/apart.h \
	%D%/compared.c %D%/compared.h \
	%D%/contexts.c %D%/contexts.h \
	%D%/copies.c %D%/copies.h \
	%D%/counts.c %D%/counts.h \
	%D%/doubt.c %D%/doubt.h \
	%D%/entered.c %D%/entered.h \
	%D%/evidence.c %D%/evidence.h \
	%D%/first_uses.c %D%/first_uses.h \
	%D%/hoisted.c %D%/hoisted.h \
	%D%/options.c %D%/options.h \
	%D%/passed.c %D%/passed.h \
	%D%/known.c %D%/known.h \
	%D%/names.c %D%/names.h %D%/noted.c %D%/noted.h \
	%D%/rounds.c %D%/rounds.h \
	%D%/shape.c %D%/shape.h %D%/shape_align.c %D%/shape_private.h \
	%D%/sources.c %D%/sources.h \
	%D%/targets.c %D%/targets.h \
	%D%/unit.c %D%/unit.h %D%/unit_private.h \
	%D%/unit_find.c %D%/unit_lay.c %D%/unit_plain.c %D%/unit_shared.c \
	%D%/unsampled.c %D%/unsampled.h \
	%D%/vote.c %D%/vote.h

PLUGIN_CC = \
	%D%/annotate.cc %D%/calls.cc %D%/cold.cc %D%/compare.cc \
	%D%/compare_exact.cc %D%/constants.cc %D%/declared.cc %D%/flags.cc \
	%D%/frontiers.cc %D%/gone.cc %D%/graph.cc \
	%D%/indirect.cc %D%/inline.cc %D%/loops.cc %D%/match.cc %D%/order.cc \
	%D%/pass.cc %D%/plugin.cc %D%/repair.cc %D%/specialize.cc \
	%D%/tests.cc

EXTRA_DIST += $(PLUGIN_CC) %D%/gcc-compat.h %D%/samplefdo.h \
	%D%/shim/gcov-iov.h

# $* is GCC's version in all rules below.
PLUGINS = $(GCC_VERSIONS:%=%D%/%/samplefdo.so)
PLUGIN_CXXFLAGS = -std=gnu++17 -O2 -g -fPIC -fno-rtti -fno-exceptions \
	-fvisibility=hidden -fvisibility-inlines-hidden -Wall -Wextra \
	-Wno-unused-parameter
PLUGIN_COMPILE = $(MKDIR_P) $(@D) && g++-$* $(DEFS) $(AM_CPPFLAGS) \
	-I$(top_builddir) \
	-isystem `gcc-$* -print-file-name=plugin`/include \
	-idirafter $(top_srcdir)/%D%/shim \
	$(PLUGIN_CXXFLAGS) -MMD -MP -c -o $@

%D%/%/annotate.o: %D%/annotate.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/calls.o: %D%/calls.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/cold.o: %D%/cold.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/compare.o: %D%/compare.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/compare_exact.o: %D%/compare_exact.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/constants.o: %D%/constants.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/declared.o: %D%/declared.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/flags.o: %D%/flags.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/frontiers.o: %D%/frontiers.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/gone.o: %D%/gone.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/graph.o: %D%/graph.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/indirect.o: %D%/indirect.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/inline.o: %D%/inline.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/loops.o: %D%/loops.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/match.o: %D%/match.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/order.o: %D%/order.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/pass.o: %D%/pass.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/plugin.o: %D%/plugin.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/repair.o: %D%/repair.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/specialize.o: %D%/specialize.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<
%D%/%/tests.o: %D%/tests.cc
	$(AM_V_GEN)$(PLUGIN_COMPILE) $<

%D%/%/samplefdo.so: %D%/%/annotate.o %D%/%/calls.o %D%/%/cold.o %D%/%/compare.o \
		%D%/%/compare_exact.o %D%/%/constants.o %D%/%/declared.o \
		%D%/%/flags.o %D%/%/frontiers.o %D%/%/gone.o %D%/%/graph.o \
		%D%/%/indirect.o %D%/%/inline.o %D%/%/loops.o \
		%D%/%/match.o \
		%D%/%/order.o %D%/%/pass.o %D%/%/plugin.o %D%/%/repair.o \
		%D%/%/specialize.o %D%/%/tests.o %D%/libsupport.a
	$(AM_V_GEN)g++-$* -shared -static-libgcc -static-libstdc++ \
		-Wl,--exclude-libs,ALL -Wl,--as-needed -o $@ $^ $(M_LIBS)

.SECONDARY:

-include $(wildcard $(GCC_VERSIONS:%=%D%/%/*.d))

all-local: $(PLUGINS)
clean-local: plugin-clean
plugin-clean:
	-test -z "$(GCC_VERSIONS)" || rm -rf $(GCC_VERSIONS:%=%D%/%)

include plugin/install.mk
