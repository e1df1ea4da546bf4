package eigenmap_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/progress"
)

// twoParts writes a corpus of two parts that share no term.
func twoParts(t *testing.T) string {
	lines := []string{"id,text"}
	for i := range 24 {
		word := strings.Fields("apple pear plum fig motor wheel brake road")[4*(i%2):]
		lines = append(lines, strconv.Itoa(i)+","+word[i/2%4]+" "+word[(i/2+1)%4]+" "+word[i/4%4])
	}
	return write(t, t.TempDir(), "two.csv", strings.Join(lines, "\n")+"\n")
}

// Two parts that share no term give eigenvalues of 0 alone, which more neighbours may mend. A
// second run has twice the neighbours and says so; the same options given by hand have the same
// result. A second run that fails leaves the first one, with a note.
func TestRetry(t *testing.T) {
	file := twoParts(t)
	run := func(neighbors string) (*eigenmap.Prepared, *eigenmap.Run) {
		t.Helper()
		opt := options(t, "spectral", "neighbors", neighbors, "clusters", "2", "duplicates", "keep")
		p := must.Get(eigenmap.Prepare(opt, "cluster"))(t)
		r := must.Get(p.OnFile(context.Background(), file))(t)
		return p, r
	}
	p, first := run("3")
	plain := func(name string) string { return name }
	list := first.Remedies(plain)
	if len(list) != 1 || list[0].Option != "neighbors" || list[0].Value != "6" {
		t.Fatalf("remedies %+v of notes %q", list, first.Notes())
	}
	second := must.Get(p.Retry(context.Background(), first))(t)
	if notes := strings.Join(second.Notes(), " "); !strings.Contains(notes, "retry: this is a second run, with neighbors 6") {
		t.Errorf("the second run says %q", notes)
	}
	if _, want := run("6"); !slices.Equal(second.Labels, want.Labels) {
		t.Error("the second run is not the run with twice the neighbours")
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	stays := func(ctx context.Context, stopped bool) {
		t.Helper()
		p, first := run("3")
		if !stopped {
			must.Do(t, os.Remove(file))
		}
		kept, err := p.Retry(ctx, first)
		if errors.Is(err, context.Canceled) != stopped || (err != nil) != stopped {
			t.Errorf("stopped %v: %v", stopped, err)
		}
		if kept == nil || !slices.Equal(kept.Labels, first.Labels) {
			t.Fatalf("stopped %v: the first run is lost", stopped)
		}
		if notes := strings.Join(kept.Notes(), " "); !strings.Contains(notes, "these are the results of the first") {
			t.Errorf("stopped %v: the first run says %q", stopped, notes)
		}
	}
	stays(stopped, true)
	stays(context.Background(), false)
}

// A second run that fails for another reason just as it is stopped was stopped: the first one
// stays, with the context's error.
func TestRetryStoppedAtFailure(t *testing.T) {
	file := twoParts(t)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	opt := options(t, "spectral", "neighbors", "3", "clusters", "2", "duplicates", "keep")
	reads := 0
	opt.Observer = func(e progress.Event) {
		if e.Stage == "read" && e.Done == 0 {
			if reads++; reads == 2 {
				os.Remove(file)
			}
		}
		if strings.HasPrefix(e.Message, "retry: a second run") {
			stop() // it has failed, and Retry has not returned
		}
	}
	p := must.Get(eigenmap.Prepare(opt, "cluster"))(t)
	first := must.Get(p.OnFile(ctx, file))(t)
	kept, err := p.Retry(ctx, first)
	if !errors.Is(err, context.Canceled) || kept == nil || !slices.Equal(kept.Labels, first.Labels) {
		t.Errorf("the first run: %v, error %v", kept != nil, err)
	}
}
