# blocks.awk - a table of blocks as "samplefdo blocks --truth" prints it, of a
# program that does not exist, whose weights are known.
#
#	awk -v seed=1 -v rows=500 -f blocks.awk >one.tsv
#
# In the units of svr-train, the truth is 0.8 times inst and 0.4 times cycles
# less 0.2 times dtlb.  "extra" may have the words "noise", for an event that
# knows nothing, and "twin", for one that says the same as inst.
#
# The random numbers are our own, so that each awk prints the same.

function random() {
	state = (state * 16807) % 2147483647
	return state / 2147483647
}

BEGIN {
	if (!rows) rows = 500
	state = 1000 + 77 * seed
	for (i = 0; i < 20; i++) random()
	for (b = 0; b < rows; b++) {
		n[b] = 1 + int(10 * random())
		heat = random() < 0.4 ? 0 : \
			exp(4 * (random() + random() + random() - 1.5))
		stall = random() < 0.2 ? 0.5 * heat * random() : 0
		inst[b] = int(100 * n[b] * heat * (0.7 + 0.6 * random()))
		cycles[b] = int(100 * n[b] * (heat * (0.5 + random()) + \
			stall))
		dtlb[b] = int(30 * n[b] * (stall + 0.02 * heat))
		noise[b] = int(100 * n[b] * random() * random())
		twin[b] = int(inst[b] * (0.99 + 0.02 * random()))
		of_inst += inst[b]; of_cycles += cycles[b]; of_dtlb += dtlb[b]
	}
	printf "function\taddress\tinstructions"
	printf "\tinstructions:u\tcycles:u\tdTLB-load-misses:u"
	if (extra ~ /noise/) printf "\tnoise"
	if (extra ~ /twin/) printf "\ttwin"
	print "\traw\tcount\terror\ttrue"
	for (b = 0; b < rows; b++) {
		f = 0.8 * inst[b] / of_inst + 0.4 * cycles[b] / of_cycles - \
			0.2 * dtlb[b] / of_dtlb
		f = f > 0 ? int(1e9 * f / n[b]) : 0
		printf "f%d_%d\t0x%x\t%d", seed, b / 7, 4096 + 16 * b, n[b]
		printf "\t%d\t%d\t%d", inst[b], cycles[b], dtlb[b]
		if (extra ~ /noise/) printf "\t%d", noise[b]
		if (extra ~ /twin/) printf "\t%d", twin[b]
		printf "\t%d\t%d\t%d\t%d\n", inst[b] / n[b], f, 1, f
	}
}
