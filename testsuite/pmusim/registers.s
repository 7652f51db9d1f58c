# registers.s - code of which it is known what is in registers; see registers.c.
#
# known: round by round
#
#	rbx	falls from 20000 to 1
#	r12	is the same from "copied" on
#	r13	has the two lowest bits of it from "masked" on
#
# Flags from "compared" on are those of a comparison of r13 with 2; between
# "down" and "up", the direction flag is set too.  Before that, an instruction is
# repeated r13 times, which may be none.

	.text
	.globl	known, copied, masked, repeated, compared, down, up, ended
	.type	known, @function
known:
	push	%rbx
	push	%r12
	push	%r13
	sub	$16, %rsp
	xor	%eax, %eax
	mov	$20000, %ebx
round:
	mov	%rbx, %r12
copied:
	mov	%ebx, %r13d
	and	$3, %r13d
masked:
	mov	%r13d, %ecx
	mov	%rsp, %rdi
repeated:
	rep	stosb
	cmp	$2, %r13
compared:
	jb	on
	nop
on:
	std
down:
	nop
	lea	1(%rax), %rax
	nop
	cld
up:
	nop
	lea	-1(%rbx), %rbx
ended:
	test	%rbx, %rbx
	jne	round
	add	$16, %rsp
	pop	%r13
	pop	%r12
	pop	%rbx
	ret
	.size	known, .-known

# operations(flags): flags after operations of all kinds and sizes on rax and
# rcx; at "behind" is where they are, each time the address of a nop.

	.macro	operation text:vararg
	movabs	$0x7fffff80ffff7f81, %rax
	mov	$0x55555501, %ecx
	\text
1:	nop
	.pushsection .rodata
	.quad	1b
	.popsection
	pushf
	pop	(%rdi)
	lea	8(%rdi), %rdi
	.endm

	.section .rodata
	.balign	8
	.globl	behind, behind_end
behind:
	.text
	.globl	operations
	.type	operations, @function
operations:
	.irp	name, add, adc, sub, sbb, cmp, and, test
	operation \name %cl, %al
	operation \name %cx, %ax
	operation \name %ecx, %eax
	operation \name %rcx, %rax
	.endr
	.irp	name, inc, dec, neg, shl, shr, sar, rcl
	.irp	register, %al, %ax, %eax, %rax
	operation \name \register
	.endr
	.endr
	ret
	.size	operations, .-operations

	.section .rodata
behind_end:
	.section .note.GNU-stack, "", @progbits
