# The loop of CGO 2010, Figure 1: one block of 19 instructions.
	.globl	_start
_start:
	movabs	$LIMIT, %rcx
	xor	%edx, %edx
	xor	%esi, %esi
	.p2align 4
	.globl	loop
loop:
	add	$0x1, %rdx
	or	$0x2, %rdx
	add	$0x3, %rdx
	or	$0x4, %rdx
	add	$0x5, %rdx
	or	$0x6, %rdx
	add	$0x7, %rdx
	or	$0x8, %rdx
	add	$0x9, %rdx
	or	$0xa, %rdx
	add	$0xb, %rdx
	or	$0xc, %rdx
	add	$0xd, %rdx
	or	$0xe, %rdx
	add	$0xf, %rdx
	or	$0x10, %rdx
	add	$0x1, %esi
	cmp	%rcx, %rdx
	jbe	loop
	mov	$60, %eax
	xor	%edi, %edi
	syscall
