# A random formula of n variables with three in each clause, in DIMACS form.

function random(limit) {
	seed = (seed * 16807) % 2147483647
	return seed % limit
}

BEGIN {
	clauses = int(n * 4.2)
	print "p cnf", n, clauses
	for (i = 0; i < clauses; i++) {
		a = 1 + random(n)
		do b = 1 + random(n); while (b == a)
		do c = 1 + random(n); while (c == a || c == b)
		print random(2) ? a : -a, random(2) ? b : -b, random(2) ? c : -c, 0
	}
}
