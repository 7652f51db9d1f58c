# From n places to m others, as cheaply as can be, not too much on each way: a
# linear program in the format of CPLEX; the same for the same seed.

function random(limit) {
	seed = (seed * 16807) % 2147483647
	return seed % limit
}

BEGIN {
	print "Minimize"
	for (i = 1; i <= n; i++)
		for (j = 1; j <= m; j++)
			printf " + %.1f x%d_%d%s", 1 + random(400) / 10, i, j,
				j % 6 ? "" : "\n"
	print "\nSubject To"
	for (i = 1; i <= n; i++) {
		printf " from%d:", i
		for (j = 1; j <= m; j++)
			printf " + x%d_%d%s", i, j, j % 8 ? "" : "\n"
		print " <=", 10 * m
	}
	for (j = 1; j <= m; j++) {
		printf " to%d:", j
		for (i = 1; i <= n; i++)
			printf " + x%d_%d%s", i, j, i % 8 ? "" : "\n"
		print " >=", n * 4 + random(n * 4)
	}
	print "Bounds"
	for (i = 1; i <= n; i++)
		for (j = 1; j <= m; j++)
			print " 0 <= x" i "_" j " <=", 10 + random(20)
	print "End"
}
