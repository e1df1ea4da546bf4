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

// TestWithout: of a list the other violations stay, and nothing stays of one alone.
func TestWithout(t *testing.T) {
	one, other := Errorf("one"), Errorf("other")
	if err := Without(Join(one, Join(other, one)), one); err == nil || err.Error() != "other" || !errors.Is(err, other) || errors.Is(err, one) {
		t.Errorf("%v", err)
	}
	for _, err := range []error{nil, one, Join(one, one)} {
		if left := Without(err, one); left != nil {
			t.Errorf("of %v is left %v", err, left)
		}
	}
	if err := Without(other, one); err == nil || err.Error() != "other" {
		t.Errorf("%v", err)
	}
}

func TestFaults(t *testing.T) {
	var all Faults
	if err := Join(all...); err != nil {
		t.Errorf("no fault is %v", err)
	}
	all.Addf("%d is too large", 3)
	all = append(all, nil)
	all.Addf("%q has no column", "b")
	if err := Join(all...); !errors.Is(err, fs.ErrInvalid) || err.Error() != "3 is too large\n\"b\" has no column" {
		t.Errorf("%v", err)
	}
}
