# Of the words of a text, "lines" from the number "from" on, one in "every" with two
# letters exchanged, one left out or one doubled, by turns.

length($0) < 2 || ++number < from { next }
number >= from + lines { exit }
number % every == 0 && length($0) > 3 {
	at = 2 + number / every % (length($0) - 2)
	a = substr($0, 1, at - 1)
	b = substr($0, at, 1)
	c = substr($0, at + 1, 1)
	rest = substr($0, at + 2)
	kind = int(number / every) % 3
	$0 = a (kind == 0 ? c b : kind == 1 ? c : b b c) rest
}
{ print }
