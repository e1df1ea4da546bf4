package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native/slepc"
	"github.com/spf13/cobra"
)

// TestRanksRunOneCommand: ranks that were started with another command than rank 0 are refused,
// before one of them waits for the others; of a command that is not divided rank 0 alone works.
func TestRanksRunOneCommand(t *testing.T) {
	for _, c := range []struct {
		commands []string
		refused  bool
	}{{[]string{"cluster", "cluster"}, false}, {[]string{"info", "info"}, false}, {[]string{"cluster", "info"}, true}, {[]string{"info", "cluster"}, true}} {
		ranks.Together(len(c.commands), func(team ranks.Team) {
			name := c.commands[team.Rank()]
			_, idle, err := newApp(io.Discard, io.Discard, nil).ranked(ranks.With(context.Background(), team), &cobra.Command{Use: name}, []string{"a.jsonl"})
			if c.refused {
				if err == nil || !strings.Contains(err.Error(), "rank 1 ") || exitStatus(err) != exitRequest {
					t.Errorf("%q, rank %d: %v", c.commands, team.Rank(), err)
				}
			} else if err != nil || idle != (name == "info" && team.Rank() == 1) {
				t.Errorf("%q, rank %d: idle %v, %v", c.commands, team.Rank(), idle, err)
			}
		})
	}
}

// TestRank0AloneByLabels: where known labels choose the method rank 0 works alone, also where one
// process hosts all ranks. The files are those of a run without ranks, and a note says so. Errors
// of rank 0 are reported once. SLEPc, which ranks call together, is refused.
func TestRank0AloneByLabels(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.csv")
	var table strings.Builder
	table.WriteString("text,label\n")
	for i := range 120 {
		k := i % 3
		fmt.Fprintf(&table, "term%d word%d and word%d with word%d,%s\n", k, k*40+i*7%31, k*40+i*5%29, k*40+i*3%37, []string{"red", "green", "blue"}[k])
	}
	must.Do(t, os.WriteFile(file, []byte(table.String()), 0o600))
	run := func(processes int, out string, more ...string) (int, string) {
		return asProcesses(processes, append([]string{"cluster", file, "--labeled-fraction", "0.3", "--threads", "1", "--out", filepath.Join(dir, out)}, more...)...)
	}
	const note = "note: Rank 0 does all of the work"
	if status, said := run(1, "one"); status != exitDone || strings.Contains(said, note) {
		t.Fatalf("status %d: %s", status, said)
	}
	for out, ranks := range map[string][]string{"two": nil, "hosted": {"--ranks", "3"}} {
		processes := 2
		if ranks != nil {
			processes = 1
		}
		if status, said := run(processes, out, ranks...); status != exitDone || strings.Count(said, note) != 1 || !strings.Contains(said, "--method with one of semi-le") {
			t.Errorf("%s: status %d: %s", out, status, said)
		}
		sameFiles(t, filepath.Join(dir, "one"), filepath.Join(dir, out), "clusters.csv", "config.yaml", "embedding2d.npy", "model.npz")
	}
	if status, said := run(2, "dry", "--dry-run"); status != exitDone || !strings.Contains(said, note) {
		t.Errorf("a dry run: status %d: %s", status, said)
	}
	refusals := map[string][]string{"-k 500 is more than its 120 documents": {"-k", "500"}}
	if slepc.Available {
		refusals["--solver slepc is for one method"] = []string{"--solver", "slepc"}
	}
	for want, more := range refusals {
		if status, said := run(2, "refused", more...); status != exitRequest || strings.Count(said, want) != 1 {
			t.Errorf("%q: status %d: %s", more, status, said)
		}
	}
	if status, said := asProcesses(1, "plan", file, "--labeled-fraction", "0.3", "--ranks", "3"); status != exitDone || !strings.Contains(said, "Rank 0 does all of the work") || !strings.Contains(said, "2 other ranks wait") {
		t.Errorf("a plan: status %d: %s", status, said)
	}
}
