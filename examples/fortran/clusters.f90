! Embeds and clusters 10,000 points from Fortran, whose arrays are column-major. It also works with
! floating-point traps on.
!
!   make lib
!   gfortran -ffpe-trap=invalid,zero,overflow -Jlib examples/fortran/eigenmap.f90 examples/fortran/clusters.f90 \
!     -Llib -leigenmap -o clusters && LD_LIBRARY_PATH=lib ./clusters
program clusters
  use eigenmap
  implicit none

  integer, parameter :: rows = 10000, cols = 3, groups = 3, dims = 2
  real(c_double), target, allocatable :: points(:, :), y(:, :)
  integer(c_int32_t), allocatable :: labels(:)
  integer(c_int64_t) :: indptr(7)
  integer(c_int32_t) :: neighbor(12)
  real(c_double) :: weight(12), values(2), ring(2, 6), noise(3)
  type(eigenmap_matrix) :: x
  type(c_ptr) :: model
  integer :: i, j, seed(33)

  seed = 1
  call random_seed(put=seed)
  allocate (points(rows, cols), y(rows, dims), labels(rows))
  do i = 1, rows
    call random_number(noise)
    points(i, :) = noise
    j = mod(i, groups) + 1
    points(i, j) = points(i, j) + 5
  end do

  x%rows = rows
  x%cols = cols
  x%values = c_loc(points)
  x%layout = eigenmap_column_major
  call check(eigenmap_fit(x, eigenmap_cluster, '{"method": "pca", "dims": 2, "clusters": 3}'//c_null_char, c_null_ptr, model))
  call check(eigenmap_model_labels(model, labels))
  call check(eigenmap_model_embedding(model, eigenmap_column_major, y))
  call eigenmap_model_free(model)
  print '(a,i0,a,f6.4,a)', 'clustered ', rows, ' points: ', &
    count([(labels(i) == labels(mod(i - 1, groups) + 1), i=1, rows)])/real(rows), ' of them with their group'
  print '(a,i0,a,i0,a)', 'embedded ', size(y, 1), ' points in ', size(y, 2), ' dimensions'

  ! A ring of six nodes has the eigenvalues 1 - cos(2 pi k/6). That of the constant vector, 0, is
  ! left out unless the options say "drop-first": false.
  indptr = [(2_c_int64_t*i, i=0, 6)]
  do i = 0, 5
    neighbor(2*i + 1) = min(mod(i + 1, 6), mod(i + 5, 6))
    neighbor(2*i + 2) = max(mod(i + 1, 6), mod(i + 5, 6))
  end do
  weight = 1
  call check(eigenmap_embed_affinity(6_c_int64_t, indptr, neighbor, weight, '{}'//c_null_char, 2, values, ring))
  print '(a,2f7.3)', 'eigenvalues of a ring of six:', values
  call check(eigenmap_embed_affinity(6_c_int64_t, indptr, neighbor, weight, '{"drop-first": false}'//c_null_char, 2, values, ring))
  print '(a,2f7.3)', 'and with the constant:', values

  i = eigenmap_embed_affinity(6_c_int64_t, indptr, neighbor, -weight, '{}'//c_null_char, 2, values, ring)
  print '(a,i0)', 'negative weights give code ', i

contains

  subroutine check(code)
    integer(c_int), intent(in) :: code
    if (code /= eigenmap_done) then
      print '(a,i0,2a)', 'eigenmap: code ', code, ': ', eigenmap_last_error()
      stop 1
    end if
  end subroutine

end program
