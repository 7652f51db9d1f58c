(define (f a) (+ a 'x))
(f 1)
