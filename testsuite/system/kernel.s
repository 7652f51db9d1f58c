/*
 * As Linux is linked: far above, with _text where it begins, code that is thrown
 * away in a section of its own, and branches that it writes into itself.
 */
	.section .init.text, "ax"
	.globl	setup
	.type	setup, @function
setup:	ret
	.size	setup, . - setup

	.text
	.globl	work
	.type	work, @function
work:
	mov	$100, %ecx
loop:	lea	1(%rax), %rax
	/* A static key: this is a jump to "traced" when somebody traces. */
key:	.byte	0x0f, 0x1f, 0x44, 0x00, 0x00
back:	imul	%rax, %rax
	dec	%ecx
last:	jne	loop
	ret
	/* Nothing else leads here. */
traced:	imul	%rcx, %rax
	jmp	back
	.size	work, . - work

	.globl	idle
	.type	idle, @function
idle:	nop
wait:	pause
	jmp	wait
	.size	idle, . - idle

	.globl	unlock
	.type	unlock, @function
unlock:	sti
	ret
	.size	unlock, . - unlock

	/* Where interrupts come in: "after", "two", "three" and "four". */
	.globl	masked
	.type	masked, @function
masked:	cli
	call	unlock
after:	inc	%eax
	sti
one:	inc	%eax
two:	inc	%eax
	pushf
	popf
three:	inc	%eax
	call	*unlocks(%rip)
four:	inc	%eax
five:	ret
	.size	masked, . - masked

	.data
unlocks: .quad	unlock
	.globl	__start___jump_table, __stop___jump_table
	.balign	8
__start___jump_table:
	.long	key - .
	.long	traced - .
	.quad	0
__stop___jump_table:

	.section .note.GNU-stack, "", @progbits
