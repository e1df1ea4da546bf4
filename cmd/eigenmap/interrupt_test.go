package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/progress"
)

// stages are the stages of `cluster --method le --out`, in order.
var stages = []string{"read", "weights", "graph", "eigen", "kmeans", "metrics", "write"}

// TestInterruptedContext cancels the context at the first event of every stage.
func TestInterruptedContext(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 200)
	for _, stage := range stages {
		t.Run(stage, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			reached := false
			out := filepath.Join(t.TempDir(), "new", "out")
			r := callWatched(ctx, func(e progress.Event) {
				if e.Stage == stage && !reached {
					reached = true
					cancel()
				}
			}, "cluster", file, "--method", "le", "--out", out)
			if !reached {
				t.Fatalf("there was no stage %q", stage)
			}
			checkInterrupted(t, r, out, stage)
		})
	}
}

// checkInterrupted: status 130, one line, and only whole files, those that the line names.
func checkInterrupted(t *testing.T, r result, out, stage string) {
	t.Helper()
	if r.status != exitInterrupted {
		t.Errorf("status %d, want %d\n%s", r.status, exitInterrupted, r.stderr)
	}
	checkSentence(t, r, "interrupted")
	if left := leftovers(t, filepath.Dir(out)); left != nil {
		t.Errorf("left behind: %v", left)
	}
	entries, _ := os.ReadDir(out)
	var saved []string
	for _, e := range entries {
		saved = append(saved, e.Name())
		if !strings.Contains(r.stderr, e.Name()) {
			t.Errorf("%s was saved and not told: %s", e.Name(), r.stderr)
		}
	}
	embedded := []string{"config.yaml", "embedding.npy", "model.npz", "run.json"}
	clustered := []string{"clusters.csv", "config.yaml", "embedding.npy", "model.npz", "run.json"}
	var want [][]string // what may be there
	switch stage {
	case "eigen": // a small problem is solved before it looks at its context
		want = [][]string{nil, embedded}
	case "kmeans":
		want = [][]string{embedded}
	case "metrics": // terms of a small corpus may be found before it looks at its context
		want = [][]string{clustered, append(slices.Clone(clustered), "topics.csv")}
	case "write":
		want = [][]string{append(slices.Clone(clustered), "topics.csv")}
	default:
		want = [][]string{nil}
	}
	if !slices.ContainsFunc(want, func(w []string) bool { return slices.Equal(w, saved) }) {
		t.Errorf("saved %v in stage %s", saved, stage)
	}
	if saved == nil {
		if _, err := os.Stat(filepath.Dir(out)); err == nil {
			t.Error("a folder that was made for the results stayed, empty")
		}
	}
}

// play runs the test binary as the program.
func play(t *testing.T, env []string, args ...string) (*exec.Cmd, func() result) {
	t.Helper()
	self := must.Get(os.Executable())(t)
	cmd := exec.Command(self, args...)
	cmd.Env = append(append(os.Environ(), playEnv+"=1"), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	return cmd, func() result {
		err := cmd.Run()
		status := cmd.ProcessState.ExitCode()
		if err != nil && status < 0 {
			t.Logf("the program: %v", err)
		}
		return result{status, out.String(), errs.String()}
	}
}

// TestInterruptedProcess sends a real SIGINT in every stage of a run over the example corpus.
func TestInterruptedProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program once for every stage")
	}
	file := example(t)
	for _, stage := range stages {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			out, when := filepath.Join(dir, "new", "out"), filepath.Join(dir, "when")
			_, run := play(t, []string{stageEnv + "=" + stage, whenEnv + "=" + when},
				"cluster", file, "--method", "le", "-k", "12", "--quiet", "--out", out)
			r := run()
			end := time.Now()
			checkInterrupted(t, r, out, stage)
			text, err := os.ReadFile(when)
			if err != nil {
				t.Fatalf("the stage was not reached: %v", err)
			}
			sent, _ := strconv.ParseInt(string(text), 10, 64)
			t.Logf("stopped %v after SIGINT", end.Sub(time.Unix(0, sent)).Round(time.Millisecond))
		})
	}
}

// TestStuckWork: work that does not look at its context is abandoned, and a program that is told to
// stop ends within two seconds.
func TestStuckWork(t *testing.T) {
	if programsGrace+programsSaving > 2*time.Second {
		t.Errorf("the program waits %v for the work and %v for saving", programsGrace, programsSaving)
	}
	tests := graceForWork
	graceForWork = programsGrace
	defer func() { graceForWork = tests }()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stuck := make(chan struct{})
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	start := time.Now()
	r, ended := callAbandoned(ctx, func(e progress.Event) {
		if e.Stage == "graph" {
			cancel()
			<-stuck
		}
	}, "cluster", texts(t, dir, 20), "--method", "le", "--out", out)
	if r.status != exitInterrupted {
		t.Errorf("status %d, want %d", r.status, exitInterrupted)
	}
	checkSentence(t, r, "interrupted")
	if _, err := os.Stat(out); err == nil {
		t.Error("the folder that was made for the results stayed, empty")
	}
	t.Logf("abandoned after %v", time.Since(start).Round(time.Millisecond))
	close(stuck)
	ended()
}

// TestInterruptKeepsEarlierRun: partial files do not mix with the files of a run before.
func TestInterruptKeepsEarlierRun(t *testing.T) {
	dir := t.TempDir()
	file, out := texts(t, dir, 50), filepath.Join(dir, "out")
	mustCall(t, "cluster", file, "--method", "le", "--out", out)
	before := fingerprint(t, out)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r := callWatched(ctx, func(e progress.Event) {
		if e.Stage == "kmeans" {
			cancel()
		}
	}, "cluster", file, "--method", "le", "--seed", "5", "--out", out)
	if r.status != exitInterrupted {
		t.Errorf("status %d, want %d", r.status, exitInterrupted)
	}
	checkSentence(t, r, "earlier run")
	if after := fingerprint(t, out); after != before {
		t.Errorf("the folder changed:\n%s\n%s", before, after)
	}
}

// TestInterruptedModel: a mixture that was not fitted yet leaves a model that says so.
func TestInterruptedModel(t *testing.T) {
	dir := t.TempDir()
	file, out := texts(t, dir, 50), filepath.Join(dir, "out")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	callWatched(ctx, func(e progress.Event) {
		if e.Stage == "mixture" {
			cancel()
		}
	}, "cluster", file, "--method", "gmm", "--pca", "3", "--out", out)
	saved := filepath.Join(out, modelName)
	checkSentence(t, call("predict", saved, file), "run it again")
	if r := mustCall(t, "info", saved); !strings.Contains(r.stdout, "run it again") || strings.Contains(r.stdout, "affinity") {
		t.Errorf("%s", r.stdout)
	}
}

// fingerprint is names, sizes and times of a folder's files.
func fingerprint(t *testing.T, dir string) string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	var b strings.Builder
	for _, e := range entries {
		info := must.Get(e.Info())(t)
		fmt.Fprintln(&b, e.Name(), info.Size(), info.ModTime().UnixNano())
	}
	return b.String()
}
