# The figures of two programs to a table: medians, ranges, shares of the gain.
bench=$cases/../bench
cat >one <<-END
	count ref O2 1000000000 5000000
	count ref flags 1010000000 5000000
	count ref sampled 920000000 4000000
	count ref counted 900000000 4500000
	count train O2 2000000000 10000000
	count train flags 2000000000 10000000
	count train sampled 1800000000 9000000
	count train counted 1750000000 8000000
	cold O2 0.00
	cold flags 0.00
	cold sampled 1.25
	cold counted 0.02
	no_entry sampled 0.50
	time 1 O2 1.000
	time 1 flags 1.100
	time 1 sampled 0.900
	time 1 counted 0.800
	time 2 O2 2.000
	time 2 flags 1.900
	time 2 sampled 1.900
	time 2 counted 1.600
	time 3 O2 1.000
	time 3 flags 1.000
	time 3 sampled 0.920
	time 3 counted 0.850
END
# Nothing counted on the training input, and no gain in instructions.
sed -e /train/d -e 's/counted 900000000/counted 999000000/' one >two
awk -v program=one -f "$bench/results.awk" one >one.tsv
awk -v program=two -f "$bench/results.awk" two >two.tsv
cat one.tsv
awk 'NR == 1 || $1 != "program"' one.tsv two.tsv | awk -F '\t' -f "$bench/table.awk"
