//go:build !amd64 || purego

package vecmath

// exps and tanhs return how many values they replaced: none.
func exps([]float64) int  { return 0 }
func tanhs([]float64) int { return 0 }
