# histogram.awk - how often each place of a program was sampled.
#
# Reads a simulator's samples (testsuite/pmusim/output.h) and prints lines of
# event number, file offset (hex) and samples, for the file `program`.

function number(hex,	n, i) {
	for (i = 1; i <= length(hex); i++)
		n = n * 16 + index("123456789abcdef", substr(hex, i, 1))
	return n + 0
}

$1 == "map" && $7 == program {
	start[++maps] = number($3)
	end[maps] = start[maps] + number($4)
	offset[maps] = number($5)
}

$1 == "sample" {
	count[$3 " " $5]++
}

END {
	for (key in count) {
		split(key, part, " ")
		ip = number(part[2])
		for (m = 1; m <= maps; m++)
			if (ip >= start[m] && ip < end[m]) {
				printf "%d %x %d\n", part[1],
					ip - start[m] + offset[m], count[key]
				break
			}
	}
}
