package lapgmm

import (
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graph"
	"gonum.org/v1/gonum/mat"
)

// BenchmarkIteration is one search from soft posteriors, 4,000×200, K = 10, beside as many M- and
// E-steps of the mixture alone on the posteriors themselves, all positive: "times-gmm" is what the
// graph costs. The first iteration's posteriors come from a shared covariance.
func BenchmarkIteration(b *testing.B) {
	const n, d, k = 4000, 200, 10
	x := blobs(n, d, k, 0.2, 1)
	opt := Options{K: k}.withDefaults()
	g := must.Get(graph.Build(ctx, x, opt.graphOptions(n)))(b)
	e := must.Get(gmm.NewEstimator(ctx, x, opt.mixture()))(b)
	f := &fitter{opt: opt, n: n, all: n, e: e, m: e.NewMixture(), smoother: newSmoother(g, k), grid: gammas(opt.MaxGamma)}
	s := must.Get(f.start(ctx, x, 0))(b)
	p := mat.NewDense(n, k, nil)
	best, alone, refits := 1e9, 1e9, 0
	for b.Loop() {
		begun := time.Now()
		t := must.Get(f.trials(ctx, s))(b)
		refits = t.refits
		best = min(best, time.Since(begun).Seconds())
		f.give(t.made, t.posterior)
		begun = time.Now()
		must.Do(b, e.MStep(ctx, s.posterior, f.m))
		if _, err := e.EStep(ctx, f.m, p); err != nil {
			b.Fatal(err)
		}
		alone = min(alone, time.Since(begun).Seconds())
	}
	b.ReportMetric(float64(refits), "refits")
	b.ReportMetric(best, "s-search")
	b.ReportMetric(alone, "s-gmm-iteration")
	b.ReportMetric(best/(alone*float64(refits)), "times-gmm")
}
