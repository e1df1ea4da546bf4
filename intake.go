package eigenmap

import (
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// intake brings a matrix into one of the two storages, *sparse.CSR or *mat.Dense (sparse.Stored),
// and refuses entries that are not finite.
func intake(x mat.Matrix) (mat.Matrix, error) {
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	return x, sparse.CheckFinite(x)
}
