//go:build !amd64 || purego

package sparse

import "gonum.org/v1/gonum/blas/blas64"

// stepTiles does nothing: the Go kernels do all rows.
func (*CSR) stepTiles(int, int, blas64.General, blas64.General, float64, float64, float64) bool {
	return false
}
