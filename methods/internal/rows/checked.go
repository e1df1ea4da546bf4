package rows

import (
	"reflect"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Checked is x in the storage that methods work on (sparse.Stored), if it has rows, columns and
// finite values alone. O(entries), or O(rows·columns) of a dense matrix.
//
// Errors (fs.ErrInvalid): no matrix, one without rows or columns, and an entry that is not finite
// (*sparse.NotFiniteError).
func Checked(x mat.Matrix) (mat.Matrix, error) { return checked(x, sparse.Stored) }

// Kept is [Checked] that leaves rows in single precision as they are (sparse.Kept).
func Kept(x mat.Matrix) (mat.Matrix, error) { return checked(x, sparse.Kept) }

func checked(x mat.Matrix, stored func(mat.Matrix) (mat.Matrix, error)) (mat.Matrix, error) {
	if v := reflect.ValueOf(x); x == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, invalid.Errorf("there are no documents")
	}
	switch n, d := x.Dims(); {
	case n == 0:
		return nil, invalid.Errorf("there are no documents")
	case d == 0:
		return nil, invalid.Errorf("the documents have no columns")
	}
	x, err := stored(x)
	if err != nil {
		return nil, err
	}
	if err := sparse.CheckFinite(x); err != nil {
		return nil, err
	}
	return x, nil
}
