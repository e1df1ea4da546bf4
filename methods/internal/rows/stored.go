package rows

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Stored is x in the storage that methods work on: *mat.Dense and *sparse.CSR as they are, a matrix
// that lists its entries (mat.NonZeroDoer) as a *sparse.CSR, and any other as a *mat.Dense. The two
// copies take O(entries) and O(rows·columns).
//
// Errors (fs.ErrInvalid): no matrix, one without rows or columns, and an entry that is not finite
// (*sparse.NotFiniteError).
func Stored(x mat.Matrix) (mat.Matrix, error) {
	if x == nil {
		return nil, invalid.Errorf("there are no documents")
	}
	switch n, d := x.Dims(); {
	case n == 0:
		return nil, invalid.Errorf("there are no documents")
	case d == 0:
		return nil, invalid.Errorf("the documents have no columns")
	}
	switch m := x.(type) {
	case *sparse.CSR:
		return m, m.CheckFinite()
	case *mat.Dense:
		return m, finite(m)
	case mat.NonZeroDoer:
		return sparse.FromMatrix(x)
	}
	m := mat.DenseCopyOf(x)
	return m, finite(m)
}

// finite refuses the first entry in row order that is NaN or infinite.
func finite(m *mat.Dense) error {
	n, _ := m.Dims()
	for i := range n {
		for j, v := range m.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &sparse.NotFiniteError{Row: i, Col: j, Value: v}
			}
		}
	}
	return nil
}
