package nmf

import (
	"fmt"
	"io/fs"
)

// NegativeError is an entry of the data below zero. Row and Col count from 0.
type NegativeError struct {
	Row, Col int
	Value    float64
}

func (e *NegativeError) Error() string {
	return fmt.Sprintf("the entry in row %d, column %d (counted from 0) is %g: non-negative factorisation needs entries of at least 0; shift or leave out such columns, or use a method that takes them",
		e.Row, e.Col, e.Value)
}

func (e *NegativeError) Is(target error) bool { return target == fs.ErrInvalid }
