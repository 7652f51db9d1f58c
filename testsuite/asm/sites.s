# Where registers tell what is divided by, and how much is copied.

	.text

# From where the divisor was set to where it is set again, and the quotient.
	.globl divide
	.type divide, @function
divide:	mov %esi, %ecx
	xor %edx, %edx
	mov %edi, %eax
	div %ecx
	add %ecx, %edx
	mov %edx, %eax
	mov $1, %ecx
	ret
	.size divide, . - divide

# A call leaves some registers as they are.  Where the division ends its block,
# nothing follows.
	.globl kept
	.type kept, @function
kept:	mov %rsi, %rbx
	mov %rdi, %r8
	call divide
	cqo
	idiv %rbx
	jne 1f
	cqo
	idiv %r8
1:	ret
	.size kept, . - kept

# And others it does not.
	.globl lost
	.type lost, @function
lost:	mov %rdi, %r8
	call divide
	cqo
	idiv %r8
	ret
	.size lost, . - lost

# Neither a byte, nor what is in memory, which yet has a quotient.
	.globl others
	.type others, @function
others:	div %ch
	idivl (%rdi)
	divl 4(%rdi)
	nop
	ret
	.size others, . - others

# A divisor that the division writes.
	.globl itself
	.type itself, @function
itself:	mov %edi, %eax
	div %eax
	ret
	.size itself, . - itself

# A copy's size, up to the call; and of one that is jumped to.
	.globl copy
	.type copy, @function
copy:	mov %rdx, %rbx
	mov $16, %edx
	mov %rdi, %rsi
	call memcpy
	mov %rbx, %rdx
	test %edx, %edx
	je 1f
	lea 8(%rdi), %rdi
	jmp memset
1:	call divide
	ret
	.size copy, . - copy

# Before that, what was copied to it, of which the lower half may be all; not what
# a part of it was copied from, or what it may not be.
	.globl copied
	.type copied, @function
copied:	add $1, %r12d
	mov %r12d, %ebp
	mov %rsi, %rdi
	mov %rbp, %rdx
	call memcpy
	mov %r8w, %dx
	call memcpy
	cmova %r12, %rdx
	call memcpy
	mov %esi, %ebx
	idiv %rbx
	ret
	.size copied, . - copied

	.globl memcpy
	.type memcpy, @function
memcpy:	ret
	.size memcpy, . - memcpy

	.globl memset
	.type memset, @function
memset:	ret
	.size memset, . - memset

	.globl _start
	.type _start, @function
_start:	call copy
	ud2
	.size _start, . - _start
