package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
)

// asProcesses runs the program as some processes, and returns rank 0's status and what it printed.
func asProcesses(processes int, args ...string) (status int, said string) {
	var mu sync.Mutex
	ranks.Together(processes, func(team ranks.Team) {
		var stdout, stderr bytes.Buffer
		own := asProcess(context.Background(), team, nil, args, &stdout, &stderr)
		mu.Lock()
		defer mu.Unlock()
		if team.Rank() == 0 {
			status, said = own, stdout.String()+stderr.String()
		}
	})
	return status, said
}

// TestParts: the files of a run of three parts have the same bytes on one, two and three processes,
// and pieces of three parts are gone on with by fewer; a model of parts places documents.
func TestParts(t *testing.T) {
	program := request.FewDocuments
	request.FewDocuments = 50
	defer func() { request.FewDocuments = program }()
	dir := t.TempDir()
	file, work := texts(t, dir, 40), filepath.Join(dir, "work")
	in := func(name string) string { return filepath.Join(dir, name) }
	files := []string{"clusters.csv", "embedding.npy", "embedding2d.npy", "model.npz"}
	run := func(processes int, out string, more ...string) {
		t.Helper()
		args := append([]string{"cluster", file, "--method", "le", "-k", "3", "-d", "6", "--neighbors", "5", "--quiet", "--threads", "1", "--out", in(out)}, more...)
		status, said := asProcesses(processes, args...)
		if status != exitDone {
			t.Fatalf("%d processes: status %d: %s", processes, status, said)
		}
	}
	run(1, "one", "--ranks", "3")
	run(2, "two", "--ranks", "3")
	run(3, "three", "--work", work)
	for _, rank := range []string{".rank-0-of-3", ".rank-1-of-3", ".rank-2-of-3"} {
		if _, err := os.Stat(filepath.Join(work, rank)); err != nil {
			t.Error(err)
		}
	}
	run(2, "two again", "--work", work)
	run(1, "one again", "--work", work)
	for _, out := range []string{"two", "three", "two again", "one again"} {
		sameFiles(t, in("one"), in(out), files...)
	}
	for processes, out := range []string{1: "predicted", 2: "predicted by two"} {
		if out == "" {
			continue
		}
		if status, said := asProcesses(processes, "predict", in("one again"), file, "--quiet", "--out", in(out)); status != exitDone {
			t.Errorf("%d processes: status %d: %s", processes, status, said)
		}
	}
	sameFiles(t, in("predicted"), in("predicted by two"), "clusters.csv", "embedding.npy", "embedding2d.npy")
	status, said := asProcesses(2, "cluster", file, "--ranks", "1")
	if status != exitRequest || !strings.Contains(said, "each of the 2 ranks has a part") {
		t.Errorf("one part for two ranks: status %d: %s", status, said)
	}
	if status, said = asProcesses(1, "cluster", file, "--ranks", "3", "--method", "isomap"); status != exitRequest || strings.Count(said, "eigenmap: ") != 1 {
		t.Errorf("a refusal: status %d: %s", status, said)
	}
}

// TestPartsLeftOver: pieces of parts in --work divide a run only if ranks can share it, and a note
// says what was done.
func TestPartsLeftOver(t *testing.T) {
	dir := t.TempDir()
	file, work := texts(t, dir, 20), filepath.Join(dir, "work")
	for _, c := range []struct {
		folder string
		args   []string
		note   string // "" for none
	}{
		{".rank-0-of-3", []string{"--method", "isomap", "-k", "3"}, "the method isomap is not divided"},
		{".rank-0-of-3", []string{"--method", "kmeans", "-k", "3", "--precision", "single"}, "--precision single is for one process"},
		{".rank-0-of-3", []string{"--fit-on", "30", "-k", "3"}, "--fit-on is for one process"},
		{".rank-0-of-3", []string{"--labeled-fraction", "0.3"}, "known labels choose the method"},
		{".rank-0-of-3", []string{"--method", "kmeans", "-k", "3"}, "divided into 3 parts"},
		{".rank-0-of-5000", []string{"--method", "kmeans", "-k", "3"}, ""},
	} {
		must.Do(t, errors.Join(os.RemoveAll(work), os.MkdirAll(filepath.Join(work, c.folder), 0o777)))
		status, said := asProcesses(1, append([]string{"cluster", file, "--quiet", "--work", work}, c.args...)...)
		if status != exitDone || strings.Contains(said, "eigenmap: note: ") != (c.note != "") || !strings.Contains(said, c.note) {
			t.Errorf("%s, %v: status %d: %s", c.folder, c.args, status, said)
		}
	}
	if status, said := asProcesses(1, "cluster", file, "--ranks", "4097"); status != exitRequest || !strings.Contains(said, "at most 4,096 parts") {
		t.Errorf("4,097 parts: status %d: %s", status, said)
	}
	if status, said := asProcesses(1, "cluster", file, "--method", "isomap", "--parts", "largest", "-k", "3", "--quiet"); status != exitDone {
		t.Errorf("an option of the method of the same word: status %d: %s", status, said)
	}
}

// TestPartsMemory: what all parts of a process hold is within the memory of all of them, and each
// has its share for the arrays of a stage.
func TestPartsMemory(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	const parts, most = 4, 256 << 20
	hold := make([]byte, most) // by one of them
	for i := 0; i < len(hold); i += 4096 {
		hold[i] = 1
	}
	ranks.Host(ranks.Alone{}, parts, func(m *ranks.Hosted) {
		a := newApp(io.Discard, io.Discard, nil)
		a.own.MaxMemory = fmt.Sprint(most)
		ctx, err := a.within(ranks.With(context.Background(), m))
		if err != nil {
			t.Error(err)
			return
		}
		if left := memory.Left(ctx); left > most || left < most/4 {
			t.Errorf("part %d has %d bytes of %d", m.Rank(), left, most)
		}
	})
	runtime.KeepAlive(hold)
}
