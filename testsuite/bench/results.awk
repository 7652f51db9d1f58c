# From the figures of one program to its four lines of results.tsv.
#
#	time ROUND BUILD SECONDS	count INPUT BUILD INSTRUCTIONS MISPREDICTIONS
#	cold BUILD PERCENT		no_entry BUILD PERCENT

$1 == "time" {
	seconds[$3, $2] = $4
	rounds = $2 > rounds ? $2 : rounds
}
$1 == "count" {
	instructions[$2, $3] = $4
	mispredictions[$2, $3] = $5
}
$1 == "cold" { cold[$2] = $3 }
$1 == "no_entry" { no_entry[$2] = $3 }

function sorted(values, n,   i, j, v) {
	for (i = 2; i <= n; i++) {
		v = values[i]
		for (j = i - 1; j > 0 && values[j] > v; j--)
			values[j + 1] = values[j]
		values[j + 1] = v
	}
}

function median(values, n) {
	sorted(values, n)
	return n % 2 ? values[(n + 1) / 2] \
		     : (values[n / 2] + values[n / 2 + 1]) / 2
}

# The share of counted's gain that this build has.  Where counted gains less
# than so much of O2's, there is nothing to have a share of: instructions are
# exact, times are not.
function kept(plain, ours, counted, least) {
	if (plain == 0 || plain - counted < plain * least)
		return "-"
	return sprintf("%.0f", 100 * (plain - ours) / (plain - counted))
}

function ratios(build, to,   i) {
	for (i = 1; i <= rounds; i++)
		to[i] = seconds["O2", i] ? seconds[build, i] / seconds["O2", i] : 0
	return median(to, rounds)
}

function own_median(build,   i, s) {
	for (i = 1; i <= rounds; i++)
		s[i] = seconds[build, i]
	return median(s, rounds)
}

function line(build,   ratio, r, counted_ratio, c) {
	ratio = ratios(build, r)
	counted_ratio = ratios("counted", c)
	print program, build, sprintf("%.3f", own_median(build)), \
		sprintf("%.3f", ratio), sprintf("%.3f", r[1]), \
		sprintf("%.3f", r[rounds]), \
		kept(1, ratio, counted_ratio, 0.03), \
		instructions["ref", build], mispredictions["ref", build], \
		kept(instructions["ref", "O2"], instructions["ref", build], \
		     instructions["ref", "counted"], 0.01), \
		instructions["train", build] "", \
		mispredictions["train", build] "", \
		kept(instructions["train", "O2"], \
		     instructions["train", build], \
		     instructions["train", "counted"], 0.01), \
		cold[build], build in no_entry ? no_entry[build] : ""
}

END {
	OFS = "\t"
	print "program", "build", "user_seconds", "user_ratio", \
		"user_ratio_least", "user_ratio_most", "user_kept_percent", \
		"instructions", "mispredictions", "instructions_kept_percent", \
		"train_instructions", "train_mispredictions", \
		"train_instructions_kept_percent", \
		"cold_percent", "no_entry_percent"
	line("O2")
	line("flags")
	line("sampled")
	line("counted")
}
