package bench

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/nystrom"
)

// BenchmarkCompleteGraph is Laplacian Eigenmaps of made-up abstracts, 20 dimensions to 1e-8, on the
// complete cosine graph and, up to 100,000 documents, on the graph of 15 neighbours. It prints
// the time of graph and eigenproblem, the ratio of both graphs' times, the heap with the rows and,
// up to 100,000, the accuracy of k-means. One size: -bench CompleteGraph/1000000.
func BenchmarkCompleteGraph(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 300_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			counts, topics := Abstracts(n, 1).Counts()
			x := counts.NormalizeRows()
			counts = nil
			fit := func(kind graph.Kind) (took time.Duration, accuracy float64) {
				began := time.Now()
				m := must.Get(le.Fit(context.Background(), x, le.Options{Dims: 20, Problem: nystrom.Problem{Kind: kind}}))(b)
				took = time.Since(began)
				if m.Graph.IsComplete() {
					runtime.GC()
					var after runtime.MemStats
					runtime.ReadMemStats(&after)
					b.ReportMetric(float64(after.HeapAlloc)/1e6, "MB-held")
					b.ReportMetric(float64(after.Sys)/1e6, "MB-peak")
					b.ReportMetric(float64(m.Stats.Products), "products")
				}
				b.Logf("%s: %.1f s", kind, took.Seconds())
				if n > 100_000 {
					return took, 0
				}
				km := must.Get(kmeans.Fit(context.Background(), m.Embedding, kmeans.Options{K: 40, Restarts: 2}))(b)
				s := must.Get(metrics.Score(topics, km.Labels))(b)
				return took, s.Accuracy
			}
			b.ReportMetric(float64(x.NNZ())/float64(n), "terms/doc")
			for b.Loop() {
				complete, accuracy := fit(graph.KindComplete)
				b.ReportMetric(complete.Seconds(), "s-complete")
				if n <= 100_000 {
					b.ReportMetric(accuracy, "accuracy-complete")
					neighbors, accuracy := fit(graph.KindNearest)
					b.ReportMetric(neighbors.Seconds(), "s-knn")
					b.ReportMetric(accuracy, "accuracy-knn")
					b.ReportMetric(neighbors.Seconds()/complete.Seconds(), "knn/complete")
				}
			}
		})
	}
}
