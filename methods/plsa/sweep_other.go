//go:build !amd64 || purego

package plsa

// sweepFours does nothing: the Go loop does all entries.
func sweepFours([]float64, []float64, block, []int32, []float64, []float64, []float64) int { return 0 }
