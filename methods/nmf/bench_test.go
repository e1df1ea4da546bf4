package nmf

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// BenchmarkFit is ten starts on six classes of TDT2, the size that the papers' tables are made of,
// and one start on all 30.
func BenchmarkFit(b *testing.B) {
	for _, size := range []struct {
		name    string
		classes []string
		opt     Options
	}{
		{"six classes", []string{"5", "6", "7", "8", "9", "10"}, Options{Dims: 6, Weighting: NCW, MaxIter: 300, Tol: 1e-5}},
		{"TDT2", nil, Options{Dims: 30, Weighting: NCW, Restarts: 1, MaxIter: 300, Tol: 1e-5}},
	} {
		x, _ := tdt2(b, size.classes...)
		for _, solver := range solvers {
			b.Run(size.name+"/"+string(solver), func(b *testing.B) {
				opt := size.opt
				opt.Solver = solver
				for b.Loop() {
					m := must.Get(Fit(ctx, x, opt))(b)
					b.ReportMetric(float64(m.Iterations), "iterations")
					b.ReportMetric(m.Objective, "objective")
				}
			})
		}
	}
}
