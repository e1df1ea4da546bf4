//go:build !amd64 || purego

package vecmath

// exps, tanhs and logs4 return how many values they replaced: none.
func exps([]float64) int  { return 0 }
func tanhs([]float64) int { return 0 }
func logs4([]float64) int { return 0 }
