# n things of which m sacks hold as much value as can be, as a linear program of
# whole numbers in the format of CPLEX; the same for the same seed.

function random(limit) {
	seed = (seed * 16807) % 2147483647
	return seed % limit
}

BEGIN {
	print "Maximize"
	for (i = 1; i <= n; i++)
		printf " + %d x%d%s", 20 + random(80), i, i % 8 ? "" : "\n"
	print "\nSubject To"
	for (j = 1; j <= m; j++) {
		sum = 0
		printf " sack%d:", j
		for (i = 1; i <= n; i++) {
			sum += weight = 10 + random(90)
			printf " + %d x%d%s", weight, i, i % 8 ? "" : "\n"
		}
		print " <=", int(sum / 3)
	}
	print "Binary"
	for (i = 1; i <= n; i++)
		print " x" i
	print "End"
}
