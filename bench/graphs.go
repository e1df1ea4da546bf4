package bench

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/sparse"
)

// pathGraph joins n points in a row.
func pathGraph(n int) *sparse.CSR {
	return joined(n, func(i int, edge func(j int)) {
		if i+1 < n {
			edge(i + 1)
		}
	})
}

// gridGraph is the grid of side×side points.
func gridGraph(side int) *sparse.CSR {
	return joined(side*side, func(i int, edge func(j int)) {
		if (i+1)%side != 0 {
			edge(i + 1)
		}
		if i+side < side*side {
			edge(i + side)
		}
	})
}

// sheetGraph joins n random points of a sheet of 90×21 to their k nearest, either way: a swiss roll
// unrolled. Cells of a lattice give the candidates.
func sheetGraph(n, k int, seed uint64) *sparse.CSR {
	rng := rand.New(rand.NewPCG(seed, 0x7368656574))
	const length, height = 90.0, 21.0
	side := math.Sqrt(length * height / float64(n) * float64(k))
	x, y := make([]float64, n), make([]float64, n)
	type cell struct{ across, up int }
	cells := map[cell][]int{}
	of := func(i int) cell { return cell{int(x[i] / side), int(y[i] / side)} }
	for i := range n {
		x[i], y[i] = length*rng.Float64(), height*rng.Float64()
		cells[of(i)] = append(cells[of(i)], i)
	}
	near := make([][]int, n)
	for i := range n {
		c := of(i)
		var candidates []int
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				candidates = append(candidates, cells[cell{c.across + dx, c.up + dy}]...)
			}
		}
		distance := func(j int) float64 { return math.Hypot(x[j]-x[i], y[j]-y[i]) }
		slices.SortFunc(candidates, func(a, b int) int {
			if distance(a) < distance(b) {
				return -1
			}
			return 1
		})
		candidates = slices.DeleteFunc(candidates, func(j int) bool { return j == i })
		near[i] = candidates[:min(len(candidates), k)]
	}
	return joined(n, func(i int, edge func(j int)) {
		for _, j := range near[i] {
			if j > i || !slices.Contains(near[j], i) {
				edge(j)
			}
		}
	})
}

// latticeGraph joins each point of a torus of side×side to the 18 nearest in the lattice, with the
// points in the order of the lattice or in a random one: 18·side² entries.
func latticeGraph(side int, random bool, seed uint64) *sparse.CSR {
	order := indices.UpTo(side * side)
	if random {
		order = rand.New(rand.NewPCG(seed, 0x746f727573)).Perm(side * side)
	}
	place := make([]int, side*side) // the point at a place of the order
	for p, at := range order {
		place[at] = p
	}
	// Half of the offsets; the other half are their negatives.
	offsets := [][2]int{{0, 1}, {0, 2}, {1, -2}, {1, -1}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}}
	return joined(side*side, func(i int, edge func(j int)) {
		r, c := place[i]/side, place[i]%side
		for _, o := range offsets {
			edge(order[(r+o[0]+side)%side*side+(c+o[1]+side)%side])
		}
	})
}

// joined is a graph of n points with weights 1. edges calls edge once for each edge of which i is
// the first end; no edge comes twice.
func joined(n int, edges func(i int, edge func(j int))) *sparse.CSR {
	a := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, n+1)}
	count := make([]int, n+1)
	for i := range n {
		edges(i, func(j int) { count[i]++; count[j]++ })
	}
	for i := range n {
		a.RowPtr[i+1] = a.RowPtr[i] + count[i]
	}
	next := slices.Clone(a.RowPtr[:n])
	a.Col, a.Val = make([]int32, a.RowPtr[n]), make([]float64, a.RowPtr[n])
	add := func(i, j int) {
		a.Col[next[i]] = int32(j)
		next[i]++
	}
	for i := range n {
		edges(i, func(j int) { add(i, j); add(j, i) })
	}
	for i := range n {
		slices.Sort(a.Col[a.RowPtr[i]:a.RowPtr[i+1]])
	}
	for e := range a.Val {
		a.Val[e] = 1
	}
	return a
}
