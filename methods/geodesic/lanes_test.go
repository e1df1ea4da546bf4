package geodesic

import (
	"cmp"
	"context"
	"fmt"
	"maps"
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

// undirected is a graph of n nodes with these edges in both directions.
func undirected(n int, edges ...[3]float64) *sparse.CSR {
	length := make(map[int64]float64)
	for _, e := range edges {
		a, b := int64(e[0]), int64(e[1])
		length[a*int64(n)+b], length[b*int64(n)+a] = e[2], e[2]
	}
	g := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, n+1)}
	for _, key := range slices.Sorted(maps.Keys(length)) {
		g.RowPtr[key/int64(n)+1]++
		g.Col, g.Val = append(g.Col, int32(key%int64(n))), append(g.Val, length[key])
	}
	for i := range n {
		g.RowPtr[i+1] += g.RowPtr[i]
	}
	return g
}

// shapes are graphs of n nodes with long paths.
func shapes(n int) map[string]*sparse.CSR {
	r := rand.New(rand.NewPCG(1, 2))
	var line, tree, grid [][3]float64
	side := int(math.Sqrt(float64(n)))
	for i := range n - 1 {
		line = append(line, [3]float64{float64(i), float64(i + 1), 1 + r.Float64()})
		tree = append(tree, [3]float64{float64(max(0, i-r.IntN(20))), float64(i + 1), 1 + r.Float64()})
		if (i+1)%side != 0 {
			grid = append(grid, [3]float64{float64(i), float64(i + 1), 1 + r.Float64()})
		}
		if i+side < n {
			grid = append(grid, [3]float64{float64(i), float64(i + side), 1 + r.Float64()})
		}
	}
	ring := append(slices.Clone(line), [3]float64{float64(n - 1), 0, 1})
	return map[string]*sparse.CSR{"line": undirected(n, line...), "ring": undirected(n, ring...),
		"tree": undirected(n, tree...), "grid": undirected(n, grid...)}
}

// Sources far from each other take few passes on lines, rings and trees; where paths wind, lanes
// are given up and searches have the rest.
func TestLanesOfFarSources(t *testing.T) {
	const n = 10000
	for name, g := range shapes(n) {
		l, s := newLanes(g), NewSearch(g)
		must.Get(l.reach(t.Context(), s, n/3))(t)
		var sources []int32
		for b := range width {
			sources = append(sources, int32(b*n/width))
		}
		for _, turn := range []string{"as reached", "sorted"} {
			ok := must.Get(l.run(t.Context(), sources))(t)
			if ok != (name != "grid") {
				t.Errorf("%s, nodes %s: %t", name, turn, ok)
			}
			if !ok {
				break
			}
			row := make([]float64, n)
			l.give([][]float64{row})
			slices.Reverse(l.order) // so that no bucket has its nodes in order
			l.sort(row)
			if !slices.IsSortedFunc(l.order, func(u, v int32) int { return cmp.Compare(row[u], row[v]) }) {
				t.Errorf("%s: the order is not that of the distances", name)
			}
		}
		againstSearch(t, name, g, []int{0, 625, 1250, 1875, 2500, 3125, 3750, 4375, 5000, 5625, 6250, 6875, 7500, 8125, 8750, 9375, 1, 2})
	}
}

// Lengths whose sums are beyond float64, or next to nothing, have the distances of single searches.
func TestLanesOfExtremeLengths(t *testing.T) {
	for _, scale := range []float64{1e-310, 2e306, 1.7e308} {
		g := sheet(t, 300)
		for k := range g.Val {
			g.Val[k] = min(g.Val[k]*scale, math.MaxFloat64)
		}
		againstSearch(t, fmt.Sprint(scale), g, nil)
	}
}

// againstSearch compares the rows of a table with single searches.
func againstSearch(t *testing.T, name string, g *sparse.CSR, sources []int) {
	t.Helper()
	table := must.Get(newTable(t.Context(), g.NumRows, Options{Sources: sources}))(t)
	must.Do(t, table.measureBlocks(t.Context(), g, nil))
	single := must.Get(newTable(t.Context(), g.NumRows, Options{Sources: sources}))(t)
	s := NewSearch(g)
	for i := range single.Sources {
		must.Do(t, single.measure(t.Context(), s, i))
		if !slices.Equal(table.D.RawRowView(i), single.D.RawRowView(i)) {
			t.Fatalf("%s, %d sources: row %d differs from a single search", name, len(table.Sources), i)
		}
	}
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
			againstSearch(t, name, g, sources)
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
