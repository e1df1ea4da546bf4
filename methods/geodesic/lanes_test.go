package geodesic

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// sheet is the neighbour graph of n points of a bent sheet, where paths have many edges.
func sheet(t testing.TB, n int) *sparse.CSR {
	r := rand.New(rand.NewPCG(5, 6))
	x := mat.NewDense(n, 3, nil)
	for i := range n {
		turn := 1.5 * math.Pi * (1 + 2*r.Float64())
		x.SetRow(i, []float64{turn * math.Cos(turn), 21 * r.Float64(), turn * math.Sin(turn)})
	}
	return must.Get(FromPoints(context.Background(), x, graph.Options{Neighbors: 9}))(t)
}

// Rows of groups, of any number of sources, with copies and on graphs of several parts, have the
// bits of single searches.
func TestLanesAgainstSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	some := make([]int, 300)
	for i := range some {
		some[i] = r.IntN(600)
	}
	graphs := map[string]*sparse.CSR{
		"sheet": sheet(t, 700), "parts": randomLengths(600, 0.003, false, 8), "ties": randomLengths(600, 0.01, true, 9),
		"zeros": randomLengths(600, 0.02, false, 10), "no edges": randomLengths(600, 0, false, 11),
	}
	for name, g := range graphs {
		for _, sources := range [][]int{nil, some, some[:3], some[:17]} {
			table, err := newTable(t.Context(), g.NumRows, Options{Sources: sources})
			must.Do(t, err)
			must.Do(t, table.measureBlocks(t.Context(), g, nil))
			s, want := NewSearch(g), make([]float64, g.NumRows)
			for i, source := range table.Sources {
				for j := range want {
					want[j] = math.Inf(1)
				}
				must.Do(t, s.From(t.Context(), source, func(v int32, d float64) bool {
					want[v] = d
					return true
				}))
				if !slices.Equal(table.D.RawRowView(i), want) {
					t.Fatalf("%s, %d sources: row %d differs from a single search", name, len(table.Sources), i)
				}
			}
		}
	}
}

// The kernel has the bits of its twin in Go.
func TestRelaxTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	const n = 40
	for range 200 {
		dist := make([]float64, n*width)
		for i := range dist {
			switch dist[i] = 4 * r.Float64(); r.IntN(4) {
			case 0:
				dist[i] = math.Inf(1)
			case 1:
				dist[i] = math.Floor(dist[i])
			}
		}
		cols := make([]int32, r.IntN(12))
		vals := make([]float64, len(cols))
		for k := range cols {
			cols[k], vals[k] = int32(r.IntN(n)), float64(r.IntN(8))/2
		}
		u := r.IntN(n)
		d1, d2, m1, m2 := slices.Clone(dist), slices.Clone(dist), make([]byte, n), make([]byte, n)
		got, want := relax(d1, m1, u, cols, vals), relaxGo(d2, m2, u, cols, vals)
		if got != want || !slices.Equal(d1, d2) || !slices.Equal(m1, m2) {
			t.Fatalf("node %d with %d edges: the kernel and its twin differ", u, len(cols))
		}
	}
}

// BenchmarkLanes prints how many times as fast groups of sources are as single searches: the
// distances between all points of a bent sheet, and from every tenth one.
func BenchmarkLanes(b *testing.B) {
	g := sheet(b, 4000)
	tenth := make([]int, 400)
	for i := range tenth {
		tenth[i] = 10 * i
	}
	for name, sources := range map[string][]int{"all": nil, "tenth": tenth} {
		b.Run(name, func(b *testing.B) {
			var ratios []float64
			for b.Loop() {
				table, err := newTable(b.Context(), g.NumRows, Options{Sources: sources})
				must.Do(b, err)
				began := time.Now()
				must.Do(b, table.measureBlocks(b.Context(), g, nil))
				grouped := time.Since(began)
				s := NewSearch(g)
				began = time.Now()
				for i := range table.Sources {
					must.Do(b, table.measure(b.Context(), s, i))
				}
				ratios = append(ratios, float64(time.Since(began))/float64(grouped))
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "times-as-fast")
		})
	}
}
