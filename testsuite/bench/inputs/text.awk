# A table of `lines` lines, the same for the same seed, from the given words.

function random(n) {
	seed = (seed * 16807) % 2147483647
	return seed % n
}

BEGIN {
	n = split(words, word, " ")
	for (i = 1; i <= lines; i++) {
		line = i
		fields = 4 + random(6)
		for (f = 1; f <= fields; f++)
			line = line " " (random(4) == 0 ? random(1000) / 8 \
							: word[1 + random(n)])
		print line
	}
}
