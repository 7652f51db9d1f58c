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
# and with bodies that are inlined where they are not.  seed= picks one.  In
# the sources, functions are looked for by their names.
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
function key(line)
{
	split(places[random(nplaces) + 1], place, " ")
	return (place[1] - line) ":" place[2]
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
function read_source(file,	i)
{
	if (file in is_read)
		return
	is_read[file] = 1
	while ((getline text[file, ++i] <file) > 0)
		;
	close(file)
}
# Code begins at a function's brace, which may be some lines below.
function declared_at(name, line,	i)
{
	name = plain(name)
	read_source(file)
	for (i = line; i > 0 && i > line - 20; i--)
		if (index(text[file, i], name))
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
function finish(	i, k, times)
{
	if (name == "")
		return
	pick_mood()
	printf "function %s file %s line %d total %s entry %s samples %d\n",
		name, file, start, count(), count(), random(3) ? 1000 : 5
	for (i = 1; i <= nplaces; i++) {
		split(places[i], place, " ")
		printf " at %d:%d count %s%s\n", place[1] - start, place[2],
			count(), mood == "bounds" ? " merged" : ""
		if (random(3) == 0)
			printf " at %d:%d.%d count %s%s\n", place[1] - start,
				place[2], random(4), count(),
				random(5) ? "" : " cond"
	}
	if (others != "") {
		k = split(others, other, "\n")
		split(other[random(k - 1) + 1], called, " ")
		times = random(5)
		printf " inlined %s function %s file %s line %d total %s\n",
			key(start), called[1], file, called[2], count()
		for (i = 0; i < times; i++)
			printf "  at %d:%d.%d count %s\n", i, random(30), i,
				count()
	}
	others = others name " " start "\n"
}
BEGIN {
	state = seed * 7919 + 1
	print "samplefdo profile 1"
	print "event cycles role cycles period 1000 samples 9999 mapped 9999"
}
$1 == ".type" && $3 == "@function" {
	finish()
	name = $2
	sub(/,$/, "", name)
	start = 0
	nplaces = 0
	delete seen
}
$1 == ".file" && match($0, /"[^"]*"$/) {
	files[$2] = substr($0, RSTART + 1, RLENGTH - 2)
}
$1 == ".loc" && name != "" {
	if (!start) {
		file = files[$2]
		start = declared_at(name, $3)
	}
	if (!(($3, $4) in seen) && $3 > 0) {
		seen[$3, $4] = 1
		places[++nplaces] = $3 " " $4
	}
}
END { finish() }
