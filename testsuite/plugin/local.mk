# The plugin in each GCC, with profiles that are written by hand.
dist_check_SCRIPTS += \
	%D%/annotate.test %D%/cold.test %D%/compare.test \
	%D%/conditions.test %D%/contexts.test %D%/debug.test \
	%D%/errors.test %D%/flags.test %D%/indirect.test \
	%D%/inlining.test %D%/languages.test %D%/options.test %D%/order.test \
	%D%/outcomes.test \
	%D%/robust.test %D%/stale.test %D%/torture.test %D%/values.test
EXTRA_DIST += %D%/lib.sh %D%/random-profile.awk %D%/random-program.awk \
	%D%/sample-loops.c %D%/sample-machine.c
