package eigenmap

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/progress"
)

// onProcesses runs a fit of so many parts on so many processes, and saves rank 0's into a folder.
// If stage is not "", the context of the last part ends where the stage begins. It returns the
// notes of rank 0, nil if the run was stopped.
func onProcesses(t *testing.T, processes, parts int, file string, opt Options, stage, dir string) (notes []string) {
	t.Helper()
	ranks.Together(processes, func(outer ranks.Team) {
		ranks.Host(outer, parts, func(team *ranks.Hosted) {
			ctx, stop := context.WithCancel(ranks.With(context.Background(), team))
			defer stop()
			own := opt
			if stage != "" && team.Rank() == parts-1 {
				own.Observer = func(e progress.Event) {
					if e.Stage == stage {
						stop()
					}
				}
			}
			run, err := Cluster(ctx, file, own)
			if stage != "" {
				if err == nil {
					t.Errorf("%s: the run was not stopped in the stage %s", opt.Method, stage)
				}
				return
			}
			if err == nil {
				err = run.Collect(ctx)
			}
			if err == nil && team.Rank() == 0 {
				notes = run.Notes()
				err = run.Save(dir)
			}
			if err != nil {
				t.Errorf("%s: part %d: %v", opt.Method, team.Rank(), err)
			}
		})
	})
	return notes
}

// TestPartsGoOn: a fit of three parts that was stopped on three processes, and then on two, goes on
// in one process to the bytes of an undisturbed one, and its model places documents in one process
// as the model of a run without parts does.
func TestPartsGoOn(t *testing.T) {
	file := everyNth(t, 21, 100)
	complete := Options{Method: "spectral"}
	must.Do(t, complete.Set("graph-kind", "complete"))
	for _, c := range []struct {
		opt    Options
		stages [2]string // at which the runs on three and on two processes are stopped; "": they are not
	}{
		{Options{Method: "le"}, [2]string{"eigen", "kmeans"}},
		{Options{}, [2]string{"eigen", "kmeans"}},
		{Options{Method: "kmeans"}, [2]string{"k-means", "confidence"}},
		{Options{Method: "nmf"}, [2]string{"nmf", "confidence"}},
		{Options{Method: "lsi"}, [2]string{"svd", "kmeans"}},
		{complete, [2]string{}},
		{Options{Method: "leiden"}, [2]string{}},
		{Options{Method: "lapgmm"}, [2]string{}},
		{Options{Method: "cle", LabeledFraction: 0.05}, [2]string{}},
		{Options{Method: "label-propagation", LabeledFraction: 0.05}, [2]string{}},
	} {
		opt, dir := c.opt, t.TempDir()
		if testing.Short() && !slices.Contains([]string{"le", "kmeans", "leiden"}, opt.Method) {
			continue
		}
		opt.Seed = 3
		if opt.Method != "le" { // each part makes the same second looks
			opt.Confidence = "raw"
		}
		in := func(name string) string { return filepath.Join(dir, name) }
		files := []string{"clusters.csv", "model.npz"}
		if c.stages[0] != "" {
			onProcesses(t, 1, 3, file, opt, "", in("undisturbed"))
			opt.Work = in("work")
			onProcesses(t, 3, 3, file, opt, c.stages[0], "")
			onProcesses(t, 2, 3, file, opt, c.stages[1], "")
		}
		notes := onProcesses(t, 1, 3, file, opt, "", in("parts"))
		if opt.Method == "le" && !strings.Contains(strings.Join(notes, " "), "finished one") {
			t.Errorf("nothing was taken from the folder: %v", notes)
		}
		for _, name := range files {
			if c.stages[0] == "" {
				break
			}
			one := must.Get(os.ReadFile(in("undisturbed/" + name)))(t)
			if other, err := os.ReadFile(in("parts/" + name)); err != nil || !bytes.Equal(one, other) {
				t.Errorf("%s: %s is not the undisturbed run's: %v", opt.Method, name, err)
			}
		}
		if _, err := os.Stat(in("parts/scatter.png")); err != nil {
			t.Errorf("%s: no picture: %v", opt.Method, err)
		}
		opt.Work = ""
		whole, err := Cluster(context.Background(), file, opt)
		if err == nil {
			err = whole.Save(in("whole"))
		}
		if err != nil {
			t.Fatal(err)
		}
		want := must.Get(Predict(context.Background(), in("whole/model.npz"), file))(t)
		got, err := Predict(context.Background(), in("parts/model.npz"), file)
		if err != nil {
			t.Errorf("%s: %v", opt.Method, err)
			continue
		}
		if !slices.Equal(got.Labels, want.Labels) || !slices.Equal(got.Isolated, want.Isolated) || got.Known != want.Known {
			t.Errorf("%s: the model places documents elsewhere than the model of one process", opt.Method)
		}
	}
}

// collected clusters documents by two parts, and collects what they have, where the bounded ones
// have no memory. before gets the run of each part before that, and after the run with its notes.
func collected(t *testing.T, bounded func(rank int) bool, before func(run *Run), after func(rank int, run *Run, notes string)) {
	t.Helper()
	file := everyNth(t, 21, 100)
	ranks.Host(ranks.Alone{}, 2, func(team *ranks.Hosted) {
		ctx := ranks.With(context.Background(), team)
		run, err := Cluster(ctx, file, Options{Method: "le"})
		if err != nil {
			t.Error(err)
			return
		}
		before(run)
		if bounded(team.Rank()) {
			ctx = memory.Bound(ctx, 1)
		}
		if err := run.Collect(ctx); err != nil {
			t.Error(err)
		}
		after(team.Rank(), run, strings.Join(run.Notes(), " "))
	})
}

// TestPartsWithoutMemory: where rank 0 has no memory for the rows of all, the run is saved with a
// model that takes no new documents, and notes say why. A run that was not collected has none
// either.
func TestPartsWithoutMemory(t *testing.T) {
	rankZero := func(rank int) bool { return rank == 0 } // it alone takes the rows
	collected(t, rankZero, func(run *Run) {
		m, err := run.Model(context.Background())
		if err != nil || !strings.Contains(m.Closed(), "were not joined") {
			t.Errorf("before it is collected: %v, %q", err, m.Closed())
		}
	}, func(rank int, run *Run, notes string) {
		if !strings.Contains(notes, "The model takes no new documents") {
			t.Errorf("notes %q", notes)
		}
		if rank > 0 {
			return
		}
		dir := t.TempDir()
		if err := run.Save(dir); err != nil {
			t.Error(err)
		}
		if _, err := Predict(context.Background(), filepath.Join(dir, "model.npz"), everyNth(t, 21, 100)); err == nil || !strings.Contains(err.Error(), "takes no new documents") {
			t.Error(err)
		}
	})
}

// TestPartsAskRankZero: the other ranks take nothing when the rows are joined, so their memory does
// not count.
func TestPartsAskRankZero(t *testing.T) {
	others := func(rank int) bool { return rank > 0 }
	collected(t, others, func(*Run) {}, func(_ int, _ *Run, notes string) {
		if strings.Contains(notes, "takes no new documents") {
			t.Errorf("notes %q", notes)
		}
	})
}
