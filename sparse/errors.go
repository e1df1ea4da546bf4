package sparse

import (
	"fmt"
	"io/fs"
)

// ShapeError is the error if the sizes of a matrix do not fit together: negative or too large
// dimensions, arrays of the wrong length, decreasing row pointers.
type ShapeError struct{ Why string }

func (e *ShapeError) Error() string        { return "matrix: " + e.Why }
func (e *ShapeError) Is(target error) bool { return target == fs.ErrInvalid }

// IndexError is the error if an entry lies outside its matrix. Row and Col count from 0.
type IndexError struct{ Row, Col, Rows, Cols int }

func (e *IndexError) Error() string {
	return fmt.Sprintf("matrix entry (%d, %d) (counted from 0) lies outside %d × %d", e.Row, e.Col, e.Rows, e.Cols)
}
func (e *IndexError) Is(target error) bool { return target == fs.ErrInvalid }

// OrderError is the error if the columns of a row are not strictly ascending: the column before Col
// is equal or larger. Row and Col count from 0.
type OrderError struct {
	Row, Col  int
	Duplicate bool // the entry occurs twice
}

func (e *OrderError) Error() string {
	if e.Duplicate {
		return fmt.Sprintf("matrix entry (%d, %d) (counted from 0) occurs twice: add the entries through a Builder to sum them", e.Row, e.Col)
	}
	return fmt.Sprintf("matrix row %d (counted from 0) is not sorted: column %d follows a larger one; add the entries through a Builder to sort them", e.Row, e.Col)
}
func (e *OrderError) Is(target error) bool { return target == fs.ErrInvalid }

// NotFiniteError is the error if an entry is NaN or infinite, or if duplicates sum to such a value.
// Row and Col count from 0.
type NotFiniteError struct {
	Row, Col int
	Value    float64
}

func (e *NotFiniteError) Error() string {
	return fmt.Sprintf("matrix entry (%d, %d) (counted from 0) is %v: every value must be finite", e.Row, e.Col, e.Value)
}
func (e *NotFiniteError) Is(target error) bool { return target == fs.ErrInvalid }

func shapef(format string, args ...any) error { return &ShapeError{fmt.Sprintf(format, args...)} }

// finite is false for NaN and infinities: v-v is NaN for them and 0 for all other values.
func finite(v float64) bool { return v-v == 0 }
