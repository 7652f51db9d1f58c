/*
 * A program made of what is hard to see in machine code, run with all its
 * ways: switches of several kinds, computed gotos of two kinds, calls that
 * do not come back, recursion, tail calls.  What it prints does not matter,
 * only that it runs.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone))

static jmp_buf again;
static unsigned state = 1;

static NOINLINE unsigned draw(unsigned below)
{
	state = state * 1103515245 + 12345;
	return (state >> 16) % below;
}

/* Not marked noreturn: the graph has to find out. */
NOINLINE void give_up(int why)
{
	longjmp(again, why);
}

static NOINLINE void complain(const char *what)
{
	if (draw(2))
		puts(what);
	give_up(1);
}

/* Dense, with a default. */
NOINLINE int dense(unsigned x, int y)
{
	switch (x) {
	case 0:
		return y + 1;
	case 1:
		return y * 3;
	case 2:
		y ^= 5;
		/* fall through */
	case 3:
		return y - 7;
	case 4:
		return draw(9) + y;
	case 5:
		return -y;
	case 6:
		return y << 2;
	case 7:
		return y / 3;
	default:
		return y;
	}
}

/* From 'a', signed, with holes, in a loop, on what is in memory. */
NOINLINE int text(const char *s)
{
	int sum = 0;

	for (; *s; s++)
		switch (*s) {
		case 'a':
			sum += 3;
			break;
		case 'b':
			sum ^= 9;
			break;
		case 'd':
			sum *= 2;
			break;
		case 'e':
			sum -= draw(3);
			break;
		case 'f':
			if (sum & 1)
				continue;
			sum++;
			break;
		case 'h':
			return sum;
		case 'i':
			sum = -sum;
			break;
		default:
			sum += 100;
		}
	return sum;
}

/* No default is possible. */
NOINLINE int masked(unsigned x)
{
	switch (x & 7) {
	case 0:
		return draw(2);
	case 1:
		return draw(3) + 1;
	case 2:
		return draw(4) * 2;
	case 3:
		return draw(5) - 3;
	case 4:
		return draw(6) ^ 4;
	case 5:
		return draw(7) << 5;
	case 6:
		return draw(8) | 6;
	case 7:
		return draw(9) & 7;
	}
	return 0;
}

/* A switch within a switch, each in its loop. */
NOINLINE int nested(int n)
{
	int a = 0, b = 0;

	while (n-- > 0)
		switch (draw(6)) {
		case 0:
			a += 2;
			break;
		case 1:
			for (int i = 0; i < 5; i++)
				switch (draw(7)) {
				case 0:
					b++;
					break;
				case 1:
					b += a;
					break;
				case 2:
					b ^= i;
					break;
				case 3:
					a ^= b;
					break;
				case 4:
					b -= 2;
					break;
				case 5:
					goto out;
				}
			break;
		case 2:
			a -= b;
			break;
		case 3:
			b = a;
			break;
		case 4:
			a = dense(draw(9), b);
			break;
		case 5:
out:
			a ^= 1;
			break;
		}
	return a + b;
}

/* An interpreter by addresses of labels. */
NOINLINE int threaded(const unsigned char *code)
{
	static const void *const labels[] = { &&add, &&sub,  &&mul,
					      &&neg, &&skip, &&end };
	int x = 1;

	goto *labels[*code++];
add:
	x += 3;
	goto *labels[*code++];
sub:
	x -= draw(4);
	goto *labels[*code++];
mul:
	x *= 5;
	goto *labels[*code++];
neg:
	x = -x;
	goto *labels[*code++];
skip:
	code++;
	goto *labels[*code++];
end:
	return x;
}

/* The same by differences of addresses. */
NOINLINE int differences(const unsigned char *code)
{
	static const int labels[] = { &&add - &&add, &&sub - &&add,
				      &&mul - &&add, &&neg - &&add,
				      &&end - &&add };
	int x = 1;

	goto *(&&add + labels[*code++]);
add:
	x += 2;
	goto *(&&add + labels[*code++]);
sub:
	x -= 7;
	goto *(&&add + labels[*code++]);
mul:
	x *= draw(3);
	goto *(&&add + labels[*code++]);
neg:
	x = ~x;
	goto *(&&add + labels[*code++]);
end:
	return x;
}

NOINLINE int even(unsigned n);

NOINLINE int odd(unsigned n)
{
	return n ? even(n - 1) : 0;
}

NOINLINE int even(unsigned n)
{
	return n ? odd(n - 1) : 1;
}

static int (*const handlers[])(unsigned) = { even, odd, masked };

/* An indirect tail call through a table of functions. */
NOINLINE int dispatch(unsigned which, unsigned x)
{
	return handlers[which](x);
}

NOINLINE int checked(int x)
{
	if (x > 50)
		complain("too much");
	if (x < -50) {
		printf("%d is too little\n", x);
		give_up(2);
	}
	return x * x;
}

int main(void)
{
	static const unsigned char code[] = { 0, 1, 2, 3, 4, 0, 1, 2, 5 };
	static const unsigned char steps[] = { 0, 1, 2, 3, 1, 0, 2, 4 };
	volatile int round = 0, sum = 0;

	setjmp(again);
	while (round++ < 200) {
		sum += dense(draw(10), round) + text("abcdefgi") + text("beeh");
		sum += masked(draw(100)) + nested(20);
		sum += threaded(code) + differences(steps);
		sum += dispatch(draw(3), draw(20));
		sum += checked((int)draw(120) - 60);
	}
	printf("%d\n", sum);
	return 0;
}
