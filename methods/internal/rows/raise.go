package rows

import (
	"errors"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
)

// Raised is an error about a row of a part of the documents as one about the document: to gives its
// number among all.
func Raised(err error, to func(row int) int) error {
	var place *invalid.PlaceError
	var value *sparse.NotFiniteError
	switch {
	case errors.As(err, &place):
		at := *place
		at.Row = to(at.Row)
		return &at
	case errors.As(err, &value):
		return &sparse.NotFiniteError{Row: to(value.Row), Col: value.Col, Value: value.Value}
	}
	return err
}
