package bench

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/cle"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/methods/semile"
	"github.com/eigenmap/eigenmap/sparse"
)

// BenchmarkLandmarks fits made-up abstracts of 40 topics with all documents and with landmarks, and
// clusters all documents by k-means: seconds of the fit, its ratio to the full run's, and the
// scores of the clusters. For semi-le and cle some 500 documents have a label. Runs of one
// benchmark (-benchtime 3x) differ in their seeds. One size and method: -bench
// 'Landmarks/^100000$/^cle$'. Of 1,000,000 documents there is no full run.
func BenchmarkLandmarks(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		counts := map[int][]int{10_000: {1000, 2500, 5000}, 100_000: {2500, 5000, 10_000, 20_000}, 1_000_000: {10_000}}[n]
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			made, topics := Abstracts(n, 1).Counts()
			x := made.NormalizeRows()
			for name, one := range map[string]landmarked{
				"le": {le.Spec, func(l int) method.Options { return &le.Options{Problem: nystrom.Problem{Landmarks: l}} }, false},
				"semi-le": {semile.Spec, func(l int) method.Options {
					return &semile.Options{Options: le.Options{Problem: nystrom.Problem{Landmarks: l}}}
				}, true},
				"cle": {cle.Spec, func(l int) method.Options { return &cle.Options{Problem: nystrom.Problem{Landmarks: l}} }, true},
			} {
				b.Run(name, func(b *testing.B) {
					seed := uint64(0)
					for b.Loop() {
						seed++
						full := time.Duration(0)
						if n <= 100_000 {
							full = one.fit(b, x, topics, 0, seed, 0)
						}
						for _, l := range counts {
							one.fit(b, x, topics, l, seed, full)
						}
					}
				})
			}
		})
	}
}

// landmarked is a method with landmarks.
type landmarked struct {
	spec   method.Spec
	with   func(landmarks int) method.Options
	labels bool
}

// fit prints a line of the benchmark. full is the time without landmarks, 0 if it is not known.
func (m landmarked) fit(b *testing.B, x *sparse.CSR, topics []int, count int, seed uint64, full time.Duration) time.Duration {
	const classes = 40
	ctx := context.Background()
	in := &method.Input{X: x, Clusters: classes, Seed: seed}
	opt := kmeans.Options{K: classes, Restarts: 4, Seed: seed}
	if m.labels {
		known := must.Get(labels.Draw(topics, 500/float64(x.NumRows), seed))(b)
		in.Given = &method.Given{Labels: known, Names: make([]string, classes)}
	}
	began := time.Now()
	out := must.Get(m.spec.Fit(ctx, m.with(count), in))(b)
	took := time.Since(began)
	if m.labels {
		opt.Restarts, opt.Start = 1, labels.Means(out.Embedding, in.Given.Labels, classes)
	}
	c := must.Get(kmeans.Fit(ctx, out.Embedding, opt))(b)
	s := must.Get(metrics.Score(topics, c.Labels))(b)
	ratio := ""
	if full > 0 {
		ratio = fmt.Sprintf(", %.2f of the full run", took.Seconds()/full.Seconds())
	}
	b.Logf("%s, %d documents, landmarks %d, seed %d: %.1f s%s; accuracy %.4f, NMI %.4f, isolated %d",
		m.spec.Name, x.NumRows, count, seed, took.Seconds(), ratio, s.Accuracy, s.NMI, len(out.Alone()))
	return took
}
