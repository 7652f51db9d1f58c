# A unit test is one C file: name it here once, and say what it links.
check_PROGRAMS += %D%/base
%C%_base_LDADD = base/libbase.la
check_PROGRAMS += %D%/build_id
%C%_build_id_LDADD = base/libbase.la
check_PROGRAMS += %D%/classes
%C%_classes_LDADD = mcf/libmcf.la
check_PROGRAMS += %D%/connect
%C%_connect_LDADD = mcf/libmcf.la
check_PROGRAMS += %D%/reduce
%C%_reduce_LDADD = mcf/libmcf.la
check_PROGRAMS += %D%/flow_cost
%C%_flow_cost_LDADD = mcf/libmcf.la
check_PROGRAMS += %D%/mcf
%C%_mcf_LDADD = mcf/libmcf.la
check_PROGRAMS += %D%/mcf_random
%C%_mcf_random_LDADD = mcf/libmcf.la $(M_LIBS)
check_PROGRAMS += %D%/glpk
%C%_glpk_LDADD = mcf/libmcf.la $(GLPK_LIBS)
%C%_glpk_LDFLAGS = -Wl,--wrap=glp_simplex
check_PROGRAMS += %D%/heap
%C%_heap_LDADD = mcf/libmcf.la $(M_LIBS)
check_PROGRAMS += %D%/repairs
%C%_repairs_LDADD = mcf/libmcf.la
check_PROGRAMS += %D%/reuse
%C%_reuse_LDADD = mcf/libmcf.la $(M_LIBS)
%C%_reuse_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
check_PROGRAMS += %D%/room
%C%_room_LDADD = mcf/libmcf.la
check_PROGRAMS += %D%/scaling
%C%_scaling_LDADD = mcf/libmcf.la
check_PROGRAMS += %D%/star
%C%_star_LDADD = mcf/libmcf.la
%C%_star_LDFLAGS = -Wl,--wrap=scaling_push
check_PROGRAMS += %D%/tour
%C%_tour_LDADD = mcf/libmcf.la
check_PROGRAMS += %D%/patch
%C%_patch_LDADD = converter/libconverter.la base/libbase.la
check_PROGRAMS += %D%/producer
%C%_producer_LDADD = converter/libconverter.la base/libbase.la
check_PROGRAMS += %D%/keys_rounds
%C%_keys_rounds_LDADD = converter/libconverter.la
check_PROGRAMS += %D%/keys_vectors
%C%_keys_vectors_LDADD = converter/libconverter.la profile/libprofile.la \
	$(M_LIBS)

check_PROGRAMS += %D%/pieces
%C%_pieces_LDADD = converter/libconverter.la profile/libprofile.la
check_PROGRAMS += %D%/begins
%C%_begins_LDADD = converter/libconverter.la profile/libprofile.la \
	base/libbase.la $(M_LIBS)
check_PROGRAMS += %D%/nests
%C%_nests_LDADD = converter/libconverter.la base/libbase.la
check_PROGRAMS += %D%/strays
%C%_strays_LDADD = converter/libconverter.la base/libbase.la
check_PROGRAMS += %D%/expected
%C%_expected_LDADD = converter/libconverter.la base/libbase.la $(M_LIBS)
check_PROGRAMS += %D%/unseen
%C%_unseen_LDADD = converter/libconverter.la base/libbase.la
check_PROGRAMS += %D%/looks
%C%_looks_LDADD = converter/libconverter.la base/libbase.la $(M_LIBS)
check_PROGRAMS += %D%/arms
%C%_arms_LDADD = converter/libconverter.la base/libbase.la $(M_LIBS)
check_PROGRAMS += %D%/gather
%C%_gather_LDADD = converter/libconverter.la base/libbase.la
check_PROGRAMS += %D%/waits
%C%_waits_LDADD = converter/libconverter.la base/libbase.la $(M_LIBS)
check_PROGRAMS += %D%/prepass
%C%_prepass_LDADD = converter/libconverter.la profile/libprofile.la
check_PROGRAMS += %D%/profile
%C%_profile_LDADD = profile/libprofile.la
check_PROGRAMS += %D%/profile_file
%C%_profile_file_LDADD = profile/libprofile.la
check_PROGRAMS += %D%/profile_merge
%C%_profile_merge_LDADD = profile/libprofile.la
check_PROGRAMS += %D%/profile_stream
%C%_profile_stream_LDADD = profile/libprofile.la
check_PROGRAMS += %D%/smooth
%C%_smooth_LDADD = mcf/libmcf.la
check_PROGRAMS += %D%/smooth_random
%C%_smooth_random_LDADD = mcf/libmcf.la $(M_LIBS)
check_PROGRAMS += %D%/lines
%C%_lines_LDADD = converter/libconverter.la
check_PROGRAMS += %D%/stuck
%C%_stuck_LDADD = converter/libconverter.la base/libbase.la $(M_LIBS)
check_PROGRAMS += %D%/addrmap
%C%_addrmap_LDADD = converter/libconverter.la base/libbase.la
check_PROGRAMS += %D%/events
%C%_events_LDADD = converter/libconverter.la base/libbase.la
check_PROGRAMS += %D%/perfdata
%C%_perfdata_SOURCES = %D%/perfdata.c $(perf_writer)
%C%_perfdata_LDADD = converter/libconverter.la base/libbase.la $(ZSTD_LIBS)
check_PROGRAMS += %D%/perfdir
%C%_perfdir_SOURCES = %D%/perfdir.c $(perf_writer)
%C%_perfdir_LDADD = converter/libconverter.la base/libbase.la $(ZSTD_LIBS)
check_PROGRAMS += %D%/perfqueue
%C%_perfqueue_LDADD = converter/libconverter.la base/libbase.la
check_PROGRAMS += %D%/branches
%C%_branches_SOURCES = %D%/branches.c $(perf_writer)
%C%_branches_LDADD = converter/libconverter.la base/libbase.la $(ZSTD_LIBS)
check_PROGRAMS += %D%/passes
%C%_passes_LDADD = converter/libconverter.la base/libbase.la $(ZSTD_LIBS)
check_PROGRAMS += %D%/firsts
%C%_firsts_SOURCES = %D%/firsts.c $(perf_writer)
%C%_firsts_LDADD = converter/libconverter.la base/libbase.la $(ZSTD_LIBS)
check_PROGRAMS += %D%/samples
%C%_samples_SOURCES = %D%/samples.c $(perf_writer) \
	testsuite/lib/samples_print.c testsuite/lib/samples_print.h
%C%_samples_LDADD = converter/libconverter.la base/libbase.la $(ZSTD_LIBS)
check_PROGRAMS += %D%/step
%C%_step_SOURCES = %D%/step.c $(perf_writer)
%C%_step_LDADD = converter/libconverter.la base/libbase.la $(ZSTD_LIBS)
check_PROGRAMS += %D%/traced
%C%_traced_LDADD = converter/libconverter.la base/libbase.la $(ZSTD_LIBS)
check_PROGRAMS += %D%/chain
%C%_chain_LDADD = converter/libconverter.la $(M_LIBS)
check_PROGRAMS += %D%/outcome
%C%_outcome_LDADD = converter/libconverter.la
check_PROGRAMS += %D%/decode
%C%_decode_LDADD = converter/libconverter.la
check_PROGRAMS += %D%/graphs
%C%_graphs_LDADD = converter/libconverter.la base/libbase.la
%C%_graphs_LDFLAGS = -Wl,--wrap=cfg_build
check_PROGRAMS += %D%/jumptable
%C%_jumptable_LDADD = converter/libconverter.la base/libbase.la
%C%_jumptable_LDFLAGS = \
	-Wl,--wrap=object_pointer -Wl,--wrap=object_bytes
check_PROGRAMS += \
	%D%/apart %D%/cold_blocks %D%/compared %D%/contexts %D%/counts %D%/entered %D%/evidence \
	%D%/first_uses %D%/hoisted %D%/known %D%/moves %D%/numbers %D%/options %D%/passed %D%/rounds \
	%D%/shape %D%/shared %D%/shares %D%/targets %D%/unit %D%/vote
%C%_apart_LDADD = plugin/libsupport.a $(GLPK_LIBS) $(M_LIBS)
%C%_cold_blocks_LDADD = plugin/libsupport.a
%C%_compared_LDADD = plugin/libsupport.a $(M_LIBS)
%C%_contexts_LDADD = plugin/libsupport.a $(M_LIBS)
%C%_counts_LDADD = plugin/libsupport.a $(GLPK_LIBS) $(M_LIBS)
%C%_entered_LDADD = plugin/libsupport.a
%C%_evidence_LDADD = plugin/libsupport.a
%C%_first_uses_LDADD = plugin/libsupport.a
%C%_hoisted_LDADD = plugin/libsupport.a $(GLPK_LIBS) $(M_LIBS)
%C%_known_LDADD = plugin/libsupport.a
%C%_moves_LDADD = plugin/libsupport.a
%C%_numbers_LDADD = plugin/libsupport.a
%C%_options_LDADD = plugin/libsupport.a
%C%_passed_LDADD = plugin/libsupport.a
%C%_rounds_LDADD = plugin/libsupport.a $(GLPK_LIBS) $(M_LIBS)
%C%_shape_LDADD = plugin/libsupport.a
%C%_shared_LDADD = plugin/libsupport.a
%C%_shares_LDADD = plugin/libsupport.a
%C%_targets_LDADD = plugin/libsupport.a
%C%_unit_LDADD = plugin/libsupport.a
%C%_vote_LDADD = plugin/libsupport.a
check_PROGRAMS += %D%/shadow
%C%_shadow_LDADD = converter/libconverter.la base/libbase.la

check_PROGRAMS += %D%/walk
%C%_walk_LDADD = converter/libconverter.la
check_PROGRAMS += %D%/metrics
%C%_metrics_LDADD = converter/libconverter.la
check_PROGRAMS += %D%/classify
%C%_classify_LDADD = converter/libconverter.la
check_PROGRAMS += %D%/svr
%C%_svr_LDADD = svr-train/libsvr.la

# How likely edges are by the look of the code.
check_PROGRAMS += %D%/heuristics
%C%_heuristics_LDADD = converter/libconverter.la $(M_LIBS)

# Counts across functions.
check_PROGRAMS += %D%/span
%C%_span_SOURCES = \
	%D%/span.c testsuite/lib/span_lp.c testsuite/lib/span_lp.h
%C%_span_LDADD = mcf/libmcf.la $(GLPK_LIBS) $(M_LIBS)
check_PROGRAMS += %D%/head
%C%_head_LDADD = converter/libconverter.la $(M_LIBS)
check_PROGRAMS += %D%/trust
%C%_trust_LDADD = converter/libconverter.la $(M_LIBS)
check_PROGRAMS += %D%/weights
%C%_weights_LDADD = converter/libconverter.la base/libbase.la $(M_LIBS)
check_PROGRAMS += %D%/json
%C%_json_LDADD = base/libbase.la
check_PROGRAMS += %D%/variation
%C%_variation_LDADD = converter/libconverter.la $(M_LIBS)
