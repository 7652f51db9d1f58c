# From results.tsv, those of several programs one after the other, to a table.

function million(n) { return n == "" ? "" : sprintf("%.1f", n / 1e6) }
function percent(p) { return p == "" || p == "-" ? p : p " %" }

BEGIN {
	row = "%-10s %-8s %8s %6s %-14s %6s %10s %8s %6s %10s %6s %7s %8s\n"
	printf row, "", "", "user", "", "", "", "million", "mis-", "", \
		"training:", "", "", "no"
	printf row, "program", "build", "seconds", "ratio", " (range)", "kept", \
		"instr.", "predict.", "kept", "instr.", "kept", "cold", "entry"
}

$1 == "program" { next }
$2 == "O2" { print "" }
{
	is_plain = $2 == "O2"
	is_judged = $2 == "flags" || $2 == "sampled"
	printf row, is_plain ? $1 : "", $2, $3, is_plain ? "" : $4, \
		is_plain ? "" : " (" $5 "-" $6 ")", \
		is_judged ? percent($7) : "", million($8), million($9), \
		is_judged ? percent($10) : "", million($11), \
		is_judged && $11 != "" ? percent($13) : "", \
		percent($14), percent($15)
}
