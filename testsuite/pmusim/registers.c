/*
 * registers.c - a loop in which it is known what is in registers, run by a
 * program, then by a thread of it and by a child.  Round by round
 *
 *	rbx	falls from ROUNDS to 1
 *	r12	is the same from "copied" on
 *	r13	has the two lowest bits of it from "masked" on
 *
 * Flags from "compared" on are those of a comparison of r13 with 2; between
 * "down" and "up", the direction flag is set too.  Before that, a repeated
 * string instruction is repeated r13 times, which may be none.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

long known(void);

__asm__(".text\n"
	".globl known, copied, masked, repeated, compared, down, up, ended\n"
	".type known, @function\n"
	"known:\n"
	"	push %rbx\n"
	"	push %r12\n"
	"	push %r13\n"
	"	sub $16, %rsp\n"
	"	xor %eax, %eax\n"
	"	mov $20000, %ebx\n"
	"round:	mov %rbx, %r12\n"
	"copied:	mov %ebx, %r13d\n"
	"	and $3, %r13d\n"
	"masked:	mov %r13d, %ecx\n"
	"	mov %rsp, %rdi\n"
	"repeated:\n"
	"	rep stosb\n"
	"	cmp $2, %r13\n"
	"compared:\n"
	"	jb round_on\n"
	"	nop\n"
	"round_on:\n"
	"	std\n"
	"down:	nop\n"
	"	lea 1(%rax), %rax\n"
	"	nop\n"
	"	cld\n"
	"up:	nop\n"
	"	lea -1(%rbx), %rbx\n"
	"ended:	test %rbx, %rbx\n"
	"	jne round\n"
	"	add $16, %rsp\n"
	"	pop %r13\n"
	"	pop %r12\n"
	"	pop %rbx\n"
	"	ret\n"
	".size known, .-known\n");

static void *run(void *unused)
{
	known();
	return unused;
}

/* With an argument, alone: nothing races. */
int main(int argc, char **argv)
{
	pthread_t thread;

	(void)argv;
	known();
	if (argc > 1)
		return 0;
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	if (fork() == 0) {
		known();
		_exit(0);
	}
	wait(NULL);
	return 0;
}
