;;; The input that speed is judged by: other programs than those of the
;;; training, on another text.
;;;
;;;	scheme ref.scm ROUNDS < prelude.scm

(define rounds (string->number (cadr (command-line))))

(define (show . items)
  (for-each display items)
  (newline))

;; The last value of an expression that is evaluated once in each round.
(define-syntax each-round
  (syntax-rules ()
    ((_ body ...)
     (let loop ((i 1))
       (let ((result (let () body ...)))
         (if (< i rounds) (loop (+ i 1)) result))))))

;;; Mandelbrot: floating-point loops

(define (escape-time cr ci limit)
  (let loop ((zr 0.0) (zi 0.0) (n 0))
    (let ((r2 (* zr zr)) (i2 (* zi zi)))
      (if (or (= n limit) (> (+ r2 i2) 4.0))
          n
          (loop (+ (- r2 i2) cr) (+ (* 2.0 zr zi) ci) (+ n 1))))))

(define (mandelbrot rows columns limit)
  (do ((y 0 (+ y 1))) ((= y rows))
    (let ((line (make-string columns #\space)))
      (do ((x 0 (+ x 1))) ((= x columns))
        (let ((n (escape-time (- (* 3.0 (/ x columns)) 2.2)
                              (- (* 2.4 (/ y rows)) 1.2)
                              limit)))
          (string-set! line x
                       (string-ref " .:-=+*#%@" (modulo n 10)))))
      (write-string line)
      (newline))))

(display (each-round (with-output-to-string
                      (lambda () (mandelbrot 16 60 90)))))

;;; Forms of the text: what symbols does the source use?

(define (read-forms)
  (let loop ((form (read)) (forms '()))
    (if (eof-object? form)
        (reverse forms)
        (loop (read) (cons form forms)))))

(define forms (read-forms))

(define (count-symbols! form counts)
  (cond ((symbol? form)
         (hash-table-update! counts form (lambda (n) (+ n 1)) (lambda () 0)))
        ((pair? form)
         (count-symbols! (car form) counts)
         (count-symbols! (cdr form) counts))))

(let ((counts (make-hash-table)))
  (each-round
   (for-each (lambda (form) (count-symbols! form counts)) forms))
  (let ((sorted (sort (hash-table->alist counts)
                      (lambda (a b)
                        (if (= (cdr a) (cdr b))
                            (string<? (symbol->string (car a))
                                      (symbol->string (car b)))
                            (> (cdr a) (cdr b)))))))
    (show "symbols " (length sorted) ", most used " (car (car sorted)) " "
          (car (cadr sorted)) " " (car (caddr sorted)))))

;;; A pretty printer, and reading back what it printed

(define (pretty form port)
  (define (spaces n)
    (if (> n 0) (begin (write-char #\space port) (spaces (- n 1)))))
  (define (flat form)
    (call-with-output-string (lambda (out) (write form out))))
  (let print ((form form) (indent 0))
    (let ((text (flat form)))
      (if (or (< (+ indent (string-length text)) 60) (not (list? form)))
          (write-string text port)
          (begin
            (write-string "(" port)
            (print (car form) (+ indent 1))
            (for-each (lambda (part)
                        (newline port)
                        (spaces (+ indent 2))
                        (print part (+ indent 2)))
                      (cdr form))
            (write-string ")" port))))))

(define (print-and-read)
  (let* ((text (call-with-output-string
                (lambda (out)
                  (for-each (lambda (form) (pretty form out) (newline out))
                            forms))))
         (port (open-input-string text)))
    (list (string-length text)
          (let loop ((form (read port)) (rest forms))
            (cond ((eof-object? form) (null? rest))
                  ((equal? form (car rest)) (loop (read port) (cdr rest)))
                  (else form))))))

(show "pretty: " (each-round (print-and-read)))

;;; Huffman codes of the pretty-printed text

(define-syntax while
  (syntax-rules ()
    ((_ test body ...)
     (let loop () (if test (begin body ... (loop)) #f)))))

(define (huffman-codes frequencies)
  (define (insert tree trees)
    (cond ((null? trees) (list tree))
          ((<= (car tree) (car (car trees))) (cons tree trees))
          (else (cons (car trees) (insert tree (cdr trees))))))
  (let loop ((trees (fold-left (lambda (trees leaf) (insert leaf trees))
                               '() frequencies)))
    (if (pair? (cdr trees))
        (let ((a (car trees)) (b (cadr trees)))
          (loop (insert (list (+ (car a) (car b)) 'node a b) (cddr trees))))
        (let ((codes (make-hash-table)))
          (let walk ((tree (car trees)) (code '()))
            (if (eq? (cadr tree) 'node)
                (begin (walk (caddr tree) (cons 0 code))
                       (walk (cadddr tree) (cons 1 code)))
                (hash-table-set! codes (cadr tree) (reverse code))))
          codes))))

(define (huffman-size text)
  (let ((counts (make-vector 256 0)) (bits 0) (frequencies '()) (i 0))
    (string-for-each
     (lambda (c)
       (let ((code (char->integer c)))
         (vector-set! counts code (+ 1 (vector-ref counts code)))))
     text)
    (while (< i 256)
      (if (> (vector-ref counts i) 0)
          (set! frequencies
                (cons (list (vector-ref counts i) (integer->char i))
                      frequencies)))
      (set! i (+ i 1)))
    (let ((codes (huffman-codes frequencies)))
      (string-for-each
       (lambda (c)
         (set! bits (+ bits (length (hash-table-ref codes c)))))
       text))
    bits))

(let ((text (call-with-output-string
             (lambda (out) (for-each (lambda (f) (write f out)) forms)))))
  (show "huffman: " (* 8 (string-length text)) " bits become "
        (each-round (huffman-size text))))

;;; The longest common subsequence: a table of vectors

(define (lcs a b)
  (let* ((n (string-length a)) (m (string-length b))
         (previous (make-vector (+ m 1) 0))
         (current (make-vector (+ m 1) 0)))
    (do ((i 1 (+ i 1))) ((> i n) (vector-ref previous m))
      (do ((j 1 (+ j 1))) ((> j m))
        (vector-set! current j
          (cond ((char=? (string-ref a (- i 1)) (string-ref b (- j 1)))
                 (+ 1 (vector-ref previous (- j 1))))
                (else (max (vector-ref previous j)
                           (vector-ref current (- j 1)))))))
      (let ((old previous))
        (set! previous current)
        (set! current old)))))

(define (text-of form)
  (call-with-output-string (lambda (out) (write form out))))

(define (beginning form)
  (let ((text (text-of form)))
    (substring text 0 (min 150 (string-length text)))))

(show "lcs: "
      (each-round
       (let loop ((rest forms) (sum 0))
         (if (or (null? rest) (null? (cdr rest)))
             sum
             (loop (cddr rest)
                   (+ sum (lcs (beginning (car rest))
                               (beginning (cadr rest)))))))))

;;; A stack machine: a program in a language of its own

(define (run-machine program)
  (let ((code (list->vector program)) (memory (make-vector 16 0)))
    (let step ((pc 0) (stack '()) (steps 0))
      (let ((instruction (vector-ref code pc)))
        (case (car instruction)
          ((push) (step (+ pc 1) (cons (cadr instruction) stack) (+ steps 1)))
          ((load) (step (+ pc 1)
                        (cons (vector-ref memory (cadr instruction)) stack)
                        (+ steps 1)))
          ((store) (vector-set! memory (cadr instruction) (car stack))
                   (step (+ pc 1) (cdr stack) (+ steps 1)))
          ((add) (step (+ pc 1)
                       (cons (+ (cadr stack) (car stack)) (cddr stack))
                       (+ steps 1)))
          ((multiply) (step (+ pc 1)
                            (cons (modulo (* (cadr stack) (car stack))
                                          1000003)
                                  (cddr stack))
                            (+ steps 1)))
          ((less) (step (+ pc 1)
                        (cons (< (cadr stack) (car stack)) (cddr stack))
                        (+ steps 1)))
          ((jump-if) (step (if (car stack) (cadr instruction) (+ pc 1))
                           (cdr stack) (+ steps 1)))
          ((halt) (list (car stack) steps))
          (else (error "bad instruction" instruction)))))))

(show "machine: "
      (each-round
       (run-machine
        '((push 1) (store 0) (push 1) (store 1)
                     (load 0) (load 1) (multiply) (push 7) (add) (store 0)
                     (load 1) (push 1) (add) (store 1)
                     (load 1) (push 9000) (less) (jump-if 4)
                     (load 0) (halt)))))

;;; Shortest paths on a grid, with a leftist heap of records

(define-record-type heap
  (make-heap rank key item left right)
  heap?
  (rank heap-rank) (key heap-key) (item heap-item)
  (left heap-left) (right heap-right))

(define (rank heap) (if heap (heap-rank heap) 0))

(define (merge a b)
  (cond ((not a) b)
        ((not b) a)
        ((> (heap-key a) (heap-key b)) (merge b a))
        (else
         (let ((right (merge (heap-right a) b)) (left (heap-left a)))
           (if (< (rank left) (rank right))
               (make-heap (+ (rank left) 1) (heap-key a) (heap-item a)
                          right left)
               (make-heap (+ (rank right) 1) (heap-key a) (heap-item a)
                          left right))))))

(define (insert heap key item) (merge heap (make-heap 1 key item #f #f)))

(define (cost x y) (+ 1 (modulo (+ (* x x 7) (* y 13) (* x y)) 9)))

(define (shortest-path size)
  (let ((best (make-vector (* size size) #f)))
    (let loop ((heap (insert #f 0 0)) (visited 0))
      (if (not heap)
          (list (vector-ref best (- (* size size) 1)) visited)
          (let* ((distance (heap-key heap)) (at (heap-item heap))
                 (rest (merge (heap-left heap) (heap-right heap)))
                 (x (remainder at size)) (y (quotient at size)))
            (if (vector-ref best at)
                (loop rest visited)
                (let ((heap rest))
                  (define (try x y)
                    (if (and (<= 0 x) (< x size) (<= 0 y) (< y size)
                             (not (vector-ref best (+ x (* y size)))))
                        (set! heap (insert heap (+ distance (cost x y))
                                           (+ x (* y size))))))
                  (vector-set! best at distance)
                  (try (+ x 1) y) (try (- x 1) y)
                  (try x (+ y 1)) (try x (- y 1))
                  (loop heap (+ visited 1)))))))))

(show "shortest path: " (each-round (shortest-path 60)))

;;; Streams, generators, tail calls in continuation-passing style

(define (integers-from n) (cons-stream n (integers-from (+ n 1))))
(define (stream-filter keep? s)
  (if (keep? (car s))
      (cons-stream (car s) (stream-filter keep? (force (cdr s))))
      (stream-filter keep? (force (cdr s)))))
(define (prime-stream s)
  (cons-stream (car s)
    (prime-stream
     (stream-filter (lambda (n) (not (zero? (remainder n (car s)))))
                    (force (cdr s))))))
(define (stream-ref s n)
  (if (= n 0) (car s) (stream-ref (force (cdr s)) (- n 1))))

(show "prime stream: "
      (each-round (stream-ref (prime-stream (integers-from 2)) 100)))

(define (tree->generator tree)
  (define return #f)
  (define (resume)
    (let walk ((tree tree))
      (cond ((pair? tree) (walk (car tree)) (walk (cdr tree)))
            ((not (null? tree))
             (call/cc (lambda (continue)
                        (set! resume (lambda () (continue #f)))
                        (return tree))))))
    (return 'end))
  (lambda ()
    (call/cc (lambda (k) (set! return k) (resume)))))

(define (same-fringe? a b)
  (let ((next-a (tree->generator a)) (next-b (tree->generator b)))
    (let loop ((n 0))
      (let ((x (next-a)) (y (next-b)))
        (cond ((not (eqv? x y)) (list 'differ n))
              ((eq? x 'end) (list 'same n))
              (else (loop (+ n 1))))))))

(show "fringe: " (each-round (same-fringe? forms forms)))

(define (cps-tak x y z k)
  (if (not (< y x))
      (k z)
      (cps-tak (- x 1) y z
        (lambda (a)
          (cps-tak (- y 1) z x
            (lambda (b)
              (cps-tak (- z 1) x y
                (lambda (c) (cps-tak a b c k)))))))))

(show "cps tak: " (each-round (cps-tak 16 11 6 (lambda (x) x))))

;;; Permutations and strings

(define (permutations list)
  (if (null? list)
      '(())
      (apply append
             (map (lambda (first)
                    (map (lambda (rest) (cons first rest))
                         (permutations (delete first list))))
                  list))))

(define (sorted-permutations word)
  (list-sort string<?
             (map list->string (permutations (string->list word)))))

(show "permutations: " (list-ref (each-round (sorted-permutations "charms"))
                                 500))

(show "errors: "
      (map (lambda (thunk)
             (guard (e ((error-object? e) (condition/report-string e))
                       (else (list 'raised e)))
               (thunk)))
           (list (lambda () (car '()))
                 (lambda () (vector-ref (vector 1 2) 5))
                 (lambda () (raise 'stop))
                 (lambda () (error "own message:" 1 "two" 'three))
                 (lambda () (undefined-procedure 1)))))
