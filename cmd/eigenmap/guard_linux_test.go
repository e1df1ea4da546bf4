package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
)

// limited makes a call of the program under a limit of the address space in MiB.
func limited(t *testing.T, mib int, env []string, args ...string) (*exec.Cmd, func() result) {
	t.Helper()
	cmd, run := play(t, env, args...)
	cmd.Args = append([]string{"sh", "-c", "ulimit -v " + strconv.Itoa(mib<<10) + `; exec "$@"`, "sh"}, append([]string{cmd.Path}, args...)...)
	cmd.Path = "/bin/sh"
	return cmd, run
}

// TestGuardPassesSignalsOn: an interrupt of the first process is one of the work, and a killed one
// leaves no process behind.
func TestGuardPassesSignalsOn(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 500)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		when := filepath.Join(t.TempDir(), "when")
		cmd, _ := limited(t, 4000, []string{stageEnv + "=graph", whenEnv + "=" + when, sendEnv + "=0"}, "cluster", file, "--method", "le", "-k", "400", "--restarts", "100000", "--quiet")
		var said strings.Builder
		cmd.Stderr = &said
		must.Do(t, cmd.Start())
		for wait := 0; ; wait++ { // until the work has begun
			if _, err := os.Stat(when); err == nil {
				break
			}
			if time.Sleep(10 * time.Millisecond); wait > 6000 {
				cmd.Process.Kill()
				t.Fatalf("the work did not begin: %s", said.String())
			}
		}
		children, _ := os.ReadFile("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/task/" + strconv.Itoa(cmd.Process.Pid) + "/children")
		worker, err := strconv.Atoi(strings.TrimSpace(string(children)))
		if err != nil {
			t.Fatalf("there is no second process: %v", err)
		}
		cmd.Process.Signal(s)
		cmd.Wait()
		if status := cmd.ProcessState.ExitCode(); s == syscall.SIGINT && (status != exitInterrupted || !strings.Contains(said.String(), "interrupted")) {
			t.Errorf("status %d: %s", status, said.String())
		}
		for wait := 0; syscall.Kill(worker, 0) == nil; wait++ {
			if time.Sleep(10 * time.Millisecond); wait > 6000 {
				t.Errorf("after %v of the first process the second one, %d, still runs", s, worker)
				syscall.Kill(worker, syscall.SIGKILL)
				break
			}
		}
	}
}
