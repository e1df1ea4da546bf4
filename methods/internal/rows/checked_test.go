package rows_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// A nil pointer is no matrix, and is refused as nil is.
func TestCheckedRefusesNil(t *testing.T) {
	for _, x := range []mat.Matrix{nil, (*mat.Dense)(nil), (*sparse.CSR)(nil), (*mat.VecDense)(nil)} {
		if _, err := rows.Checked(x); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%T: %v", x, err)
		}
	}
}
