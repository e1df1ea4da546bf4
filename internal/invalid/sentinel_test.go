package invalid

import (
	"errors"
	"fmt"
	"testing"
)

// An error that is kept in a variable is found again, wrapped or joined.
func TestSentinel(t *testing.T) {
	kept := Errorf("kept")
	for _, err := range []error{kept, fmt.Errorf("in a file: %w", kept), Join(kept, Errorf("another"))} {
		if !errors.Is(err, kept) {
			t.Errorf("%v does not hold the error", err)
		}
	}
	if errors.Is(Errorf("kept"), kept) {
		t.Error("another error of the same text is taken for it")
	}
}
