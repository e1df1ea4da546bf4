//go:build !cgo || purego

package native

// Reserve makes a library map its buffers for n threads and returns for how many it had room; this
// build has no library.
func Reserve(n int) (held int) { return n }
