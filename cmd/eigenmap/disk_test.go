package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestFullDisk runs the program with a folder of 64 KiB for its results, in name spaces of its own
// so that nothing outside notices the mount.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	small := filepath.Join(dir, "small")
	if err := os.Mkdir(small, 0o755); err != nil {
		t.Fatal(err)
	}
	file := texts(t, dir, 200)
	list := filepath.Join(small, "out")
	cmd, run := play(t, []string{tmpfsEnv + "=" + small}, "cluster", file, "--method", "le", "-d", "40", "--quiet", "--out", list)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	r := run()
	if r.status == 99 || r.status < 0 {
		t.Skip("this system allows no mount in a name space: ", r.stderr)
	}
	if r.status != exitFailed {
		t.Errorf("status %d, want %d", r.status, exitFailed)
	}
	checkSentence(t, r, "no space left")
	checkSentence(t, r, "nothing half-written")
}

// TestFullStandardOutput: a table that cannot be printed is a failure, not a success.
func TestFullStandardOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full on this system")
	}
	defer full.Close()
	for _, arg := range []string{"version", "--help"} {
		cmd, run := play(t, nil, arg)
		cmd.Stdout = full
		r := run()
		if r.status != exitFailed {
			t.Errorf("%s: status %d, want %d", arg, r.status, exitFailed)
		}
		checkSentence(t, r, "no space left")
	}
}

// TestClosedPipe: a reader that goes away (| head) is no reason to complain.
func TestClosedPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	cmd, run := play(t, nil, "info", texts(t, t.TempDir(), 20))
	cmd.Stdout = w
	got := run()
	if got.status == exitDone || got.stderr != "" {
		t.Errorf("status %d, standard error %q", got.status, got.stderr)
	}
}
