package eigenmap

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/predicting"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/shards"
)

// inShards runs a fit of so many parts on so many processes, each part of which writes its own
// files into a folder. seen, if not nil, gets the run of each part.
func inShards(t *testing.T, processes, parts int, file string, opt Options, dir string, seen func(rank int, run *Run)) {
	t.Helper()
	ranks.Together(processes, func(outer ranks.Team) {
		ranks.Host(outer, parts, func(team *ranks.Hosted) {
			ctx := ranks.With(context.Background(), team)
			run, err := Cluster(ctx, file, opt)
			if err != nil {
				t.Errorf("%s: part %d: %v", opt.Method, team.Rank(), err)
				return
			}
			var out *Folder
			if team.Rank() == 0 {
				if out, err = OpenFolder(dir); err != nil {
					t.Error(err)
				}
				defer out.Discard()
			}
			if _, err := run.SaveShards(ctx, dir, out); err != nil {
				t.Errorf("%s: part %d: %v", opt.Method, team.Rank(), err)
			}
			if seen != nil {
				seen(team.Rank(), run)
			}
		})
	})
}

// withoutMap is a run whose files depend on no map.
func withoutMap(opt Options) Options {
	no := false
	opt.Map, opt.Confidence = &no, "raw"
	return opt
}

// TestShards: what three parts write, each its own, is one result for all that read one: joined it
// has the bytes of a run whose rank 0 writes all, and it predicts, suggests and is evaluated as
// that one. Every rank has the rows of its own documents alone.
func TestShards(t *testing.T) {
	file := everyNth(t, 21, 100)
	short, complete := 60, Options{Method: "spectral"}
	must.Do(t, complete.Set("graph-kind", "complete"))
	for _, opt := range []Options{{Method: "le"}, {Method: "diffusion", Snippets: &short}, {Method: "le", Duplicates: "once"}, {Method: "kmeans"}, {Method: "nmf"},
		{Method: "label-propagation", LabeledFraction: 0.05}, {Method: "leiden"}, {Method: "lapgmm"}, complete} {
		if testing.Short() && !slices.Contains([]string{"diffusion", "leiden"}, opt.Method) {
			continue
		}
		opt = withoutMap(opt)
		opt.Seed = 3
		dir := t.TempDir()
		in := func(name string) string { return filepath.Join(dir, name) }
		onProcesses(t, 1, 3, file, opt, "", in("whole"))
		inShards(t, 2, 3, file, opt, in("parts"), func(rank int, run *Run) {
			if run.Embedding == nil {
				return
			}
			if n, _ := run.Embedding.Dims(); n >= run.Corpus.Len() {
				t.Errorf("%s: rank %d has the embedding of all %d documents", opt.Method, rank, n)
			}
		})
		out, err := OpenFolder(in("joined"))
		if err == nil {
			_, err = JoinShards(context.Background(), in("parts"), out)
			out.Discard()
		}
		if err != nil {
			t.Fatalf("%s: %v", opt.Method, err)
		}
		sameFiles(t, opt.Method, in("whole"), in("joined"))
		sameUses(t, opt.Method, file, in("whole"), in("parts"))
		if opt.Snippets != nil || opt.Duplicates != "" {
			sameRareTerms(t, opt, file, in("parts"))
		}
	}
}

// TestShardsWithMap: with a map and levels asked for, what parts write has both, and joined it has
// every byte of a run whose rank 0 writes all: picture, levels, model and the places of new
// documents in the map.
func TestShardsWithMap(t *testing.T) {
	file, yes := everyNth(t, 21, 100), true
	for _, method := range []string{"le", "kmeans"} {
		if method == "kmeans" && testing.Short() {
			continue
		}
		opt := Options{Method: method, Seed: 3, Map: &yes, Confidence: "raw", Levels: []string{"4", "8"}}
		dir := t.TempDir()
		in := func(name string) string { return filepath.Join(dir, name) }
		onProcesses(t, 1, 3, file, opt, "", in("whole"))
		var notes []string
		inShards(t, 2, 3, file, opt, in("parts"), func(rank int, run *Run) {
			if rank == 0 {
				notes = run.Notes()
				describedRunnerUp(t, run, method == "le")
			}
		})
		out, err := OpenFolder(in("joined"))
		if err == nil {
			_, err = JoinShards(context.Background(), in("parts"), out)
			out.Discard()
		}
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		if method == "kmeans" { // its map is drawn by the rows, which no rank has
			if text := strings.Join(notes, " "); !strings.Contains(text, "no map") {
				t.Errorf("%s: notes %q", method, text)
			}
			continue
		}
		for _, name := range []string{"embedding2d.npy", "levels.csv", "level_clusters.csv", "scatter.png"} {
			if _, err := os.Stat(in("joined/" + name)); err != nil {
				t.Errorf("%s: %v; notes %q", method, err, notes)
			}
		}
		sameFiles(t, method, in("whole"), in("joined"))
		sameUses(t, method, file, in("whole"), in("parts"))
	}
}

// describedRunnerUp checks that a run has a runner-up, or none, and that its clusters have terms.
func describedRunnerUp(t *testing.T, run *Run, has bool) {
	t.Helper()
	if (run.RunnerUp != nil) != has {
		t.Fatalf("the runner-up is %+v", run.RunnerUp)
	}
	if !has {
		return
	}
	for c, k := range run.RunnerUp.Clusters {
		if len(k.Terms) == 0 {
			t.Errorf("cluster %d of the runner-up has no terms: %+v", c, k)
		}
	}
}

// TestShardsWithoutMemoryForAMap: a map that is asked for and has no memory on rank 0 is noted
// once, and the note does not say that asking for it would help.
func TestShardsWithoutMemoryForAMap(t *testing.T) {
	file, yes := everyNth(t, 21, 100), true
	ranks.Host(ranks.Alone{}, 2, func(team *ranks.Hosted) {
		ctx := ranks.With(context.Background(), team)
		run, err := Cluster(ctx, file, Options{Method: "le", Map: &yes})
		if err != nil {
			t.Error(err)
			return
		}
		if team.Rank() == 0 {
			ctx = memory.Bound(ctx, 1)
		}
		if err := errors.Join(run.run.Apart(ctx), run.DrawMap(ctx)); err != nil {
			t.Error(err)
		}
		if notes := strings.Join(run.Notes(), " "); strings.Count(notes, "There is no map") != 1 {
			t.Errorf("rank %d: notes %q", team.Rank(), notes)
		}
	})
}

// sameRareTerms compares what a model in parts says of the terms that one document alone has with
// the model of a run without ranks.
func sameRareTerms(t *testing.T, opt Options, file, parts string) {
	t.Helper()
	ctx := context.Background()
	run := must.Get(Cluster(ctx, file, opt))(t)
	whole := must.Get(run.Model(ctx))(t)
	read := must.Get(LoadModel(ctx, parts))(t)
	want, got := predicting.Stored(whole.Model).Novelty, predicting.Stored(read.Model).Novelty
	if want.OwnShare < 0.001 || got.OwnShare != want.OwnShare || !slices.Equal(got.Own, want.Own) {
		t.Errorf("%s: of the terms of documents, %g are rare; without ranks %g", opt.Method, got.OwnShare, want.OwnShare)
	}
}

// sameFiles compares the files of two results, but for the page, which has times.
func sameFiles(t *testing.T, what, want, got string) {
	t.Helper()
	entries := must.Get(os.ReadDir(want))(t)
	for _, e := range entries {
		if slices.Contains([]string{"report.html", "scatter.png", "run.json"}, e.Name()) {
			continue
		}
		a := must.Get(os.ReadFile(filepath.Join(want, e.Name())))(t)
		if b, err := os.ReadFile(filepath.Join(got, e.Name())); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: %s has other bytes: %v", what, e.Name(), err)
		}
	}
	entries, _ = os.ReadDir(got)
	for _, e := range entries {
		if _, _, _, part := shards.Parse(e.Name()); part {
			t.Errorf("%s: %s is still a part", what, e.Name())
		}
		if strings.HasSuffix(e.Name(), ".tmp") {
			t.Errorf("%s: %s was left", what, e.Name())
		}
	}
}

// sameUses compares what commands make of two results.
func sameUses(t *testing.T, what, file, want, got string) {
	t.Helper()
	ctx := context.Background()
	a, errA := Predict(ctx, want, file)
	b, errB := Predict(ctx, got, file)
	if errA != nil || errB != nil {
		t.Fatalf("%s: predict: %v, %v", what, errA, errB)
	}
	if !slices.Equal(a.Labels, b.Labels) || !slices.Equal(a.Confidence, b.Confidence) || !slices.Equal(a.Novelty, b.Novelty) {
		t.Errorf("%s: the model in parts places documents elsewhere", what)
	}
	a, errA = Predict(ctx, want, file, Options{RejectAuto: true})
	b, errB = Predict(ctx, got, file, Options{RejectAuto: true})
	if errA != nil || errB != nil || !slices.Equal(a.Unlike, b.Unlike) || !slices.Equal(a.Labels, b.Labels) {
		t.Errorf("%s: the model in parts rejects other documents: %v, %v", what, errA, errB)
	}
	x, errA := ReadResults(ctx, want)
	y, errB := ReadResults(ctx, got)
	if errA != nil || errB != nil {
		t.Fatalf("%s: %v, %v", what, errA, errB)
	}
	if !slices.Equal(x.IDs, y.IDs) || !slices.Equal(x.Clusters, y.Clusters) || (x.Places == nil) != (y.Places == nil) {
		t.Errorf("%s: the result in parts has other documents", what)
	}
	e, err := Evaluate(ctx, want, got, Options{})
	if err != nil || e.Metrics.Accuracy != 1 {
		t.Errorf("%s: evaluated against itself: %v", what, err)
	}
	var models [2][]byte
	for k, dir := range []string{want, got} {
		u, err := Update(ctx, dir, file, Options{})
		if err != nil {
			t.Fatalf("%s: update: %v", what, err)
		}
		out, err := OpenFolder(t.TempDir())
		if err == nil {
			_, err = u.SaveIn(ctx, out) // of most methods a copy of the model
			out.Discard()
		}
		if err == nil {
			models[k], err = os.ReadFile(filepath.Join(out.Dir, "model.npz"))
		}
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if !bytes.Equal(models[0], models[1]) {
		t.Errorf("%s: the updated model has other bytes", what)
	}
}

// TestShardsAllOrNothing: where one part cannot be written, or rank 0 does not find it, the folder
// keeps the result that it had, without a file of the new one.
func TestShardsAllOrNothing(t *testing.T) {
	file, dir, opt := everyNth(t, 21, 100), t.TempDir(), fewerStarts(withoutMap(Options{Method: "kmeans", Seed: 3}))
	run := must.Get(Cluster(context.Background(), file, opt))(t)
	must.Do(t, run.Save(dir))
	before := names(t, dir)
	for _, elsewhere := range []bool{false, true} { // the second rank has another disk, or none
		ranks.Together(2, func(team ranks.Team) {
			ctx := ranks.With(context.Background(), team)
			run, err := Cluster(ctx, file, opt)
			if err != nil {
				t.Error(err)
				return
			}
			own := dir
			var out *Folder
			switch {
			case team.Rank() == 0:
				if out, err = OpenFolder(dir); err != nil {
					t.Error(err)
				}
				defer out.Discard()
			case elsewhere:
				own = t.TempDir()
			default:
				own = filepath.Join(dir, "missing")
			}
			if err := InCommon(ctx, own); err == nil {
				t.Error("the ranks have no folder in common")
			}
			if _, err = run.SaveShards(ctx, own, out); err == nil || elsewhere && !strings.Contains(err.Error(), "all machines of the run have in common") {
				t.Errorf("rank %d: %v", team.Rank(), err)
			}
		})
		if after := names(t, dir); !slices.Equal(before, after) {
			t.Errorf("the folder has %v, not %v", after, before)
		}
	}
	if _, err := ReadResults(context.Background(), dir); err != nil {
		t.Error(err)
	}
	inShards(t, 2, 2, file, opt, dir, nil)
	for _, name := range names(t, dir) {
		if slices.Contains([]string{"clusters.csv", "embedding.npy"}, name) {
			t.Errorf("%s of the earlier result is still there", name)
		}
	}
	must.Do(t, os.Remove(filepath.Join(dir, shards.Name("clusters.csv", 2, 2))))
	if _, err := ReadResults(context.Background(), dir); err == nil || !strings.Contains(err.Error(), "clusters-00002-of-00002.csv is missing") {
		t.Error(err)
	}
}

// names are the files in a folder.
func names(t *testing.T, dir string) (list []string) {
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// TestPartsOfSeveralRuns: parts that are not all of one run, or not all that there are, are refused
// by whatever reads them as one, in one sentence that names a file.
func TestPartsOfSeveralRuns(t *testing.T) {
	ctx, file := context.Background(), everyNth(t, 21, 100)
	runs := []string{t.TempDir(), t.TempDir()}
	for k, dir := range runs {
		inShards(t, 2, 2, file, withoutMap(Options{Method: "le", Clusters: 3 + k, Seed: 3}), dir, nil)
	}
	copied := func(names map[string]string) string {
		dir := t.TempDir()
		for name, from := range names {
			text, err := os.ReadFile(filepath.Join(from, name))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	for _, of := range []string{"clusters.csv", "embedding.npy", "model.npz"} {
		first, second := shards.Name(of, 1, 2), shards.Name(of, 2, 2)
		for what, c := range map[string]struct {
			names map[string]string
			says  string
		}{
			"half of the parts":                {map[string]string{second: runs[0]}, first + " is missing"},
			"half of the parts and the list":   {map[string]string{first: runs[0], "run.json": runs[0]}, second + " is missing"},
			"parts of one run, without it":     {map[string]string{first: runs[0], second: runs[0]}, first + ": this part lies without the run.json"},
			"parts of two runs":                {map[string]string{first: runs[0], second: runs[1]}, first + ": this part lies without the run.json"},
			"parts of two runs, a list of one": {map[string]string{first: runs[0], second: runs[1], "run.json": runs[0]}, second},
		} {
			path := filepath.Join(copied(c.names), of)
			var err error
			switch of {
			case "model.npz":
				_, err = Predict(ctx, path, file)
			case "clusters.csv":
				_, err = Evaluate(ctx, path, path, Options{})
			default:
				_, err = Cluster(ctx, path, Options{Method: "kmeans", Clusters: 3})
			}
			if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s, %s: %v", of, what, err)
			}
		}
	}
}

// TestJoinFaults: join refuses a part that was changed and a file beside its parts, and takes a
// folder of which a user removed what is of no use; a run that reads parts does not replace them.
func TestJoinFaults(t *testing.T) {
	file, dir := everyNth(t, 21, 100), t.TempDir()
	inShards(t, 2, 2, file, withoutMap(Options{Method: "kmeans", Seed: 3}), dir, nil)
	in := func(name string) string { return filepath.Join(dir, name) }
	join := func(to string) error {
		out, err := OpenFolder(to)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Discard()
		_, err = JoinShards(context.Background(), dir, out)
		return err
	}
	part := in(shards.Name("clusters.csv", 2, 2))
	before := names(t, dir)
	for what, path := range map[string]string{"the file in parts": in("clusters.csv"), "a part": part} {
		if err := CheckOut(dir, "cluster", path); err == nil || !strings.Contains(err.Error(), "the run reads it") {
			t.Errorf("%s: %v", what, err)
		}
	}
	other := must.Get(Cluster(context.Background(), file, withoutMap(Options{Method: "kmeans", Seed: 3})))(t)
	other.run.J.Labels = in("clusters.csv") // as a run that did not ask CheckOut
	must.Do(t, other.Save(dir))
	for _, name := range before {
		if _, err := os.Stat(in(name)); strings.HasPrefix(name, "clusters-") && err != nil {
			t.Errorf("a run that read the parts of clusters.csv removed %s", name)
		}
	}

	inShards(t, 2, 2, file, withoutMap(Options{Method: "kmeans", Seed: 3}), dir, nil)
	must.Do(t, os.Remove(in("report.html")))
	if err := join(t.TempDir()); err != nil {
		t.Errorf("without the report: %v", err)
	}
	must.Do(t, os.WriteFile(in("clusters.csv"), []byte("id,cluster\n"), 0o600))
	for _, to := range []string{dir, t.TempDir()} {
		if err := join(to); err == nil || !strings.Contains(err.Error(), "it lies beside its parts") {
			t.Errorf("with a file beside its parts: %v", err)
		}
	}
	must.Do(t, os.Remove(in("clusters.csv")))
	text, err := os.ReadFile(part)
	if err == nil {
		err = os.WriteFile(part, append(text, '\n'), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{dir, t.TempDir()} {
		if err := join(to); err == nil || !strings.Contains(err.Error(), filepath.Base(part)+" is not the file that run.json lists") {
			t.Errorf("with a part that was changed: %v", err)
		}
	}
}

// TestPlanOfJoined: what a plan of ranks says that rank 0 joins is what the run counts before it
// joins, within a tenth, and what it then takes for each.
func TestPlanOfJoined(t *testing.T) {
	file := everyNth(t, 21, 100)
	for _, method := range []string{"le", "kmeans", "lsi"} {
		opt := fewerStarts(withoutMap(Options{Method: method, Seed: 3, Clusters: 12}))
		for _, size := range []int{2, 4} {
			p := must.Get(PlanRanks(t.Context(), file, opt, size))(t)
			planned := int64(0)
			for _, s := range p.Stages {
				if s.Name == "write" {
					planned = s.Bytes
				}
			}
			ranks.Together(size, func(team ranks.Team) {
				run, err := Cluster(ranks.With(context.Background(), team), file, opt)
				if err != nil {
					t.Error(err)
					return
				}
				asks := run.run.CollectedBytes()
				if run.Embedding != nil {
					_, d := run.Embedding.Dims()
					asks += int64(2 * 8 * d * run.Corpus.Len())
				}
				if team.Rank() == 0 && (float64(planned) < 0.9*float64(asks) || float64(planned) > 1.1*float64(asks)) {
					t.Errorf("%s on %d ranks: rank 0 joins %d bytes, and %d are planned", method, size, asks, planned)
				}
			})
		}
	}
}

// TestLevelsWithoutAMap: ranks make levels of the run's own graph whether there is a map or not,
// and a plan of parts counts what rank 0 takes for them.
func TestLevelsWithoutAMap(t *testing.T) {
	file, yes, no := everyNth(t, 21, 100), true, false
	dir := t.TempDir()
	read := func(m *bool) string {
		to := filepath.Join(dir, strconv.FormatBool(*m))
		onProcesses(t, 1, 3, file, Options{Method: "le", Seed: 3, Map: m, Confidence: "raw", Levels: []string{"4", "8"}}, "", to)
		text := must.Get(os.ReadFile(filepath.Join(to, "levels.csv")))(t)
		return string(text)
	}
	if read(&yes) != read(&no) {
		t.Error("levels are others without a map")
	}
	peak := func(levels ...string) int64 {
		p := must.Get(PlanShards(t.Context(), file, Options{Method: "le", Clusters: 12, Map: &no, Levels: levels}, 3))(t)
		sum := int64(0)
		for _, s := range p.Stages {
			sum += s.Bytes
		}
		return sum
	}
	if peak() >= peak("4") {
		t.Error("levels of parts take nothing in the plan")
	}
}
