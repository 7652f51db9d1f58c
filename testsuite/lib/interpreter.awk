# interpreter.awk - C source of an interpreter of so many instructions, as PHP has
# one: each of them ends in a jump by the table of all labels.
#
#	awk -v labels=500 [-v waits=1] -f interpreter.awk >interpreter.c
#	./interpreter ROUNDS
#
# It runs a program of 20,000 instructions, ROUNDS times; three in four are one of
# the first forty. With waits=1 two of those read anywhere in 256 MB, and wait for
# that each time.

BEGIN {
	print "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>"
	if (waits)
		print "static long far[1 << 25];"
	print "struct op { const void *label; long operand; };"
	print "long run(const struct op *op, long x, const void *const **out)\n{"
	print "\tstatic const void *const labels[] = {"
	for (i = 0; i < labels; i++)
		printf "\t\t&&l%d,\n", i
	print "\t};\n\n\tif (!op) {\n\t\t*out = labels;\n\t\treturn 0;\n\t}"
	print "\tgoto *op->label;\nl0:\n\treturn x;"
	for (i = 1; i < labels; i++) {
		printf "l%d:\n\tx = (x ^ %d) * %d + op->operand;\n", i, i, 2 * i + 3
		if (i % 3 == 0)
			printf "\tif (x & %d)\n\t\tx += %d;\n", 1 * 2 ^ (i % 7), i
		if (waits && (i == 5 || i == 11))
			print "\tx += far[x * 0x9e3779b97f4a7c15ul >> 39];"
		print "\top++;\n\tgoto *op->label;"
	}
	print "}\n\nint main(int argc, char **argv)\n{"
	print "\tenum { N = 20000 };\n\tstatic struct op code[N + 1];"
	print "\tconst void *const *labels;\n\tlong sum = 0;\n"
	if (waits)
		print "\tmemset(far, 1, sizeof(far));"
	print "\trun(NULL, 0, &labels);\n\tfor (int i = 0; i < N; i++) {"
	printf "\t\tint all = rand() %% 4 ? 40 : %d;\n\n", labels - 1
	print "\t\tcode[i].label = labels[1 + rand() % all];"
	print "\t\tcode[i].operand = rand();\n\t}\n\tcode[N].label = labels[0];"
	print "\tfor (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--)"
	print "\t\tsum += run(code, i, NULL);\n\tprintf(\"%ld\\n\", sum);\n}"
}
