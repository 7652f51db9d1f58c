# What the estimate of a block's cycles must see.

	.text

# Eight that do not depend on each other: two cycles to issue, one to run.
	.globl wide
	.type wide, @function
wide:	inc %eax
	inc %ecx
	inc %edx
	inc %esi
	inc %edi
	inc %r8d
	inc %r9d
	inc %r10d
	ret
	.size wide, . - wide

# A chain of four.
	.globl chain
	.type chain, @function
chain:	add %eax, %ecx
	add %ecx, %edx
	add %edx, %esi
	add %esi, %edi
	ret
	.size chain, . - chain

# Each load waits for the one before it.
	.globl chase
	.type chase, @function
chase:	mov (%rdi), %rdi
	mov (%rdi), %rdi
	mov (%rdi), %rdi
	ret
	.size chase, . - chase

# Zeroing breaks a chain; a division does not.
	.globl divide
	.type divide, @function
divide:	xor %edx, %edx
	div %rsi
	xor %edx, %edx
	div %esi
	xor %eax, %eax
	inc %eax
	ret
	.size divide, . - divide

# Flags: the conditional move waits for the comparison of what was loaded.
	.globl flags
	.type flags, @function
flags:	cmp (%rdi), %rsi
	cmovb %rdx, %rax
	imul %rax, %rax
	ret
	.size flags, . - flags

# Floating point, and nops that count for nothing.
	.globl points
	.type points, @function
points:	mulsd (%rdi), %xmm0
	nop
	addsd %xmm1, %xmm0
	nopw 0x0(%rax,%rax,1)
	divsd %xmm2, %xmm0
	ret
	.size points, . - points

	.globl _start
	.type _start, @function
_start:	nop
	rep movsb
	hlt
	.size _start, . - _start
