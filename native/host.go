//go:build cgo && !purego

package native

/*
#include <cblas.h>
*/
import "C"

import (
	"sync"
	"sync/atomic"
)

// host is the thread count of the program that this package is linked into: it is set to one while
// somebody holds it, and back afterwards.
var host hostThreads

type hostThreads struct {
	mu      sync.Mutex
	holders atomic.Int64 // rises from 0 and falls to 0 under mu only
	own     int          // the program's count while there are holders; guarded by mu
}

func (h *hostThreads) count() int { return int(C.openblas_get_num_threads()) }
func (h *hostThreads) set(n int)  { C.openblas_set_num_threads(C.int(n)) }

func (h *hostThreads) take() {
	for n := h.holders.Load(); n > 0; n = h.holders.Load() {
		if h.holders.CompareAndSwap(n, n+1) {
			return
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.holders.Load() == 0 {
		h.own = h.count()
		h.set(1)
	}
	h.holders.Add(1)
}

func (h *hostThreads) give() {
	for n := h.holders.Load(); n > 1; n = h.holders.Load() {
		if h.holders.CompareAndSwap(n, n-1) {
			return
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.holders.Add(-1) == 0 && h.count() == 1 {
		h.set(h.own)
	}
}

// check sets the count to one again if the program has changed it since, and keeps what the program
// chose. The caller is inside the gate, so that no wide call is running.
func (h *hostThreads) check() {
	n := h.count()
	if n == 1 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.own = n
	h.set(1)
}

func hold() (release func()) {
	host.take()
	return sync.OnceFunc(host.give)
}
