# Strings, lists, arrays, procedures and numbers.
proc fib {n} {
	if {$n < 2} { return $n }
	expr {[fib [- $n 1]] + [fib [- $n 2]]}
}

proc sieve {n} {
	set flags [lrepeat $n 1]
	set primes {}
	for {set i 2} {$i < $n} {incr i} {
		if {![lindex $flags $i]} continue
		lappend primes $i
		for {set j [* $i $i]} {$j < $n} {incr j $i} {
			lset flags $j 0
		}
	}
	return $primes
}

proc words {text} {
	set count {}
	foreach word [split $text] {
		set word [string tolower [string trim $word ".,;"]]
		if {$word ne ""} { dict incr count $word }
	}
	set lines {}
	foreach word [lsort [dict keys $count]] {
		lappend lines "$word [dict get $count $word]"
	}
	return $lines
}

puts [fib 18]
puts [llength [sieve 20000]]
set text {}
for {set i 0} {$i < 4000} {incr i} {
	append text "the [expr {$i % 37}] of w[expr {$i * 7919 % 101}], and; "
}
puts [join [words $text] \n]
