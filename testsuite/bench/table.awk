# From speedup.tsv to a table for people: of its columns, those that one looks
# at.  Older ones have no sizes of code.

function million(n) { return n == "" ? "" : sprintf("%.1f", n / 1e6) }
function thousand(n) { return n == "" ? "" : sprintf("%.0f", n / 1e3) }
function percent(p) { return p == "" || p == "-" ? p : p " %" }
function cell(name) {
	if (!(name in column)) {
		print "table.awk: no column " name >"/dev/stderr"
		exit 1
	}
	return $column[name]
}

BEGIN {
	row = "%-10s %-15s %8s %6s %-14s %6s %10s %8s %7s %6s %10s %6s %6s %6s %7s %8s %6s\n"
	printf row, "", "", "user", "", "", "", "million", "mis-", "1000 I1", "", \
		"training:", "", "user", "", "", "no", ""
	printf row, "program", "build", "seconds", "ratio", " (95 %)", \
		"kept", "instr.", "predict.", "misses", "kept", "instr.", \
		"kept", "ratio", "kept", "cold", "entry", "code"
}

/^#/ { next }
!columns {
	for (columns = 1; columns <= NF; columns++)
		column[$columns] = columns
	next
}
$2 == "O2" { print "" }
{
	is_plain = $2 == "O2"
	is_judged = !is_plain && $2 != "counted"
	is_mean = $1 == "geomean"
	interval = cell("user_ratio_low") == "" ? "" : \
		" (" cell("user_ratio_low") "-" cell("user_ratio_high") ")"
	printf row, is_plain ? $1 : "", $2, cell("user_seconds"), \
		is_plain ? "" : cell("user_ratio"), is_plain ? "" : interval, \
		is_judged ? percent(cell("user_kept_percent")) : "", \
		is_mean ? cell("instructions_ratio") \
			: million(cell("instructions")), \
		is_mean ? cell("mispredictions_ratio") \
			: million(cell("mispredictions")), \
		is_mean ? cell("i1_misses_ratio") : thousand(cell("i1_misses")), \
		is_judged ? percent(cell("instructions_kept_percent")) : "", \
		is_mean ? cell("train_instructions_ratio") \
			: million(cell("train_instructions")), \
		is_judged ? percent(cell("train_instructions_kept_percent")) : "", \
		is_plain ? "" : cell("train_user_ratio"), \
		is_judged ? percent(cell("train_user_kept_percent")) : "", \
		percent(cell("cold_percent")), percent(cell("no_entry_percent")), is_plain || !("code_ratio" in column) ? "" : cell("code_ratio")
}
