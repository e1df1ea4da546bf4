package memory

import (
	"runtime/debug"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"golang.org/x/sys/unix"
)

// The peak rises by a block that is written, stays when the block is gone, and begins anew at a
// reset.
//
// The block is not of Go's heap, whose arrays may lie in pages that are resident already, left by
// an array that was collected. Meanwhile the heap neither grows nor gives pages back.
func TestPeak(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	debug.FreeOSMemory()
	if Peak() == 0 || !ResetPeak() {
		t.Skip("the system does not say")
	}
	// most is what other work of the process may take; the kernel's counters are a little behind too.
	const size, most = 64 << 20, 64 << 20 / 10
	before := Peak()
	block := must.Get(unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE))(t)
	for i := 0; i < size; i += 4096 {
		block[i] = 1
	}
	with := Peak()
	must.Do(t, unix.Munmap(block))
	if rise := with - before; rise < size-most || rise > size+most {
		t.Errorf("%d bytes were written, and the peak rose by %d", size, rise)
	}
	if after := Peak(); after < with-most {
		t.Errorf("the peak fell from %d to %d without a reset", with, after)
	}
	if ResetPeak(); Peak() > with-size+most {
		t.Errorf("the peak is %d after a reset, and was %d with %d bytes more", Peak(), with, size)
	}
}
