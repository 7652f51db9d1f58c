# From the figures of programs to speedup.tsv: a line for each build of each,
# and, if there are several programs, of their geometric means.
#
#	PROGRAM time INPUT ROUND BUILD SECONDS
#	PROGRAM count INPUT BUILD INSTRUCTIONS MISPREDICTIONS [I1-MISSES]
#	PROGRAM cold BUILD PERCENT
#	PROGRAM no_entry BUILD PERCENT
#	PROGRAM code BUILD BYTES
#
# Times are medians of rounds.  Their confidence interval of 95 percent is
# that of the bootstrap: rounds are drawn with replacement, the same ones for
# all builds of a program, by a generator of our own with a fixed seed.

!($1 in is_program) {
	is_program[$1] = 1
	program[++programs] = $1
}
$2 == "time" {
	seconds[$1, $3, $5, $4] = $6
	is_timed[$1, $3, $5] = 1
	take_build($5)
	if ($4 > rounds[$1, $3])
		rounds[$1, $3] = $4
}
$2 == "count" {
	counts[$1, $3, $4, "instructions"] = $5
	counts[$1, $3, $4, "mispredictions"] = $6
	if (NF > 6)
		counts[$1, $3, $4, "i1_misses"] = $7
	take_build($4)
}
$2 == "cold" { cold[$1, $3] = $4 }
$2 == "no_entry" { no_entry[$1, $3] = $4 }
$2 == "code" { code[$1, $3] = $4 }

function take_build(b) {
	if (!(b in is_build)) {
		is_build[b] = 1
		build[++builds] = b
	}
}

function sort(values, n,   gap, i, j, v) {
	for (gap = int(n / 2); gap > 0; gap = int(gap / 2))
		for (i = gap + 1; i <= n; i++) {
			v = values[i]
			for (j = i - gap; j > 0 && values[j] > v; j -= gap)
				values[j + gap] = values[j]
			values[j + gap] = v
		}
}

# Sorts them.
function median(values, n) {
	sort(values, n)
	return n % 2 ? values[(n + 1) / 2] \
		     : (values[n / 2] + values[n / 2 + 1]) / 2
}

function random(limit) {
	seed = (seed * 16807) % 2147483647
	return seed % limit
}

# Of the rounds that are drawn.
function median_ratio(p, input, b,   i, v, n, plain) {
	n = rounds[p, input]
	for (i = 1; i <= n; i++) {
		plain = seconds[p, input, "O2", drawn[i]]
		v[i] = plain ? seconds[p, input, b, drawn[i]] / plain : 0
	}
	return median(v, n)
}

# The share of counted's gain that this build has, both relative to O2.  Where
# counted gains less than so much, there is nothing to have a share of:
# instructions are exact, times are not.
function kept(ratio, of_counted, least) {
	if (ratio == "" || of_counted == "")
		return ""
	if (1 - of_counted < least)
		return "-"
	return sprintf("%.0f", 100 * (1 - ratio) / (1 - of_counted))
}

# The geometric mean of these, of the programs that have them.
function mean_of(table, input, b, of,   i, sum, n) {
	for (i = 1; i <= programs; i++) {
		if (!((program[i], input, b, of) in table) || \
		    table[program[i], input, b, of] <= 0)
			continue
		sum += log(table[program[i], input, b, of])
		n++
	}
	return n ? exp(sum / n) : ""
}

function percentiles(p, input, b, values, n) {
	sort(values, n)
	times[p, input, b, "low"] = values[int(n * .025) + 1]
	times[p, input, b, "high"] = values[int(n * .975)]
}

function resample(p, input, n,   i) {
	for (i = 1; i <= n; i++)
		drawn[i] = draws ? 1 + random(n) : i
}

# All of a program's, and logarithms for the mean of programs.
function bootstrap(p, input,   n, b, i, v, r) {
	n = rounds[p, input]
	seed = 1
	for (i = 1; i <= replicates; i++) {
		resample(p, input, n)
		for (b = 1; b <= builds; b++) {
			if (!((p, input, build[b]) in is_timed))
				continue
			r = median_ratio(p, input, build[b])
			v[b, i] = r
			logs[input, b, i] += r > 0 ? log(r) : 0
		}
	}
	for (b = 1; b <= builds; b++) {
		if (!((p, input, build[b]) in is_timed))
			continue
		for (i = 1; i <= replicates; i++)
			values[i] = v[b, i]
		percentiles(p, input, build[b], values, replicates)
	}
}

function take_times(p, input,   b, i, n, v) {
	n = rounds[p, input]
	draws = 0
	resample(p, input, n)
	for (b = 1; b <= builds; b++) {
		if (!((p, input, build[b]) in is_timed))
			continue
		times[p, input, build[b], "ratio"] = \
			median_ratio(p, input, build[b])
		for (i = 1; i <= n; i++)
			v[i] = seconds[p, input, build[b], i]
		times[p, input, build[b], "seconds"] = median(v, n)
		for (i = 1; i <= n; i++)
			v[i] = seconds[p, input, "O2", i] ? \
				seconds[p, input, build[b], i] / \
				seconds[p, input, "O2", i] : 0
		sort(v, n)
		times[p, input, build[b], "least"] = v[1]
		times[p, input, build[b], "most"] = v[n]
	}
	draws = 1
	bootstrap(p, input)
}

function take_counts(p, input,   b, e, event, names) {
	names = split("instructions mispredictions i1_misses", event, " ")
	for (b = 1; b <= builds; b++)
		for (e = 1; e <= names; e++)
			if (counts[p, input, "O2", event[e]] > 0)
				ratios[p, input, build[b], event[e]] = \
					counts[p, input, build[b], event[e]] / \
					counts[p, input, "O2", event[e]]
}

function take_code(p,   b) {
	for (b = 1; b <= builds; b++)
		if (code[p, "O2"] > 0)
			ratios[p, "code", build[b], "bytes"] = \
				code[p, build[b]] / code[p, "O2"]
}

# BUILD-all is the mean of BUILD and all BUILD-NUMBER.
function base_of(b) {
	sub(/-[0-9]+$/, "", b)
	return b
}

function mean_recordings(input, event,   b, base, sum, n) {
	for (b = 1; b <= builds; b++) {
		base = base_of(build[b])
		if (("geomean", input, build[b], event) in ratios) {
			sum[base] += log(ratios["geomean", input, build[b], event])
			n[base]++
		}
	}
	for (base in n)
		if (n[base] > 1) {
			ratios["geomean", input, base "-all", event] = \
				exp(sum[base] / n[base])
			is_repeated[base] = 1
		}
}

function mean_times(input,   b, i, n, m, all) {
	for (i = 1; i <= programs; i++)
		n += (program[i], input) in rounds
	for (b = 1; b <= builds; b++) {
		m = mean_of(times, input, build[b], "ratio")
		if (m == "")
			continue
		times["geomean", input, build[b], "ratio"] = m
		for (i = 1; i <= replicates; i++)
			all[i] = exp(logs[input, b, i] / n)
		percentiles("geomean", input, build[b], all, replicates)
	}
	mean_timed_recordings(input, n)
}

# Their intervals are those of rounds, with these recordings.
function mean_timed_recordings(input, n,   b, base, sum, sums, m, i, all) {
	for (b = 1; b <= builds; b++) {
		if (!(("geomean", input, build[b], "ratio") in times))
			continue
		base = base_of(build[b])
		sum[base] += log(times["geomean", input, build[b], "ratio"])
		m[base]++
		for (i = 1; i <= replicates; i++)
			sums[base, i] += logs[input, b, i] / n
	}
	for (base in m) {
		if (m[base] < 2)
			continue
		times["geomean", input, base "-all", "ratio"] = \
			exp(sum[base] / m[base])
		for (i = 1; i <= replicates; i++)
			all[i] = exp(sums[base, i] / m[base])
		percentiles("geomean", input, base "-all", all, replicates)
		is_repeated[base] = 1
	}
}

function mean_counts(input,   b, e, event, names, m) {
	names = split("instructions mispredictions i1_misses", event, " ")
	for (b = 1; b <= builds; b++)
		for (e = 1; e <= names; e++) {
			m = mean_of(ratios, input, build[b], event[e])
			if (m != "")
				ratios["geomean", input, build[b], event[e]] = m
		}
	for (e = 1; e <= names; e++)
		mean_recordings(input, event[e])
}

function mean_code(   b, m) {
	for (b = 1; b <= builds; b++) {
		m = mean_of(ratios, "code", build[b], "bytes")
		if (m != "")
			ratios["geomean", "code", build[b], "bytes"] = m
	}
	mean_recordings("code", "bytes")
}

function fixed(value, digits) {
	return value == "" ? "" : sprintf("%." digits "f", value)
}

function cells(p, b, input,   t, least) {
	t = p SUBSEP input SUBSEP b SUBSEP
	return fixed(times[t "seconds"], 3) "\t" fixed(times[t "ratio"], 3) \
		"\t" fixed(times[t "least"], 3) "\t" fixed(times[t "most"], 3) \
		"\t" fixed(times[t "low"], 3) "\t" fixed(times[t "high"], 3) \
		"\t" kept(times[t "ratio"], \
			  times[p, input, "counted", "ratio"], 0.03) \
		"\t" counts[t "instructions"] "\t" counts[t "mispredictions"] \
		"\t" counts[t "i1_misses"] \
		"\t" fixed(ratios[t "instructions"], 4) \
		"\t" fixed(ratios[t "mispredictions"], 4) \
		"\t" fixed(ratios[t "i1_misses"], 4) \
		"\t" kept(ratios[t "instructions"], \
			  ratios[p, input, "counted", "instructions"], 0.01)
}

function line(p, b) {
	print p, b, cells(p, b, "ref"), cells(p, b, "train"), cold[p, b] "", \
		no_entry[p, b] "", code[p, b] "", \
		fixed(ratios[p, "code", b, "bytes"], 4)
}

function names(prefix,   n, name, i, all) {
	n = split("user_seconds user_ratio user_ratio_least user_ratio_most " \
		"user_ratio_low user_ratio_high user_kept_percent " \
		"instructions mispredictions i1_misses instructions_ratio " \
		"mispredictions_ratio i1_misses_ratio " \
		"instructions_kept_percent", name, " ")
	for (i = 1; i <= n; i++)
		all = all "\t" prefix name[i]
	return all
}

END {
	OFS = "\t"
	replicates = 1000
	print "program\tbuild" names("") names("train_") \
		"\tcold_percent\tno_entry_percent\tcode_bytes\tcode_ratio"
	inputs = split("ref train", input, " ")
	for (i = 1; i <= inputs; i++) {
		for (p = 1; p <= programs; p++) {
			take_counts(program[p], input[i])
			if ((program[p], input[i]) in rounds)
				take_times(program[p], input[i])
		}
		if (programs > 1) {
			mean_counts(input[i])
			mean_times(input[i])
		}
	}
	for (p = 1; p <= programs; p++)
		take_code(program[p])
	if (programs > 1)
		mean_code()
	for (p = 1; p <= programs; p++)
		for (b = 1; b <= builds; b++)
			line(program[p], build[b])
	if (programs > 1)
		for (b = 1; b <= builds; b++) {
			line("geomean", build[b])
			if (build[b] in is_repeated)
				line("geomean", build[b] "-all")
		}
}
