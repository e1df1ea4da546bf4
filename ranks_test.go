package eigenmap

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/view"
	"github.com/eigenmap/eigenmap/methods/graph"
	"gonum.org/v1/gonum/mat"
)

// TestRanksRefuse: what ranks cannot do together is refused before any work.
func TestRanksRefuse(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{1, 0, 2, 0, 3, 0, 0, 1, 0, 2, 0, 3})
	for want, opt := range map[string]Options{
		"not divided among ranks": {Method: "isomap", Clusters: 2},
		"lead through the doc":    {Method: "isomap", Clusters: 2},
	} {
		ranks.Together(2, func(team ranks.Team) {
			_, err := ClusterMatrix(ranks.With(context.Background(), team), x, opt)
			if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v", want, err)
			}
		})
	}
}

// enough is a corpus that ranks divide: the examples, or a part of them in short tests, which make
// a few documents enough.
func enough(t *testing.T) string {
	t.Helper()
	if !testing.Short() {
		return examplesFile
	}
	return everyNth(t, 12, 150) // enough for Lanczos
}

const examplesFile = "examples/debian/packages.jsonl.gz"

// everyNth is every nth document of the examples, which ranks divide from so many documents on.
func everyNth(t *testing.T, n, few int) string {
	t.Helper()
	packed := must.Get(os.Open(examplesFile))(t)
	defer packed.Close()
	unpacked := must.Get(gzip.NewReader(packed))(t)
	text := must.Get(io.ReadAll(unpacked))(t)
	lines := bytes.SplitAfter(text, []byte("\n"))
	var some []byte
	for i := 0; i < len(lines); i += n {
		some = append(some, lines[i]...)
	}
	part := filepath.Join(t.TempDir(), "part.jsonl")
	must.Do(t, os.WriteFile(part, some, 0o666))
	program := request.FewDocuments
	request.FewDocuments = few
	t.Cleanup(func() { request.FewDocuments = program })
	return part
}

// fewerStarts returns the options with 2 starts in place of 10 in a short run, since starts are
// most of a fit: ranks still choose between some. Leiden has none, and known labels may leave none.
func fewerStarts(opt Options) Options {
	if testing.Short() && opt.Method != "leiden" && opt.LabeledFraction == 0 {
		if err := opt.Set("restarts", "2"); err != nil {
			panic(err)
		}
	}
	return opt
}

// leaveOut reports whether a short run leaves out the i-th options of TestRanksDivideRows: le with
// labels, and under the race detector most, since the suite of methods runs ranks of each.
func leaveOut(i int, opt Options) bool {
	return race.On && i%4 != 0 || testing.Short() && opt.LabeledFraction > 0 && opt.Method != "label-propagation"
}

// TestRanksDivideRows: with each rank having its own documents the clusters, scores, terms, graph,
// confidences and the collected embedding equal one process's.
func TestRanksDivideRows(t *testing.T) {
	file := enough(t)
	approx := Options{Method: "le"} // one cell, as there are few documents
	must.Do(t, approx.Set("neighbors-method", "approx"))
	classes := Options{Method: "le", Source: Source{Classes: []string{"games", "net", "science", "java", "haskell", "perl", "gnu-r", "sound"}}}
	landmarks := Options{Method: "le"}
	must.Do(t, landmarks.Set("landmarks", "300"))
	verified := Options{Method: "le"}
	must.Do(t, verified.Set("verify", "true"))
	complete := Options{Method: "spectral"}
	must.Do(t, complete.Set("graph-kind", "complete"))
	for i, opt := range []Options{
		{}, // diffusion
		{Method: "le"},
		{Method: "spectral"},
		complete,
		approx,
		classes,
		landmarks,
		verified,
		{Method: "semi-le", LabeledFraction: 0.05},
		{Method: "cle", LabeledFraction: 0.05},
		{Method: "kmeans"},
		{Method: "label-propagation", LabeledFraction: 0.05},
		{Method: "lsi"},
		{Method: "pca"},
		{Method: "nmf"},
		{Method: "plsa"},
		{Method: "plsa", LabeledFraction: 0.05},
		{Method: "gmm"},
		{Method: "lapgmm"},
	} {
		if leaveOut(i, opt) {
			continue
		}
		opt.Seed = 4
		opt = fewerStarts(opt)
		want := must.Get(Cluster(context.Background(), file, opt))(t)
		size := 2
		if opt.Method == "le" && !testing.Short() {
			size = 3
		}
		ranks.Together(size, func(team ranks.Team) {
			run, err := Cluster(ranks.With(context.Background(), team), file, opt)
			if err != nil {
				t.Errorf("%s: %v", opt.Method, err)
				return
			}
			if rows, _ := run.Corpus.X.Dims(); rows >= want.Corpus.Len() {
				t.Errorf("%s: rank %d has all %d rows", opt.Method, team.Rank(), rows)
			}
			if err := sameRun(run, want); err != nil {
				t.Errorf("%s: rank %d of %d: %v", opt.Method, team.Rank(), size, err)
			}
			if err := run.Collect(ranks.With(context.Background(), team)); err != nil {
				t.Error(err)
			}
			if err := run.DrawMap(ranks.With(context.Background(), team)); err != nil || (run.Map != nil) != (team.Rank() == 0) {
				t.Errorf("%s: rank %d has a map: %v, %v", opt.Method, team.Rank(), run.Map != nil, err)
			}
			if run.Map != nil {
				if n, _ := run.Map.Dims(); n != want.Corpus.Len() {
					t.Errorf("%s: a map of %d of %d documents", opt.Method, n, want.Corpus.Len())
				}
			}
			if run.Embedding == nil {
				return
			}
			rows, d := run.Embedding.Dims()
			if whole := rows == want.Corpus.Len(); whole != (team.Rank() == 0) {
				t.Errorf("%s: rank %d has an embedding of %d documents", opt.Method, team.Rank(), rows)
			}
			if team.Rank() == 0 { // signs follow one rule, and these eigenvalues are apart
				diff := mat.NewDense(rows, d, nil)
				if diff.Sub(run.Embedding, want.Embedding); mat.Norm(diff, 2) > 1e-5*mat.Norm(want.Embedding, 2) {
					t.Errorf("%s: the embeddings differ by %.1e", opt.Method, mat.Norm(diff, 2))
				}
			}
		})
	}
}

// TestRanksDivideGraphs: of a given affinity matrix, and of the graph of documents in a file, each
// rank has the edges of its own documents.
func TestRanksDivideGraphs(t *testing.T) {
	file := enough(t)
	of := graph.Options{}
	graph := must.Get(Graph(context.Background(), file, Options{}, of))(t)
	out := must.Get(OpenFolder(t.TempDir()))(t)
	defer out.Discard()
	files := must.Get(graph.SaveIn(context.Background(), out, "npz"))(t)
	affinity := files[0]
	ranks.Together(2, func(team ranks.Team) {
		divided, err := Graph(ranks.With(context.Background(), team), file, Options{}, of)
		if err != nil {
			t.Error(err)
			return
		}
		if a, b := divided.Graph, graph.Graph; !reflect.DeepEqual(a.W, b.W) || !reflect.DeepEqual(a.Reach, b.Reach) || !reflect.DeepEqual(a.Isolated, b.Isolated) {
			t.Errorf("rank %d has another graph", team.Rank())
		}
	})
	for _, opt := range []Options{
		{Method: "le", Clusters: 6, Source: Source{Precomputed: true}},
		{Method: "le", Graph: affinity},
	} {
		of := file
		if opt.Graph == "" {
			of = affinity
		}
		opt = fewerStarts(opt)
		want := must.Get(Cluster(context.Background(), of, opt))(t)
		ranks.Together(2, func(team ranks.Team) {
			run, err := Cluster(ranks.With(context.Background(), team), of, opt)
			if err != nil {
				t.Error(err)
				return
			}
			if g := run.Fitted.Graph; g.W.NumRows >= want.Corpus.Len() {
				t.Errorf("rank %d has the edges of all %d documents", team.Rank(), g.W.NumRows)
			}
			if err := sameRun(run, want); err != nil {
				t.Errorf("rank %d, precomputed %v: %v", team.Rank(), opt.Source.Precomputed, err)
			}
		})
	}
}

// TestRanksChooseClusters: communities, and eigenvalues, choose the number of clusters that they
// choose in one process, with the same evidence; all ranks refuse a rule that looks at the rows of
// all documents.
func TestRanksChooseClusters(t *testing.T) {
	file := enough(t)
	for i, opt := range []Options{{ClusterRange: KRange{From: 2, To: 6}, KBy: "eigengap"}, {ClusterRange: KRange{Auto: true}},
		{Method: "kmeans", ClusterRange: KRange{Auto: true}}, {Method: "leiden", ClusterRange: KRange{From: 3, To: 5}}} {
		if race.On && i == 1 {
			continue // its ranks do what those of the first and the third do
		}
		opt = fewerStarts(opt)
		want := must.Get(Cluster(context.Background(), file, opt))(t)
		ranks.Together(2, func(team ranks.Team) {
			run, err := Cluster(ranks.With(context.Background(), team), file, opt)
			if err != nil {
				t.Error(err)
				return
			}
			if got, want := run.Search, want.Search; got.Clusters != want.Clusters || got.By != want.By || got.To != want.To || got.Evidence != want.Evidence ||
				got.Because != want.Because || fmt.Sprint(got.RunnersUp, got.Candidates) != fmt.Sprint(want.RunnersUp, want.Candidates) {
				t.Errorf("%+v: %+v\nand not %+v", opt, got, want)
			}
		})
	}
	ranks.Together(2, func(team ranks.Team) {
		opt := Options{ClusterRange: KRange{From: 2, To: 6}, KBy: "silhouette"}
		if _, err := Cluster(ranks.With(context.Background(), team), file, opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "silhouette looks at the rows") {
			t.Error(err)
		}
	})
}

// TestRanksStopTogether: a context that ends on one rank alone, at any moment, ends the run on all
// of them, or on none. EIGENMAP_LONG=1 takes a hundred of the moments at which the run looks.
func TestRanksStopTogether(t *testing.T) {
	file := enough(t)
	for i, opt := range []Options{{Method: "le"}, {Method: "kmeans"}, {Method: "lsi"}, {Method: "nmf"}, {Method: "plsa"}, {Method: "gmm"}} {
		if race.On && i > 1 {
			break // their ranks run in the suite of methods
		}
		opt = fewerStarts(opt)
		stopped := func(at int64) (looks int64, failed bool) {
			errs := make([]error, 2)
			ranks.Together(2, func(team ranks.Team) {
				ctx := ranks.With(context.Background(), team)
				if team.Rank() == 1 {
					var count func() int64
					ctx, count = ranks.Looked(ctx, at)
					defer func() { looks = count() }()
				}
				run, err := Cluster(ctx, file, opt)
				if (run == nil) != (err != nil) {
					t.Errorf("%s: %v beside %v", opt.Method, run, err)
				}
				errs[team.Rank()] = err
			})
			if errs[0] != nil && errs[1] == nil {
				t.Errorf("%s, stopped at look %d: the run failed on rank 0 alone: %v", opt.Method, at, errs[0])
			}
			return looks, errs[1] != nil
		}
		last, _ := stopped(0)
		parts := int64(5)
		if testing.Short() {
			parts = 2
		}
		if os.Getenv("EIGENMAP_LONG") != "" {
			parts = 100
		}
		for k := range parts {
			at := 1 + (2*k+1)*last/(2*parts)
			if _, failed := stopped(at); !failed {
				t.Errorf("%s: the run did not stop at look %d of %d", opt.Method, at, last)
			}
		}
	}
}

// TestRanksGoOn: ranks that were stopped go on from what they have in ‹work›, to the same bits, and
// a third run takes everything from there. A rank without its part makes all of them begin anew.
func TestRanksGoOn(t *testing.T) {
	file := enough(t)
	for i, opt := range []Options{{Method: "le", Seed: 3}, {Method: "kmeans", Seed: 3}} {
		if race.On && i > 0 {
			break
		}
		opt = fewerStarts(opt)
		want := make([]*Run, 2)
		together := func(what string, take func(team ranks.Team, run *Run, err error), stop time.Duration) {
			t.Helper()
			ranks.Together(2, func(team ranks.Team) {
				ctx, cancel := context.WithCancel(ranks.With(context.Background(), team))
				defer cancel()
				if stop > 0 && team.Rank() == 1 {
					time.AfterFunc(stop, cancel)
				}
				run, err := Cluster(ctx, file, opt)
				take(team, run, err)
			})
		}
		together("undisturbed", func(team ranks.Team, run *Run, err error) {
			if want[team.Rank()] = run; err != nil {
				t.Error(err)
			}
		}, 0)
		same := func(what string, kept bool) func(team ranks.Team, run *Run, err error) {
			return func(team ranks.Team, run *Run, err error) {
				if err != nil {
					t.Errorf("%s, %s: %v", opt.Method, what, err)
					return
				}
				of := want[team.Rank()]
				if !reflect.DeepEqual(run.Labels, of.Labels) || !reflect.DeepEqual(run.Embedding, of.Embedding) || !reflect.DeepEqual(run.Distance, of.Distance) {
					t.Errorf("%s, %s: rank %d has another result", opt.Method, what, team.Rank())
				}
				if has := strings.Contains(strings.Join(run.Notes(), " "), "finished one"); kept && !has {
					t.Errorf("%s, %s: nothing was taken from the folder: %v", opt.Method, what, run.Notes())
				}
			}
		}
		opt.Work = t.TempDir()
		for _, stop := range []time.Duration{50, 200, 500} {
			together("stopped", func(ranks.Team, *Run, error) {}, stop*time.Millisecond)
		}
		together("continued", same("continued", false), 0)
		if opt.Method == "le" { // starts of k-means on few documents are not worth a piece
			together("finished", same("finished", true), 0)
		}
		must.Do(t, os.RemoveAll(filepath.Join(opt.Work, ".rank-1-of-2")))
		together("half", same("half of it", false), 0)
	}
}

// TestRanksNameDocuments: what one rank finds wrong names the document on all of them.
func TestRanksNameDocuments(t *testing.T) {
	file := filepath.Join(t.TempDir(), "long.csv")
	var text strings.Builder
	for i := range request.FewDocuments + 100 {
		v := float64(i % 7)
		if i == request.FewDocuments {
			v = 1e200
		}
		fmt.Fprintf(&text, "%g,%g\n", v, float64(i%5))
	}
	must.Do(t, os.WriteFile(file, []byte(text.String()), 0o666))
	opt := Options{Method: "kmeans", Clusters: 3}
	_, want := Cluster(context.Background(), file, opt)
	if want == nil || !strings.Contains(want.Error(), fmt.Sprint(request.FewDocuments+1)) {
		t.Fatal(want)
	}
	ranks.Together(2, func(team ranks.Team) {
		_, err := Cluster(ranks.With(context.Background(), team), file, opt)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprint(request.FewDocuments+1)) {
			t.Errorf("rank %d: %v, not %v", team.Rank(), err, want)
		}
	})
}

// withoutWeights is the summary without its numbers that may differ by rounding.
func withoutWeights(g *GraphSummary) *GraphSummary {
	if g == nil {
		return nil
	}
	own := *g
	own.Weight = [3]float64{}
	return &own
}

// sameRun compares what two runs say.
func sameRun(run, want *Run) error {
	ofRanks := func(note string) bool { return strings.HasPrefix(note, "Each of the 2 ranks has all documents") }
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"clusters", run.Labels, want.Labels},
		{"sizes", run.Sizes, want.Sizes},
		{"scores", run.Scores, want.Scores},
		{"scores of the unlabelled", run.Unlabeled, want.Unlabeled},
		{"groups", run.Clusters, want.Clusters},
		{"graph", withoutWeights(view.GraphOf(run.run)), withoutWeights(view.GraphOf(want.run))},
		{"isolated", run.run.Isolated, want.run.Isolated},
		{"notes", slices.DeleteFunc(run.Notes(), ofRanks), want.Notes()},
		{"corpus", run.run.J.CorpusText(), want.run.J.CorpusText()},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			return fmt.Errorf("%s: %v, not %v", c.name, c.got, c.want)
		}
	}
	if g := view.GraphOf(want.run); g != nil {
		for q, v := range view.GraphOf(run.run).Weight { // the complete graph's are sums over all documents
			if math.Abs(v-g.Weight[q]) > 1e-12*g.Weight[2] {
				return fmt.Errorf("weights of the graph: %v, not %v", v, g.Weight[q])
			}
		}
	}
	if run.Posterior != nil { // rank 0 has the rows of all documents
		var diff mat.Dense
		if diff.Sub(run.Posterior, want.Posterior); mat.Norm(&diff, 2) > 1e-6 {
			return fmt.Errorf("the probabilities differ by %.1e", mat.Norm(&diff, 2))
		}
	}
	for i, d := range want.Distance { // where many documents have nearly one score, the curve of confidences is steep
		if math.Abs(run.Distance[i]-d) > 1e-7 || math.Abs(run.Confidence[i]-want.Confidence[i]) > 1e-4 {
			return fmt.Errorf("document %d: distance %v, confidence %v, not %v, %v", i, run.Distance[i], run.Confidence[i], d, want.Confidence[i])
		}
	}
	return nil
}

// TestRanksCountCopiesOnce: ranks find the copies of documents that other ranks have, and groups of
// near-copies, and what they find equals what one process finds.
func TestRanksCountCopiesOnce(t *testing.T) {
	program := request.FewDocuments
	request.FewDocuments = 100
	defer func() { request.FewDocuments = program }()
	rng := rand.New(rand.NewPCG(1, 2))
	var lines []string
	for i := range 240 {
		words := ""
		for range 25 {
			words += fmt.Sprintf(" topic%dx%d all%d", i%3, rng.IntN(40), rng.IntN(200))
		}
		lines = append(lines, words)
	}
	for i := range 90 { // copies of six documents, and groups of near-copies
		lines = append(lines, lines[i%6], fmt.Sprintf("%s all%d all%d", lines[100+i%9], rng.IntN(200), rng.IntN(200)))
	}
	var text strings.Builder
	for i := range lines {
		i = i * 101 % len(lines)
		fmt.Fprintf(&text, `{"id": "d%d", "text": %q, "label": "c%d"}`+"\n", i, lines[i], i%3)
	}
	file := rankFile(t, "copies.jsonl", text.String())
	for i, opt := range []Options{
		{},
		{Method: "le"},
		{Method: "kmeans"},
		{Method: "nmf"},
		{Method: "gmm"},
		{Method: "plsa", LabeledFraction: 0.1},
		{Method: "label-propagation", LabeledFraction: 0.1},
		{Method: "diffusion", Duplicates: "drop"},
	} {
		if race.On && i%4 != 0 {
			continue // their ranks run in the suite of methods
		}
		if slices.Contains([]string{"", "le", "diffusion"}, opt.Method) {
			must.Do(t, opt.Set("neighbors", "6"))
		}
		opt = fewerStarts(opt)
		want := must.Get(Cluster(context.Background(), file, opt))(t)
		if d := want.Duplicates(); d == nil || d.Copies < 80 {
			t.Fatalf("%s: copies %v", opt.Method, d)
		}
		if notes := strings.Join(want.Notes(), " "); opt.Method == "" && !strings.Contains(notes, "of nearly equal documents") {
			t.Errorf("no groups of near-copies: %s", notes)
		}
		for _, size := range []int{2, 3} {
			ranks.Together(size, func(team ranks.Team) {
				run, err := Cluster(ranks.With(context.Background(), team), file, opt)
				if err == nil {
					err = sameRun(run, want)
				}
				if err == nil {
					err = run.Collect(ranks.With(context.Background(), team))
				}
				if err != nil {
					t.Errorf("%s: rank %d of %d: %v", opt.Method, team.Rank(), size, err)
					return
				}
				if team.Rank() == 0 && run.Embedding != nil {
					if rows, _ := run.Embedding.Dims(); rows != want.Corpus.Len() {
						t.Errorf("%s: the embedding has %d rows", opt.Method, rows)
					}
				}
			})
		}
	}
}

// The end of one rank's context stops nothing of what the ranks join: no rank waits for another.
func TestCollectAfterAnInterrupt(t *testing.T) {
	file := everyNth(t, 21, 100)
	ranks.Together(2, func(team ranks.Team) {
		run, err := Cluster(ranks.With(context.Background(), team), file, Options{Method: "kmeans", Confidence: "raw"})
		if err != nil {
			t.Error(err)
			return
		}
		ctx, cancel := context.WithCancel(ranks.With(context.Background(), team))
		defer cancel()
		if team.Rank() == 1 {
			cancel()
		}
		if err := run.Collect(ctx); err != nil {
			t.Errorf("rank %d: %v", team.Rank(), err)
		}
		if got := run.run.Typicality(ctx); (len(got) == run.Corpus.Len()) != (team.Rank() == 0) {
			t.Errorf("rank %d knows of %d documents how typical they are", team.Rank(), len(got))
		}
	})
}
