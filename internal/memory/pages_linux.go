package memory

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// leastPages is the size of an array from which large pages are asked for.
const leastPages = 8 << 20

// Large asks the kernel for large pages for an array that has not been written to yet, where it
// gives them on request (transparent huge pages), and returns the array. Products that jump from
// row to row then miss the page tables less often, and the first write to each page costs less. It
// changes no number.
func Large[T float64 | int32 | int](array []T) []T {
	size := uintptr(len(array)) * unsafe.Sizeof(*new(T))
	if size < leastPages {
		return array
	}
	at := uintptr(unsafe.Pointer(&array[0]))
	skip := -at & 4095
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&array[0])), size)[skip:]
	_ = unix.Madvise(bytes[:uintptr(len(bytes))&^4095], unix.MADV_HUGEPAGE) // a hint: without it all is as before
	return array
}
