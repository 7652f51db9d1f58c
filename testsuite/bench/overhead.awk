# From the figures of programs: what training costs, relative to the program
# as it is, as the median of rounds; and geometric means.
#
#	PROGRAM overhead ROUND HOW SECONDS

$2 == "overhead" {
	if (!($1 in is_program)) {
		is_program[$1] = 1
		program[++programs] = $1
	}
	if (!($4 in is_way)) {
		is_way[$4] = 1
		way[++ways] = $4
	}
	seconds[$1, $4, ++rounds[$1, $4]] = $5
}

function median(p, how,   n, i, j, t, v) {
	n = rounds[p, how]
	for (i = 1; i <= n; i++) {
		t = seconds[p, how, i]
		for (j = i - 1; j > 0 && v[j] > t; j--)
			v[j + 1] = v[j]
		v[j + 1] = t
	}
	return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}

END {
	printf "program\tseconds"
	for (w = 2; w <= ways; w++)
		printf "\t%s", way[w]
	print ""
	for (p = 1; p <= programs; p++) {
		plain = median(program[p], way[1])
		printf "%s\t%.3f", program[p], plain
		for (w = 2; w <= ways; w++) {
			ratio = plain ? median(program[p], way[w]) / plain : 1
			sum[w] += ratio > 0 ? log(ratio) : 0
			printf "\t%.3f", ratio
		}
		print ""
	}
	printf "geomean\t"
	for (w = 2; w <= ways; w++)
		printf "\t%.3f", exp(sum[w] / programs)
	print ""
}
