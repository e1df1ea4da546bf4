package svm

import (
	"os"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
)

// BenchmarkTDT2 separates the largest class of 9,394 documents from the others by coordinate
// descent; it logs both sides of the objective, and the time with a free b over that with
// LIBLINEAR's penalised one.
func BenchmarkTDT2(b *testing.B) {
	const file = "../../../shared/data/TDT2.mat"
	if _, err := os.Stat(file); err != nil {
		b.Skip("TDT2.mat is not in ../shared/data; machines are tried on made-up data only")
	}
	c, err := corpus.Read(ctx, file, corpus.ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	x := must.Get(c.Weighted(corpus.WeightTFIDF, corpus.NormL2))(b)
	y := make([]float64, c.Len())
	for i, k := range c.Labels {
		y[i] = -1
		if k == 0 {
			y[i] = 1
		}
	}
	var m *Model
	for b.Loop() {
		if m, err = Fit(ctx, x, y, Options{}); err != nil {
			b.Fatal(err)
		}
	}
	free := b.Elapsed().Seconds() / float64(b.N)
	begun := time.Now()
	other := must.Get(Fit(ctx, x, y, Options{Bias: Feature}))(b)
	b.ReportMetric(free/time.Since(begun).Seconds(), "free/penalised")
	b.Logf("free b: %.6g ≤ optimum ≤ %.6g, %d sweeps, %d support vectors; penalised: %d sweeps", m.Dual, m.Primal, m.Sweeps, len(m.Support), other.Sweeps)
}
