//go:build cgo && !purego

package native

/*
#include <stddef.h>
#include <sys/mman.h>

void *blas_memory_alloc(int position);
void blas_memory_free(void *buffer);

// has_room says whether the system maps that many bytes of address space.
static int has_room(size_t bytes) {
  void *at = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    return 0;
  munmap(at, bytes);
  return 1;
}
*/
import "C"

import (
	"sync/atomic"
	"unsafe"
)

// heapShare is the address space that Reserve leaves for everything else with each buffer.
const heapShare = 96 << 20

// narrow is true if no factorisation may use threads of OpenBLAS.
var narrow atomic.Bool

// Reserve makes OpenBLAS map its buffers for n threads now, while there is address space, and
// returns for how many it had room; a call that finds none later would wait for ever. Large
// factorisations stay on one thread from then on, because a thread that OpenBLAS cannot start ends
// the process. For programs under a limit of the address space (ulimit -v).
func Reserve(n int) (held int) {
	narrow.Store(true)
	if Default().Name() != (openBLAS{}).Name() {
		return n
	}
	var buffers []unsafe.Pointer
	for held < n && C.has_room(BufferBytes+heapShare) != 0 {
		buffers = append(buffers, C.blas_memory_alloc(0))
		held++
	}
	for _, b := range buffers {
		C.blas_memory_free(b)
	}
	return held
}
