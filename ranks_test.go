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
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/mat"
)

// TestRanksRefuse: what ranks cannot do together is refused before any work.
func TestRanksRefuse(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{1, 0, 2, 0, 3, 0, 0, 1, 0, 2, 0, 3})
	for want, opt := range map[string]Options{
		"not divided among ranks": {Method: "isomap", Clusters: 2},
		"work keeps":              {Method: "le", Clusters: 2, Work: t.TempDir()},
		"a range of clusters":     {Method: "le", ClusterRange: KRange{From: 2, To: 3}},
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
	const all = "examples/debian/packages.jsonl.gz"
	if !testing.Short() {
		return all
	}
	packed, err := os.Open(all)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	var some []byte
	for i := 0; i < len(lines); i += 7 {
		some = append(some, lines[i]...)
	}
	part := filepath.Join(t.TempDir(), "part.jsonl")
	if err := os.WriteFile(part, some, 0o666); err != nil {
		t.Fatal(err)
	}
	program := fewDocuments
	fewDocuments = 500
	t.Cleanup(func() { fewDocuments = program })
	return part
}

// TestRanksDivideRows: with each rank having its own documents the clusters, scores, terms, graph,
// confidences and the collected embedding are those of one process.
func TestRanksDivideRows(t *testing.T) {
	file := enough(t)
	approx := Options{Method: "le"} // one cell, as there are few documents
	if err := approx.Set("neighbors-method", "approx"); err != nil {
		t.Fatal(err)
	}
	for _, opt := range []Options{
		{Method: "le"},
		approx,
		{Method: "semi-le", LabeledFraction: 0.05},
		{Method: "cle", LabeledFraction: 0.05},
		{Method: "kmeans"},
		{Method: "lsi"},
		{Method: "pca"},
		{Method: "nmf"},
		{Method: "plsa"},
		{Method: "plsa", LabeledFraction: 0.05},
		{Method: "gmm"},
		{Method: "lapgmm"},
	} {
		if testing.Short() && opt.LabeledFraction > 0 {
			continue // le with labels
		}
		opt.Seed = 4
		want, err := Cluster(context.Background(), file, opt)
		if err != nil {
			t.Fatal(err)
		}
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
			if err := run.Collect(); err != nil {
				t.Error(err)
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

// TestRanksStopTogether: a context that ends on one rank alone, at any moment, ends the run on all
// of them, or on none.
func TestRanksStopTogether(t *testing.T) {
	file := enough(t)
	for _, opt := range []Options{{Method: "le"}, {Method: "kmeans"}, {Method: "lsi"}, {Method: "nmf"}, {Method: "plsa"}, {Method: "gmm"}} {
		for _, after := range []time.Duration{0, 100, 400, 700, 1000} {
			if testing.Short() && (after == 0 || after == 1000) {
				continue
			}
			failed := make([]bool, 2)
			ranks.Together(2, func(team ranks.Team) {
				ctx, stop := context.WithCancel(ranks.With(context.Background(), team))
				defer stop()
				if team.Rank() == 1 {
					time.AfterFunc(after*time.Millisecond, stop)
				}
				run, err := Cluster(ctx, file, opt)
				failed[team.Rank()] = err != nil
				if (run == nil) != (err != nil) {
					t.Errorf("%s: %v beside %v", opt.Method, run, err)
				}
			})
			if failed[0] && !failed[1] {
				t.Errorf("%s, stopped after %d ms: the run failed on rank 0 alone", opt.Method, after)
			}
		}
	}
}

// TestRanksNameDocuments: what one rank finds wrong names the document on all of them.
func TestRanksNameDocuments(t *testing.T) {
	file := filepath.Join(t.TempDir(), "long.csv")
	var text strings.Builder
	for i := range fewDocuments + 100 {
		v := float64(i % 7)
		if i == fewDocuments {
			v = 1e200
		}
		fmt.Fprintf(&text, "%g,%g\n", v, float64(i%5))
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	opt := Options{Method: "kmeans", Clusters: 3}
	_, want := Cluster(context.Background(), file, opt)
	if want == nil || !strings.Contains(want.Error(), fmt.Sprint(fewDocuments+1)) {
		t.Fatal(want)
	}
	ranks.Together(2, func(team ranks.Team) {
		_, err := Cluster(ranks.With(context.Background(), team), file, opt)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprint(fewDocuments)) {
			t.Errorf("rank %d: %v, not %v", team.Rank(), err, want)
		}
	})
}

// sameRun compares what two runs say.
func sameRun(run, want *Run) error {
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"clusters", run.Labels, want.Labels},
		{"sizes", run.Sizes, want.Sizes},
		{"scores", run.Scores, want.Scores},
		{"scores of the unlabelled", run.Unlabeled, want.Unlabeled},
		{"groups", run.Clusters, want.Clusters},
		{"graph", run.graphSummary(), want.graphSummary()},
		{"isolated", run.isolated, want.isolated},
		{"notes", run.Notes(), want.Notes()},
		{"corpus", run.j.corpusText(), want.j.corpusText()},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			return fmt.Errorf("%s: %v, not %v", c.name, c.got, c.want)
		}
	}
	if (run.Posterior == nil) != (want.Posterior == nil) {
		return errors.New("one of them has probabilities")
	}
	if want.Posterior != nil {
		var diff mat.Dense
		if diff.Sub(run.Posterior, want.Posterior); mat.Norm(&diff, 2) > 1e-6 {
			return fmt.Errorf("the probabilities differ by %.1e", mat.Norm(&diff, 2))
		}
	}
	for i, d := range want.Distance {
		if math.Abs(run.Distance[i]-d) > 1e-7 || math.Abs(run.Confidence[i]-want.Confidence[i]) > 1e-5 {
			return fmt.Errorf("document %d: distance %v, confidence %v, not %v, %v", i, run.Distance[i], run.Confidence[i], d, want.Confidence[i])
		}
	}
	return nil
}
