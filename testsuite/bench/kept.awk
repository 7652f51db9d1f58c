# From speedup.tsv: what each build keeps of the gain in instructions on the
# other input, a line for each program, for a picture.

NR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	next
}
$2 == "O2" || $2 == "flags" || $2 == "counted" { next }
!($2 in seen) { seen[$2] = 1; build[++builds] = $2 }
!($1 in lines) { lines[$1] = 1; program[++programs] = $1 }
{ kept[$1, $2] = $column["instructions_kept_percent"] }
END {
	printf "program"
	for (b = 1; b <= builds; b++)
		printf "\t%s", build[b]
	print ""
	for (p = 1; p <= programs; p++) {
		printf "%s", program[p]
		for (b = 1; b <= builds; b++)
			printf "\t%s", kept[program[p], build[b]]
		print ""
	}
}
