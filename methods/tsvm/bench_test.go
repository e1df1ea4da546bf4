package tsvm

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/sparse"
)

// BenchmarkReuters learns the ten largest classes of Reuters-21578 from 3 % of their labels; it
// logs macro-F1 on the others beside macro-F1 from the labels alone, and the ratio of the time with
// one pair a step to the time with all pairs.
func BenchmarkReuters(b *testing.B) {
	const file = "../../../shared/data/Reuters21578.mat"
	if _, err := os.Stat(file); err != nil {
		b.Skip("Reuters21578.mat is not in ../shared/data; transduction is tried on made-up data only")
	}
	c, err := corpus.Read(ctx, file, corpus.ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	sizes, _ := c.ClassSizes()
	order := make([]int, len(sizes))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[b] - sizes[a] })
	var names []string
	for _, k := range order[:10] {
		names = append(names, c.ClassNames[k])
	}
	if c, err = c.Select(names); err != nil {
		b.Fatal(err)
	}
	weighted := must.Get(c.Weighted(corpus.WeightTFIDF, corpus.NormL2))(b)
	x, ok := weighted.(*sparse.CSR)
	if !ok {
		b.Fatalf("Reuters is a %T", weighted)
	}
	known := must.Get(labels.Draw(c.Labels, 0.03, 0))(b)
	score := func(of []int) float64 {
		var truth, predicted []int
		for i, k := range c.Labels {
			if known[i] == labels.Unknown {
				truth, predicted = append(truth, k), append(predicted, of[i])
			}
		}
		s := must.Get(metrics.Score(truth, predicted))(b)
		return s.MacroF1
	}
	for _, kernel := range []svm.Kernel{svm.Linear, svm.Gaussian} {
		b.Run(string(kernel), func(b *testing.B) {
			opt := Options{SVM: svm.Options{Kernel: kernel}}
			var m *Model
			for b.Loop() {
				if m, err = Fit(ctx, x, known, 10, opt); err != nil {
					b.Fatal(err)
				}
			}
			quick := b.Elapsed().Seconds() / float64(b.N)
			alone := must.Get(svm.OneVsRest(ctx, x, known, 10, opt.SVM))(b)
			if kernel == svm.Linear {
				opt.Pairs = 1
				begun := time.Now()
				if _, err := Fit(ctx, x, known, 10, opt); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(time.Since(begun).Seconds()/quick, "single/all")
			}
			b.Logf("macro-F1 %.4f, %.4f of the labels alone; %d documents, switches %v", score(m.Labels), score(alone.Labels), len(known), m.Switches)
		})
	}
}
