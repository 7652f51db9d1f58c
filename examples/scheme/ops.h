/*
 * ops.h - the machine's instructions: one word for the operation, then one
 * for each operand.  `slot` counts from the first argument, `capture` from
 * the closure's first, `to` is relative to the word behind it.
 */
#ifndef OPS_H
#define OPS_H

/* X(name) for each, in the order of their numbers. */
#define OPERATIONS(X)                                                    \
	X(HALT)                                                          \
	X(CONST)       /* constant */                                    \
	X(FIXNUM)      /* the number */                                  \
	X(LOCAL)       /* slot */                                        \
	X(LOCAL_BOX)   /* slot */                                        \
	X(CAPTURE)     /* capture */                                     \
	X(CAPTURE_BOX) /* capture */                                     \
	X(GLOBAL)      /* constant: the symbol */                        \
	X(SET_LOCAL)   /* slot */                                        \
	X(SET_LOCAL_BOX)                                                 \
	X(SET_CAPTURE_BOX)                                               \
	X(SET_GLOBAL)                                                    \
	X(DEFINE)                                                        \
	X(POP)                                                           \
	X(SLIDE) /* n: drop n values below the top */                    \
	X(BOX)	 /* slot: put its value into a box */                    \
	X(JUMP)	 /* to */                                                \
	X(JUMP_FALSE)                                                    \
	X(OR)	   /* to: jump if true and keep, else pop */             \
	X(AGAIN)   /* n, slot, to: move n values down and jump */        \
	X(CLOSURE) /* constant, n, then n times: slot or -1 - capture */ \
	X(CALL)	   /* n */                                               \
	X(TAIL_CALL)                                                     \
	X(RETURN)                                                        \
	/* Opened calls, in the order of the table in compile.c. */      \
	X(ADD)                                                           \
	X(SUBTRACT)                                                      \
	X(MULTIPLY)                                                      \
	X(LESS)                                                          \
	X(GREATER)                                                       \
	X(AT_MOST)                                                       \
	X(AT_LEAST)                                                      \
	X(EQUAL)                                                         \
	X(EQ)                                                            \
	X(EQV)                                                           \
	X(NOT)                                                           \
	X(IS_NULL)                                                       \
	X(IS_PAIR)                                                       \
	X(IS_ZERO)                                                       \
	X(CAR)                                                           \
	X(CDR)                                                           \
	X(CADR)                                                          \
	X(CDDR)                                                          \
	X(CAAR)                                                          \
	X(CONS)                                                          \
	X(SET_CAR)                                                       \
	X(SET_CDR)                                                       \
	X(VECTOR_REF)                                                    \
	X(VECTOR_SET)                                                    \
	X(STRING_REF)                                                    \
	X(CHAR_EQUAL)                                                    \
	X(QUOTIENT)                                                      \
	X(REMAINDER)                                                     \
	X(RECORD_REF)                                                    \
	X(ADD_FIXNUM) /* the number */                                   \
	/* A test and a jump if it does not hold. */                     \
	X(UNLESS_LESS)                                                   \
	X(UNLESS_GREATER)                                                \
	X(UNLESS_AT_MOST)                                                \
	X(UNLESS_AT_LEAST)                                               \
	X(UNLESS_EQUAL)                                                  \
	X(UNLESS_EQ)                                                     \
	X(UNLESS_EQV)                                                    \
	X(IF_TRUE) /* not */                                             \
	X(UNLESS_NULL)                                                   \
	X(UNLESS_PAIR)                                                   \
	X(UNLESS_ZERO)

#define OPERATION_NUMBER(name) OP_##name,
enum op { OPERATIONS(OPERATION_NUMBER) };

#endif
