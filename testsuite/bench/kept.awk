# From speedup.tsv: what each build keeps of the gain in instructions on the
# other input, a line for each program, for a picture.  Of builds of several
# recordings, the mean.

function mean(p, b) {
	return recordings[p, b] ? sprintf("%.0f", \
		kept[p, b] / recordings[p, b]) : "-"
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	next
}
$2 == "O2" || $2 == "flags" || $2 == "counted" || $2 ~ /-all$/ { next }
{ sub(/-[0-9]+$/, "", $2) }
!($2 in seen) { seen[$2] = 1; build[++builds] = $2 }
!($1 in lines) { lines[$1] = 1; program[++programs] = $1 }
$column["instructions_kept_percent"] ~ /[0-9]/ {
	kept[$1, $2] += $column["instructions_kept_percent"]
	recordings[$1, $2]++
}
END {
	printf "program"
	for (b = 1; b <= builds; b++)
		printf "\t%s", build[b]
	print ""
	for (p = 1; p <= programs; p++) {
		printf "%s", program[p]
		for (b = 1; b <= builds; b++)
			printf "\t%s", mean(program[p], build[b])
		print ""
	}
}
