(display "out")
(exit 3)
