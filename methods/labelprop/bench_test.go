package labelprop

import (
	"os"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
)

// tdt2 is the graph of the 30 largest classes of TDT2, unit rows, 15 neighbours, and the classes.
func tdt2(t testing.TB) (*graph.Graph, []int) {
	const file = "../../../shared/data/TDT2.mat"
	if _, err := os.Stat(file); err != nil {
		t.Skip("TDT2.mat is not in ../shared/data; label propagation is tried on made-up graphs only")
	}
	c := must.Get(corpus.Read(ctx, file, corpus.ReadOptions{}))(t)
	x, ok := c.X.(*sparse.CSR)
	if !ok {
		t.Fatalf("TDT2 is a %T", c.X)
	}
	g := must.Get(graph.Build(ctx, x.NormalizeRows(), graph.Options{}))(t)
	return g, c.Labels
}

// BenchmarkTDT2 carries 5 % of the labels over the graph of 9,394 documents; it logs the accuracy
// on the others, and the ratio of the iteration's time to conjugate gradients'.
func BenchmarkTDT2(b *testing.B) {
	g, truth := tdt2(b)
	known, err := labels.Draw(truth, 0.05, 0)
	if err != nil {
		b.Fatal(err)
	}
	classes := 0
	for _, k := range truth {
		classes = max(classes, k+1)
	}
	for _, form := range []Form{Nie, Zhou, Zhu} {
		b.Run(string(form), func(b *testing.B) {
			var m *Model
			for b.Loop() {
				if m, err = FitGraph(ctx, g, known, classes, Options{Form: form}); err != nil {
					b.Fatal(err)
				}
			}
			quick := b.Elapsed().Seconds() / float64(b.N)
			begun := time.Now()
			slow := must.Get(FitGraph(ctx, g, known, classes, Options{Form: form, Solver: Iteration, MaxIter: 1 << 20}))(b)
			b.ReportMetric(time.Since(begun).Seconds()/quick, "iteration/cg")
			b.ReportMetric(float64(slow.Iterations)/float64(m.Iterations), "products/products")
			hits, others := 0, 0
			for i, k := range truth {
				if known[i] == labels.Unknown {
					if others++; m.Labels[i] == k {
						hits++
					}
				}
			}
			b.Logf("%s: accuracy %.4f on the others, %d products, %d unreached", form, float64(hits)/float64(others), m.Iterations, len(m.Unreached))
		})
	}
}
