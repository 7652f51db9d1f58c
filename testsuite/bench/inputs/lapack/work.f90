! work.f90 - a program of LAPACK: solves problems of random numbers, as many
! rounds as it is told, and prints sums of what came out.
!
!	program train|ref ROUNDS
program work
	implicit none
	integer, parameter :: most = 160
	character(len=16) :: kind, text
	integer :: rounds, round, n
	integer(8) :: seed = 1
	real(8) :: sums(4) = 0
	logical :: judged

	if (command_argument_count() /= 2) stop 2
	call get_command_argument(1, kind)
	call get_command_argument(2, text)
	read (text, *) rounds
	judged = kind == 'ref'
	do round = 1, rounds
		if (judged) then
			n = 20 + mod(round * 53, 130)
		else
			n = 40 + mod(round * 37, 80)
		end if
		call equations(n, sums(1))
		call least_squares(n, sums(2))
		call symmetric(n, sums(3))
		call eigenvalues(n, sums(4))
	end do
	print '(a, 4(1x, es11.4))', trim(kind), sums

contains

	real(8) function random()
		seed = mod(seed * 16807, 2147483647_8)
		random = real(seed, 8) / 2147483647 - 0.5d0
	end function

	! Where it is not dense, only what is near the diagonal.
	subroutine fill(a, rows, columns)
		real(8), intent(out) :: a(:, :)
		integer, intent(in) :: rows, columns
		integer :: i, j

		do j = 1, columns
			do i = 1, rows
				if (judged .and. abs(i - j) > 9) then
					a(i, j) = 0
				else
					a(i, j) = random()
				end if
			end do
		end do
	end subroutine

	subroutine equations(n, total)
		integer, intent(in) :: n
		real(8), intent(inout) :: total
		real(8) :: a(most, most), b(most, 4)
		integer :: pivots(most), info, i

		call fill(a, n, n)
		call fill(b, n, 4)
		do i = 1, n
			a(i, i) = a(i, i) + 4
		end do
		call dgesv(n, 4, a, most, pivots, b, most, info)
		total = total + info + sum(abs(b(:n, :)))
	end subroutine

	subroutine least_squares(n, total)
		integer, intent(in) :: n
		real(8), intent(inout) :: total
		real(8) :: a(2 * most, most), b(2 * most, 2), space(64 * most)
		integer :: info, i

		call fill(a, 2 * n, n)
		call fill(b, 2 * n, 2)
		do i = 1, n
			a(i, i) = a(i, i) + 2
		end do
		if (judged) then
			call dgels('T', 2 * n, n, 2, a, 2 * most, b, 2 * most, &
				   space, size(space), info)
		else
			call dgels('N', 2 * n, n, 2, a, 2 * most, b, 2 * most, &
				   space, size(space), info)
		end if
		total = total + info + sum(abs(b(:n, :)))
	end subroutine

	subroutine symmetric(n, total)
		integer, intent(in) :: n
		real(8), intent(inout) :: total
		real(8) :: a(most, most), values(most), space(64 * most)
		integer :: info

		call fill(a, n, n)
		if (judged .and. mod(n, 3) /= 0) then
			call dsyev('V', 'U', n, a, most, values, space, &
				   size(space), info)
		else
			call dsyev('V', 'L', n, a, most, values, space, &
				   size(space), info)
		end if
		total = total + info + sum(abs(values(:n)))
	end subroutine

	subroutine eigenvalues(n, total)
		integer, intent(in) :: n
		real(8), intent(inout) :: total
		real(8) :: a(most, most), re(most), im(most), left(1, 1)
		real(8) :: right(most, most), space(64 * most)
		integer :: info

		call fill(a, n, n)
		call dgeev('N', 'V', n, a, most, re, im, left, 1, right, most, &
			   space, size(space), info)
		total = total + info + sum(abs(re(:n)) + abs(im(:n)))
	end subroutine
end program
