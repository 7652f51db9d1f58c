dist_check_SCRIPTS += %D%/layers.test %D%/cases.test %D%/format.test %D%/document.test \
	%D%/completion.test %D%/examples.test

# A tool test is two files, NAME.cmd and NAME.out: name it here once.
tool_cases = \
	%D%/annotate-usage.cmd %D%/annotate-usage.out \
	%D%/closed.cmd %D%/closed.out \
	%D%/compare-compiled.cmd %D%/compare-compiled.out \
	%D%/compare-counts.cmd %D%/compare-counts.out \
	%D%/compare-usage.cmd %D%/compare-usage.out \
	%D%/convert-usage.cmd %D%/convert-usage.out \
	%D%/record.cmd %D%/record.out \
	%D%/data/small.txt %D%/data/two.compared \
	%D%/first-use.cmd %D%/first-use.out \
	%D%/limit.cmd %D%/limit.out \
	%D%/merge.cmd %D%/merge.out \
	%D%/merge-usage.cmd %D%/merge-usage.out \
	%D%/remap.cmd %D%/remap.out \
	%D%/remap-usage.cmd %D%/remap-usage.out \
	%D%/show.cmd %D%/show.out \
	%D%/show-usage.cmd %D%/show-usage.out \
	%D%/no-command.cmd %D%/no-command.out \
	%D%/speedup-table.cmd %D%/speedup-table.out \
	%D%/svr-train.cmd %D%/svr-train.out \
	%D%/svr-train-tables.cmd %D%/svr-train-tables.out \
	%D%/svr-train-usage.cmd %D%/svr-train-usage.out \
	%D%/version.cmd %D%/version.out
EXTRA_DIST += $(tool_cases)
