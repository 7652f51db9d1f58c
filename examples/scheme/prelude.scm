;;; The part of the language that is written in itself.

(define (list-copy list) (append list '()))

(define (map1 f list)
  (let loop ((list list) (result '()))
    (if (pair? list)
        (loop (cdr list) (cons (f (car list)) result))
        (reverse result))))

(define (%any-null? lists)
  (and (pair? lists)
       (or (not (pair? (car lists))) (%any-null? (cdr lists)))))

(define (map f first . rest)
  (if (null? rest)
      (map1 f first)
      (let loop ((lists (cons first rest)) (result '()))
        (if (%any-null? lists)
            (reverse result)
            (loop (map1 cdr lists)
                  (cons (apply f (map1 car lists)) result))))))

(define (for-each f first . rest)
  (if (null? rest)
      (let loop ((list first))
        (if (pair? list)
            (begin (f (car list)) (loop (cdr list)))))
      (let loop ((lists (cons first rest)))
        (if (not (%any-null? lists))
            (begin (apply f (map1 car lists))
                   (loop (map1 cdr lists)))))))

(define (filter keep? list)
  (let loop ((list list) (result '()))
    (cond ((null? list) (reverse result))
          ((keep? (car list)) (loop (cdr list) (cons (car list) result)))
          (else (loop (cdr list) result)))))

(define (fold-left f start list)
  (let loop ((result start) (list list))
    (if (null? list) result (loop (f result (car list)) (cdr list)))))

(define (fold f start list)
  (let loop ((result start) (list list))
    (if (null? list) result (loop (f (car list) result) (cdr list)))))

(define (fold-right f start list)
  (fold f start (reverse list)))

(define (reduce f start list)
  (if (null? list) start (fold f (car list) (cdr list))))

(define (delete item list)
  (filter (lambda (other) (not (equal? item other))) list))

(define (list-index match? list)
  (let loop ((list list) (i 0))
    (cond ((null? list) #f)
          ((match? (car list)) i)
          (else (loop (cdr list) (+ i 1))))))

(define (assert holds)
  (if (not holds) (error "assertion failed")))

(define (iota n . options)
  (let ((start (if (pair? options) (car options) 0))
        (step (if (and (pair? options) (pair? (cdr options)))
                  (cadr options)
                  1)))
    (let loop ((i (- n 1)) (result '()))
      (if (< i 0)
          result
          (loop (- i 1) (cons (+ start (* i step)) result))))))

(define (lcm a b)
  (if (or (zero? a) (zero? b)) 0 (abs (* a (quotient b (gcd a b))))))

(define (square x) (* x x))
(define (exact-integer? x) (and (number? x) (exact? x)))
(define (exact-integer-sqrt n)
  (let ((root (exact (floor (sqrt n)))))
    (values root (- n (* root root)))))

;;; Vectors and strings

(define (vector-map f v . more)
  (if (pair? more)
      (list->vector (apply map f (vector->list v) (map vector->list more)))
      (let* ((n (vector-length v)) (result (make-vector n)))
        (do ((i 0 (+ i 1))) ((= i n) result)
          (vector-set! result i (f (vector-ref v i)))))))

(define (vector-for-each f v . more)
  (if (pair? more)
      (apply for-each f (vector->list v) (map vector->list more))
      (let ((n (vector-length v)))
        (do ((i 0 (+ i 1))) ((= i n))
          (f (vector-ref v i))))))

(define (vector-append . vectors)
  (list->vector (apply append (map vector->list vectors))))

(define (vector-copy! to at from . range)
  (let ((part (apply vector-copy from range)))
    (do ((i 0 (+ i 1))) ((= i (vector-length part)))
      (vector-set! to (+ at i) (vector-ref part i)))))

(define (string-for-each f string)
  (let ((n (string-length string)))
    (do ((i 0 (+ i 1))) ((= i n))
      (f (string-ref string i)))))

(define (string-map f string)
  (list->string (map f (string->list string))))

(define (string->vector string) (list->vector (string->list string)))
(define (vector->string v) (list->string (vector->list v)))

(define (string-join strings separator)
  (if (null? strings)
      ""
      (apply string-append (car strings)
             (fold-right (lambda (s rest) (cons separator (cons s rest)))
                         '() (cdr strings)))))

(define (string-null? string) (zero? (string-length string)))

;;; Sorting: a stable merge sort

(define (%merge a b less?)
  (let loop ((a a) (b b) (result '()))
    (cond ((null? a) (append (reverse result) b))
          ((null? b) (append (reverse result) a))
          ((less? (car b) (car a)) (loop a (cdr b) (cons (car b) result)))
          (else (loop (cdr a) b (cons (car a) result))))))

(define (list-sort less? list)
  (let sort ((list list) (n (length list)))
    (if (< n 2)
        (if (= n 0) '() (cons (car list) '()))
        (let ((half (quotient n 2)))
          (%merge (sort list half)
                  (sort (list-tail list half) (- n half))
                  less?)))))

(define (sort sequence less?)
  (if (vector? sequence)
      (list->vector (list-sort less? (vector->list sequence)))
      (list-sort less? sequence)))

;;; Control

(define (call-with-values producer consumer)
  (apply consumer (%values->list (producer))))

(define-syntax receive
  (syntax-rules ()
    ((_ formals expression body ...)
     (call-with-values (lambda () expression) (lambda formals body ...)))))

(define-syntax let-values
  (syntax-rules ()
    ((_ () body ...) (let () body ...))
    ((_ ((formals expression) more ...) body ...)
     (receive formals expression (let-values (more ...) body ...)))))

(define-syntax let*-values
  (syntax-rules ()
    ((_ bindings body ...) (let-values bindings body ...))))

(define %winders '())

(define (dynamic-wind before thunk after)
  (before)
  (set! %winders (cons (cons before after) %winders))
  (call-with-values thunk
    (lambda results
      (set! %winders (cdr %winders))
      (after)
      (apply values results))))

(define (%rewind to)
  (if (not (eq? to %winders))
      (let ((n (length to)) (m (length %winders)))
        (if (< n m)
            (let ((after (cdr (car %winders))))
              (set! %winders (cdr %winders))
              (after)
              (%rewind to))
            (begin
              (%rewind (cdr to))
              ((car (car to)))
              (set! %winders to))))))

(define (call-with-current-continuation f)
  (%call/cc
   (lambda (k)
     (let ((winders %winders))
       (f (lambda results
            (%rewind winders)
            (k (apply values results))))))))

(define call/cc call-with-current-continuation)

(define %handlers '())

(define (with-exception-handler handler thunk)
  (let ((outer %handlers))
    (let ((inner (cons handler outer)))
      (dynamic-wind
       (lambda () (set! %handlers inner))
       thunk
       (lambda () (set! %handlers outer))))))

(define (%call-handler object)
  (let ((handlers %handlers))
    (if (null? handlers)
        (%uncaught object)
        (begin
          (set! %handlers (cdr handlers))
          (let ((result ((car handlers) object)))
            (set! %handlers handlers)
            result)))))

(define (raise-continuable object) (%call-handler object))

(define (raise object)
  (%call-handler object)
  (set! %handlers '())
  (%uncaught object))

(define-syntax guard
  (syntax-rules ()
    ((_ (name clause ...) body ...)
     ((call-with-current-continuation
       (lambda (escape)
         (with-exception-handler
          (lambda (name)
            (let ((winders %handlers))
              (escape
               (lambda () (%guard-clauses name clause ...)))))
          (lambda ()
            (let ((result (let () body ...)))
              (lambda () result))))))))))

(define-syntax %guard-clauses
  (syntax-rules (else)
    ((_ name clause ... (else result ...))
     (cond clause ... (else result ...)))
    ((_ name clause ...)
     (cond clause ... (else (raise-continuable name))))))

(define (condition/report-string condition)
  (let ((port (open-output-string)))
    (display (error-object-message condition) port)
    (for-each (lambda (irritant)
                (display " " port)
                (write irritant port))
              (error-object-irritants condition))
    (get-output-string port)))

(define (eval form . environment) ((%compile form)))

(define (load name)
  (let ((port (open-input-file name)))
    (let loop ((form (read port)))
      (if (not (eof-object? form))
          (begin (eval form) (loop (read port)))))
    (close-port port)))

(define-syntax delay
  (syntax-rules ()
    ((_ expression) (%make-promise #f (lambda () expression)))))

(define-syntax delay-force
  (syntax-rules ()
    ((_ expression) (%make-promise #f (lambda () (force expression))))))

(define-syntax cons-stream
  (syntax-rules ()
    ((_ first rest) (cons first (delay rest)))))

(define-record-type promise
  (%make-promise done content)
  promise?
  (done %promise-done %promise-done!)
  (content %promise-content %promise-content!))

(define (make-promise v) (if (promise? v) v (%make-promise #t v)))

(define (force promise)
  (if (promise? promise)
      (begin
        (if (not (%promise-done promise))
            (let ((result ((%promise-content promise))))
              (if (not (%promise-done promise))
                  (begin (%promise-done! promise #t)
                         (%promise-content! promise result)))))
        (%promise-content promise))
      promise))

(define (make-parameter start . converter)
  (let ((content (if (pair? converter) ((car converter) start) start)))
    (lambda to
      (if (pair? to) (set! content (car to)) content))))

(define-syntax parameterize
  (syntax-rules ()
    ((_ () body ...) (let () body ...))
    ((_ ((parameter expression) more ...) body ...)
     (let ((old (parameter)) (new expression))
       (dynamic-wind
        (lambda () (parameter new))
        (lambda () (parameterize (more ...) body ...))
        (lambda () (parameter old)))))))

;;; Hash tables and ports

(define (hash-table-ref table key . failure)
  (if (hash-table-contains? table key)
      (hash-table-ref/default table key #f)
      (if (pair? failure)
          ((car failure))
          (error "hash-table-ref: no such key" key))))

(define (hash-table-update! table key f . failure)
  (hash-table-set! table key (f (apply hash-table-ref table key failure))))

(define (hash-table-update!/default table key f start)
  (hash-table-set! table key (f (hash-table-ref/default table key start))))

(define (hash-table-walk table f)
  (for-each (lambda (entry) (f (car entry) (cdr entry)))
            (hash-table->alist table)))

(define (with-output-to-string thunk)
  (let ((port (open-output-string)) (outer (current-output-port)))
    (dynamic-wind
     (lambda () (%set-output! port))
     thunk
     (lambda () (%set-output! outer)))
    (get-output-string port)))

(define (call-with-output-string f)
  (let ((port (open-output-string)))
    (f port)
    (get-output-string port)))

(define (call-with-port port f)
  (call-with-values (lambda () (f port))
    (lambda results (close-port port) (apply values results))))

(define (call-with-input-file name f)
  (call-with-port (open-input-file name) f))

(define (call-with-output-file name f)
  (call-with-port (open-output-file name) f))

(define (jiffies-per-second) 1000000)
(define (command-line) %command-line)
