package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// TestFullDisk runs the program with a folder of 64 KiB for its results or its finished work, in
// name spaces of its own so that nothing outside notices the mount. The message names the file that
// had no room, never the corpus, and says what helps.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	small := filepath.Join(dir, "small")
	must.Do(t, os.Mkdir(small, 0o755))
	var lines strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&lines, "{\"id\":\"doc-%d\",\"text\":\"boat sail a%d b%d c%d\"}\n", i, i%97, i%89, i%83)
	}
	file, many := texts(t, dir, 200), write(t, dir, "many.jsonl", lines.String())
	full, model := filepath.Join(small, "out"), filepath.Join(dir, "model")
	_, train := play(t, nil, "cluster", file, "--method", "kmeans", "-k", "2", "--quiet", "--out", model)
	if r := train(); r.status != exitDone {
		t.Fatal(r.stderr)
	}
	saved := []string{full, "free some space or choose another --out", "nothing half-written"}
	for _, c := range []struct {
		args, said []string
	}{
		{[]string{"cluster", file, "--method", "le", "-d", "40", "--quiet", "--out", full}, saved},
		{[]string{"predict", model, many, "--quiet", "--out", full}, saved}, // as it is read
		{[]string{"cluster", many, "--method", "kmeans", "-k", "2", "--fit-on", "500", "--quiet", "--out", full}, saved},
		{[]string{"graph", many, "--block", "1/1", "--quiet", "--work", full}, []string{full, "free some space, and the same command goes on", "choose another --work folder"}},
	} {
		r := playOnSmallDisk(t, small, c.args...)
		if r.status != exitFailed {
			t.Errorf("%s: status %d, want %d", c.args[0], r.status, exitFailed)
		}
		for _, said := range append(c.said, "no space left") {
			checkSentence(t, r, said)
		}
		if strings.Contains(r.stderr, "cannot read") {
			t.Errorf("%s: %s", c.args[0], r.stderr)
		}
	}
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

// playOnSmallDisk runs the program with a disk of 64 KiB mounted at a folder, in name spaces of its
// own. It skips the test where the system allows no such mount.
func playOnSmallDisk(t *testing.T, small string, args ...string) result {
	t.Helper()
	cmd, run := play(t, []string{tmpfsEnv + "=" + small}, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	r := run()
	if r.status == 99 || r.status < 0 {
		t.Skip("this system allows no mount in a name space: ", r.stderr)
	}
	return r
}
