package nmf

import (
	"math"
	"os"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/sparse"
)

// tdt2 reads documents of the given classes, all if there are none, as unit rows.
func tdt2(tb testing.TB, classes ...string) (*sparse.CSR, []int) {
	const file = "../../../shared/data/TDT2.mat"
	if _, err := os.Stat(file); err != nil {
		tb.Skip("TDT2.mat is not in ../shared/data")
	}
	c, err := corpus.Read(ctx, file, corpus.ReadOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	if classes != nil {
		if c, err = c.Select(classes); err != nil {
			tb.Fatal(err)
		}
	}
	x := must.Get(c.Weighted(corpus.WeightTF, corpus.NormL2))(tb)
	return x.(*sparse.CSR), slices.Clone(c.Labels)
}

// Six classes of TDT2: all solvers find them from four starts, with a falling objective, near the
// same minimum.
func TestTDT2(t *testing.T) {
	x, truth := tdt2(t, "5", "6", "7", "8", "9", "10")
	lowest, highest := math.Inf(1), 0.0
	for _, solver := range []Solver{ProjectedGradient, HALS} {
		m := must.Get(Fit(ctx, x, Options{Dims: 6, Weighting: NCW, Solver: solver, Restarts: 4, MaxIter: 300, Tol: 1e-5}))(t)
		for i := 1; i < len(m.History); i++ {
			if m.History[i] > m.History[i-1]*(1+1e-12) {
				t.Errorf("%s: objective rises from %v to %v", solver, m.History[i-1], m.History[i])
			}
		}
		s := must.Get(metrics.Score(truth, m.Labels))(t)
		if s.Accuracy < 0.95 || !m.Converged {
			t.Errorf("%s: accuracy %v, KKT %v", solver, s.Accuracy, m.KKT)
		}
		lowest, highest = min(lowest, m.Objective), max(highest, m.Objective)
	}
	if highest > lowest*1.001 {
		t.Errorf("objectives of the solvers lie between %v and %v", lowest, highest)
	}
}
