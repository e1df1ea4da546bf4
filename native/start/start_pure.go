//go:build !linux || !cgo || purego

package start

// Least is the least address space, in bytes, with which the program begins to work.
const Least int64 = 1400 << 20
