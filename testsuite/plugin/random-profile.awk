# Make a profile in text form out of thin air: every line and column that
# the assembly (gcc -S -g, read as input) has code of, with counts that are
#
#	kind=random	random, over all magnitudes
#	kind=huge	as large as can be
#	kind=zero	all 0
#	kind=contrary	0 and huge by turns
#	kind=bounds	random, but upper bounds only
#	kind=adversarial	huge, zero, contrary or random, by function
#
# with functions of the program that are said to be called from there, values
# that are said to be divided by or copied there, outcomes of tests, marks that
# statements begin, and
# with bodies that are inlined where they are called, to some depth, and where they
# are not.  seed= picks one.  In the sources, functions are looked for by their
# names.
function random(n)
{
	state = (state * 16807 + 12345) % 2147483647
	return state % n
}
function count(	i, n)
{
	if (mood == "zero")
		return 0
	if (mood == "huge")
		return "1152921504606846976"
	if (mood == "contrary")
		return random(2) ? "1152921504606846975" : 0
	if (random(4) == 0)
		return 0
	n = random(1000) + 1
	for (i = random(12); i > 0; i--)
		n = n "0"
	return n
}
# _ZN3foo3barEv is bar.
function plain(name,	n)
{
	sub(/\..*/, "", name)
	if (!sub(/^_ZL?N?K?/, "", name))
		return name
	while (match(name, /^[0-9]+/)) {
		n = substr(name, 1, RLENGTH)
		last = substr(name, RLENGTH + 1, n)
		name = substr(name, RLENGTH + 1 + n)
	}
	return last
}
function read_source(source,	i)
{
	if (source in is_read)
		return
	is_read[source] = 1
	while ((getline text[source, ++i] <source) > 0)
		;
	close(source)
}
# Code begins at a function's brace, which may be some lines below.
function declared_at(name, line,	i, source)
{
	source = file[name]
	name = plain(name)
	read_source(source)
	for (i = line; i > 0 && i > line - 20; i--)
		if (index(text[source, i], name))
			return i
	return line
}
function pick_mood(	n)
{
	mood = kind
	if (kind != "adversarial")
		return
	n = random(4)
	mood = n == 0 ? "zero" : n == 1 ? "huge" : n == 2 ? "contrary" : "random"
}
# Whoever is called there by a pointer, if anybody is.
function targets(	first, second, n)
{
	first = names[random(nnames) + 1]
	second = names[random(nnames) + 1]
	n = count()
	if (random(2) || first == second)
		return sprintf(" call %s %s", first, n)
	return sprintf(" call %s %s call %s %s", first, n, second, count())
}
# Whatever is divided or copied there, if anything is.
function value(	n)
{
	n = random(8)
	if (n == 0)
		return "other"
	if (n == 1)
		return random(2) ? "-9223372036854775808" : "9223372036854775807"
	return random(n == 2 ? 100000 : 20) - (random(4) ? 0 : 5)
}
# By numbers of their own, so that all else is as it would be without.
function values(	list, kind, v, i, saved)
{
	saved = state
	state = state_of_values ? state_of_values : seed * 7919 + 5
	split("divisor quotient size", kinds, " ")
	for (i = random(5); i > 0; i--) {
		kind = kinds[random(3) + 1]
		v = value()
		if (index(list, " " kind " " v " ") == 0)
			list = list " " kind " " v " " count()
	}
	state_of_values = state
	state = saved
	return list
}
# How a test of so many executions came out, if there is one; likewise.
function outcomes(n,	ret, saved)
{
	saved = state
	state = state_of_outcomes ? state_of_outcomes : seed * 7919 + 9
	split(" , equal 1 N, less 0 N, equal 0 N less 1 N", ways, ",")
	ret = ways[random(4) + 1]
	gsub(/N/, n, ret)
	sub(/ $/, "", ret)
	state_of_outcomes = state
	state = saved
	return ret
}
# Perhaps a mark that a statement begins there; likewise.
function begin(line,	saved)
{
	saved = state
	state = state_of_begins ? state_of_begins : seed * 7919 + 7
	if (random(3) == 0)
		printf "%s.begin count %s\n", line, count()
	state_of_begins = state
	state = saved
}
function counts(f, indent,	i, line, n)
{
	for (i = 1; i <= nplaces[f]; i++) {
		split(places[f, i], place, " ")
		line = indent " at " place[1] - start[f] ":" place[2]
		n = count()
		printf "%s count %s%s%s\n", line, n,
			mood == "bounds" ? " merged" : "",
			(random(2) ? "" : targets()) values() outcomes(n)
		if (random(3) == 0)
			printf "%s.%d count %s%s\n", line, random(4), count(),
				random(5) ? "" : " cond"
		begin(line)
	}
}
function inlined(f, at, indent)
{
	split(at, place, " ")
	return sprintf("%s inlined %d:%d", indent, place[1] - start[f],
		       place[2])
}
# Of what is called there, some.
function bodies(f, indent, depth,	i, callee, head)
{
	for (i = 1; i <= ncalls[f] && depth < 4 && budget > 0; i++) {
		callee = callees[f, i]
		head = inlined(f, calls[f, i], indent)
		if (!(callee in start) || random(3) == 0)
			continue
		budget--
		printf "%s function %s file %s line %d total %s\n", head,
			callee, file[callee], start[callee], count()
		begin(indent "  at 0:" 1 + budget)
		counts(callee, indent " ")
		bodies(callee, indent " ", depth + 1)
	}
}
# And one that is not called there.
function stray(f,	other, at, i, times)
{
	if (nplaces[f] == 0)
		return
	other = names[random(nnames) + 1]
	at = places[f, random(nplaces[f]) + 1]
	times = random(5)
	if ((f, at, other) in known)
		return
	printf "%s function %s file %s line %d total %s\n",
		inlined(f, at, ""), other,
		file[other], start[other], count()
	for (i = 0; i < times; i++)
		printf "  at %d:%d.%d count %s\n", i, random(30), i, count()
}
function write_function(f)
{
	pick_mood()
	budget = 20
	printf "function %s file %s line %d total %s entry %s samples %d" \
		" first-use %s\n", f, file[f], start[f], count(), count(),
		random(3) ? 1000 : 5, count()
	counts(f, "")
	bodies(f, "", 0)
	if (random(3) == 0)
		stray(f)
}
BEGIN {
	state = seed * 7919 + 1
	print "samplefdo profile 1"
	print "event cycles role cycles period 1000 samples 9999 mapped 9999"
}
$1 == ".type" && $3 == "@function" {
	name = $2
	sub(/,$/, "", name)
	at = ""
	delete seen
}
$1 == ".file" && match($0, /"[^"]*"$/) {
	files[$2] = substr($0, RSTART + 1, RLENGTH - 2)
}
$1 == ".loc" && name != "" {
	if (!(name in start)) {
		file[name] = files[$2]
		start[name] = declared_at(name, $3)
		names[++nnames] = name
	}
	at = $3 " " $4
	if (!(at in seen) && $3 > 0) {
		seen[at] = 1
		places[name, ++nplaces[name]] = at
	}
}
($1 == "call" || $1 == "jmp") && $2 ~ /^[A-Za-z_]/ && at != "" {
	if (!((name, at, $2) in known)) {
		known[name, at, $2] = 1
		calls[name, ++ncalls[name]] = at
		callees[name, ncalls[name]] = $2
	}
}
END {
	for (n = 1; n <= nnames; n++)
		write_function(names[n])
}
