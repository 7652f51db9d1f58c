# Loops of which the code says how often they go round, and such of which it does
# not quite.

	.text

# Sixteen times sixteen: down from a constant, and up to one, in two blocks.
	.globl nest
	.type nest, @function
nest:	mov $16, %r9d
.Lnest1:
	xor %eax, %eax
.Lnest2:
	cmpb $0, (%rdi,%rax)
	je 1f
	incb (%rdi,%rax)
1:	add $1, %rax
	cmp $16, %rax
	jne .Lnest2
	add $16, %rdi
	sub $1, %r9d
	jne .Lnest1
	ret
	.size nest, . - nest

# By address, and while it is below; what it begins with is two blocks before.
	.globl below
	.type below, @function
below:	mov $3, %ecx
	lea 4(%rcx), %edx
	test %edi, %edi
	je 2f
	test %esi, %esi
	je 2f
1:	inc %esi
	lea 2(%rdx), %edx
	cmp $20, %edx
	jl 1b
2:	ret
	.size below, . - below

# Entered with one number or another; or with the same.
	.globl either
	.type either, @function
either:	test %edi, %edi
	je 1f
	mov $4, %eax
	jmp 2f
1:	mov $5, %eax
2:	dec %eax
	jne 2b
	test %esi, %esi
	je 3f
	mov $7, %eax
	jmp 4f
3:	mov $7, %eax
4:	dec %eax
	jne 4b
	ret
	.size either, . - either

# Left in the middle, too; calls; counts what it is given; counts by two ways; asks the
# kernel; and without end.
	.globl unsure
	.type unsure, @function
unsure:	mov $10, %ebx
1:	cmpb $0, (%rdi,%rbx)
	je 2f
	dec %ebx
	jne 1b
2:	mov $10, %ebx
3:	call nest
	dec %ebx
	jne 3b
4:	dec %esi
	jne 4b
	mov $10, %ebx
5:	test $1, %dil
	je 6f
	dec %ebx
6:	inc %edi
	dec %ebx
	jne 5b
	mov $10, %edx
8:	test $1, %dil
	je 9f
	syscall
9:	dec %edx
	jne 8b
	mov $1, %ebx
7:	add $2, %ebx
	jne 7b
	ret
	.size unsure, . - unsure

# Once is no loop; 4096 times are the most, of loops in each other together.
	.globl most
	.type most, @function
most:	mov $1, %eax
1:	dec %eax
	jne 1b
	mov $4096, %eax
2:	dec %eax
	jne 2b
	mov $4097, %eax
3:	dec %eax
	jne 3b
	mov $65, %ecx
4:	mov $64, %eax
5:	dec %eax
	jne 5b
	dec %ecx
	jne 4b
	ret
	.size most, . - most

	.globl _start
	.type _start, @function
_start:	call nest
	hlt
	.size _start, . - _start
