package predicting_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/predicting"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// topics writes n texts of three topics, every tenth of them of words that no other has, with
// labels.
func topics(t *testing.T, file string, n int, seed uint64) string {
	t.Helper()
	r, out := rand.New(rand.NewPCG(seed, 7)), new(bytes.Buffer)
	for i := range n {
		topic := r.IntN(3)
		var text []string
		for range 9 {
			text = append(text, fmt.Sprintf("word%d", 100*topic+r.IntN(40)))
		}
		if i%10 == 9 {
			text = []string{fmt.Sprintf("new%d", r.IntN(9)), fmt.Sprintf("new%d", r.IntN(9))}
		}
		fmt.Fprintf(out, "{\"id\":\"d%d-%d\",\"label\":\"t%d\",\"text\":%q}\n", seed, i, topic, strings.Join(text, " "))
	}
	must.Do(t, os.WriteFile(file, out.Bytes(), 0o666))
	return file
}

// odd writes 41 texts of three topics, copies of texts that a model has, empty ones, texts of which
// the model has no word, and texts of another language among them, some with labels.
func odd(t *testing.T, file, fit string) string {
	t.Helper()
	text := must.Get(os.ReadFile(topics(t, file, 41, 9)))(t)
	known := must.Get(os.ReadFile(fit))(t)
	lines, old := bytes.Split(text, []byte("\n")), bytes.Split(known, []byte("\n"))
	for i := range 41 {
		switch i % 8 {
		case 1, 2:
			lines[i] = old[i]
		case 3:
			lines[i] = fmt.Appendf(nil, `{"id":"odd%d","text":""}`, i)
		case 5:
			lines[i] = fmt.Appendf(nil, `{"id":"odd%d","label":"t0","text":"die Katze jagt die Maus, und der Hund von word%d schläft unter dem Tisch"}`, i, i)
		}
	}
	must.Do(t, os.WriteFile(file, bytes.Join(lines, []byte("\n")), 0o666))
	return file
}

// points are n vectors of four numbers, around three centres.
func points(n int, seed uint64) *mat.Dense {
	r, x := rand.New(rand.NewPCG(seed, 8)), mat.NewDense(n, 4, nil)
	for i := range n {
		for j := range 4 {
			x.Set(i, j, .3*r.NormFloat64())
		}
		x.Set(i, i%3, x.At(i, i%3)+1)
	}
	return x
}

// table writes points as a table of numbers.
func table(t *testing.T, file string, n int, seed uint64) string {
	t.Helper()
	out, x := new(bytes.Buffer), points(n, seed)
	fmt.Fprintln(out, "id,a,b,c,d")
	for i := range n {
		fmt.Fprintf(out, "p%d-%d", seed, i)
		for _, v := range x.RawRowView(i) {
			fmt.Fprintf(out, ",%g", v)
		}
		fmt.Fprintln(out)
	}
	must.Do(t, os.WriteFile(file, out.Bytes(), 0o666))
	return file
}

// saved is all files of a folder but the run's own description, and a value as JSON without times.
func saved(t *testing.T, dir string, v any) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		text := must.Get(os.ReadFile(filepath.Join(dir, e.Name())))(t)
		files[e.Name()] = string(text)
	}
	text := must.Get(json.Marshal(v))(t)
	var said map[string]any
	must.Do(t, json.Unmarshal(text, &said))
	delete(said, "timings")
	text, _ = json.Marshal(said)
	files["JSON"] = string(text)
	return files
}

// TestBlocksOfAnySize: predictions, explanations and updates have the same bytes whatever the size
// of the blocks in which documents are placed, whether the method places by rows or by coordinates.
func TestBlocksOfAnySize(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	fit, file := topics(t, filepath.Join(dir, "fit.jsonl"), 90, 1), topics(t, filepath.Join(dir, "new.jsonl"), 41, 2)
	const both = "both views"
	for name, c := range map[string]struct {
		method   string
		fit, new eigenmap.Options
		files    [2]string
	}{
		"le":        {"le", eigenmap.Options{}, eigenmap.Options{}, [2]string{fit, file}},
		"kmeans":    {"kmeans", eigenmap.Options{}, eigenmap.Options{}, [2]string{fit, file}},
		"gmm":       {"gmm", eigenmap.Options{}, eigenmap.Options{}, [2]string{fit, file}},
		"plsa":      {"plsa", eigenmap.Options{}, eigenmap.Options{}, [2]string{fit, file}},
		"reject":    {"kmeans", eigenmap.Options{}, eigenmap.Options{Reject: .6}, [2]string{fit, file}},
		"unlike":    {"kmeans", eigenmap.Options{}, eigenmap.Options{RejectAuto: true}, [2]string{fit, file}},
		"a table":   {"kmeans", eigenmap.Options{}, eigenmap.Options{}, [2]string{table(t, filepath.Join(dir, "fit.csv"), 90, 3), table(t, filepath.Join(dir, "new.csv"), 41, 4)}},
		both:        {"le", eigenmap.Options{Vectors: eigenmap.Vectors{Rows: points(90, 5), Views: []string{"words", "vectors"}}}, eigenmap.Options{Vectors: eigenmap.Vectors{Rows: points(41, 6)}}, [2]string{fit, file}},
		"odd texts": {"le", eigenmap.Options{}, eigenmap.Options{}, [2]string{fit, odd(t, filepath.Join(dir, "odd.jsonl"), fit)}},
		"one view":  {"le", eigenmap.Options{Vectors: eigenmap.Vectors{Rows: points(90, 5), Views: []string{"words", "vectors"}}}, eigenmap.Options{}, [2]string{fit, file}},
	} {
		method, file := name, c.files[1]
		c.fit.Method, c.fit.Clusters = c.method, 3
		run := must.Get(eigenmap.Cluster(ctx, c.files[0], c.fit))(t)
		model := filepath.Join(dir, method)
		must.Do(t, run.Save(model))
		var want map[string]string
		for k, size := range []int{100, 100, 41, 40, 7, 1} {
			undo, counted := predicting.SetBlockItems(size), predicting.SetAsCounted(k > 0)
			got := map[string]string{}
			p := must.Get(eigenmap.Predict(ctx, model, file, c.new))(t)
			why := must.Get(p.Explain(ctx, 0, 9, 40))(t)
			u := must.Get(eigenmap.Update(ctx, model, file, c.new))(t)
			if _, ok := p.Corpus.X.(*sparse.Counts); ok != (k > 0 && strings.HasSuffix(file, ".jsonl")) {
				t.Errorf("%s: the counts are a %T", method, p.Corpus.X)
			}
			if strings.Contains(strings.Join(p.Notes(), " "), "terms alone") != (method == "one view") || method == "reject" && (p.RejectedCount == 0 || p.RejectedCount == 41) {
				t.Errorf("%s: %d rejected, notes %q", method, p.RejectedCount, p.Notes())
			}
			maps.Copy(got, savedAfter(t, p, u))
			held := method == "a table" || c.new.Vectors.Rows != nil || method == "one view"
			for name, text := range writtenAsPlaced(t, model, file, c.new, held) {
				if was := got[name]; text != was {
					t.Errorf("%s in blocks of %d: %s written as documents are placed differs:\n%.300s\n%.300s", method, size, name, text, was)
				}
			}
			undo()
			counted()
			text, _ := json.Marshal(why)
			got["explain"] = string(text)
			if want == nil {
				if want = got; method == "le" && u.Added == 0 {
					t.Error("the model did not grow")
				}
			}
			for name, text := range want {
				if got[name] != text {
					t.Errorf("%s in blocks of %d: %s differs:\n%.300s\n%.300s", method, size, name, got[name], text)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s in blocks of %d: %d results in place of %d", method, size, len(got), len(want))
			}
		}
	}
}

// savedAfter are the files and what is said of a prediction and an update whose documents are held.
func savedAfter(t *testing.T, p *eigenmap.Prediction, u *eigenmap.Updated) map[string]string {
	t.Helper()
	same := func(name string) string { return name }
	got := map[string]string{}
	for name, save := range map[string]func(string) error{"predict": p.Save, "update": u.Save} {
		out := filepath.Join(t.TempDir(), name)
		must.Do(t, save(out))
		v := any(p.JSON(same, nil))
		if name == "update" {
			v = u.JSON(same, nil)
		}
		for file, text := range saved(t, out, v) {
			got[name+" "+file] = text
		}
	}
	return got
}

// writtenAsPlaced are the files and what is said of a prediction and an update whose documents are
// written as they are placed, if they are not held.
func writtenAsPlaced(t *testing.T, model, file string, opt eigenmap.Options, held bool) map[string]string {
	t.Helper()
	same := func(name string) string { return name }
	got := map[string]string{}
	for _, name := range []string{"predict", "update"} {
		out := filepath.Join(t.TempDir(), name)
		to, err := eigenmap.OpenFolder(out)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		var labels []int
		if name == "predict" {
			p, _, failed := eigenmap.PredictInto(t.Context(), model, file, eigenmap.Into{Folder: to}, opt)
			if err = failed; err == nil {
				v, labels = p.JSON(same, nil), p.Labels
			}
		} else {
			u, _, failed := eigenmap.UpdateInto(t.Context(), model, file, eigenmap.Into{Folder: to}, opt)
			if err = failed; err == nil {
				v, labels = u.JSON(same, nil), u.Labels
			}
		}
		to.Discard()
		if err != nil {
			t.Fatal(err)
		}
		if (labels != nil) != held {
			t.Errorf("%s of %s: documents are held: %v", name, file, labels != nil)
		}
		for file, text := range saved(t, out, v) {
			got[name+" "+file] = text
		}
	}
	return got
}

// clustered saves a model of texts of three topics.
func clustered(t *testing.T, dir string) string {
	t.Helper()
	run, err := eigenmap.Cluster(t.Context(), topics(t, filepath.Join(dir, "fit.jsonl"), 90, 1), eigenmap.Options{Method: "le", Clusters: 3})
	if err == nil {
		err = run.Save(filepath.Join(dir, "model"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "model")
}

// TestBlocksOfRanks: ranks place blocks of documents as one process does; ranks whose files differ
// in length alone all get the error that says so, and none waits for blocks that the others lack.
func TestBlocksOfRanks(t *testing.T) {
	defer predicting.SetBlockItems(10)()
	dir := t.TempDir()
	model := clustered(t, dir)
	long := topics(t, filepath.Join(dir, "long.jsonl"), 21, 2)
	text := must.Get(os.ReadFile(long))(t)
	short := filepath.Join(dir, "short.jsonl") // without the last line
	must.Do(t, os.WriteFile(short, text[:bytes.LastIndexByte(text[:len(text)-1], '\n')+1], 0o666))
	want := must.Get(eigenmap.Predict(t.Context(), model, long))(t)
	ranks.Together(2, func(team ranks.Team) {
		got, err := eigenmap.Predict(ranks.With(t.Context(), team), model, long)
		if err != nil || !slices.Equal(got.Labels, want.Labels) || !slices.Equal(got.Confidence, want.Confidence) || !mat.Equal(got.Embedding, want.Embedding) {
			t.Errorf("rank %d places documents elsewhere than one process: %v", team.Rank(), err)
		}
	})
	empty := filepath.Join(dir, "empty.jsonl")
	must.Do(t, os.WriteFile(empty, nil, 0o666))
	for _, files := range [][]string{{short, long}, {long, short}, {empty, long}, {long, empty}} {
		ranks.Together(2, func(team ranks.Team) {
			_, err := eigenmap.Predict(ranks.With(t.Context(), team), model, files[team.Rank()])
			if err == nil || !strings.Contains(err.Error(), filepath.Base(files[0])+": rank 1 reads other content") {
				t.Errorf("rank %d of files of two lengths: %v", team.Rank(), err)
			}
		})
	}
}

// matrixModel is a model of a matrix.
func matrixModel(t *testing.T, method string, x mat.Matrix) *eigenmap.Model {
	t.Helper()
	run := must.Get(eigenmap.ClusterMatrix(t.Context(), x, eigenmap.Options{Method: method, Clusters: 3}))(t)
	m := must.Get(run.Model(t.Context()))(t)
	return m
}

// TestBlocksNeedMemory: the arrays of all documents are estimated before they are taken.
func TestBlocksNeedMemory(t *testing.T) {
	defer predicting.SetBlockItems(100)()
	m, x := matrixModel(t, "le", points(90, 1)), points(5000, 2)
	if _, err := m.PredictMatrix(memory.Bound(t.Context(), 1<<20), x); err != nil {
		t.Error(err)
	}
	_, err := m.PredictMatrix(memory.Bound(t.Context(), 300_000), x)
	if !errors.Is(err, memory.ErrLimit) || !strings.Contains(err.Error(), "places of 5,000 documents") || !strings.Contains(err.Error(), "predict fewer at a time") {
		t.Errorf("more than 300 kB: %v", err)
	}
}

// TestExplainNamesThePlace: an entry that the model cannot weigh is named with its file and its
// document, in the error of a public function.
func TestExplainNamesThePlace(t *testing.T) {
	stored := must.Get(sparse.FromMatrix(points(90, 1)))(t)
	for name, of := range map[string]mat.Matrix{"dense": points(90, 1), "sparse": stored} {
		m, x := matrixModel(t, "kmeans", of), points(9, 2)
		p, err := m.PredictMatrix(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		x.Set(4, 1, math.Inf(1))
		_, err = p.Explain(t.Context(), 3, 4)
		if !errors.As(err, new(*eigenmap.Error)) || !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "matrix: document 5, term 2") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
