# The training input for mawk: words, sums, patterns, substitution.

function pad(s, width) {
	while (length(s) < width)
		s = s "."
	return s
}

{
	fields[NF]++
	padded = padded % 10007 + index(pad($2, 14), ".")
	columns = length(sprintf("%-8s %6.2f %d", $2, NR / 3, NF))
	n_split += split($0, piece, / /)
	for (i = 2; i <= NF; i++)
		if ($i ~ /^[0-9.]+$/) {
			sum += $i
			numbers++
		} else {
			count[tolower($i)]++
		}
}

/th[aei]/ { matched++ }
$3 ~ /^[A-Z]/ && length($3) > 3 { capital++ }

{
	line = $0
	changed += gsub(/the|of/, "<&>", line)
	gsub(/[0-9]+/, "N", line)
	widest = length(line) > widest ? length(line) : widest
	if (match(line, /<[a-z]+> [a-z]+/))
		pairs[substr(line, RSTART, RLENGTH)]++
}

END {
	for (w in count) {
		words++
		if (count[w] > best || (count[w] == best && w < common)) {
			best = count[w]
			common = w
		}
	}
	for (p in pairs)
		n_pairs++
	printf "%d %d %.3f %d %s %d\n", words, numbers, sum, matched, common, best
	print padded, columns, n_split
	print capital, changed, widest, n_pairs, fields[5], fields[9]
}
