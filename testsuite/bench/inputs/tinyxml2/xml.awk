# A document in XML with that many parts, from the given words: kind is flat or
# nested.

function random(n) {
	seed = (seed * 16807) % 2147483647
	return seed % n
}

function sentence(length_of_it,   s) {
	s = word[1 + random(n)]
	while (--length_of_it > 0)
		s = s " " word[1 + random(n)]
	return s
}

function record(i) {
	printf "  <record id=\"%d\" kind=\"%s\">\n", i, word[1 + random(n)]
	printf "    <name>%s</name>\n", sentence(2)
	printf "    <value unit='m'>%.3f</value>\n", random(100000) / 8
	if (random(3) == 0)
		printf "    <empty/>\n"
	printf "    <text>%s</text>\n  </record>\n", sentence(4 + random(12))
}

function section(depth,   i) {
	printf "<section title=\"%s &amp; %s\">", sentence(1), sentence(3)
	if (random(4) == 0)
		printf "<!-- %s -->", sentence(6)
	printf "<p>%s &lt;%s&gt; &#x41;&quot;<b>%s</b></p>\n",
		sentence(5), sentence(1), sentence(2)
	if (random(5) == 0)
		printf "<![CDATA[%s < %s]]>", sentence(3), sentence(1)
	parts--
	for (i = random(4); i > 0 && depth < 12 && parts > 0; i--)
		section(depth + 1)
	print "</section>"
}

BEGIN {
	n = split(words, word, " ")
	print "<?xml version=\"1.0\"?>\n<document>"
	if (kind == "flat")
		for (i = 1; i <= parts; i++)
			record(i)
	while (kind != "flat" && parts > 0)
		section(1)
	print "</document>"
}
