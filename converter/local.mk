# The command's parts as a library, so that unit tests can link them.
noinst_LTLIBRARIES += %D%/libconverter.la
%C%_libconverter_la_SOURCES =
%C%_libconverter_la_LIBADD = $(ZSTD_LIBS)

# From perf.data to samples by address.
%C%_libconverter_la_SOURCES += \
	%D%/addrmap.c %D%/addrmap.h \
	%D%/aggregate.c %D%/aggregate.h \
	%D%/branches.c %D%/branches.h \
	%D%/events.c %D%/events.h \
	%D%/perfdata.c %D%/perfdata.h \
	%D%/perfevents.c %D%/perfevents.h \
	%D%/perffile.c %D%/perffile.h \
	%D%/perfinput.c %D%/perfinput.h \
	%D%/perfqueue.c %D%/perfqueue.h \
	%D%/perfrecord.c %D%/perfrecord.h \
	%D%/perfunpack.c %D%/perfunpack.h \
	%D%/samples.c %D%/samples.h \
	%D%/stacks.c %D%/stacks.h \
	%D%/tally.c %D%/tally.h

# From code to control-flow graphs.
%C%_libconverter_la_SOURCES += \
	%D%/bound.c \
	%D%/calls.c \
	%D%/calls.h \
	%D%/cfg.c \
	%D%/cfg.h \
	%D%/cfg_print.c \
	%D%/code.c \
	%D%/code.h \
	%D%/cycles.c \
	%D%/cycles.h \
	%D%/decode.c \
	%D%/decode.h \
	%D%/disassemble.c \
	%D%/disassemble.h \
	%D%/flow.c \
	%D%/jumptable.c \
	%D%/jumptable.h \
	%D%/landing.c \
	%D%/landing.h \
	%D%/noreturn.c \
	%D%/cfg_program.c \
	%D%/cfg_program.h \
	%D%/stack.c \
	%D%/trace.c \
	%D%/trace.h
%C%_libconverter_la_LIBADD += $(ZYDIS_LIBS)

# The command: main() and one file for each subcommand.
bin_PROGRAMS += samplefdo
samplefdo_SOURCES = %D%/main.c %D%/command.h
samplefdo_SOURCES += %D%/annotate.c \
	%D%/listing.c %D%/listing.h %D%/listing_lines.c \
	%D%/source.c %D%/source.h
samplefdo_SOURCES += %D%/blocks.c
samplefdo_SOURCES += %D%/compare.c \
	%D%/compare_compiled.c %D%/compare_compiled.h
samplefdo_SOURCES += %D%/convert.c
samplefdo_SOURCES += %D%/merge.c
samplefdo_SOURCES += %D%/record.c
samplefdo_SOURCES += %D%/remap.c
samplefdo_SOURCES += %D%/report.c
samplefdo_SOURCES += %D%/show.c
samplefdo_SOURCES += %D%/stats.c
samplefdo_LDADD = %D%/libconverter.la profile/libprofile.la

# The profiled program's file, its symbols and debug information.
%C%_libconverter_la_SOURCES += \
	%D%/lines.c %D%/lines.h %D%/lines_private.h \
	%D%/lines_frames.c \
	%D%/lines_rows.c \
	%D%/lines_scopes.c \
	%D%/object.c %D%/object.h %D%/object_private.h \
	%D%/object_debug.c \
	%D%/object_functions.c \
	%D%/object_noreturn.c \
	%D%/object_relocations.c
%C%_libconverter_la_LIBADD += $(DW_LIBS) $(ELF_LIBS)

# From samples in blocks to counts in the source.
%C%_libconverter_la_SOURCES += \
	%D%/anchors.c %D%/anchors.h \
	%D%/attribute.c %D%/attribute.h \
	%D%/blend.c %D%/blend.h \
	%D%/classify.c %D%/classify.h \
	%D%/compiled.c %D%/compiled.h \
	%D%/credit.c %D%/credit.h \
	%D%/dominators.c %D%/dominators.h \
	%D%/gather.c %D%/gather.h \
	%D%/head.c %D%/head.h \
	%D%/heuristics.c %D%/heuristics.h \
	%D%/estimate.c %D%/estimate.h \
	%D%/job.c %D%/job.h \
	%D%/json.c %D%/json.h \
	%D%/machine.c %D%/machine.h \
	%D%/metrics.c %D%/metrics.h \
	%D%/overlap.c %D%/overlap.h \
	%D%/pieces.c %D%/pieces.h \
	%D%/prepass.c %D%/prepass.h \
	%D%/program.c %D%/program.h \
	%D%/progress.c %D%/progress.h \
	%D%/ranking.c %D%/ranking.h \
	%D%/core.c %D%/core.h \
	%D%/timing.c %D%/timing.h \
	%D%/variation.c %D%/variation.h \
	%D%/walk.c %D%/walk.h \
	%D%/weights.c %D%/weights.h \
	%D%/summary.c %D%/summary.h \
	%D%/table.c %D%/table.h \
	%D%/tails.c %D%/tails.h \
	%D%/trust.c %D%/trust.h \
	%D%/truth.c %D%/truth.h %D%/truth_private.h \
	%D%/truth_callgrind.c \
	%D%/truth_simulator.c
%C%_libconverter_la_LIBADD += mcf/libmcf.la $(M_LIBS)

# Profiles carried over changes of the source.
%C%_libconverter_la_SOURCES += \
	%D%/carry.c %D%/carry.h \
	%D%/patch.c %D%/patch.h \
	%D%/patch_lines.c \
	%D%/patch_read.c

# Descriptions of processors, chosen by what perf.data says of the CPU.
machinesdir = $(pkgdatadir)/machines
dist_machines_DATA = \
	%D%/machines/amd-zen.machine \
	%D%/machines/arm-neoverse.machine \
	%D%/machines/intel-core.machine
%C%_libconverter_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DMACHINES='"$(machinesdir)"'
