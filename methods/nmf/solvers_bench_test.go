//go:build unix

package nmf

import (
	"os"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"github.com/eigenmap/eigenmap/native"
)

// BenchmarkSolvers fits term counts (TDT2, Reuters-21578) and images (COIL-20) with the default
// options, from one start each of three seeds, by both solvers, on one thread. cpu-s is the
// processor time of the three fits; times-as-fast is the ratio of the projected gradients' time to
// HALS's; above-e6 is how far the sum of HALS's objectives lies above the projected gradients', in
// 1e-6 of it.
func BenchmarkSolvers(b *testing.B) {
	defer native.SetThreads(0)
	native.SetThreads(1)
	for _, set := range []struct {
		name   string
		topics int
	}{{"COIL20", 20}, {"Reuters21578", 30}, {"TDT2", 30}} {
		b.Run(set.name, func(b *testing.B) {
			file := "../../../shared/data/" + set.name + ".mat"
			if _, err := os.Stat(file); err != nil {
				b.Skipf("%s.mat is not in ../shared/data", set.name)
			}
			c := must.Get(corpus.Read(ctx, file, corpus.ReadOptions{}))(b)
			x := must.Get(c.Weighted(corpus.WeightTF, corpus.NormL2))(b)
			var spent, objective, iterations [2]float64
			for b.Loop() {
				for at, solver := range []Solver{ProjectedGradient, HALS} {
					spent[at], objective[at], iterations[at] = 0, 0, 0
					for seed := range uint64(3) {
						start := scikit.CPUSeconds(b)
						m := must.Get(Fit(ctx, x, Options{Dims: set.topics, Solver: solver, Restarts: 1, Seed: seed}))(b)
						spent[at] += scikit.CPUSeconds(b) - start
						objective[at] += m.Objective
						iterations[at] += float64(m.Iterations)
						b.Logf("%s, seed %d: objective %.8g after %d iterations, converged %v", solver, seed, m.Objective, m.Iterations, m.Converged)
					}
				}
			}
			b.ReportMetric(spent[1], "cpu-s")
			b.ReportMetric(spent[0]/spent[1], "times-as-fast")
			b.ReportMetric(1e6*(objective[1]/objective[0]-1), "above-e6")
			b.ReportMetric(iterations[1]/iterations[0], "iterations'-ratio")
		})
	}
}
