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

# Around a loop that goes round until a byte is 0.
	.globl scan
	.type scan, @function
scan:	mov $60, %ecx
1:	mov %rdi, %rax
2:	cmpb $0, (%rax)
	je 3f
	add $1, %rax
	jmp 2b
3:	sub $1, %ecx
	jne 1b
	ret
	.size scan, . - scan

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

# From wherever to so far behind it: of an argument, of what is loaded, of the stack,
# and of either of two; 256 times are the most.
	.globl behind
	.type behind, @function
behind:	lea 64(%rdi), %rdx
1:	incq (%rdi)
	add $16, %rdi
	cmp %rdx, %rdi
	jne 1b
	mov (%rsi), %rax
	lea 40(%rax), %rcx
2:	incl (%rax)
	add $4, %rax
	cmp %rax, %rcx
	ja 2b
	mov %rsp, %rax
	lea -48(%rsp), %rcx
3:	sub $8, %rax
	movq $0, (%rax)
	cmp %rcx, %rax
	jne 3b
	test %rdi, %rdi
	je 4f
	mov %rdi, %rax
	lea 32(%rdi), %rdx
	jmp 5f
4:	lea -32(%rsi), %rax
	mov %rsi, %rdx
5:	incq (%rax)
	add $8, %rax
	cmp %rdx, %rax
	jne 5b
	lea 1024(%rax), %rdx
6:	incl (%rax)
	add $4, %rax
	cmp %rdx, %rax
	jne 6b
	ret
	.size behind, . - behind

# To what is given, by what is left of it, by its digits; from one of two to one that
# is not its own; as far as something in memory; and too often.
	.globl wherever
	.type wherever, @function
wherever:
1:	incq (%rdi)
	add $8, %rdi
	cmp %rsi, %rdi
	jb 1b
	mov %esi, %eax
	and $3, %eax
2:	incq (%rdi)
	dec %eax
	jns 2b
	mov %rsi, %rax
3:	incq (%rdi)
	shr $4, %rax
	jne 3b
	test %rdi, %rdi
	je 4f
	mov %rdi, %rax
	lea 32(%rdi), %rdx
	jmp 5f
4:	mov %rsi, %rax
	lea 40(%rsi), %rdx
5:	incq (%rax)
	add $8, %rax
	cmp %rdx, %rax
	jne 5b
	lea 24(%rsi), %rax
6:	mov (%rsi), %rcx
	incq (%rsi)
	lea 24(%rcx), %rdx
	add $8, %rsi
	cmp %rdx, %rax
	jne 6b
	lea 1028(%rax), %rdx
7:	incl (%rax)
	add $4, %rax
	cmp %rdx, %rax
	jne 7b
	ret
	.size wherever, . - wherever

# To an end, from a copy of a register.
	.macro go_to from, end, jump
	mov \from, %rax
88:	incq (%rax)
	add $16, %rax
	cmp \end, %rax
	\jump 88b
	.endm

	.macro both_ends
	lea 64(%rdi), %r9
	mov %rdi, %r8
	.endm

# Within a loop that moves both ends, from where it began: together; not so far; one of
# them in an arm; one to what is loaded; through a call, which keeps but one; one of
# them twice; and a constant at first.
	.globl around
	.type around, @function
around:	both_ends
1:	go_to %r8, %r9, jne
	add $4, %r8
	add $4, %r9
	dec %esi
	jne 1b
	both_ends
3:	go_to %r8, %r9, jb
	add $4, %r8
	add $8, %r9
	dec %edx
	jne 3b
	both_ends
5:	go_to %r8, %r9, jb
	add $4, %r8
	test $1, %dl
	je 7f
	add $4, %r9
7:	dec %edx
	jne 5b
	both_ends
8:	go_to %r8, %r9, jb
	add $4, %r8
	mov (%r9), %r9
	dec %ecx
	jne 8b
	lea 64(%rdi), %rbx
	mov %rdi, %r12
	mov %rbx, %r9
10:	go_to %r12, %rbx, jne
	go_to %r12, %r9, jb
	call nest
	dec %r13d
	jne 10b
	both_ends
13:	go_to %r8, %r9, jb
	add $4, %r8
	add $4, %r9
	incq (%r9)
	add $4, %r9
	dec %ecx
	jne 13b
	mov $5, %r8d
15:	mov %r8, %rax
16:	incq (%rdi)
	dec %rax
	jne 16b
	inc %r8d
	dec %esi
	jne 15b
	ret
	.size around, . - around

	.globl _start
	.type _start, @function
_start:	call nest
	hlt
	.size _start, . - _start
