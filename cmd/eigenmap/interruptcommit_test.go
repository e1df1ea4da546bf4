package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/folder"
)

// An interrupt while results get their names waits for them. If that takes too long, the message
// says that the folder is to be written again, and not that it is as it was.
func TestInterruptWhileNamesChange(t *testing.T) {
	work, saving := graceForWork, graceForSaving
	defer func() { graceForWork, graceForSaving, folder.Step = work, saving, nil }()
	for _, slow := range []bool{false, true} {
		dir := t.TempDir()
		file, out := texts(t, dir, 20), filepath.Join(dir, "out")
		mustCall(t, "cluster", file, "--method", "le", "--out", out)
		graceForWork, graceForSaving = programsGrace, time.Minute
		if slow {
			graceForSaving = 10 * time.Millisecond
		}
		ctx, cancel := context.WithCancel(context.Background())
		released := make(chan struct{})
		stopped := 0
		folder.Step = func(what, path string) error {
			if stopped++; stopped == 3 {
				cancel()
				if slow {
					<-released
				} else {
					time.Sleep(2 * programsGrace)
				}
			}
			return nil
		}
		r, ended := callAbandoned(ctx, nil, "cluster", file, "--method", "le", "-k", "3", "--out", out)
		unfinished := func() bool {
			text, _ := os.ReadFile(filepath.Join(out, folder.ManifestName))
			return strings.Contains(string(text), `"next"`)
		}
		half := unfinished()
		switch {
		case slow && (r.status != exitInterrupted || !half):
			t.Errorf("abandoned: status %d, manifest of two runs: %v", r.status, half)
		case slow:
			checkSentence(t, r, "run the command again")
		case half:
			t.Errorf("status %d: the names were left half changed\n%s", r.status, r.stderr)
		}
		close(released) // the run that was abandoned goes on
		cancel()
		ended()
		if slow && unfinished() {
			t.Error("the run that was abandoned left the names half changed")
		}
	}
}
