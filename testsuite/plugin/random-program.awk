# A C program out of thin air that prints a number: seed= picks one.  All its
# arithmetic is of unsigned numbers, its loops run on fuel, and a function
# calls only those before it, so that it has one meaning and comes to an end.
#
#	awk -v seed=7 -f random-program.awk </dev/null >program.c
function random(n)
{
	state = (state * 16807 + 12345) % 2147483647
	return int(state / 7) % n
}
function say(text)
{
	printf "%*s%s\n", depth + 1, "", text
}
function variable()
{
	return substr("abcd", random(4) + 1, 1)
}
function value(	kind)
{
	kind = random(6)
	if (kind == 0)
		return random(100)
	if (kind == 1)
		return "tab[" variable() " % 64]"
	return variable()
}
function expression(	kind)
{
	kind = random(9)
	if (kind == 0)
		return value() " * " value()
	if (kind == 1)
		return value() (random(2) ? " / (" : " % (") value() " | 1)"
	if (kind == 2)
		return "(" value() " >> " random(31) ") ^ " value()
	if (kind == 3)
		return value() " < " value() " ? " value() " : " value()
	if (kind == 4 && current > 0)
		return "f" random(current) "(" value() ", " value() ")"
	if (kind == 5 && current > 4)
		return "leaves[" value() " % 4](" value() ", " value() ")"
	return value() " + " value() " - " value()
}
function condition(	kind)
{
	kind = random(4)
	if (kind == 0)
		return value() " % " random(9) + 2 " == 0"
	if (kind == 1)
		return value() " < " value() " && " value() " & " random(9) + 1
	if (kind == 2)
		return value() " == " random(5) " || " value() " > " value()
	return value() " > " value()
}
function statements(n)
{
	depth++
	while (n-- > 0)
		statement()
	depth--
}
function choice(	i, n)
{
	n = random(5) + 2
	say("switch (" value() " % " n + 1 ") {")
	for (i = 0; i < n; i++) {
		say("case " i ":")
		statements(1)
		if (random(3))
			say(" break;")
	}
	say("}")
}
function loop(	kind, i)
{
	kind = random(4)
	i = "i" depth
	if (kind == 0) {
		say("for (unsigned " i " = 0; " i " < 64; " i "++)")
		say(" tab[" i "] = tab[" i "] * " random(9) " + " variable() ";")
		return
	}
	loops++
	if (kind == 1)
		say("while (fuel && fuel-- && (" condition() ")) {")
	else if (kind == 2)
		say("do {")
	else
		say("for (unsigned " i " = 0; " i " < " random(20) + 1 \
			" && fuel; " i "++, fuel -= fuel > 0) {")
	statements(random(3) + 1)
	say(kind == 2 ? "} while (fuel && fuel-- && (" condition() "));" : "}")
	loops--
}
function leave(	kind)
{
	kind = random(loops ? 5 : 3)
	say("if (" condition() ")")
	say(kind == 0 ? " goto out;" : kind == 1 ? " return " expression() ";" : \
	    kind == 2 ? " check(" value() ");" : kind == 3 ? " break;" : \
	    " continue;")
}
function statement(	kind)
{
	kind = random(depth > 4 ? 3 : 9)
	if (kind < 2)
		say(variable() " = " expression() ";")
	else if (kind == 2 && random(3) == 0)
		say("memmove(tab + " variable() " % 32, tab + " variable() \
			" % 32, " variable() " % 128);")
	else if (kind == 2)
		say("tab[" variable() " % 64] += " expression() ";")
	else if (kind == 3)
		leave()
	else if (kind == 4)
		choice()
	else if (kind < 7)
		loop()
	else {
		say("if (" condition() ") {")
		statements(random(3) + 1)
		if (random(2)) {
			say("} else {")
			statements(random(3) + 1)
		}
		say("}")
	}
}
BEGIN {
	state = seed * 7919 + 1
	split("static,static inline,static __attribute__((noinline)),", how, ",")
	print "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	print "static unsigned tab[64], fuel = 20000;"
	print "typedef unsigned leaf(unsigned, unsigned);"
	print "static void check(unsigned n)\n{\n\tif (n == 4294967291u)"
	print "\t\tabort();\n\ttab[0] ^= n;\n}"
	for (current = 0; current < 9; current++) {
		if (current == 5)
			print "static leaf *leaves[4] = { f0, f1, f2, f3 };"
		print how[random(3) + 1] " unsigned f" current \
			"(unsigned a, unsigned b)\n{"
		depth = 0
		say("unsigned c = " random(9) ", d = a ^ b;")
		say("if (!fuel || !--fuel)")
		say(" return a;")
		statements(random(3) + 1)
		print "out:\n return a + b + c + d;\n}"
	}
	print "int main(void)\n{\n\tunsigned s = 0;\n"
	print "\tfor (unsigned i = 0; i < 50; i++) {\n\t\tfuel += 200;"
	for (current = 4; current < 9; current++)
		print "\t\ts = s * 31 + f" current "(i, s);"
	print "\t}\n\tfor (unsigned i = 0; i < 64; i++)\n\t\ts = s * 31 + tab[i];"
	print "\tprintf(\"%u\\n\", s);\n\treturn 0;\n}"
}
