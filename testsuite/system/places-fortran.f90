! A module's procedure, an external one, and one within the program.
module scaling
contains
  subroutine scale(a, n)
    integer :: n
    real :: a(n)
    a = a * 2.0 + real(n)
    if (n < 0) stop 3
  end subroutine
end module

subroutine axpy(n, a, x, y)
  integer :: n, i
  real :: a, x(n), y(n)
  do i = 1, n
    y(i) = y(i) + a * x(i)
  end do
end subroutine

program places
  use scaling
  real :: q(100), r(100)
  q = 1.0
  r = 2.0
  call scale(q, 100)
  call axpy(100, 2.0, q, r)
  call within(r)
  print *, sum(r)
contains
  subroutine within(z)
    real :: z(:)
    z = z + 1
    print *, z(1)
  end subroutine
end program
