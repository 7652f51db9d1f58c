;;; The training input: everyday programs, on a text from standard input.
;;;
;;;	scheme train.scm ROUNDS < ../../COPYING

(define rounds (string->number (cadr (command-line))))

(define (repeat n thunk)
  (let loop ((i 1) (result (thunk)))
    (if (< i n) (loop (+ i 1) (thunk)) result)))

(define-syntax report
  (syntax-rules ()
    ((_ name expression)
     (let ((result (repeat rounds (lambda () expression))))
       (display name)
       (display ": ")
       (write result)
       (newline)))))

;;; Small classics

(define (tak x y z)
  (if (not (< y x))
      z
      (tak (tak (- x 1) y z) (tak (- y 1) z x) (tak (- z 1) x y))))

(define (sieve n)
  (let ((is-prime (make-vector (+ n 1) #t)))
    (let loop ((i 2) (primes '()))
      (cond ((> i n) (reverse primes))
            ((vector-ref is-prime i)
             (do ((j (* i i) (+ j i))) ((> j n))
               (vector-set! is-prime j #f))
             (loop (+ i 1) (cons i primes)))
            (else (loop (+ i 1) primes))))))

(define (queens board-size)
  (define (safe? row distance placed)
    (or (null? placed)
        (and (not (= (car placed) (+ row distance)))
             (not (= (car placed) (- row distance)))
             (not (= (car placed) row))
             (safe? row (+ distance 1) (cdr placed)))))
  (define (place column placed)
    (if (= column board-size)
        1
        (let loop ((row 0) (count 0))
          (cond ((= row board-size) count)
                ((safe? row 1 placed)
                 (loop (+ row 1)
                       (+ count (place (+ column 1) (cons row placed)))))
                (else (loop (+ row 1) count))))))
  (place 0 '()))

(report "tak" (tak 18 12 6))
(report "sieve" (length (repeat 4 (lambda () (sieve 60000)))))
(report "queens" (queens 8))

;;; Words of the text: string ports, hash tables, sorting

(define (read-all-lines)
  (let loop ((line (read-line)) (lines '()))
    (if (eof-object? line)
        (reverse lines)
        (loop (read-line) (cons line lines)))))

(define text (read-all-lines))

(define (line-words line)
  (let ((end (string-length line)))
    (let loop ((i 0) (start #f) (words '()))
      (define (take)
        (if start
            (cons (string-downcase (substring line start i)) words)
            words))
      (cond ((= i end) (reverse (take)))
            ((char-alphabetic? (string-ref line i))
             (loop (+ i 1) (or start i) words))
            (else (loop (+ i 1) #f (take)))))))

(define (word-counts lines)
  (let ((counts (make-hash-table)))
    (for-each
     (lambda (line)
       (for-each
        (lambda (word)
          (hash-table-update!/default counts word (lambda (n) (+ n 1)) 0))
        (line-words line)))
     lines)
    counts))

(define (most-frequent counts n)
  (let ((sorted (sort (hash-table->alist counts)
                      (lambda (a b)
                        (or (> (cdr a) (cdr b))
                            (and (= (cdr a) (cdr b))
                                 (string<? (car a) (car b))))))))
    (let loop ((i 0) (list sorted) (result '()))
      (if (or (= i n) (null? list))
          (reverse result)
          (loop (+ i 1) (cdr list) (cons (car list) result))))))

(report "words" (most-frequent (repeat 3 (lambda () (word-counts text))) 8))

(define (fill lines width)
  (let ((out (open-output-string)))
    (let loop ((words (apply append (map line-words lines))) (column 0))
      (if (null? words)
          (string-length (get-output-string out))
          (let ((n (string-length (car words))))
            (cond ((> (+ column n 1) width)
                   (newline out)
                   (write-string (car words) out)
                   (loop (cdr words) n))
                  (else
                   (if (> column 0) (write-char #\space out))
                   (write-string (car words) out)
                   (loop (cdr words) (+ column n 1)))))))))

(report "fill" (fill text 60))

;;; An interpreter for a small Scheme: environments are lists of frames

(define-record-type procedure
  (make-procedure names body environment)
  is-procedure?
  (names procedure-names)
  (body procedure-body)
  (environment procedure-environment))

(define (find-binding name environment)
  (let loop ((frames environment))
    (if (null? frames)
        (error "unbound" name)
        (or (assq name (car frames)) (loop (cdr frames))))))

(define (evaluate form environment)
  (cond ((symbol? form) (cdr (find-binding form environment)))
        ((not (pair? form)) form)
        (else
         (case (car form)
           ((quote) (cadr form))
           ((if)
            (if (evaluate (cadr form) environment)
                (evaluate (caddr form) environment)
                (evaluate (cadddr form) environment)))
           ((lambda) (make-procedure (cadr form) (cddr form) environment))
           ((let)
            (evaluate `((lambda ,(map car (cadr form)) ,@(cddr form))
                        ,@(map cadr (cadr form)))
                      environment))
           ((define)
            (let ((binding (cons (cadr form) #f)))
              (set-car! environment (cons binding (car environment)))
              (set-cdr! binding (evaluate (caddr form) environment))))
           (else
            (apply-procedure
             (evaluate (car form) environment)
             (map (lambda (part) (evaluate part environment))
                  (cdr form))))))))

(define (apply-procedure procedure arguments)
  (if (is-procedure? procedure)
      (evaluate-body (procedure-body procedure)
                     (cons (map cons (procedure-names procedure) arguments)
                           (procedure-environment procedure)))
      (apply procedure arguments)))

(define (evaluate-body forms environment)
  (let loop ((forms forms))
    (if (null? (cdr forms))
        (evaluate (car forms) environment)
        (begin (evaluate (car forms) environment)
               (loop (cdr forms))))))

(define (initial-environment)
  (list (list (cons '+ +) (cons '- -) (cons '* *) (cons '< <) (cons '= =)
              (cons 'cons cons) (cons 'car car) (cons 'cdr cdr)
              (cons 'null? null?) (cons 'append append))))

(define sample-program
  '((define fib (lambda (n)
      (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))
    (define filter (lambda (keep list)
      (if (null? list)
          '()
          (let ((rest (filter keep (cdr list))))
            (if (keep (car list)) (cons (car list) rest) rest)))))
    (define quicksort (lambda (list)
      (if (null? list)
          '()
          (let ((pivot (car list)))
            (append (quicksort (filter (lambda (x) (< x pivot)) (cdr list)))
                    (cons pivot
                          (quicksort
                           (filter (lambda (x) (if (< x pivot) #f #t))
                                   (cdr list)))))))))
    (cons (fib 15) (quicksort '(31 4 15 92 65 35 89 79 32 38 46 26 43)))))

(report "evaluate"
        (repeat 4 (lambda ()
                    (evaluate-body sample-program (initial-environment)))))

;;; Derivatives: pattern matching on expressions, and simplification

(define (match pattern form bindings)
  (cond ((not bindings) #f)
        ((and (pair? pattern) (eq? (car pattern) '?))
         (let ((old (assq (cadr pattern) bindings)))
           (cond (old (and (equal? (cdr old) form) bindings))
                 ((and (pair? (cddr pattern))
                       (not ((cdr (assq (caddr pattern) tests)) form)))
                  #f)
                 (else (cons (cons (cadr pattern) form) bindings)))))
        ((pair? pattern)
         (and (pair? form)
              (match (cdr pattern) (cdr form)
                     (match (car pattern) (car form) bindings))))
        (else (and (eqv? pattern form) bindings))))

(define tests (list (cons 'number number?) (cons 'symbol symbol?)))

(define (substitute template bindings)
  (cond ((and (pair? template) (eq? (car template) '?))
         (cdr (assq (cadr template) bindings)))
        ((pair? template)
         (cons (substitute (car template) bindings)
               (substitute (cdr template) bindings)))
        (else template)))

(define simplifications
  '(((+ 0 (? a)) (? a))
    ((+ (? a) 0) (? a))
    ((* 0 (? a)) 0)
    ((* (? a) 0) 0)
    ((* 1 (? a)) (? a))
    ((* (? a) 1) (? a))
    ((- (? a) 0) (? a))
    ((- (? a) (? a)) 0)
    ((+ (? a) (? a)) (* 2 (? a)))
    ((expt (? a) 1) (? a))
    ((expt (? a) 0) 1)
    ((* (? m number) (* (? n number) (? a))) (* (fold * (? m) (? n)) (? a)))
    ((+ (? m number) (? n number)) (fold + (? m) (? n)))
    ((* (? m number) (? n number)) (fold * (? m) (? n)))
    ((- (? m number) (? n number)) (fold - (? m) (? n)))))

(define (fold-numbers form)
  (cond ((not (pair? form)) form)
        ((eq? (car form) 'fold)
         (case (cadr form)
           ((+) (apply + (cddr form)))
           ((*) (apply * (cddr form)))
           (else (apply - (cddr form)))))
        (else (map fold-numbers form))))

(define (simplify form)
  (if (not (pair? form))
      form
      (let ((form (cons (car form) (map simplify (cdr form)))))
        (let loop ((rules simplifications))
          (if (null? rules)
              form
              (let ((bindings (match (car (car rules)) form '())))
                (if bindings
                    (simplify
                     (fold-numbers
                      (substitute (cadr (car rules)) bindings)))
                    (loop (cdr rules)))))))))

(define (derive form x)
  (cond ((number? form) 0)
        ((symbol? form) (if (eq? form x) 1 0))
        (else
         (let ((a (cadr form)) (b (caddr form)))
           (case (car form)
             ((+ -) (list (car form) (derive a x) (derive b x)))
             ((*) `(+ (* ,(derive a x) ,b) (* ,a ,(derive b x))))
             ((/) `(/ (- (* ,(derive a x) ,b) (* ,a ,(derive b x)))
                      (expt ,b 2)))
             ((expt) `(* (* ,b (expt ,a ,(- b 1))) ,(derive a x)))
             (else (error "cannot derive" form)))))))

(define polynomial
  '(+ (* 3 (expt x 4)) (- (* (expt x 2) y) (/ (+ x 1) (* x y)))))

(report "derive"
        (repeat 25 (lambda () (simplify (derive polynomial 'x)))))

;;; JSON: a recursive-descent reader on a string port

(define (json-read port)
  (define (next) (read-char port))
  (define (skip)
    (if (and (char? (peek-char port)) (char-whitespace? (peek-char port)))
        (begin (next) (skip))))
  (define (read-string)
    (let loop ((c (next)) (chars '()))
      (cond ((eof-object? c) (error "unterminated string"))
            ((char=? c #\") (list->string (reverse chars)))
            ((char=? c #\\) (let ((c (next))) (loop (next) (cons c chars))))
            (else (loop (next) (cons c chars))))))
  (define (read-word chars)
    (let ((c (peek-char port)))
      (if (and (char? c)
               (or (char-alphabetic? c) (char-numeric? c)
                   (memv c '(#\- #\+ #\.))))
          (read-word (cons (next) chars))
          (let ((word (list->string (reverse chars))))
            (cond ((string=? word "true") #t)
                  ((string=? word "false") #f)
                  ((string=? word "null") '())
                  ((string->number word))
                  (else (error "bad word" word)))))))
  (define (read-items close read-item)
    (next)
    (skip)
    (if (eqv? (peek-char port) close)
        (begin (next) '())
        (let loop ((items (list (read-item))))
          (skip)
          (let ((c (next)))
            (cond ((eqv? c #\,) (loop (cons (read-item) items)))
                  ((eqv? c close) (reverse items))
                  (else (error "expected , or" close c)))))))
  (define (read-pair)
    (skip)
    (let ((key (json-read port)))
      (skip)
      (if (not (eqv? (next) #\:)) (error "expected :"))
      (cons key (json-read port))))
  (skip)
  (let ((c (peek-char port)))
    (cond ((eof-object? c) c)
          ((char=? c #\{) (read-items #\} read-pair))
          ((char=? c #\[)
           (list->vector (read-items #\] (lambda () (json-read port)))))
          ((char=? c #\") (next) (read-string))
          (else (read-word '())))))

(define (json-of lines)
  (call-with-output-string
   (lambda (out)
     (write-string "[" out)
     (let loop ((lines lines) (number 1))
       (write-string "{\"line\": " out)
       (write number out)
       (write-string ", \"text\": " out)
       (write (car lines) out)
       (write-string ", \"blank\": " out)
       (write-string (if (string-null? (car lines)) "true" "false") out)
       (write-string ", \"mean\": " out)
       (write (/ (string-length (car lines)) 3.0) out)
       (write-string "}" out)
       (if (pair? (cdr lines))
           (begin (write-string "," out)
                  (loop (cdr lines) (+ number 1)))))
     (write-string "]" out))))

(report "json"
        (let ((records (json-read (open-input-string (json-of text)))))
          (list (vector-length records)
                (vector-ref records 2)
                (json-read (open-input-string "[1, {\"a\": [true]}]")))))
(report "json error"
        (guard (e ((error-object? e) (error-object-message e)))
          (json-read (open-input-string "[1, 2"))))

;;; Numbers: a matrix product and Newton's method

(define (make-matrix n f)
  (let ((m (make-vector n)))
    (do ((i 0 (+ i 1))) ((= i n) m)
      (vector-set! m i (make-vector n 0))
      (do ((j 0 (+ j 1))) ((= j n))
        (vector-set! (vector-ref m i) j (f i j))))))

(define (matrix-ref m i j) (vector-ref (vector-ref m i) j))

(define (matrix-multiply a b n)
  (make-matrix n
    (lambda (i j)
      (let loop ((k 0) (sum 0.0))
        (if (= k n)
            sum
            (loop (+ k 1)
                  (+ sum (* (matrix-ref a i k) (matrix-ref b k j)))))))))

(define (trace m n)
  (let loop ((i 0) (sum 0))
    (if (= i n) sum (loop (+ i 1) (+ sum (matrix-ref m i i))))))

(report "matrix"
        (let* ((n 45)
               (a (make-matrix n (lambda (i j) (/ (+ i 1.0) (+ j 1)))))
               (b (make-matrix n (lambda (i j) (- i j)))))
          (trace (matrix-multiply a b n) n)))

(define (square-root x)
  (let loop ((guess 1.0))
    (let ((better (/ (+ guess (/ x guess)) 2)))
      (if (< (abs (- better guess)) 1e-12) better (loop better)))))

(report "newton" (map square-root '(2 3 5 1000000)))

;;; A linear congruential generator

(define (random-vector n seed)
  (let ((v (make-vector n)))
    (let loop ((i 0) (x seed))
      (if (= i n)
          v
          (begin (vector-set! v i x)
                 (loop (+ i 1) (modulo (+ (* x 1103515245) 12345)
                                       2147483648)))))))

;;; A planet around its sun, step by step, in floating point

(define (orbit steps dt)
  (let loop ((n 0) (x 1.0) (y 0.0) (vx 0.0) (vy 1.0) (nearest 2.0))
    (let* ((r2 (+ (* x x) (* y y)))
           (a (/ dt (* r2 (sqrt r2)))))
      (if (or (= n steps) (> r2 100.0))
          (list x y (sqrt nearest))
          (let ((vx (- vx (* a x))) (vy (- vy (* a y))))
            (loop (+ n 1) (+ x (* dt vx)) (+ y (* dt vy)) vx vy
                  (min nearest r2)))))))

(report "orbit" (orbit 8000 0.01))

;;; The largest sum of neighbours, all numbers in a vector

(define (largest-sum v)
  (let loop ((i 0) (here 0) (best 0))
    (if (= i (vector-length v))
        best
        (let ((here (max 0 (+ here (vector-ref v i)))))
          (loop (+ i 1) here (max best here))))))

(report "largest sum"
        (largest-sum (vector-map (lambda (x) (- (modulo x 201) 100))
                                 (random-vector 5000 7))))

;;; Heap sort in a vector

(define (heap-sort! v)
  (define (swap! i j)
    (let ((t (vector-ref v i)))
      (vector-set! v i (vector-ref v j))
      (vector-set! v j t)))
  (define (sift-down! start end)
    (let loop ((root start))
      (let ((child (+ (* 2 root) 1)))
        (if (< child end)
            (let ((child (if (and (< (+ child 1) end)
                                  (< (vector-ref v child)
                                     (vector-ref v (+ child 1))))
                             (+ child 1)
                             child)))
              (if (< (vector-ref v root) (vector-ref v child))
                  (begin (swap! root child) (loop child))))))))
  (let ((n (vector-length v)))
    (do ((i (- (quotient n 2) 1) (- i 1))) ((< i 0))
      (sift-down! i n))
    (do ((end (- n 1) (- end 1))) ((< end 1) v)
      (swap! 0 end)
      (sift-down! 0 end))))

(report "heap sort"
        (let ((v (heap-sort! (random-vector 9000 42))))
          (list (vector-ref v 0) (vector-ref v 4500) (vector-ref v 8999))))
