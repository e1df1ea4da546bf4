package native

import (
	"runtime"
	"sync"
	"sync/atomic"
)

var (
	threadLimit atomic.Int64 // 0: GOMAXPROCS
	sections    atomic.Int64 // open parallel sections
)

// SetThreads sets the largest number of threads of this process: the goroutines of parallel loops,
// and OpenBLAS's threads inside one wide call. Zero or less means GOMAXPROCS, the default. It
// applies to calls that begin afterwards.
func SetThreads(n int) { threadLimit.Store(int64(max(n, 0))) }

// Threads returns the number set with [SetThreads], or GOMAXPROCS.
func Threads() int {
	if n := threadLimit.Load(); n > 0 {
		return int(n)
	}
	return runtime.GOMAXPROCS(0)
}

// Hold keeps OpenBLAS at one thread until release is called, for work of many calls: each call does
// so itself, which costs some 100 ns. OpenBLAS's thread count belongs to the whole process; when
// nobody holds it any more, it is what it was before. Holds may overlap; calling release more than
// once is allowed. Without OpenBLAS, Hold does nothing.
func Hold() (release func()) { return hold() }

// BufferBytes is the address space of the buffer that OpenBLAS maps for each thread that calls it.
const BufferBytes = 128 << 20

// Parallel opens a parallel section: until end is called, engine calls use only the caller's
// thread, because the caller's goroutines already use the cores. Sections may be nested and may
// overlap; calling end more than once is allowed.
func Parallel() (end func()) {
	sections.Add(1)
	var ended atomic.Bool
	return func() {
		if ended.CompareAndSwap(false, true) {
			sections.Add(-1)
		}
	}
}

// inParallel reports whether a parallel section is open.
func inParallel() bool { return sections.Load() > 0 }

// spread calls body(i) for every i in [0, n) on at most Threads() goroutines, on one inside a
// parallel section. (internal/parallel is a layer above this package and cannot be used here.)
func spread(n int, body func(i int)) {
	workers := min(n, Threads())
	if workers <= 1 || inParallel() {
		for i := range n {
			body(i)
		}
		return
	}
	defer Parallel()()
	var next atomic.Int64
	var wg sync.WaitGroup
	work := func() {
		defer wg.Done()
		for i := int(next.Add(1) - 1); i < n; i = int(next.Add(1) - 1) {
			body(i)
		}
	}
	wg.Add(workers)
	for range workers - 1 {
		go work()
	}
	work()
	wg.Wait()
}
