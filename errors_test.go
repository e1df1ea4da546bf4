package eigenmap

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/result"
)

// inFlags is the error as the command line shows it.
func inFlags(err error) string {
	var e *Error
	if !errors.As(fault.Wrap(result.WayOut(err, nil)), &e) {
		return ""
	}
	return e.Text(func(option string) string { return "--" + option })
}

// TestWayOut: the way out is said in flags, and an unfinished search does not claim that pairs are
// missing.
func TestWayOut(t *testing.T) {
	r := &eigen.Result{Converged: 30, Stats: eigen.Stats{Restarts: 1, Solver: eigen.Lanczos}}
	text := inFlags(&eigen.NotConvergedError{Result: r, Wanted: 30, Unsearched: true})
	if !strings.Contains(text, "missed") || !strings.HasSuffix(text, "--max-iter") || strings.Contains(text, "30 of 30") {
		t.Errorf("an unfinished search says %q", text)
	}
	r.Converged = 20
	text = inFlags(&eigen.NotConvergedError{Result: r, Wanted: 30, Unsearched: true})
	if !strings.Contains(text, "20 of 30 eigenpairs converged after 1 restart of") || !strings.Contains(text, "--max-iter") {
		t.Errorf("missing pairs say %q", text)
	}
}

// An error about the file of constraints names that file alone, and not the corpus before it.
func TestErrorNamesOneFile(t *testing.T) {
	dir := t.TempDir()
	file, links := filepath.Join(dir, "points.csv"), filepath.Join(dir, "links.csv")
	for name, text := range map[string]string{file: "x,y\n0,0\n0,1\n5,5\n5,6\n", links: "1,2,must\n1,2,cannot\n"} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	}
	_, err := Cluster(context.Background(), file, Options{Method: "cle", Clusters: 2, Constraints: links, Source: Source{IDsFrom: "1"}})
	if err == nil || !strings.HasPrefix(err.Error(), links+": line 2 ") {
		t.Errorf("contradicting constraints: %v", err)
	}
}
