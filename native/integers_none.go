//go:build !cgo || purego

package native

// Usable returns nil: this build calls no BLAS.
func Usable() error { return nil }
