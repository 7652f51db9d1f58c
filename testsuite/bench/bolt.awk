# bolt.awk - how often llvm-bolt estimates each edge of a binary to be taken.
#
#	samplefdo blocks --model raw --edges ... >edges
#	llvm-bolt -nl --enable-bat --print-estimate-edge-counts ... >printed
#	awk -f bolt.awk printed edges
#
# prints the edges as samplefdo has them, with BOLT's counts.  Where samplefdo
# ends a block that goes on for BOLT, the edge between has the block's count;
# what BOLT does not look at (functions that it calls not simple) has 0.

function hex(text,    i, n) {
	text = tolower(text)
	sub(/^0x/, "", text)
	for (i = 1; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}

# The last of BOLT's blocks that begins at an address or before it.
function block_of(address,    low, high, middle) {
	low = 0
	high = blocks
	while (low < high) {
		middle = int((low + high + 1) / 2)
		if (start[middle] <= address)
			low = middle
		else
			high = middle - 1
	}
	return low
}

# Functions are printed in order of their addresses, blocks in order of theirs;
# what was sorted already costs one comparison each.
function sort_blocks(    i, k, s, t) {
	for (i = 2; i <= blocks; i++) {
		s = start[i]
		t = id[i]
		for (k = i; k > 1 && start[k - 1] > s; k--) {
			start[k] = start[k - 1]
			id[k] = id[k - 1]
		}
		start[k] = s
		id[k] = t
	}
}

function end_printed(    i, k, n, parts, to) {
	for (i = 1; i <= blocks; i++) {
		n = split(successors[i], parts, /, \.|^\./)
		for (k = 1; k <= n; k++)
			if (match(parts[k], /^[^ ]+ /)) {
				to = place[function_of[i], "." \
					substr(parts[k], 1, RLENGTH - 1)]
				sub(/.*count: /, "", parts[k])
				taken[i, to] += parts[k] + 0
			}
		id[i] = i
	}
	sort_blocks()
}

FNR == 1 && NR > 1 { end_printed(); edges = 1; OFS = FS = "\t"; print; next }

!edges && /^Binary Function "/ { functions++; inside = 0 }
!edges && /^  Address +:/ { base = hex($3) }
!edges && /^\.[^ ]+ \([0-9]+ instruction/ {
	inside = 1
	blocks++
	label = $1
	start[blocks] = base
	place[functions, label] = base
	function_of[blocks] = functions
}
!edges && inside && /^  Input offset: / {
	start[blocks] = base + hex($3)
	place[functions, label] = start[blocks]
}
!edges && inside && /^  Exec Count : / { count[blocks] = $4 }
!edges && inside && /^  Successors: / {
	successors[blocks] = substr($0, 15)
}

edges {
	from = hex($2)
	to = hex($3)
	at = block_of(from)
	n = 0
	if (at && (id[at], to) in taken)
		n = taken[id[at], to]
	else if (at && $4 == "fall" && to > from && block_of(to) == at)
		n = count[id[at]]
	$5 = n
	print
}
