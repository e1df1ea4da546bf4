package main

import (
	"encoding/json"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
)

// The plan of a run that does not hold its documents is what the process takes: not far less, as a
// job that asks for so much is killed, and not twice as much.
func TestPlanOfSample(t *testing.T) {
	if testing.Short() {
		t.Skip("20,000 documents are placed")
	}
	dir := t.TempDir()
	args := []string{manyLines(t, dir, 20000, 30), "--input-format", "lines", "--method", "le", "-k", "3", "--fit-on", "8000"}
	var plan struct {
		Peak int64 `json:"peak_bytes"`
	}
	must.Do(t, json.Unmarshal([]byte(mustCall(t, append([]string{"plan", "--json"}, args...)...).stdout), &plan))
	memory.ResetPeak() // a process begins with the peak of the one that started it
	cmd, run := play(t, nil, append([]string{"cluster", "--quiet", "--out", filepath.Join(dir, "out")}, args...)...)
	if r := run(); r.status != exitDone {
		t.Fatalf("status %d\n%s", r.status, r.stderr)
	}
	took := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	t.Logf("%d MB planned, %d MB taken", plan.Peak/1e6, took/1e6)
	if share := float64(took) / float64(plan.Peak); share > 1.1 || share < 0.5 {
		t.Errorf("the run takes %.2f of its plan", share)
	}
}
