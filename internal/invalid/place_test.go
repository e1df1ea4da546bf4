package invalid

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestAt(t *testing.T) {
	err := error(At(3, -1, "{} is too long (%d)", 7))
	if err.Error() != "row 3 (counted from 0) is too long (7)" || !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	if got := At(3, 2, "the entry in {} is 0").Error(); got != "the entry in row 3, column 2 (counted from 0) is 0" {
		t.Error(got)
	}
	var place *PlaceError
	if !errors.As(fmt.Errorf("file: %w", err), &place) || place.In("document x") != "document x is too long (7)" {
		t.Errorf("%v", place)
	}
}

// An error about one of some rows names the row of the matrix that they are taken from.
func TestSelected(t *testing.T) {
	err := Selected(fmt.Errorf("fit: %w", At(1, 2, "{} is 0")), []int{4, 9})
	if err.Error() != "row 9, column 2 (counted from 0) is 0" {
		t.Error(err)
	}
	other := errors.New("other")
	if Selected(other, nil) != other || Selected(nil, nil) != nil {
		t.Error("another error was changed")
	}
}
