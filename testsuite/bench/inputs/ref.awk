# What mawk is judged by: another report on another text.

function reverse(s,   i, r) {
	for (i = length(s); i > 0; i--)
		r = r substr(s, i, 1)
	return r
}

function hash(s,   i, h) {
	for (i = 1; i <= length(s); i++)
		h = (h * 31 + index(letters, substr(s, i, 1))) % 1000003
	return h
}

BEGIN { letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" }

{
	key = $2
	total[key] += NF
	last[key] = $NF
	n = split($0, part, /[ .]/)
	parts += n
	if (n > 12)
		long = long + hash(part[n])
}

NR % 7 == 0 {
	$3 = "x"
	rebuilt += length($0)
	if (reverse($4) == $4)
		palindromes++
}

/[aeiou]{0,1}[rst] [a-m]/ { pattern++ }
!/e/ { without++ }

{
	s = sprintf("%05d|%-12s|%8.2f", $1, $2, $1 / 7)
	checks = (checks + length(s) + index(s, "0")) % 65536
}

END {
	for (k in total) {
		keys++
		if (total[k] > most || (total[k] == most && k < name)) {
			most = total[k]
			name = k
		}
	}
	print keys, name, most, last[name], parts, long
	print rebuilt, palindromes + 0, pattern + 0, without + 0, checks
}
