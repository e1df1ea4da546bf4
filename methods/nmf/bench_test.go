package nmf

import (
	"testing"
)

// BenchmarkFit is ten starts on six classes of TDT2, the size that the papers' tables are made of.
func BenchmarkFit(b *testing.B) {
	x, _ := tdt2(b, "5", "6", "7", "8", "9", "10")
	for _, solver := range solvers {
		b.Run(string(solver), func(b *testing.B) {
			for b.Loop() {
				m, err := Fit(ctx, x, Options{Rank: 6, Weighting: NCW, Solver: solver})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(m.Iterations), "iterations")
				b.ReportMetric(m.Objective, "objective")
			}
		})
	}
}
