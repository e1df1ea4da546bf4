//go:build unix

package bench

import (
	"os"
	"runtime"
	"syscall"
)

// CPUSeconds is the processor time of this process over all threads.
func CPUSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) * 1e-9
}

// maxRSS is the peak memory of a process in MB. Linux counts in KiB, Darwin in bytes.
func maxRSS(p *os.ProcessState) float64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return float64(u.Maxrss) / (1 << 20)
	}
	return float64(u.Maxrss) / 1024
}
