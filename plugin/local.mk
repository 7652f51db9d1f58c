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
	%D%/bodies.c %D%/bodies.h \
	%D%/cold_blocks.c %D%/cold_blocks.h \
	%D%/compared.c %D%/compared.h \
	%D%/contexts.c %D%/contexts.h \
	%D%/copies.c %D%/copies.h \
	%D%/counts.c %D%/counts.h \
	%D%/doubt.c %D%/doubt.h \
	%D%/entered.c %D%/entered.h \
	%D%/evidence.c %D%/evidence.h \
	%D%/evidence_judge.c %D%/evidence_private.h \
	%D%/first_uses.c %D%/first_uses.h \
	%D%/hoisted.c %D%/hoisted.h \
	%D%/known.c %D%/known.h \
	%D%/moves.c %D%/moves.h \
	%D%/names.c %D%/names.h \
	%D%/noted.c %D%/noted.h \
	%D%/numbers.c %D%/numbers.h \
	%D%/options.c %D%/options.h \
	%D%/outcome.c %D%/outcome.h \
	%D%/passed.c %D%/passed.h \
	%D%/prices.c %D%/prices.h \
	%D%/renamed.c %D%/renamed.h \
	%D%/renamed_lines.c %D%/renamed_private.h \
	%D%/rounds.c %D%/rounds.h \
	%D%/shape.c %D%/shape.h %D%/shape_private.h \
	%D%/shape_align.c %D%/shape_unique.c \
	%D%/sources.c %D%/sources.h \
	%D%/targets.c %D%/targets.h \
	%D%/unit.c %D%/unit.h %D%/unit_private.h \
	%D%/unit_find.c %D%/unit_lay.c %D%/unit_lines.c \
	%D%/unit_plain.c %D%/unit_shared.c %D%/unit_twins.c \
	%D%/unsampled.c %D%/unsampled.h \
	%D%/vote.c %D%/vote.h

PLUGIN_CC = \
	%D%/annotate.cc %D%/calls.cc %D%/clones.cc %D%/cold.cc %D%/compare.cc \
	%D%/compare_exact.cc %D%/constants.cc %D%/declared.cc \
	%D%/evidence_shape.cc %D%/flags.cc %D%/frontiers.cc %D%/gone.cc \
	%D%/graph.cc %D%/hot.cc %D%/indirect.cc %D%/inline.cc %D%/loops.cc \
	%D%/match.cc %D%/minmax.cc %D%/order.cc %D%/outcomes.cc %D%/pass.cc \
	%D%/plugin.cc %D%/repair.cc %D%/specialize.cc %D%/tests.cc

EXTRA_DIST += $(PLUGIN_CC) %D%/gcc-compat.h %D%/samplefdo.h \
	%D%/shim/gcov-iov.h

PLUGIN_OBJECTS = $(notdir $(PLUGIN_CC:.cc=.o))
PLUGINS = $(GCC_VERSIONS:%=%D%/%/samplefdo.so)
PLUGIN_CXXFLAGS = -std=gnu++17 -fPIC -fno-rtti -fno-exceptions -fno-lto \
	-fvisibility=hidden -fvisibility-inlines-hidden -Wall -Wextra \
	-Wno-unused-parameter
PLUGIN_COMPILE = $(DEFS) $(AM_CPPFLAGS) $(CPPFLAGS) -I$(top_builddir) \
	-idirafter $(top_srcdir)/%D%/shim $(CXXFLAGS) $(PLUGIN_CXXFLAGS) \
	-MMD -MP -c

# What it calls is GCC's, and not there before it is loaded.
PLUGIN_LINK = -shared -static-libgcc -static-libstdc++ \
	-Wl,--exclude-libs,ALL -Wl,--as-needed $(LDFLAGS) -Wl,-z,undefs

GCC_SH = $(SHELL) $(srcdir)/%D%/gcc.sh

# The rules' stems begin with GCC's version, which needs a second expansion.
.SECONDEXPANSION:

%D%/%.o: %D%/$$(*F).cc
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(GCC_SH) g++ $(*D) $(PLUGIN_COMPILE) \
		-isystem `$(GCC_SH) gcc $(*D) -print-file-name=plugin`/include \
		-o $@ $<

%D%/%/samplefdo.so: $$(addprefix %D%/$$*/,$(PLUGIN_OBJECTS)) %D%/libsupport.a
	$(AM_V_GEN)$(GCC_SH) g++ $* $(PLUGIN_LINK) -o $@ $^ $(M_LIBS)

.SECONDARY:

-include $(wildcard $(GCC_VERSIONS:%=%D%/%/*.d))

all-local: $(PLUGINS)
clean-local: plugin-clean
plugin-clean:
	-test -z "$(GCC_VERSIONS)" || rm -rf $(GCC_VERSIONS:%=%D%/%)

include plugin/install.mk
