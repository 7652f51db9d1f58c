# The figures of two programs to tables: medians, intervals, shares of the
# gain, means, and what training costs.
bench=$cases/../bench
cat >one <<-END
	one count ref O2 1000000000 5000000 1000
	one count ref flags 1010000000 5000000 1100
	one count ref sampled 920000000 4000000 700
	one count ref counted 900000000 4500000 800
	one count train O2 2000000000 10000000 2000
	one count train flags 2000000000 10000000 2000
	one count train sampled 1800000000 9000000 1000
	one count train counted 1750000000 8000000 1500
	one cold O2 0.00
	one cold flags 0.00
	one cold sampled 1.25
	one cold counted 0.02
	one no_entry sampled 0.50
	one code O2 200000
	one code flags 200000
	one code sampled 190000
	one code counted 150000
	one time ref 1 O2 1.000
	one time ref 1 flags 1.100
	one time ref 1 sampled 0.900
	one time ref 1 counted 0.800
	one time ref 2 O2 2.000
	one time ref 2 flags 1.900
	one time ref 2 sampled 1.900
	one time ref 2 counted 1.600
	one time ref 3 O2 1.000
	one time ref 3 flags 1.000
	one time ref 3 sampled 0.920
	one time ref 3 counted 0.850
	one overhead 1 plain 1.000
	one overhead 1 perf 1.100
	one overhead 1 instrumented 1.500
	one overhead 2 plain 2.000
	one overhead 2 perf 2.400
	one overhead 2 instrumented 3.100
	one overhead 3 plain 3.000
	one overhead 3 perf 9.900
	one overhead 3 instrumented 2.900
END
# Nothing counted on the training input, and hardly a gain in instructions.
sed -e /train/d -e s/^one/two/ -e 's/counted 900000000/counted 999000000/' \
	-e 's/code counted 150000/code counted 180000/' one >two
cat one two >both
for part in one both; do
	awk -f "$bench/results.awk" $part >$part.tsv
	awk -F '\t' -f "$bench/table.awk" $part.tsv
done
# A column a line.
awk -F '\t' '{ for (i = 1; i <= NF; i++) cell[i] = cell[i] "\t" $i; n = NF }
	END { for (i = 1; i <= n; i++) print cell[i] }' one.tsv
awk -F '\t' -f "$bench/kept.awk" both.tsv
awk -f "$bench/overhead.awk" both
