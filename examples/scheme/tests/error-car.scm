(define (first list)
  (car list))
(display (+ 1
  (first '())))
