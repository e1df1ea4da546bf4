package eigenmap

import (
	"math"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// intake brings a matrix into one of the two storages: *sparse.CSR of a matrix that is sparse (CSR,
// or with DoNonZero), else *mat.Dense; both are kept as they are. Entries must be finite.
func intake(x mat.Matrix) (mat.Matrix, error) {
	switch m := x.(type) {
	case *sparse.CSR:
		return m, nil
	case *mat.Dense:
		return m, finiteEntries(m)
	case interface {
		DoNonZero(func(i, j int, v float64))
	}:
		return sparse.FromMatrix(x)
	}
	d := mat.DenseCopyOf(x)
	return d, finiteEntries(d)
}

func finiteEntries(m *mat.Dense) error {
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
