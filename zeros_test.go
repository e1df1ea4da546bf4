package eigenmap_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/registry"
	"gonum.org/v1/gonum/mat"
)

// embeddings are n rows of length 1 in 40 columns of three classes, positive as all methods take
// them, and one row of zeros before each of the rows at.
func embeddings(n int, at ...int) (x *mat.Dense, classes []int, kept []int) {
	rng := rand.New(rand.NewPCG(8, 3))
	x = mat.NewDense(n+len(at), 40, nil)
	r := 0
	for i := range n {
		for slices.Contains(at, i) {
			at = at[1:]
			classes = append(classes, 0)
			r++
		}
		row := x.RawRowView(r)
		sum := 0.0
		for j := range row {
			row[j] = .8 * math.Abs(rng.NormFloat64())
			if j%3 == i%3 {
				row[j] += .8
			}
			sum += row[j] * row[j]
		}
		for j := range row {
			row[j] /= math.Sqrt(sum)
		}
		classes, kept = append(classes, i%3), append(kept, r)
		r++
	}
	return x, classes, kept
}

// Of every method: rows of zeros in dense data leave the clusters of the other rows as they are,
// are isolated, of confidence 0, and noted; nothing is NaN; and a new row of zeros is isolated
// too.
func TestDenseRowsOfZeros(t *testing.T) {
	const n = 120
	// The first clustering of le-cas and the components of semi-ldc are of all rows.
	moved := map[string]bool{"le-cas": true, "semi-ldc": true}
	for _, s := range registry.Specs {
		t.Run(s.Name, func(t *testing.T) {
			var pairs []string
			if s.Name == "gmm" || s.Name == "lapgmm" {
				pairs = []string{"pca", "5"}
			}
			fit := func(at ...int) (*eigenmap.Run, []int) {
				return fitEmbeddings(t, s, options(t, s.Name, pairs...), n, at)
			}
			without, _ := fit()
			run, kept := fit(0, 31, 64, 64)
			labels := make([]int, n)
			for at, i := range kept {
				labels[at] = run.Labels[i]
			}
			table := must.Get(metrics.NewTable(without.Labels, labels))(t)
			if a := table.Scores().Accuracy; a < 1 && !moved[s.Name] {
				t.Errorf("%.3f of the other documents are in the clusters that they have without rows of zeros", a)
			}
			for i := range run.Labels {
				at := slices.Index(kept, i)
				if at < 0 && (run.Placed(i) != eigenmap.PlacedIsolated || run.Confidence[i] != 0) || at >= 0 && run.Placed(i) != without.Placed(at) {
					t.Errorf("document %d: %s, confidence %v", i, run.Placed(i), run.Confidence[i])
				}
			}
			if notes := strings.Join(run.Notes(), " "); !strings.Contains(notes, "Rows of zeros") || !strings.Contains(notes, "4 of 124") {
				t.Errorf("notes: %s", notes)
			}
			for name, list := range map[string][]float64{"distance": run.Distance, "confidence": run.Confidence} {
				if slices.ContainsFunc(list, math.IsNaN) {
					t.Errorf("a %s is NaN", name)
				}
			}
			if run.Embedding != nil && mat.Norm(run.Embedding, 1)-mat.Norm(run.Embedding, 1) != 0 {
				t.Error("a coordinate is NaN or infinite")
			}
			placeZeros(t, run)
		})
	}
}

// fitEmbeddings clusters n rows of embeddings with rows of zeros at some places; methods that need
// labels know some.
func fitEmbeddings(t *testing.T, s method.Spec, opt eigenmap.Options, n int, at []int) (*eigenmap.Run, []int) {
	x, classes, kept := embeddings(n, at...)
	c := &corpus.Corpus{Name: "embeddings", X: x, Labels: classes, ClassNames: []string{"a", "b", "c"}}
	if s.Needs.Labels == method.Required {
		opt.Known = &corpus.Given{Labels: slices.Repeat([]int{-1}, len(classes)), ClassNames: c.ClassNames}
		for at, i := range kept[:12] {
			opt.Known.Labels[i] = at % 3
		}
	}
	run := must.Get(eigenmap.ClusterCorpus(context.Background(), c, opt))(t)
	return run, kept
}

// placeZeros places a row of zeros by the model of a run.
func placeZeros(t *testing.T, run *eigenmap.Run) {
	if run.Fitted.Placer == nil {
		return
	}
	m := must.Get(eigenmap.LoadModel(context.Background(), saveModel(t, run)))(t)
	x, _, _ := embeddings(6, 2)
	p := must.Get(m.PredictMatrix(context.Background(), x))(t)
	if !slices.Equal(p.Isolated, []int{2}) || p.Confidence[2] != 0 || p.Novelty[2] != 1 {
		t.Errorf("a new row of zeros: isolated are %v", p.Isolated)
	}
}
