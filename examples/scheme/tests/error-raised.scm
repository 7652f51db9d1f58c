(define (f)
  (error "own message:" 'a "b" 3))
(f)
