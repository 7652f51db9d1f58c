# From speedup.tsv: what each build keeps of the gain in instructions on the
# other input, a line for each program, for a picture.  Of builds of several
# recordings, the mean, which in the mean of programs is BUILD-all.

function mean(p, b) {
	if ((p, b) in all)
		return all[p, b]
	return recordings[p, b] ? sprintf("%.0f", \
		kept[p, b] / recordings[p, b]) : "-"
}

/^#/ { next }
!column {
	for (i = 1; i <= NF; i++)
		if ($i == "instructions_kept_percent")
			column = i
	if (!column)
		exit
	next
}
$2 == "O2" || $2 == "flags" || $2 == "counted" { next }
sub(/-all$/, "", $2) { all[$1, $2] = $column; next }
{ sub(/-[0-9]+$/, "", $2) }
!($2 in seen) { seen[$2] = 1; build[++builds] = $2 }
!($1 in lines) { lines[$1] = 1; program[++programs] = $1 }
$column ~ /[0-9]/ {
	kept[$1, $2] += $column
	recordings[$1, $2]++
}
END {
	if (!column) {
		print "kept.awk: no column instructions_kept_percent" \
			>"/dev/stderr"
		exit 1
	}
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
