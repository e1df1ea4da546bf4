package graph_test

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// tdt2 reads the TDT2 corpus with rows of length 1, if the data are available.
func tdt2(tb testing.TB) *sparse.CSR {
	if testing.Short() {
		tb.Skip("a corpus of 9,394 documents is not for -short")
	}
	const path = "../../../shared/data/TDT2.mat"
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("TDT2.mat is not beside the repository: %v", err)
	}
	c := must.Get(corpus.Read(context.Background(), path, corpus.ReadOptions{}))(tb)
	x, ok := c.X.(*sparse.CSR)
	if !ok {
		tb.Fatalf("TDT2 is a %T", c.X)
	}
	return x.NormalizeRows()
}

func BenchmarkNearestTDT2(b *testing.B) {
	x := tdt2(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := graph.Nearest(context.Background(), x, 15, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBuildTDT2(b *testing.B) {
	x := tdt2(b)
	for b.Loop() {
		if _, err := graph.Build(context.Background(), x, graph.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNearestDense(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := mat.NewDense(6000, 784, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return rng.Float64() }, x)
	for b.Loop() {
		if _, err := graph.Nearest(context.Background(), x, 15, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(6000*6000*784/float64(b.Elapsed().Nanoseconds())*float64(b.N), "GF/s")
}

// Attaching a tenth of TDT2 to the graph of the rest, relative to the time of building that graph.
func BenchmarkAttachTDT2(b *testing.B) {
	x := tdt2(b)
	var kept, fresh []int
	for i := range x.NumRows {
		if i%10 == 0 {
			fresh = append(fresh, i)
		} else {
			kept = append(kept, i)
		}
	}
	train, held := x.SelectRows(kept), x.SelectRows(fresh)
	start := time.Now()
	g := must.Get(graph.Build(context.Background(), train, graph.Options{}))(b)
	build := time.Since(start)
	ref := g.Reference(train, graph.Options{})
	for b.Loop() {
		if _, err := graph.Attach(context.Background(), held, ref, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(build.Nanoseconds()), "of-Build")
}
