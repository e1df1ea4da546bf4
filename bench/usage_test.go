package bench

import (
	"fmt"
	"os/exec"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
)

// A process that is started counts its own memory, or at most what the one that starts it has at
// that moment, not what it has had.
func TestPeakOfAProcessIsItsOwn(t *testing.T) {
	program, err := exec.LookPath("true")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("Linux alone hands a peak down, and `true` is needed")
	}
	large := make([]byte, 300<<20)
	for i := 0; i < len(large); i += 4096 {
		large[i] = 1
	}
	runtime.KeepAlive(large)
	large = nil
	debug.FreeOSMemory()
	var now float64 // kB; the race detector keeps some of what is given back
	if _, err := fmt.Sscan(firstField("/proc/self/status", "VmRSS"), &now); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	memory.ResetPeak()
	must.Do(t, cmd.Run())
	if _, peak := Ended(cmd.ProcessState); peak > now/1024+100 {
		t.Errorf("a process that does nothing took %.0f MB, and this one has %.0f MB", peak, now/1024)
	}
}
