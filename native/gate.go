//go:build cgo && !purego

package native

/*
#include <cblas.h>
*/
import "C"

import "sync"

// gate keeps OpenBLAS's thread count, which is global to the process, in step with its callers: a
// wide call holds it alone, with several threads; narrow calls share it, with one thread each.
// Wide calls never wait for it (they run narrow instead), narrow ones wait for a wide one to end.
var gate sync.RWMutex

func init() { C.openblas_set_num_threads(1) }

// wideFlops is the work from which a factorisation gets threads. Below it (matrices of some 600
// rows) two threads were as often slower than one as faster, up to three times where cores are busy.
const wideFlops = 3e8

// enter opens the gate for a factorisation of that many flops and tells whether it may run wide.
func enter(flops float64) (wide bool) {
	if flops >= wideFlops && !inParallel() {
		if n := Threads(); n > 1 && gate.TryLock() {
			C.openblas_set_num_threads(C.int(min(n, maxBLASThreads)))
			return true
		}
	}
	gate.RLock()
	return false
}

// maxBLASThreads is what Debian's OpenBLAS is built for at most.
const maxBLASThreads = 64

// leave is the end of enter: defer leave(enter(...)).
func leave(wide bool) {
	if wide {
		C.openblas_set_num_threads(1)
		gate.Unlock()
	} else {
		gate.RUnlock()
	}
}

// cube is the flops of an operation that takes factor*n³, without overflow.
func cube(factor float64, n int) float64 { return factor * float64(n) * float64(n) * float64(n) }
