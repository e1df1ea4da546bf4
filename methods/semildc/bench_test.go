package semildc

import (
	"testing"
	"time"
)

// BenchmarkFit is the whole run on 1,000 documents, and how many times as long it takes as without
// principal components.
func BenchmarkFit(b *testing.B) {
	counts, truth := texts(b, 1000, 4, 100, 400, 0.1, 1)
	known := draw(b, truth, 0.03, 1)
	run := func(opt Options) {
		if _, err := Fit(ctx, counts, nil, known, 4, opt); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		run(Options{})
	}
	whole := b.Elapsed().Seconds() / float64(b.N)
	begun := time.Now()
	run(Options{Reduction: Raw})
	b.ReportMetric(whole/time.Since(begun).Seconds(), "times-unreduced")
}
