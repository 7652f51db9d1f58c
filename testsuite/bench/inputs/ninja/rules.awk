# Rules for ninja, as a generator writes them: files compiled in folders, each
# into a library, and those into programs.  With nested, a folder has values
# of its own, files have some, too, and all depend on what is generated.

function random(limit) {
	seed = (seed * 16807) % 2147483647
	return seed % limit
}

function object(folder, i, file, output, needs) {
	file = "$root/src/" part[1 + random(parts)] "_" folder "_" i ".c"
	output = "made/obj/" folder "/" part[1 + random(parts)] i ".o"
	print "build " file ": phony"
	needs = " | made/gen/" folder ".h || made/gen/" random(folder + 1) ".h"
	print "build " output ": cc " file (nested ? needs : "")
	if (nested && random(2)) {
		print "  defines = $defines -DNAME=\\\"" folder "_" i "\\\" $"
		print "      -DHOME=$$HOME -I${root}/include/" part[1 + random(parts)]
	}
	return " " output (random(6) ? "" : " $\n   ")
}

BEGIN {
	parts = split("core/parse core/print net/socket net/http ui/window ui/menu",
		part, " ")
	print "cflags = -O2 -g -Wall -Iinclude -I$root/made/gen"
	print "root = ."
	print "rule cc"
	print "  command = cc -MMD -MF $out.d $cflags $defines -c $in -o $out"
	print "  description = CC $out"
	print "rule ar\n  command = rm -f $out && ar crs $out $in"
	print "rule link\n  command = cc $ldflags -o $out $in $libs"
	print "rule gen\n  command = $root/gen.py --in $in --out $out\n  restat = 1"
	for (folder = 0; folder < folders; folder++) {
		if (nested)
			print "defines = -DFOLDER=" folder
		print "build src/" folder ".def: phony"
		print "build made/gen/" folder ".h: gen src/" folder ".def"
		objects = ""
		for (i = 0; i < files; i++)
			objects = objects object(folder, i)
		print "build made/lib" folder ".a: ar" objects
		libraries = libraries " made/lib" folder ".a"
		if (folder % 5 != 4)
			continue
		print "build made/program" folder ": link" libraries
		print "  libs = -lm -lz"
		libraries = ""
		programs = programs " made/program" folder
	}
	print "build all: phony" programs
	print "default all"
}
