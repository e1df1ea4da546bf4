//go:build unix

package scikit

import (
	"syscall"
	"testing"
)

// CPUSeconds is the processor time of the process, which other processes change less than
// wall-clock time.
func CPUSeconds(t testing.TB) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) * 1e-9
}
