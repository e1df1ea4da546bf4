package lecas

import (
	"os"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/progress"
)

// BenchmarkMusk2 takes all of Musk2 (6,598 points), the search for k1 included, and compares with
// Laplacian Eigenmaps on the same graph.
func BenchmarkMusk2(b *testing.B) {
	const file = "../../../shared/data/Musk2.mat"
	if _, err := os.Stat(file); err != nil {
		b.Skip("Musk2.mat is not in ../shared/data; its time is not taken")
	}
	c := must.Get(corpus.Read(ctx, file, corpus.ReadOptions{}))(b)
	score := func(y *le.Model) metrics.Scores {
		km := must.Get(kmeans.Fit(ctx, y.Embedding, kmeans.Options{K: 2}))(b)
		s := must.Get(metrics.Score(c.Labels, km.Labels))(b)
		return s
	}
	for _, how := range []Clustering{KernelKMeans, KMeans} {
		b.Run(string(how), func(b *testing.B) {
			for b.Loop() {
				began := time.Now()
				opt := Options{LE: le.Options{Dims: 10}, Search: Search{Clustering: how, Observer: func(e progress.Event) {
					if e.Message != "" || e.Stage == "silhouette" && e.Done == 0 {
						b.Logf("%.2f s %s: %s", time.Since(began).Seconds(), e.Stage, e.Message)
					}
				}}}
				m := fitOK(b, c.X, opt)
				b.Logf("%.2f s: k1 = %d of best silhouettes %.3f; σ = %.3g, %.1f %% of the edges between clusters", time.Since(began).Seconds(), m.Choice.Clusters, m.Choice.Best, m.Sigma, 100*m.Between)
				full := must.Get(opt.complete(ctx, c.X))(b)
				plain := must.Get(le.FitGraph(ctx, m.Graph, full.LE))(b)
				cas, lap := score(m.Model), score(plain)
				b.ReportMetric(cas.FMI, "FMI")
				b.ReportMetric(lap.FMI, "FMI-LE")
				b.ReportMetric(cas.Purity, "purity")
				b.ReportMetric(lap.Purity, "purity-LE")
			}
		})
	}
}
