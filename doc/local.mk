dist_man_MANS += \
	%D%/samplefdo.1 \
	%D%/samplefdo-gcc.1 \
	%D%/samplefdo-profile.5 \
	%D%/svr-train.1

completionsdir = $(datadir)/bash-completion/completions
dist_completions_DATA = %D%/completions/samplefdo
