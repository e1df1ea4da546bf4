//go:build !linux

package memory

// Large returns the array.
func Large[T float64 | int32 | int](array []T) []T { return array }
