package layout

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// groupsApart draws a graph of parts of some sizes that no edge joins, with coordinates in which
// all of a part are near each other and the parts are far apart.
func groupsApart(t *testing.T, sizes []int) (w *sparse.CSR, coords *mat.Dense, parts [][]int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	n := 0
	for _, size := range sizes {
		var part []int
		for range size {
			part = append(part, n)
			n++
		}
		parts = append(parts, part)
	}
	dense := mat.NewDense(n, n, nil)
	coords = mat.NewDense(n, len(sizes), nil)
	for k, part := range parts {
		for _, i := range part {
			coords.Set(i, k, 1)
			for _, j := range part[:rng.IntN(len(part))] {
				if i != j {
					v := .2 + rng.Float64()
					dense.Set(i, j, v)
					dense.Set(j, i, v)
				}
			}
			if j := part[0]; i != j {
				dense.Set(i, j, 1)
				dense.Set(j, i, 1)
			}
		}
	}
	return fromDense(t, dense), coords, parts
}

// TestRoomByDocuments: of few documents too, each part of the graph takes room by its documents.
// Its share of the map's width is bounded by the root of its share of the documents, the largest
// part has most of what is its due, and parts do not lie on each other.
func TestRoomByDocuments(t *testing.T) {
	for _, sizes := range [][]int{{7, 5}, {24, 6}, {28, 29, 3}, {17, 17, 16, 10}, {90, 90, 8, 7, 5}, {50, 50, 30, 15, 5}, {140, 10}} {
		w, coords, parts := groupsApart(t, sizes)
		for name, x := range map[string]*mat.Dense{"coordinates": coords, "graph alone": nil} {
			y := mustFit(t, w, x, Options{})
			all := make([]int, w.NumRows)
			for i := range all {
				all[i] = i
			}
			whole, due := boxOf(y, all), 0.
			for k, part := range parts {
				due = max(due, math.Sqrt(float64(sizes[k])/float64(w.NumRows)))
				share, most := boxOf(y, part)/whole, 1.2*math.Sqrt(float64(sizes[k])/float64(w.NumRows))
				if share > most {
					t.Errorf("%v, %s: part %d takes %.2f of the width, %.2f at most expected", sizes, name, k, share, most)
				}
			}
			largest := 0.
			for k, part := range parts {
				largest = max(largest, boxOf(y, part)/whole)
				for _, other := range parts[:k] {
					if d := nearestOf(y, part, other); d < whole/50 {
						t.Errorf("%v, %s: two parts are %.3g apart in a map of %.3g", sizes, name, d, whole)
					}
				}
			}
			if largest < .45*due {
				t.Errorf("%v, %s: no part takes more than %.2f of the width", sizes, name, largest)
			}
		}
	}
}

// nearestOf is the least distance of one of some rows to one of others.
func nearestOf(y *mat.Dense, some, others []int) float64 {
	least := math.Inf(1)
	for _, i := range some {
		for _, j := range others {
			least = min(least, distance(y, i, j))
		}
	}
	return least
}

// knots places groups of some sizes on a ring, at distances of several times their width.
func knots(sizes ...int) (y *mat.Dense, groups [][]int) {
	rng := rand.New(rand.NewPCG(6, 7))
	var places []float64
	for k, size := range sizes {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(len(sizes)))
		wide := .2 * math.Sqrt(float64(size))
		var group []int
		for range size {
			group = append(group, len(places)/2)
			places = append(places, 40*cos+wide*rng.Float64(), (30+float64(k))*sin+wide*rng.Float64())
		}
		groups = append(groups, group)
	}
	return mat.NewDense(len(places)/2, 2, places), groups
}

// TestGapsClose: groups move as a whole, the largest not at all, each to about the widest gap from
// another one and none nearer than that; and once moved, they stay.
func TestGapsClose(t *testing.T) {
	for _, sizes := range [][]int{{60, 30, 20}, {200, 40, 40, 40, 40, 40, 40}, {300, 1, 1, 1, 5}, {2000, 50, 50, 400}} {
		y, groups := knots(sizes...)
		was, nodes := mat.DenseCopyOf(y), make([]int32, y.RawMatrix().Rows)
		for i := range nodes {
			nodes[i] = int32(i)
		}
		most := widestGap(y.RawMatrix().Data, nodes)
		closeGaps(y.RawMatrix().Data, nodes)
		for k, group := range groups {
			dx, dy := y.At(group[0], 0)-was.At(group[0], 0), y.At(group[0], 1)-was.At(group[0], 1)
			if k == 0 && (dx != 0 || dy != 0) {
				t.Errorf("%v: the largest group moved by %g, %g", sizes, dx, dy)
			}
			for _, i := range group {
				if math.Hypot(y.At(i, 0)-was.At(i, 0)-dx, y.At(i, 1)-was.At(i, 1)-dy) > 1e-9 {
					t.Fatalf("%v: group %d has another shape", sizes, k)
				}
			}
			gap := math.Inf(1)
			for l, other := range groups {
				if l != k {
					gap = min(gap, nearestOf(y, group, other))
				}
			}
			if gap < .6*most || gap > 1.4*most {
				t.Errorf("%v: group %d is %.2f of the widest gap away from others", sizes, k, gap/most)
			}
		}
	}
}

// TestNoWideGap: places without a wide gap are left alone to the bit, and so are places that are
// few or all the same.
func TestNoWideGap(t *testing.T) {
	disc, _ := knots(500)
	for name, y := range map[string]*mat.Dense{
		"a disc": disc, "six": mat.NewDense(6, 2, []float64{0, 0, 1, 0, 90, 90, 91, 90, 90, 91, 0, 1}), "one place": mat.NewDense(20, 2, nil),
	} {
		was, nodes := mat.DenseCopyOf(y), make([]int32, y.RawMatrix().Rows)
		for i := range nodes {
			nodes[i] = int32(i)
		}
		if closeGaps(y.RawMatrix().Data, nodes); !slices.Equal(was.RawMatrix().Data, y.RawMatrix().Data) {
			t.Errorf("%s: places were moved", name)
		}
	}
}

// TestGapMemory: the widest gap of many nodes takes memory for the few squares alone that decide
// it.
func TestGapMemory(t *testing.T) {
	const n = 200_000
	rng := rand.New(rand.NewPCG(8, 9))
	data, nodes := make([]float64, 2*n), make([]int32, n)
	for i := range nodes {
		nodes[i] = int32(i)
		data[2*i], data[2*i+1] = rng.NormFloat64(), rng.NormFloat64()
	}
	if took, _ := memory.PeakHeap(func() { widestGap(data, nodes) }); took > 1<<20 {
		t.Errorf("%d bytes", took)
	}
}
