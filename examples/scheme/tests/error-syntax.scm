(display 1)
(newline)
(let ((x)) x)
