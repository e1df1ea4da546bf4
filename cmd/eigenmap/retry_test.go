package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/progress"
)

// twoParts writes a corpus of two parts that share no term, and returns the arguments of a run that
// has a note of what may help.
func twoParts(t *testing.T) []string {
	b := strings.Builder{}
	b.WriteString("id,text\n")
	for i := range 24 {
		word := strings.Fields("apple pear plum fig motor wheel brake road")[4*(i%2):]
		fmt.Fprintf(&b, "%d,%s %s %s\n", i, word[i/2%4], word[(i/2+1)%4], word[i/4%4])
	}
	file := write(t, t.TempDir(), "two.csv", b.String())
	return []string{"cluster", file, "-k", "2", "--method", "spectral", "--neighbors", "3", "--duplicates", "keep"}
}

// Notes that name an option are acted on by --retry, and else say what it would do.
func TestRetryFlag(t *testing.T) {
	args := twoParts(t)
	first := mustCall(t, args...).stdout
	if !strings.Contains(first, "--retry runs once more, with --neighbors 6.") {
		t.Errorf("without --retry:\n%s", first)
	}
	again := mustCall(t, append(args, "--retry")...).stdout
	if !strings.Contains(again, "--retry: this is a second run, with --neighbors 6, since of the first was said: All eigenvalues are 0") {
		t.Errorf("with --retry:\n%s", again)
	}
	if r := call("cluster", args[1], "-k", "2", "--fit-on", "10", "--retry"); r.status != 2 {
		t.Errorf("beside --fit-on: status %d", r.status)
	}
}

// An interrupt of the second run leaves the results of the first: printed, and saved with --out,
// also if the second run does not look at its context.
func TestRetryInterrupted(t *testing.T) {
	tests := graceForWork
	graceForWork = programsGrace
	defer func() { graceForWork = tests }()
	for _, stuck := range []bool{false, true} {
		for _, more := range [][]string{nil, {"--json"}, {"--out", ""}} {
			ctx, cancel := context.WithCancel(context.Background())
			release, reads := make(chan struct{}), 0
			out := filepath.Join(t.TempDir(), "out")
			args := append(twoParts(t), append(more, "--retry")...)
			if len(more) == 2 {
				args[len(args)-2] = out
			}
			r, ended := callAbandoned(ctx, func(e progress.Event) {
				if e.Stage != "read" || e.Done > 0 {
					return
				}
				if reads++; reads == 2 {
					cancel()
					if stuck {
						<-release
					}
				}
			}, args...)
			close(release)
			ended()
			cancel()
			if r.status != exitInterrupted || !strings.Contains(r.stderr, "interrupted in the second run; the results of the first are printed, "+map[bool]string{true: "and saved in " + out + ": ", false: "but not saved"}[len(more) == 2]) {
				t.Errorf("%v, stuck %v: status %d, %s", more, stuck, r.status, r.stderr)
			}
			if len(more) == 1 {
				r.object(t)
			} else if strings.Count(r.stdout, "k-means  2 clusters") != 1 || !stuck && !strings.Contains(r.stdout, "these are the results of the first") {
				t.Errorf("%v, stuck %v: printed %q", more, stuck, r.stdout)
			}
			if _, err := os.Stat(filepath.Join(out, "clusters.csv")); (err == nil) != (len(more) == 2) {
				t.Errorf("%v, stuck %v: the first run's files: %v", more, stuck, err)
			}
		}
	}
}

// Results of the first run that an interrupt cannot save, since the disk fails or takes too long,
// are printed once, whatever the abandoned work does later.
func TestRetryInterruptedUnsaved(t *testing.T) {
	work, saving := graceForWork, graceForSaving
	defer func() { graceForWork, graceForSaving, folder.Step = work, saving, nil }()
	for _, slow := range []bool{false, true} {
		graceForWork, graceForSaving = programsGrace, time.Minute
		if slow {
			graceForSaving = 10 * time.Millisecond
		}
		ctx, cancel := context.WithCancel(context.Background())
		release, reads := make(chan struct{}), 0
		folder.Step = func(string, string) error {
			if slow {
				<-release
			}
			return syscall.ENOSPC
		}
		var stdout, stderr bytes.Buffer
		a := newApp(&stdout, &stderr, func(e progress.Event) {
			if e.Stage == "read" && e.Done == 0 {
				if reads++; reads == 2 {
					cancel()
				}
			}
		})
		status := a.run(ctx, append(twoParts(t), "--json", "--retry", "--out", filepath.Join(t.TempDir(), "out")))
		close(release)
		a.running.Wait()
		cancel()
		result{stdout: stdout.String()}.object(t)
		want := ", but not saved: no space left on device: free some space or choose another --out"
		if slow {
			want = ", and were being put in place in "
		}
		if said := stderr.String(); status != exitInterrupted || !strings.Contains(said, "the results of the first are printed"+want) {
			t.Errorf("slow %v: status %d, %s", slow, status, said)
		}
	}
}

// A second run that ends after the program has given up waiting adds nothing to what was printed.
func TestRetryAbandoned(t *testing.T) {
	work := graceForWork
	graceForWork = programsGrace
	defer func() { graceForWork = work }()
	ctx, cancel := context.WithCancel(context.Background())
	release, reads := make(chan struct{}), 0
	var stdout, stderr bytes.Buffer
	a := newApp(&stdout, &stderr, func(e progress.Event) {
		if e.Stage == "read" && e.Done == 0 {
			if reads++; reads == 2 {
				cancel()
				<-release
			}
		}
	})
	status := a.run(ctx, append(twoParts(t), "--json", "--retry"))
	close(release)
	a.running.Wait()
	cancel()
	result{stdout: stdout.String()}.object(t)
	if said := stderr.String(); status != exitInterrupted || strings.Count(said, "eigenmap: interrupted") != 1 {
		t.Errorf("status %d, %s", status, said)
	}
	io.WriteString(a.stdout, "more")
	if before := stdout.Len(); a.stdout.Flush() != nil || stdout.Len() != before {
		t.Error("standard output is open after the last word")
	}
}
