package eigenmap

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/mat"
)

// TestRanksRefuse: what ranks cannot do together is refused before any work.
func TestRanksRefuse(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{1, 0, 2, 0, 3, 0, 0, 1, 0, 2, 0, 3})
	for want, opt := range map[string]Options{
		"not divided among ranks": {Method: "pca", Clusters: 2},
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

// TestRanksDivideRows: with each rank having its own documents the clusters, scores, terms, graph,
// confidences and the collected embedding are those of one process.
func TestRanksDivideRows(t *testing.T) {
	const file = "examples/debian/packages.jsonl.gz"
	for _, opt := range []Options{
		{Method: "le"},
		{Method: "semi-le", LabeledFraction: 0.05},
		{Method: "cle", LabeledFraction: 0.05},
		{Method: "kmeans"},
	} {
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
			run.Collect()
			if err := sameRun(run, want); err != nil {
				t.Errorf("%s: rank %d of %d: %v", opt.Method, team.Rank(), size, err)
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
	for i, d := range want.Distance {
		if math.Abs(run.Distance[i]-d) > 1e-7 || math.Abs(run.Confidence[i]-want.Confidence[i]) > 1e-5 {
			return fmt.Errorf("document %d: distance %v, confidence %v, not %v, %v", i, run.Distance[i], run.Confidence[i], d, want.Confidence[i])
		}
	}
	return nil
}
