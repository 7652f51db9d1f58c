# bolt.sh - the edges that BOLT estimates without branch records.
#
#	bolt_edges PROGRAM TABLE PERFDATA...	fails if there is no BOLT
#
# The newest llvm-bolt that is installed (package bolt-N) reads what its
# perf2bolt -nl makes of the samples, all events alike; the table is one of
# samplefdo blocks --edges, with BOLT's counts (bolt.awk).  Only functions that
# BOLT can take apart have any.  $samplefdo is the command.

bolt_folder() {
	local folder
	for folder in $(ls -d /usr/lib/llvm-*/bin 2>/dev/null | sort -rV) \
		/usr/local/bin /usr/bin; do
		test -x "$folder/perf2bolt" && test -x "$folder/llvm-bolt" &&
			echo "$folder" && return
	done
	return 1
}

# merge-fdata (of LLVM 19) takes no samples without branches.
bolt_merge() {
	awk 'FNR == 1 { if (NR == 1) print; next }
		{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n }
		END { for (place in sum) print place, sum[place] | "sort" }' "$@"
}

bolt_edges() {
	local program=$1 table=$2 folder data parts=()
	shift 2
	folder=$(bolt_folder) || return
	for data; do
		parts+=("$table.${#parts[@]}.fdata")
		"$folder/perf2bolt" "$program" -p "$data" -nl \
			-o "${parts[-1]}" || return
	done >"$table.log" 2>&1
	bolt_merge "${parts[@]}" >"$table.fdata" &&
		"$folder/llvm-bolt" "$program" -data="$table.fdata" -nl \
			--enable-bat --print-estimate-edge-counts \
			-o "$table.program" >"$table.printed" 2>>"$table.log" &&
		"$samplefdo" blocks --model raw --edges --binary "$program" \
			"$@" >"$table.edges" 2>>"$table.log" &&
		awk -f "$bench/bolt.awk" "$table.printed" "$table.edges" \
			>"$table"
}
