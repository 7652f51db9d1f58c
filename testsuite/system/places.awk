# What addr2line -a -f -i, llvm-symbolizer and places say of the same address
# differs in ways that mean nothing: the symbol's name instead of the
# function's, folders, constructors' variants, a function split and inlined
# into itself.  One line for each address comes out.

function name_of(name) {
	while (sub(/\.(cold|part|isra|constprop|lto_priv)(\.[0-9]+)?$/, "",
		   name))
		;
	# Constructors and destructors: C1, C2 and C4 are one function.
	if (name ~ /^_Z/) {
		gsub(/C[1-5]E/, "C#E", name)
		gsub(/C[1-5]I/, "C#I", name)
		gsub(/D[0-5]E/, "D#E", name)
	}
	return name
}

function finish() {
	if (address != "")
		print address places
}

/^0x/ {
	finish()
	address = $1
	sub(/^0x0*/, "", address)
	places = before = ""
	is_name = 1
	next
}

/^$/ { next }

is_name {
	name = name_of($1)
	is_name = 0
	next
}

{
	is_name = 1
	sub(/^.*\//, "")
	sub(/:[?]/, ":0")
	if ($0 ~ /:0(:0)?$/)
		name = $0 = "??"
	if (name == "??" || name != before)
		places = places " | " name " " $0
	before = name
}

END { finish() }
