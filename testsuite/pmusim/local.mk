# A simulated PMU: a plugin that QEMU's user emulator loads.
#
# By rules of its own, as a shared object that make install never sees.
pmusim_sources = \
	base/alloc.c base/error.c base/file.c base/map.c base/output.c \
	%D%/branch.c %D%/buildid.c %D%/cache.c %D%/code.c %D%/command.c \
	%D%/core.c %D%/counter.c %D%/decode.c %D%/maps.c %D%/memory.c \
	%D%/options.c %D%/output.c %D%/plugin.c %D%/simulation.c %D%/state.c \
	%D%/truth.c
pmusim_headers = \
	%D%/branch.h %D%/buildid.h %D%/cache.h %D%/code.h %D%/command.h \
	%D%/core.h %D%/counter.h %D%/decode.h %D%/execute.h %D%/maps.h \
	%D%/memory.h \
	%D%/options.h %D%/output.h %D%/ports.h %D%/qemu.h %D%/simulation.h \
	%D%/state.h %D%/thread.h %D%/trace.h %D%/truth.h
EXTRA_DIST += $(pmusim_sources) $(pmusim_headers)

# Optimized whatever the rest is: it runs for every instruction of a guest.
PMUSIM_CFLAGS = $(AM_CPPFLAGS) $(AM_CFLAGS) -O2 -g -fPIC -pthread

%D%/objects/%.o: %.c
	$(AM_V_CC)$(MKDIR_P) $(@D) && \
	$(CC) $(DEFS) $(PMUSIM_CFLAGS) -MMD -MP -c -o $@ $<

pmusim_objects = $(pmusim_sources:%.c=%D%/objects/%.o)
%D%/pmusim.so: $(pmusim_objects)
	$(AM_V_CCLD)$(CC) -shared -pthread -o $@ $^ $(ZYDIS_LIBS)

-include $(pmusim_objects:.o=.d)

# Its samples as a perf.data.
noinst_PROGRAMS += %D%/pmusim-perfdata
%C%_pmusim_perfdata_SOURCES = \
	%D%/perfdata.c %D%/perfdata.h \
	%D%/pmusim-perfdata.c \
	%D%/reader.c %D%/reader.h
%C%_pmusim_perfdata_LDADD = base/libbase.la
EXTRA_DIST += %D%/pmusim %D%/README

all-local: %D%/pmusim.so
clean-local: pmusim-clean
pmusim-clean:
	rm -rf %D%/objects %D%/pmusim.so

dist_check_SCRIPTS += %D%/record.test %D%/registers.test %D%/truth.test
EXTRA_DIST += %D%/libraries.c %D%/registers.c %D%/registers.s %D%/speed
EXTRA_DIST += %D%/threads.c

check_PROGRAMS += %D%/model
%C%_model_SOURCES = \
	%D%/branch.c %D%/cache.c %D%/code.c %D%/core.c %D%/counter.c \
	%D%/decode.c %D%/memory.c %D%/model.c %D%/options.c %D%/output.c \
	%D%/state.c
%C%_model_LDADD = base/libbase.la $(ZYDIS_LIBS)
%C%_model_LDFLAGS = -pthread
