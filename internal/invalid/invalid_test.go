package invalid

import (
	"errors"
	"io/fs"
	"testing"
)

// Options inside options are checked by both: the same violation is listed once.
func TestJoinListsAViolationOnce(t *testing.T) {
	inner := Join(Errorf("a"), Errorf("b"))
	err := Join(Errorf("b"), nil, inner, Join(inner))
	if err.Error() != "b\na" || !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("%q", err)
	}
	if Join(nil, Join()) != nil {
		t.Error("no violation is an error")
	}
}
