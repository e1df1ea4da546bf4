package rows

import (
	"errors"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
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

// Agreed gives all ranks the error that one of them has about its own rows, as one about the
// document ([ranks.Agree]). With one rank it returns err.
func Agreed(share *ranks.Share, err error) error {
	if first := share.First(); first > 0 {
		err = Raised(err, func(i int) int { return first + i })
	}
	return ranks.Agree(share, err)
}
