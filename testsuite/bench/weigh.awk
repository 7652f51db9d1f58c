# weigh.awk - the block overlap with the truth of what weights make of a table.
#
#	awk -f weigh.awk WEIGHTS TABLE		files of svr-train(1)
#
# By the words of the manual page only, and so a check of svr-train, too.

BEGIN { FS = "\t" }

NR == FNR {
	if ($1 == "weight")
		weight[$2] = $4
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	for (event in weight)
		if (!(event in column)) {
			print FILENAME ": no column " event >"/dev/stderr"
			exit 1
		}
	next
}

$column["instructions"] > 0 {
	blocks++
	instructions[blocks] = $column["instructions"]
	truth[blocks] = $column["true"]
	all_true += truth[blocks]
	for (event in weight) {
		samples[blocks, event] = $column[event]
		all[event] += $column[event]
	}
}

END {
	for (b = 1; b <= blocks; b++) {
		for (event in weight)
			if (all[event])
				count[b] += weight[event] * \
					samples[b, event] / all[event] / \
					instructions[b]
		if (count[b] < 0)
			count[b] = 0
		all_counts += count[b]
	}
	for (b = 1; b <= blocks && all_counts; b++) {
		share = count[b] / all_counts
		true_share = truth[b] / all_true
		overlap += share < true_share ? share : true_share
	}
	printf "%.2f\n", 100 * overlap
}
