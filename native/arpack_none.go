//go:build !cgo || purego

package native

// HasARPACK reports whether [SymARPACK] works in this build.
func HasARPACK() bool { return false }

// SymARPACK returns [ErrNoARPACK]: this build has no ARPACK.
func SymARPACK(n, k int, opt ARPACKOptions, product func(dst, x []float64) error) (ARPACKResult, error) {
	return ARPACKResult{}, ErrNoARPACK
}
