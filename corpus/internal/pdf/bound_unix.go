//go:build unix

package pdf

import (
	"os"
	"os/exec"
	"syscall"
)

// alone lets a process end by its context alone: signals of the terminal reach this program, which
// ends it.
func alone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// outOfTime reports whether a process ended because of its limit of processor time.
func outOfTime(state *os.ProcessState) bool {
	if state == nil {
		return false
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGXCPU
}
