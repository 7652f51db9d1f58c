! Procedures within the program.  Lines that begin with !+ are new in the next version.
program numbers
  implicit none
  integer :: i, s
  integer, volatile :: noted
  s = 0
  noted = 0
  do i = 1, 100
     call often(i, s)
  end do
  do i = 1, 40
     call seldom(i, s)
  end do
  if (s == 12345) print *, s
  !+ if (s == 123456) call fresh(s, i)
contains
  subroutine often(i, s)
    integer, intent(in) :: i
    integer, intent(inout) :: s
    if (mod(i, 5) == 0) then
       noted = noted + i ! 20 in a procedure of the program
    end if
    s = ieor(s, i)
  end subroutine
  subroutine seldom(i, s)
    integer, intent(in) :: i
    integer, intent(inout) :: s
    if (mod(i, 10) == 0) then
       noted = noted - i ! 4 in another one
    end if
    s = ieor(s, i)
  end subroutine
  !+ subroutine fresh(s, i)
  !+  integer, intent(inout) :: s, i
  !+  if (i == 7) s = 8
  !+  if (s == 7) i = 8
  !+ end subroutine
end program
