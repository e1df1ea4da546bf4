! The functions of eigenmap.h for Fortran 2003: row numbers and classes count from 0, as in C.
module eigenmap
  use iso_c_binding
  implicit none

  integer(c_int), parameter :: eigenmap_done = 0, eigenmap_failed = 1, eigenmap_request = 2, eigenmap_cancelled = 130
  integer(c_int32_t), parameter :: eigenmap_csr = 0, eigenmap_row_major = 1, eigenmap_column_major = 2, eigenmap_affinity = 3
  integer(c_int32_t), parameter :: eigenmap_cluster = 0, eigenmap_embed = 1

  type, bind(c) :: eigenmap_matrix
    integer(c_int64_t) :: rows, cols
    type(c_ptr) :: indptr = c_null_ptr, indices = c_null_ptr, values = c_null_ptr
    integer(c_int64_t) :: stride = 0
    integer(c_int32_t) :: layout = 0
  end type

  interface
    integer(c_int) function eigenmap_embed_csr(rows, cols, indptr, indices, values, options, dims, embedding) bind(c)
      import
      integer(c_int64_t), value :: rows, cols
      integer(c_int64_t), intent(in) :: indptr(*)
      integer(c_int32_t), intent(in) :: indices(*)
      real(c_double), intent(in) :: values(*)
      character(kind=c_char), intent(in) :: options(*)
      integer(c_int32_t), value :: dims
      real(c_double), intent(out) :: embedding(*)
    end function

    integer(c_int) function eigenmap_cluster_csr(rows, cols, indptr, indices, values, options, labels) bind(c)
      import
      integer(c_int64_t), value :: rows, cols
      integer(c_int64_t), intent(in) :: indptr(*)
      integer(c_int32_t), intent(in) :: indices(*)
      real(c_double), intent(in) :: values(*)
      character(kind=c_char), intent(in) :: options(*)
      integer(c_int32_t), intent(out) :: labels(*)
    end function

    integer(c_int) function eigenmap_embed_affinity(n, indptr, indices, weights, options, dims, values, embedding) bind(c)
      import
      integer(c_int64_t), value :: n
      integer(c_int64_t), intent(in) :: indptr(*)
      integer(c_int32_t), intent(in) :: indices(*)
      real(c_double), intent(in) :: weights(*)
      character(kind=c_char), intent(in) :: options(*)
      integer(c_int32_t), value :: dims
      real(c_double), intent(out) :: values(*), embedding(*)
    end function

    integer(c_int) function eigenmap_fit(x, purpose, options, known, model) bind(c)
      import
      type(eigenmap_matrix), intent(in) :: x
      integer(c_int32_t), value :: purpose
      character(kind=c_char), intent(in) :: options(*)
      type(c_ptr), value :: known
      type(c_ptr), intent(out) :: model
    end function

    subroutine eigenmap_model_free(model) bind(c)
      import
      type(c_ptr), value :: model
    end subroutine

    integer(c_int) function eigenmap_model_labels(model, labels) bind(c)
      import
      type(c_ptr), value :: model
      integer(c_int32_t), intent(out) :: labels(*)
    end function

    integer(c_int) function eigenmap_model_embedding(model, layout, embedding) bind(c)
      import
      type(c_ptr), value :: model
      integer(c_int32_t), value :: layout
      real(c_double), intent(out) :: embedding(*)
    end function

    integer(c_int) function eigenmap_model_save(model, path) bind(c)
      import
      type(c_ptr), value :: model
      character(kind=c_char), intent(in) :: path(*)
    end function

    integer(c_int) function eigenmap_model_load(path, model) bind(c)
      import
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(out) :: model
    end function

    integer(c_int) function eigenmap_predict(model, x, options, layout, labels, embedding, posterior) bind(c)
      import
      type(c_ptr), value :: model
      type(eigenmap_matrix), intent(in) :: x
      character(kind=c_char), intent(in) :: options(*)
      integer(c_int32_t), value :: layout
      type(c_ptr), value :: labels, embedding, posterior
    end function

    type(c_ptr) function eigenmap_last_error_c() bind(c, name="eigenmap_last_error")
      import
    end function
  end interface

contains

  ! The text of the last error of this thread.
  function eigenmap_last_error() result(text)
    character(:), allocatable :: text
    character(kind=c_char), pointer :: c(:)
    integer :: n
    call c_f_pointer(eigenmap_last_error_c(), c, [8192])
    n = 0
    do while (c(n + 1) /= c_null_char)
      n = n + 1
    end do
    allocate (character(n) :: text)
    text = transfer(c(:n), text)
  end function

end module
