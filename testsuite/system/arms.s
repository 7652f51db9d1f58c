# A loop whose branch compares memory: no register tells how it comes out.  Both
# arms begin with instructions that load nothing; elsewhere a load is waited for.
	.file	"arms.c"
	.file	1 "arms.c"
	.text
	.globl	work
	.type	work, @function
work:
	.loc	1 1 1
	.cfi_startproc
again:
	.loc	1 2 1
	add	$8, %rdi
	add	$1, %r8
wait:	mov	(%rdi), %rax
behind:	add	$1, %r9
	cmpb	$0, (%rsi,%rax)
	je	seldom
usual:
	.loc	1 3 1
	add	$1, %r10
	add	$2, %r10
usual3:	add	$3, %r10
	add	$4, %r10
	add	$5, %r10
	jmp	join
seldom:
	.loc	1 4 1
	add	$1, %r11
	add	$2, %r11
seldom3:	add	$3, %r11
	add	$4, %r11
	add	$5, %r11
join:
	.loc	1 5 1
	add	$1, %rdx
last:	dec	%rcx
	jne	again
	.loc	1 6 1
	ret
	.cfi_endproc
	.size	work, .-work
	.globl	_start
	.type	_start, @function
_start:
	.loc	1 8 1
	.cfi_startproc
	call	work
	.loc	1 9 1
	hlt
	.cfi_endproc
	.size	_start, .-_start
	.section .note.GNU-stack,"",@progbits
