# dense.sh - short runs with dense samples, for scripts that look at many
# estimates of the same ones.

size=small
usual="$all_programs scheme"
tuned="bzip2 lua mawk"

dense="event=INST_RETIRED/401/rand=0x7f
	event=CPU_CLK_UNHALTED.THREAD/401/rand=0x7f
	event=DTLB_MISS/23/rand=0x7 event=L2_MISS/47/rand=0xf"

simulate_densely() {
	simulate dense $dense
	only $model_events
}

# The same samples with registers.
simulate_registers() {
	simulate registers registers=1 $dense
	only $model_events
}

# As many, of a PMU that has nothing wrong: one instruction retires in a cycle,
# and it is the one that is named.  What is left is chance.
simulate_ideally() {
	simulate ideal width=1 registers=1 \
		event=INST_RETIRED/401/rand=0x7f/skid=0/jitter=0
	only 0 0
}

# A tenth of what is dense.
simulate_sparsely() {
	simulate sparse event=INST_RETIRED/4001/rand=0x7ff \
		event=CPU_CLK_UNHALTED.THREAD/4001/rand=0x7ff \
		event=DTLB_MISS/101/rand=0x1f event=L2_MISS/211/rand=0x3f
	only $model_events
}

# Taken branches with records, precise and not, beside the dense ones.
simulate_branches() {
	simulate branches lbr=32 event=INST_RETIRED/401/rand=0x7f \
		event=CPU_CLK_UNHALTED.THREAD/401/rand=0x7f \
		event=BR_TAKEN/101/rand=0x1f/pebs \
		event=BR_TAKEN.LATE/101/rand=0x1f
}

# The same, and bursts of a thousand steps as samplefdo step makes them.
simulate_steps() {
	simulate steps registers=1 event=DTLB_MISS/23/rand=0x7 \
		event=L2_MISS/47/rand=0xf event=INST_RETIRED/401/rand=0x7f \
		event=CPU_CLK_UNHALTED.THREAD/401/rand=0x7f \
		event=CPU_CLK_UNHALTED.STEPS/35003/rand=0x3fff/steps=1000
}

# Mean periods of what is dense, for svr-train.
periods() {
	echo "-e inst=INST_RETIRED:464 -e cycles=CPU_CLK_UNHALTED.THREAD:464" \
		"-e stall=DTLB_MISS:26 -e stall=L2_MISS:54"
}

is_tuned() {
	case " $tuned " in
	*" $name "*) echo yes ;;
	*) echo no ;;
	esac
}

# A row for each column of the table but the first, a column for each program,
# and two of means.
transpose() {
	grep '^#' "$results/$figure.tsv" >"$work/$figure.tsv.new"
	grep -v '^#' "$results/$figure.tsv" | awk -F '\t' -v tuned=" $tuned " '
		{ for (i = 1; i <= NF; i++) cell[NR, i] = $i; columns = NF }
		END {
			printf "without"
			for (p = 2; p <= NR; p++)
				printf "\t%s", cell[p, 1]
			print "\ttuned\tothers"
			for (i = 2; i <= columns; i++) {
				printf "%s", cell[1, i]
				split("", sum); split("", n)
				for (p = 2; p <= NR; p++) {
					printf "\t%s", cell[p, i]
					if (cell[p, i] == "-")
						continue
					is = index(tuned, " " cell[p, 1] " ") > 0
					sum[is] += cell[p, i]
					n[is]++
				}
				for (is = 1; is >= 0; is--)
					printf n[is] ? "\t%.2f" : "\t-", \
						n[is] ? sum[is] / n[is] : 0
				print ""
			}
		}' >>"$work/$figure.tsv.new" &&
		mv "$work/$figure.tsv.new" "$results/$figure.tsv"
}
