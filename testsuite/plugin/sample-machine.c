/*
 * sample-machine.c - branches for the robustness test: an interpreter with a
 * switch and one with computed gotos, setjmp, calls over pointers, code that
 * does not return, and inlining.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

enum { STOP, PUSH, ADD, MULTIPLY, SWAP, JUMP, FAIL };

static jmp_buf failed;

__attribute__((noreturn, cold)) static void die(const char *why)
{
	puts(why);
	exit(1);
}

static inline int checked(int depth)
{
	if (depth < 0 || depth >= 16)
		die("stack");
	return depth;
}

static int by_switch(const int *code)
{
	int stack[16] = { 0 }, depth = 0, left = 40;

	for (const int *at = code;; at++) {
		switch (*at) {
		case STOP:
			return depth ? stack[checked(depth - 1)] : 0;
		case PUSH:
			stack[checked(depth++)] = *++at;
			break;
		case ADD:
			depth--;
			stack[checked(depth - 1)] += stack[checked(depth)];
			break;
		case MULTIPLY:
			depth--;
			stack[checked(depth - 1)] *= stack[checked(depth)] | 1;
			break;
		case SWAP: {
			int top = stack[checked(depth - 1)];

			stack[depth - 1] = stack[checked(depth - 2)];
			stack[depth - 2] = top;
			break;
		}
		case JUMP:
			at++;
			if (left-- > 0)
				at += *at;
			break;
		case FAIL:
			longjmp(failed, 3);
		default:
			die("code");
		}
	}
}

static int by_goto(const int *code)
{
	static const void *const labels[] = { &&stop, &&push, &&add,
					      &&multiply };
	int a = 1, b = 0;

	goto *labels[*code & 3];
push:
	b = a;
	a = *++code;
	code++;
	goto *labels[*code & 3];
add:
	a += b;
	code++;
	goto *labels[*code & 3];
multiply:
	a *= b;
	if (a > 100000)
		return -1;
	code++;
	goto *labels[*code & 3];
stop:
	return a;
}

static int protected(const int *code)
{
	int result = setjmp(failed);

	if (result)
		return -result;
	return by_switch(code);
}

static int apply(int (*what)(const int *), const int *code, int times)
{
	int sum = 0;

	while (times--)
		sum = sum * 31 + what(code);
	return sum;
}

static unsigned fibonacci(unsigned n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
	static const int good[] = { PUSH, 3,   PUSH, 4,	       ADD,
				    PUSH, 2,   SWAP, MULTIPLY, PUSH,
				    1,	  ADD, JUMP, -5,       STOP };
	static const int bad[] = { PUSH, 1, FAIL };
	static const int small[] = { PUSH, 5, PUSH, 7, ADD, MULTIPLY, STOP };

	printf("%d ", apply(protected, good, 20));
	printf("%d ", apply(protected, bad, 5));
	printf("%d ", apply(by_goto, small, 30));
	printf("%u\n", fibonacci(15));
	return 0;
}
