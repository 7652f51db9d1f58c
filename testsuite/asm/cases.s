# One function for each thing that the graphs must get right.  Linked at
# fixed addresses, so that cases.expected can name them.

	.text

# Two ways, a loop, a return; padding before the loop is in the block above.
	.globl diamond
	.type diamond, @function
diamond:
	test %edi, %edi
	jne 1f
	mov $1, %eax
	jmp 2f
1:	mov $2, %eax
2:	add %edi, %eax
	nopw 0x0(%rax,%rax,1)
3:	dec %edi
	jg 3b
	ret
	.size diamond, . - diamond

# jmp, and jcc, to another function.
	.globl tails
	.type tails, @function
tails:	test %edi, %edi
	je diamond
	js .Lmiddle
	jmp never
	.size tails, . - tails

# All ways end in calls that do not come back: so do calls of this one.
	.globl never
	.type never, @function
never:	test %edi, %edi
	je 1f
	call stop
1:	ud2
	.size never, . - never

	.globl stop
	.type stop, @function
stop:	hlt
	jmp stop
	.size stop, . - stop

# What follows a call of never() has no way in, though it returns.
	.globl wrapper
	.type wrapper, @function
wrapper:
	push %rbx
	call never
	pop %rbx
	ret
	.size wrapper, . - wrapper

	.globl forever
	.type forever, @function
forever:
	call diamond
	jmp forever
	.size forever, . - forever

# Entered in the middle: by a jump from tails, and by a call of its own.
	.globl doors
	.type doors, @function
doors:	xor %eax, %eax
	call 1f
	inc %eax
.Lmiddle:
	inc %eax
1:	rep stosb
	sete %al
	ret
	.size doors, . - doors

# A PIC switch of four, as GCC writes it.
	.globl pic
	.type pic, @function
pic:	cmp $3, %edi
	ja 9f
	lea pic_table(%rip), %rdx
	mov %edi, %edi
	movslq (%rdx,%rdi,4), %rax
	add %rdx, %rax
	notrack jmp *%rax
.Lpic1:	mov $1, %eax
	ret
.Lpic2:	mov $2, %eax
	ret
9:	xor %eax, %eax
	ret
	.size pic, . - pic

# The same with addresses; the index is compared where it is loaded from.
	.globl fixed
	.type fixed, @function
fixed:	cmpb $2, 8(%rdi)
	ja 9f
	movzbl 8(%rdi), %edi
	jmp *fixed_table(,%rdi,8)
.Lfixed1:
	mov $1, %eax
	ret
.Lfixed2:
	mov $2, %eax
	ret
9:	xor %eax, %eax
	ret
	.size fixed, . - fixed

# Computed goto: no comparison, the table as long as its entries are labels.
	.globl threaded
	.type threaded, @function
threaded:
	push %rbx
	mov %rdi, %rbx
	movzbl (%rbx), %eax
	jmp *labels(,%rax,8)
.Lmore:	inc %rbx
	movzbl (%rbx), %eax
	jmp *labels(,%rax,8)
.Ldone:	pop %rbx
	ret
	.size threaded, . - threaded

# Nobody can know: with a frame it may stay, without it has left.
	.globl unknown
	.type unknown, @function
unknown:
	push %rbx
	test %edi, %edi
	je 1f
	jmp *(%rsi)
1:	pop %rbx
	jmp *%rax
	.size unknown, . - unknown

# Falls into what comes next.
	.globl falls
	.type falls, @function
falls:	inc %eax
	.size falls, . - falls

# No type, no size; a jump over data; an instruction inside another.
	.globl by_hand
by_hand:
	jmp 1f
	.byte 0x06, 0x06, 0x48, 0xff, 0x06
1:	test %edi, %edi
	je 2f
	.byte 0xf0
2:	incl (%rsi)
	ret

# Ends in a call, but no compiler made it so: it falls into the next.
	.globl no_size
no_size:
	call diamond

# With a fragment elsewhere, whose code comes back.
	.globl split
	.type split, @function
split:	test %edi, %edi
	jne split.cold
1:	ret
	.size split, . - split

# With a fragment that only a table leads to.  That of beside is empty, and so at
# the same address, though no code of it is there.
	.globl apart
	.type apart, @function
apart:	jmp *apart_table(,%rdi,8)
.Lapart1:
	inc %esi
.Lapart2:
	ret
	.size apart, . - apart

	.globl beside
	.type beside, @function
beside:	ret
	.size beside, . - beside

# Its cases leave by pointers, of which the first is none.
	.globl leaves
	.type leaves, @function
leaves:	push %rbx
	mov %rdi, %rbx
	cmp $1, %edi
	ja 4f
	jmp *leaves_table(,%rdi,8)
4:	pop %rbx
	ret
.Lleaves1:
	mov pointers(,%rbx,8), %rax
	pop %rbx
	jmp *%rax
.Lleaves2:
	mov 16(%rsi), %rax
	pop %rbx
	jmp *%rax
	.size leaves, . - leaves

# Another comparison than the one that is found says how many there are: -6 to -1.
	.globl wider
	.type wider, @function
wider:	cmp $0x5b, %edi
	jg 3f
	lea 6(%rdi), %esi
	cmp $-6, %edi
	jb 3f
	lea wider_table(%rip), %rcx
	movslq (%rcx,%rsi,4), %rax
	add %rcx, %rax
	jmp *%rax
.Lwider1:
	inc %esi
.Lwider2:
	inc %esi
3:	ret
	.size wider, . - wider

# One of its cases can never come, and has its label where the function ends.
	.globl ending
	.type ending, @function
ending:	cmp $2, %edi
	ja .Lending2
	mov %edi, %edi
	jmp *ending_table(,%rdi,8)
.Lending1:
	inc %esi
.Lending2:
	ret
.Lending_end:
	.size ending, . - ending

# Two ways lead to the jump, which index differently from one limit; one of its cases
# comes back to where they part.
	.globl either
	.type either, @function
either:	cmp $1, %edi
	ja 3f
.Leither1:
	test %esi, %esi
	jne .Leither5
	mov %edi, %eax
.Leither4:
	jmp *either_table(,%rax,8)
.Leither5:
	lea 2(%rdi), %eax
	jmp .Leither4
.Leither2:
	inc %ecx
	jmp .Leither1
.Leither3:
	inc %edx
3:	ret
	.size either, . - either

# Nothing says how many cases there are.  One that can never come is at the end of
# the function; the table ends where an entry leads elsewhere.
	.globl holes
	.type holes, @function
holes:	lea holes_table(%rip), %rcx
	movslq (%rcx,%rdi,4), %rax
	add %rcx, %rax
	jmp *%rax
.Lholes1:
	inc %esi
.Lholes2:
	inc %esi
.Lholes3:
	ret
.Lholes_end:
	.size holes, . - holes

# Nor here.  Behind its table comes that of the next function, whose first entry would
# lead to an instruction here, 8 bytes before where it leads.
	.globl near
	.type near, @function
near:	lea near_table(%rip), %rcx
	movslq (%rcx,%rdi,4), %rax
	add %rcx, %rax
	jmp *%rax
.Lnear1:
	inc %esi
.Lnear2:
	inc %esi
	inc %esi
	inc %esi
	inc %esi
	nop
	ret
	.size near, . - near

# What it reads counts from before its place, in the middle of the other's table.
	.globl next
	.type next, @function
next:	lea near_table + 4(%rip), %rdx
	mov 4(%rdx,%rsi,4), %esi
	lea next_table(%rip), %rcx
	movslq (%rcx,%rdi,4), %rax
	add %rcx, %rax
	jmp *%rax
.Lnext:	ret
	.size next, . - next

# Like threaded, with a call by a pointer; all by thunks.
	.globl guarded
	.type guarded, @function
guarded:
	movzbl (%rdi), %eax
	mov guarded_table(,%rax,8), %rdx
	jmp __x86_indirect_thunk_rdx
.Lguarded1:
	inc %rdi
	movzbl (%rdi), %eax
	mov guarded_table(,%rax,8), %rdx
	jmp __x86_indirect_thunk_rdx
.Lguarded2:
	call __llvm_retpoline_r11
	jmp __x86_return_thunk
	.size guarded, . - guarded

	.macro thunk name, what:vararg
	.type \name, @function
\name:	call 9f
8:	pause
	lfence
	jmp 8b
9:	\what
	ret
	.size \name, . - \name
	.endm
	thunk __x86_indirect_thunk_rdx mov %rdx, (%rsp)
	thunk __llvm_retpoline_r11 mov %r11, (%rsp)
	thunk __x86_return_thunk lea 8(%rsp), %rsp

	.section .text.unlikely, "ax"
	.type split.cold, @function
split.cold:
	inc %edi
	je 1b
	call stop
	.size split.cold, . - split.cold

	.type apart.cold, @function
	.type beside.cold, @function
beside.cold:
	.size beside.cold, . - beside.cold
apart.cold:
	inc %edx
	call stop
	.size apart.cold, . - apart.cold

	.text
	.globl _start
	.type _start, @function
_start:	call diamond
	hlt
	.size _start, . - _start

	.section .rodata
	.align 8
fixed_table:
	.quad .Lfixed1, .Lfixed2, .Lfixed1
apart_table:
	.quad apart.cold, .Lapart1, .Lapart2
leaves_table:
	.quad .Lleaves1, .Lleaves2
pointers:
	.quad 0, diamond
ending_table:
	.quad .Lending1, .Lending_end, .Lending2
either_table:
	.quad .Leither1, .Leither2, .Leither2, .Leither3
guarded_table:
	.quad .Lguarded1, .Lguarded2
	.quad 0
labels:	.quad .Lmore, .Ldone, .Lmore
	.quad 0
wider_table:
	.long .Lwider1 - wider_table, .Lwider2 - wider_table
	.long .Lwider1 - wider_table, .Lwider2 - wider_table
	.long .Lwider1 - wider_table, .Lwider2 - wider_table
holes_table:
	.long .Lholes1 - holes_table, .Lholes_end - holes_table
	.long .Lholes2 - holes_table, diamond - holes_table
	.long .Lholes3 - holes_table
near_table:
	.long .Lnear1 - near_table, .Lnear2 - near_table
next_table:
	.long next - next_table, .Lnext - next_table
pic_table:
	.long .Lpic1 - pic_table, .Lpic2 - pic_table
	.long .Lpic1 - pic_table, .Lpic2 - pic_table
# The next table follows at once; its entries would not make sense above.
	.long 0x7fffffff
