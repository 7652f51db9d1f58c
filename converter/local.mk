# What the command is made of, as a library, so that unit tests can link it.
# Each folder uses those before it (testsuite/tool/layers.test).
noinst_LTLIBRARIES += %D%/libconverter.la
%C%_libconverter_la_SOURCES =
%C%_libconverter_la_LIBADD =

# From perf.data to samples by address.
%C%_libconverter_la_SOURCES += \
	%D%/perf/addrmap.c %D%/perf/addrmap.h \
	%D%/perf/aggregate.c %D%/perf/aggregate.h \
	%D%/perf/aggregate_file.c %D%/perf/aggregate_private.h \
	%D%/perf/branches.c %D%/perf/branches.h \
	%D%/perf/events.c %D%/perf/events.h \
	%D%/perf/firsts.c %D%/perf/firsts.h \
	%D%/perf/passes.c %D%/perf/passes.h \
	%D%/perf/perfdata.c %D%/perf/perfdata.h \
	%D%/perf/perfdir.c %D%/perf/perfdir.h \
	%D%/perf/perfevents.c %D%/perf/perfevents.h \
	%D%/perf/perffile.c %D%/perf/perffile.h \
	%D%/perf/perfinput.c %D%/perf/perfinput.h \
	%D%/perf/perfqueue.c %D%/perf/perfqueue.h \
	%D%/perf/perfrecord.c %D%/perf/perfrecord.h \
	%D%/perf/perfregs.c %D%/perf/perfregs.h \
	%D%/perf/perfstream.c %D%/perf/perfstream.h \
	%D%/perf/perfunpack.c %D%/perf/perfunpack.h \
	%D%/perf/perfwrite.c %D%/perf/perfwrite.h \
	%D%/perf/registers.c %D%/perf/registers.h \
	%D%/perf/samples.c %D%/perf/samples.h \
	%D%/perf/stacks.c %D%/perf/stacks.h \
	%D%/perf/stuck.c %D%/perf/stuck.h \
	%D%/perf/tally.c %D%/perf/tally.h
%C%_libconverter_la_LIBADD += $(ZSTD_LIBS)

# The profiled program's file, its symbols and debug information.
%C%_libconverter_la_SOURCES += \
	%D%/binary/lines.c %D%/binary/lines.h \
	%D%/binary/lines_bare.c \
	%D%/binary/lines_copied.c \
	%D%/binary/lines_entities.c %D%/binary/lines_walk.h \
	%D%/binary/lines_folded.c \
	%D%/binary/lines_frames.c \
	%D%/binary/lines_private.h \
	%D%/binary/lines_rows.c \
	%D%/binary/lines_names.c \
	%D%/binary/lines_scopes.c \
	%D%/binary/object.c %D%/binary/object.h \
	%D%/binary/object_debug.c \
	%D%/binary/object_functions.c \
	%D%/binary/object_noreturn.c \
	%D%/binary/object_private.h \
	%D%/binary/object_exports.c \
	%D%/binary/object_relocations.c \
	%D%/binary/producer.c %D%/binary/producer.h \
	%D%/binary/unwind.c %D%/binary/unwind.h
%C%_libconverter_la_LIBADD += $(DW_LIBS) $(ELF_LIBS)

# From code to control-flow graphs.
%C%_libconverter_la_SOURCES += \
	%D%/graph/addresses.c %D%/graph/addresses.h \
	%D%/graph/asked.c %D%/graph/asked.h \
	%D%/graph/bound.c \
	%D%/graph/cfg.c %D%/graph/cfg.h \
	%D%/graph/cfg_program.c %D%/graph/cfg_program.h \
	%D%/graph/code.c %D%/graph/code.h \
	%D%/graph/decode.c %D%/graph/decode.h %D%/graph/decode_private.h \
	%D%/graph/disassemble.c %D%/graph/disassemble.h \
	%D%/graph/dominators.c %D%/graph/dominators.h \
	%D%/graph/flow.c \
	%D%/graph/graphs.c %D%/graph/graphs.h \
	%D%/graph/heuristics.c %D%/graph/heuristics.h \
	%D%/graph/jumptable.c %D%/graph/jumptable.h \
	%D%/graph/landing.c %D%/graph/landing.h \
	%D%/graph/latency.c %D%/graph/latency.h \
	%D%/graph/nests.c %D%/graph/nests.h %D%/graph/noreturn.c \
	%D%/graph/operands.c \
	%D%/graph/outcome.c %D%/graph/outcome.h \
	%D%/graph/outcome_run.c %D%/graph/outcome_run.h \
	%D%/graph/packed.c %D%/graph/packed.h \
	%D%/graph/shape.c %D%/graph/shape.h \
	%D%/graph/sites.c %D%/graph/sites.h \
	%D%/graph/stack.c \
	%D%/graph/masked.c %D%/graph/masked.h \
	%D%/graph/rewrites.c %D%/graph/rewrites.h \
	%D%/graph/trace.c %D%/graph/trace.h \
	%D%/graph/trips.c %D%/graph/trips.h \
	%D%/graph/trips_before.c %D%/graph/trips_before.h
%C%_libconverter_la_LIBADD += $(ZYDIS_LIBS)

# What perf can record here.
%C%_libconverter_la_SOURCES += \
	%D%/record/children.c %D%/record/children.h \
	%D%/record/choice.c %D%/record/choice.h

# A running program, step by step.
%C%_libconverter_la_SOURCES += \
	%D%/step/burst.c %D%/step/burst.h \
	%D%/step/pin.c %D%/step/pin.h \
	%D%/step/process.c %D%/step/process.h \
	%D%/step/threads.c %D%/step/threads.h \
	%D%/step/tracer.c %D%/step/tracer.h %D%/step/tracer_burst.c \
	%D%/step/tracer_private.h %D%/step/tracer_start.c

# Exact counts, to judge by.
%C%_libconverter_la_SOURCES += \
	%D%/truth/truth.c %D%/truth/truth.h \
	%D%/truth/truth_callgrind.c \
	%D%/truth/truth_private.h \
	%D%/truth/truth_simulator.c

# What a processor makes of code: when instructions wait, and what is sampled.
%C%_libconverter_la_SOURCES += \
	%D%/processor/chances.c %D%/processor/chances.h \
	%D%/processor/core.c %D%/processor/core.h \
	%D%/processor/cycles.c %D%/processor/cycles.h \
	%D%/processor/head.c %D%/processor/head.h \
	%D%/processor/redirect.c %D%/processor/redirect.h \
	%D%/processor/skid.c %D%/processor/skid.h \
	%D%/processor/walk.c %D%/processor/walk.h

# From samples in blocks to how often each block and edge ran.
%C%_libconverter_la_SOURCES += \
	%D%/count/anchors.c %D%/count/anchors.h \
	%D%/count/arms.c %D%/count/arms.h \
	%D%/count/blend.c %D%/count/blend.h \
	%D%/count/bursts.c %D%/count/bursts.h \
	%D%/count/calls.c %D%/count/calls.h \
	%D%/count/chain.c %D%/count/chain.h \
	%D%/count/classify.c %D%/count/classify.h \
	%D%/count/credit.c %D%/count/credit.h \
	%D%/count/estimate.c %D%/count/estimate.h \
	%D%/count/gather.c %D%/count/gather.h \
	%D%/count/looks.c %D%/count/looks.h \
	%D%/count/unseen.c %D%/count/unseen.h \
	%D%/count/machine.c %D%/count/machine.h \
	%D%/count/minor.c %D%/count/minor.h \
	%D%/count/outcomes.c %D%/count/outcomes.h \
	%D%/count/parts.c %D%/count/parts.h \
	%D%/count/prepass.c %D%/count/prepass.h \
	%D%/count/program.c %D%/count/program.h %D%/count/program_callees.c \
	%D%/count/program_samples.c %D%/count/program_truth.c \
	%D%/count/settle.c %D%/count/settle.h \
	%D%/count/shadow.c %D%/count/shadow.h \
	%D%/count/timing.c %D%/count/timing.h \
	%D%/count/usual.c %D%/count/usual.h \
	%D%/count/waits.c %D%/count/waits.h \
	%D%/count/weights.c %D%/count/weights.h
%C%_libconverter_la_LIBADD += mcf/libmcf.la $(M_LIBS)

# From blocks to keys of the source, and keys over changes of the source.
%C%_libconverter_la_SOURCES += \
	%D%/keys/attribute.c %D%/keys/attribute.h \
	%D%/keys/attribute_begins.c \
	%D%/keys/attribute_calls.c \
	%D%/keys/attribute_entries.c \
	%D%/keys/attribute_cutoffs.c \
	%D%/keys/attribute_origins.c \
	%D%/keys/attribute_places.c \
	%D%/keys/attribute_private.h \
	%D%/keys/attribute_runs.c \
	%D%/keys/attribute_tests.c \
	%D%/keys/attribute_values.c \
	%D%/keys/carry.c %D%/keys/carry.h \
	%D%/keys/frames.c %D%/keys/frames.h \
	%D%/keys/patch.c %D%/keys/patch.h \
	%D%/keys/patch_lines.c \
	%D%/keys/patch_read.c \
	%D%/keys/pieces.c %D%/keys/pieces.h \
	%D%/keys/rounds.c %D%/keys/rounds.h \
	%D%/keys/steps.c %D%/keys/steps.h \
	%D%/keys/strays.c %D%/keys/strays.h \
	%D%/keys/instances.c %D%/keys/instances.h \
	%D%/keys/loop_tests.c %D%/keys/loop_tests.h \
	%D%/keys/tails.c %D%/keys/tails.h \
	%D%/keys/vector_blocks.c %D%/keys/vector_blocks.h \
	%D%/keys/vector_rests.c %D%/keys/vector_rests.h \
	%D%/keys/vectors.c %D%/keys/vectors.h \
	%D%/keys/unsampled.c %D%/keys/unsampled.h

# How alike two sets of counts are.
%C%_libconverter_la_SOURCES += \
	%D%/compare/compiled.c %D%/compare/compiled.h \
	%D%/compare/metrics.c %D%/compare/metrics.h \
	%D%/compare/overlap.c %D%/compare/overlap.h \
	%D%/compare/side_by_side.c %D%/compare/side_by_side.h \
	%D%/compare/table.c %D%/compare/table.h \
	%D%/compare/trust.c %D%/compare/trust.h \
	%D%/compare/variation.c %D%/compare/variation.h

# What the subcommands print.
%C%_libconverter_la_SOURCES += \
	%D%/print/compiled.c %D%/print/compiled.h \
	%D%/print/functions.c %D%/print/functions.h \
	%D%/print/listing.c %D%/print/listing.h %D%/print/listing_lines.c \
	%D%/print/ranking.c %D%/print/ranking.h \
	%D%/print/source.c %D%/print/source.h \
	%D%/print/summary.c %D%/print/summary.h

# What those share that read perf.data, or write a profile.
%C%_libconverter_la_SOURCES += \
	%D%/arguments.c %D%/arguments.h \
	%D%/job.c %D%/job.h %D%/job_options.c \
	%D%/output.c %D%/output.h

# The command: main() and one file for each subcommand.
bin_PROGRAMS += samplefdo
samplefdo_SOURCES = %D%/main.c %D%/command.h \
	%D%/annotate.c \
	%D%/blocks.c \
	%D%/compare.c \
	%D%/convert.c \
	%D%/merge.c \
	%D%/record.c \
	%D%/remap.c \
	%D%/report.c \
	%D%/show.c \
	%D%/stats.c \
	%D%/step.c
samplefdo_LDADD = %D%/libconverter.la profile/libprofile.la

# Descriptions of processors, chosen by what perf.data says of the CPU.
machinesdir = $(pkgdatadir)/machines
dist_machines_DATA = \
	%D%/machines/amd-zen.machine \
	%D%/machines/arm-neoverse.machine \
	%D%/machines/intel-core.machine
uninstall-hook:
	rmdir "$(DESTDIR)$(machinesdir)" "$(DESTDIR)$(pkgdatadir)" \
		2>/dev/null || :
%C%_libconverter_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DMACHINES='"$(machinesdir)"'
