//go:build cgo && !purego

package native

import "sync"

// gate controls OpenBLAS's thread count, which is global to the process and belongs to the program
// that this package is linked into. A wide call holds the gate exclusively and uses several
// threads; narrow calls share it and use one thread each. A wide call never waits for the gate (it
// runs narrow instead); narrow calls wait for the end of a wide one. Every call holds the count
// ([Hold]), so that the program finds its own count afterwards.
var gate hostGate

type hostGate struct{ sync.RWMutex }

// RLock begins a narrow call.
func (g *hostGate) RLock() {
	host.take()
	g.RWMutex.RLock()
}

// RUnlock ends a narrow call.
func (g *hostGate) RUnlock() {
	g.RWMutex.RUnlock()
	host.give()
}

// wideFlops is the number of flops from which a factorisation may use several threads. Below it
// (matrices of about 600 rows) two threads were slower than one as often as faster, and up to three
// times slower on busy cores.
const wideFlops = 3e8

// enter opens the gate for a factorisation with that many flops and reports whether it may run
// wide.
func enter(flops float64) (wide bool) {
	if flops >= wideFlops && !inParallel() && !narrow.Load() {
		if n := Threads(); n > 1 && gate.TryLock() {
			host.take()
			host.check()
			host.set(min(n, maxBLASThreads))
			return true
		}
	}
	gate.RLock()
	if flops >= largeProduct {
		host.check()
	}
	return false
}

// maxBLASThreads is the largest number of threads that Debian's OpenBLAS is built for.
const maxBLASThreads = 64

// leave releases the gate: defer leave(enter(...)).
func leave(wide bool) {
	if wide {
		host.set(1)
		gate.Unlock()
		host.give()
	} else {
		gate.RUnlock()
	}
}

// cube returns the flops of an operation that takes factor*n³, without overflow.
func cube(factor float64, n int) float64 { return factor * float64(n) * float64(n) * float64(n) }
