package invalid

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// PlaceError is an error about one row of a matrix, or one entry of it. It satisfies
// errors.Is(err, fs.ErrInvalid).
type PlaceError struct {
	Row int // counted from 0
	Col int // counted from 0; -1: the error is about the whole row
	// text has "{}" for the place.
	text string
}

// At is an error about row (and column col, unless that is negative). The format has {} for the
// place: At(3, -1, "{} is too long to square (its values reach %.3g): divide the data by a
// constant", v).
func At(row, col int, format string, args ...any) *PlaceError {
	return &PlaceError{row, col, fmt.Sprintf(format, args...)}
}

// Error counts the place from 0.
func (e *PlaceError) Error() string {
	if e.Col < 0 {
		return e.In(fmt.Sprintf("row %d (counted from 0)", e.Row))
	}
	return e.In(fmt.Sprintf("row %d, column %d (counted from 0)", e.Row, e.Col))
}

// In is the message with another name for the place.
func (e *PlaceError) In(place string) string { return strings.Replace(e.text, "{}", place, 1) }

// Template is the message with {} for the place.
func (e *PlaceError) Template() string { return e.text }

// Is makes it an error of the request.
func (e *PlaceError) Is(target error) bool { return target == fs.ErrInvalid }

// Selected numbers the row of an error about some rows of a matrix as the matrix does: row r of
// them is row of[r]. Other errors stay as they are.
func Selected(err error, of []int) error {
	var place *PlaceError
	if errors.As(err, &place) && place.Row < len(of) {
		return &PlaceError{of[place.Row], place.Col, place.text}
	}
	return err
}
