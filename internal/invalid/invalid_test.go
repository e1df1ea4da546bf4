package invalid

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

// Options inside options are checked by both: the same violation is listed once.
func TestJoinListsAViolationOnce(t *testing.T) {
	inner := Join(Errorf("a"), Errorf("b"))
	err := Join(Errorf("b"), nil, inner, Join(inner))
	if err.Error() != "b\na" || !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("%q", err)
	}
	var many []error
	for i := range 13 {
		many = append(many, Errorf("fault %d", i))
	}
	err = Join(many...)
	if text := err.Error(); strings.Count(text, "fault") != Shown || !strings.HasSuffix(text, "\nand 3 more") {
		t.Errorf("%q", text)
	}
	if !errors.Is(err, many[12]) {
		t.Error("what is not listed is not found")
	}
	if Join(nil, Join()) != nil {
		t.Error("no violation is an error")
	}
}
