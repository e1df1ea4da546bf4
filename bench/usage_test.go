package bench

import (
	"os/exec"
	"runtime"
	"testing"
)

// A process that is started counts its own memory, not what the one that starts it has had.
func TestPeakOfAProcessIsItsOwn(t *testing.T) {
	program, err := exec.LookPath("true")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("Linux alone hands a peak down, and `true` is needed")
	}
	const megabytes = 300
	large := make([]byte, megabytes<<20)
	for i := 0; i < len(large); i += 4096 {
		large[i] = 1
	}
	runtime.KeepAlive(large)
	large = nil
	cmd := exec.Command(program)
	ForgetPeak()
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if _, peak := Ended(cmd.ProcessState); peak >= megabytes {
		t.Errorf("a process that does nothing took %.0f MB", peak)
	}
}
