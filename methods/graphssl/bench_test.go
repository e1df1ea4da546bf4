package graphssl

import (
	"os"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// BenchmarkTDT2 learns 9,394 documents from 5 % of their labels, from the start of a classifier of
// nearest class means (2·cosine − 1); it logs the accuracy of both on the others.
func BenchmarkTDT2(b *testing.B) {
	const file = "../../../shared/data/TDT2.mat"
	if _, err := os.Stat(file); err != nil {
		b.Skip("TDT2.mat is not in ../shared/data; graph-based learning is tried on made-up data only")
	}
	c, err := corpus.Read(ctx, file, corpus.ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	given, ok := c.X.(*sparse.CSR)
	if !ok {
		b.Fatalf("TDT2 is a %T", c.X)
	}
	x := given.NormalizeRows()
	known := must.Get(labels.Draw(c.Labels, 0.05, 0))(b)
	classes := 0
	for _, k := range c.Labels {
		classes = max(classes, k+1)
	}
	sums := mat.NewDense(x.NumCols, classes, nil) // of the labelled documents of each class
	for i, k := range known {
		if k == labels.Unknown {
			continue
		}
		cols, vals := x.Row(i)
		for e, j := range cols {
			sums.Set(int(j), k, sums.At(int(j), k)+vals[e])
		}
	}
	start := mat.NewDense(x.NumRows, classes, nil)
	x.MulBlock(start.RawMatrix(), sums.RawMatrix())
	for k := range classes {
		length := mat.Norm(sums.ColView(k), 2)
		for i := range x.NumRows {
			start.Set(i, k, 2*start.At(i, k)/length-1)
		}
	}
	accuracy := func(score *mat.Dense) float64 {
		hits, others := 0, 0
		for i, k := range c.Labels {
			if known[i] != labels.Unknown {
				continue
			}
			best := 0
			for j, v := range score.RawRowView(i) {
				if v > score.At(i, best) {
					best = j
				}
			}
			if others++; best == k {
				hits++
			}
		}
		return float64(hits) / float64(others)
	}
	var m *Model
	for b.Loop() {
		if m, err = Fit(ctx, x, known, classes, start, Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("accuracy %.4f, of the start %.4f; k = %d, k' = %d, %d entries, %d products", accuracy(m.F), accuracy(start),
		m.Options.LabeledNeighbors, m.Options.Neighbors, m.W.NNZ(), m.Iterations)
}
