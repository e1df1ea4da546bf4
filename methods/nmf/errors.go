package nmf

import (
	"io/fs"

	"github.com/eigenmap/eigenmap/internal/invalid"
)

// NegativeError is an entry of the data below zero. Row and Col count from 0.
type NegativeError struct {
	Row, Col int
	Value    float64
}

func (e *NegativeError) Error() string { return e.place().Error() }

func (e *NegativeError) Is(target error) bool { return target == fs.ErrInvalid }

// As gives the error as one about a place, whose row and column the caller may name.
func (e *NegativeError) As(target any) bool {
	place, ok := target.(**invalid.PlaceError)
	if ok {
		*place = e.place()
	}
	return ok
}

func (e *NegativeError) place() *invalid.PlaceError {
	return invalid.At(e.Row, e.Col, "the entry in {} is %g: non-negative factorisation needs entries of at least 0; shift or leave out such columns, or use a method that takes them", e.Value)
}
