# ratios.awk - executions of blocks from cycles, by the heuristic of Anderson et
# al., DCPI, section 6.1.3, on a machine that retires one instruction a cycle.
#
# Reads samples by place (histogram.awk), the truth, and a table of blocks, in
# this order; prints samples, estimate and truth of each block with samples.
#
# An instruction is at the head for one cycle at least, so that its samples say
# at most how often it ran, and exactly that if it never stalls: the smaller
# counts of a block are averaged.  Classes of blocks that run equally often,
# and propagation, are left out.

function number(hex,	n, i) {
	for (i = 1; i <= length(hex); i++)
		n = n * 16 + index("123456789abcdef", substr(hex, i, 1))
	return n + 0
}

function sort(n,	i, j, v) {
	for (i = 2; i <= n; i++) {
		v = ratio[i]
		for (j = i - 1; j > 0 && ratio[j] > v; j--)
			ratio[j + 1] = ratio[j]
		ratio[j + 1] = v
	}
}

# Of n sorted ratios with this sum: a cluster of alike small ones, if it has
# enough of them; of few samples, the mean of all.
function frequency(n, sum,	i, j, part) {
	if (sum < 20 * n)
		return sum / n
	for (i = 1; i <= n; i++) {
		part = 0
		for (j = i; j <= n && ratio[j] <= 1.5 * ratio[i]; j++)
			part += ratio[j]
		if (ratio[i] && ((j - i) * 4 >= n || j - i >= 3))
			return part / (j - i)
	}
	return sum / n
}

FILENAME == ARGV[1] {
	samples[number($2)] = $3
	next
}

FILENAME == ARGV[2] {
	if ($1 == "object")
		ours = index($0, object) == 1
	else if (ours && $1 == "i")
		executed[number($2)] = 1
	next
}

!cycles {
	for (i = 1; i <= NF; i++) {
		column[$i] = i
		if (tolower($i) ~ /^cpu_clk/)
			cycles = i
	}
	next
}

$cycles {
	n = sum = 0
	place = number(substr($2, 3))
	for (end = place + 15 * $3; n < $3 && place < end; place++)
		if (place in executed) {
			ratio[++n] = samples[place] + 0
			sum += ratio[n]
		}
	sort(n)
	if (n)
		print $cycles, frequency(n, sum) * period, $column["true"]
}
