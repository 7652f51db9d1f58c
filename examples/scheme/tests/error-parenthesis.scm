(display 1)
(newline)
(display (+ 1 2)
