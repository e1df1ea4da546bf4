package plsa

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
)

// tdt2 reads the term counts of TDT2: 9,394 × 36,771, 30 classes.
func tdt2(tb testing.TB) (*sparse.CSR, []int) {
	const file = "../../../shared/data/TDT2.mat"
	if _, err := os.Stat(file); err != nil {
		tb.Skip("TDT2.mat is not in ../shared/data")
	}
	c := must.Get(corpus.Read(ctx, file, corpus.ReadOptions{}))(tb)
	return c.X.(*sparse.CSR), c.Labels
}

// Five per cent of the labels of TDT2 predict the others.
func TestTDT2(t *testing.T) {
	x, truth := tdt2(t)
	for _, c := range []struct {
		kind  Kind
		share float64
		floor float64
	}{{Clustering, 0.01, 0.8}, {Clustering, 0.05, 0.92}} {
		known := must.Get(labels.Draw(truth, c.share, 1))(t)
		m := fitted(t, x, Options{K: 30, Kind: c.kind, Labels: known})
		right, all := 0, 0
		for i, y := range known {
			if y < 0 {
				if all++; m.Labels[i] == truth[i] {
					right++
				}
			}
		}
		accuracy := float64(right) / float64(all)
		t.Logf("%s, %v of the labels: %.4f of the others right after %d iterations", c.kind, c.share, accuracy, m.Iterations)
		if accuracy < c.floor || !m.Converged {
			t.Errorf("%s, %v of the labels: accuracy %v, converged %v", c.kind, c.share, accuracy, m.Converged)
		}
	}
	m := fitted(t, x, Options{K: 30, Restarts: 1})
	s := must.Get(metrics.Score(truth, m.Labels))(t)
	t.Logf("no labels: accuracy %.4f, NMI %.4f after %d iterations", s.Accuracy, s.NMI, m.Iterations)
}

// BenchmarkTDT2 is an iteration of both models with K = 30: the two products' share of it, and how
// many times as long it takes as summing an array of the bytes that it goes through: twelve an
// entry and 8·32 of a row of the other matrix, in either direction, from cache for the most part,
// and (the aspect model) sixteen an entry for the ratios and the sweep's rows.
func BenchmarkTDT2(b *testing.B) {
	x, _ := tdt2(b)
	for _, kind := range []Kind{Clustering, Aspect} {
		b.Run(string(kind), func(b *testing.B) {
			opt := Options{K: 30, Kind: kind, Restarts: 1}.withDefaults()
			c := must.Get(readCounts(ctx, x))(b)
			pr := newProblem(c, opt)
			s, m := newState(pr), steps(newMixture(pr))
			bytes := 2 * pr.x.NNZ() * (12 + 8*s.q.Stride)
			if kind == Aspect {
				m = newAspects(pr)
				bytes += pr.x.NNZ() * 16
			}
			must.Do(b, pr.start(ctx, s, rand.New(rand.NewPCG(0, 0))))
			iterations := 0
			for b.Loop() {
				must.Do(b, em(ctx, m, s, false, 5, 1e-300, func(int) error { iterations++; return nil }))
			}
			each := b.Elapsed().Seconds() / float64(iterations)
			products := clock(func() {
				pr.rows.mul(ctx, s.q, s.theta)
				pr.cols.mul(ctx, s.theta, s.q)
			})
			stream := make([]float64, bytes/8)
			reading := clock(func() {
				sumOf(ctx, len(stream), 1<<16, func(lo, hi int) float64 { return floats.Sum(stream[lo:hi]) })
			})
			b.ReportMetric(1e3*each, "ms/iteration")
			b.ReportMetric(products/each, "products'-share")
			b.ReportMetric(each/reading, "times-reading")
		})
	}
}

// clock returns the shortest of five times in seconds.
func clock(f func()) float64 {
	shortest := math.Inf(1)
	for range 5 {
		began := time.Now()
		f()
		shortest = min(shortest, time.Since(began).Seconds())
	}
	return shortest
}
