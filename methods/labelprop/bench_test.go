package labelprop

import (
	"os"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/sparse"
)

// tdt2 is the graph of the 30 largest classes of TDT2, unit rows, 15 neighbours, and the classes.
func tdt2(t testing.TB) (*graph.Graph, []int) {
	const file = "../../../shared/data/TDT2.mat"
	if _, err := os.Stat(file); err != nil {
		t.Skip("TDT2.mat is not in ../shared/data; label propagation is tried on made-up graphs only")
	}
	c, err := corpus.Read(ctx, file, corpus.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	x, ok := c.X.(*sparse.CSR)
	if !ok {
		t.Fatalf("TDT2 is a %T", c.X)
	}
	g, err := graph.Build(ctx, x.NormalizeRows(), graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g, c.Labels
}

// BenchmarkTDT2 carries 5 % of the labels over the graph of 9,394 documents; it logs the accuracy on the others, and the iteration's time over that of conjugate gradients.
func BenchmarkTDT2(b *testing.B) {
	g, truth := tdt2(b)
	known, err := labels.Draw(truth, 0.05, 0)
	if err != nil {
		b.Fatal(err)
	}
	classes := 0
	rest := make([]int, len(truth)) // truth of the documents without a label
	for i, k := range truth {
		classes = max(classes, k+1)
		rest[i] = k
		if known[i] != labels.Unknown {
			rest[i] = labels.Unknown
		}
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
			slow, err := FitGraph(ctx, g, known, classes, Options{Form: form, Solver: Iteration, MaxIter: 1 << 20})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(time.Since(begun).Seconds()/quick, "iteration/cg")
			b.ReportMetric(float64(slow.Iterations)/float64(m.Iterations), "products/products")
			s, err := metrics.Score(rest, m.Labels)
			if err != nil {
				b.Fatal(err)
			}
			b.Logf("%s: accuracy %.4f, macro-F1 %.4f, %d products, %d unreached", form, s.Accuracy, s.MacroF1, m.Iterations, len(m.Unreached))
		})
	}
}
