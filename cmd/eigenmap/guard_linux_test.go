package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/native/start"
)

// limited makes a call of the program under a limit of the address space in MiB.
func limited(t *testing.T, mib int, env []string, args ...string) (*exec.Cmd, func() result) {
	t.Helper()
	cmd, run := play(t, env, args...)
	cmd.Args = append([]string{"sh", "-c", "ulimit -v " + strconv.Itoa(mib<<10) + `; exec "$@"`, "sh"}, append([]string{cmd.Path}, args...)...)
	cmd.Path = "/bin/sh"
	return cmd, run
}

// TestAddressSpaces runs the program under limits of the address space: it ends with a result, or
// with one sentence and status 1, and never with a trace of the runtime.
func TestAddressSpaces(t *testing.T) {
	steps := []int{1500, 1600, 1800, 2500, 4000}
	if start.Least > 1400<<20 { // the native build: its check runs before the Go runtime begins
		steps = append(steps, 200, 500, 900, 1200)
	}
	if !testing.Short() {
		for mib := 1400; mib < 4000; mib += 100 {
			steps = append(steps, mib)
		}
	}
	file := example(t)
	for _, mib := range steps {
		_, run := limited(t, mib, nil, "cluster", file, "--method", "le", "-k", "12", "--quiet")
		r := run()
		if r.status == exitDone && r.stderr == "" {
			continue
		}
		if r.status != exitFailed {
			t.Errorf("ulimit -v of %d MiB: status %d: %.300s", mib, r.status, r.stderr)
		}
		checkSentence(t, r, "iB")
	}
}

// TestGuardPassesSignalsOn: an interrupt of the first process is one of the work, and a killed one
// leaves no process behind.
func TestGuardPassesSignalsOn(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 3000)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		cmd, _ := limited(t, 4000, nil, "cluster", file, "--method", "le", "-k", "400", "--restarts", "100000", "--quiet")
		var said strings.Builder
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		worker := 0
		for wait := 0; worker == 0 && wait < 500; wait++ {
			time.Sleep(10 * time.Millisecond)
			children, _ := os.ReadFile("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/task/" + strconv.Itoa(cmd.Process.Pid) + "/children")
			worker, _ = strconv.Atoi(strings.TrimSpace(string(children)))
		}
		time.Sleep(500 * time.Millisecond)
		cmd.Process.Signal(s)
		cmd.Wait()
		if status := cmd.ProcessState.ExitCode(); s == syscall.SIGINT && (status != exitInterrupted || !strings.Contains(said.String(), "interrupted")) {
			t.Errorf("status %d: %s", status, said.String())
		}
		for wait := 0; worker != 0 && syscall.Kill(worker, 0) == nil; wait++ {
			if time.Sleep(10 * time.Millisecond); wait > 300 {
				t.Errorf("after %v of the first process the second one, %d, still runs", s, worker)
				syscall.Kill(worker, syscall.SIGKILL)
				break
			}
		}
	}
}
