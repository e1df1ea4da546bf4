package layout

import (
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// withIslands adds islands of some sizes to a graph, each complete.
func withIslands(w *sparse.CSR, sizes ...int) (*sparse.CSR, [][]int) {
	out := &sparse.CSR{RowPtr: slices.Clone(w.RowPtr), Col: slices.Clone(w.Col), Val: slices.Clone(w.Val)}
	n := w.NumRows
	var islands [][]int
	for _, size := range sizes {
		var nodes []int
		for i := n; i < n+size; i++ {
			nodes = append(nodes, i)
			for j := n; j < n+size; j++ {
				if j != i {
					out.Col, out.Val = append(out.Col, int32(j)), append(out.Val, 1)
				}
			}
			out.RowPtr = append(out.RowPtr, len(out.Col))
		}
		islands = append(islands, nodes)
		n += size
	}
	out.NumRows, out.NumCols = n, n
	return out, islands
}

// boxOf is the longer side of the box around some rows.
func boxOf(y *mat.Dense, rows []int) float64 {
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, i := range rows {
		for c := range 2 {
			low[c], high[c] = min(low[c], y.At(i, c)), max(high[c], y.At(i, c))
		}
	}
	return max(high[0]-low[0], high[1]-low[1])
}

// TestIslandsLeaveRoom: parts of a few nodes and nodes alone lie outside the crowd, and take at
// most a fifth of the map from it. With coordinates, with the islands at the origin of them, and
// without.
func TestIslandsLeaveRoom(t *testing.T) {
	const n = 2000
	x, _ := blobs(n, 7, 20, 0.4)
	sizes := []int{3, 4, 2, 1, 1, 5, 1, 3}
	w, islands := withIslands(neighbourGraph(t, x), sizes...)
	zero, far := mat.NewDense(w.NumRows, 20, nil), mat.NewDense(w.NumRows, 20, nil)
	for i := range n {
		zero.SetRow(i, x.RawRowView(i))
		far.SetRow(i, x.RawRowView(i))
	}
	for k, nodes := range islands {
		for _, i := range nodes {
			far.Set(i, k, 3)
		}
	}
	var crowd, all []int
	for i := range w.NumRows {
		if all = append(all, i); i < n {
			crowd = append(crowd, i)
		}
	}
	for name, coords := range map[string]*mat.Dense{"at the origin": zero, "far": far, "graph alone": nil} {
		y := mustFit(t, w, coords, Options{})
		own, whole := boxOf(y, crowd), boxOf(y, all)
		t.Logf("%s: the crowd takes %.2f of the map", name, own/whole)
		if own < 0.8*whole {
			t.Errorf("%s: the crowd takes %.2f of the map", name, own/whole)
		}
		for _, nodes := range islands {
			inside := 0
			for _, i := range nodes {
				nearest := math.Inf(1)
				for j := range y.RawMatrix().Rows {
					if !slices.Contains(nodes, j) {
						nearest = min(nearest, distance(y, i, j))
					}
				}
				if nearest < own/200 {
					inside++
				}
			}
			if inside > 0 {
				t.Errorf("%s: %d of an island of %d nodes lie on others", name, inside, len(nodes))
			}
		}
	}
}

// TestManyAlone: more nodes without an edge than go around the crowd once do not take the map from
// it.
func TestManyAlone(t *testing.T) {
	const n = 600
	x, _ := blobs(n, 3, 8, 0.4)
	w, _ := withIslands(neighbourGraph(t, x), slices.Repeat([]int{1}, 1500)...)
	y := mustFit(t, w, nil, Options{})
	var crowd, all []int
	for i := range w.NumRows {
		if all = append(all, i); i < n {
			crowd = append(crowd, i)
		}
	}
	if own, whole := boxOf(y, crowd), boxOf(y, all); own < 0.75*whole {
		t.Errorf("the crowd takes %.2f of the map", own/whole)
	}
}

// TestLargePartsStay: components of some size are no islands, and stay where the forces put them.
func TestLargePartsStay(t *testing.T) {
	x, _ := blobs(600, 3, 8, 0.4)
	w, _ := withIslands(neighbourGraph(t, x), 40)
	places := mat.NewDense(w.NumRows, 2, nil)
	for i := range w.NumRows {
		places.SetRow(i, []float64{float64(i % 7), float64(i % 11)})
	}
	was := mat.DenseCopyOf(places)
	if toRim(w, places); !mat.Equal(was, places) {
		t.Error("a part of 40 of 640 nodes was moved")
	}
}

// TestIslandsApart: islands around a long crowd, which is narrow in some directions, do not lie on
// one another.
func TestIslandsApart(t *testing.T) {
	const n, size, count = 2000, 3, 28
	line := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, 1, n+1)}
	for i := range n {
		for _, j := range []int{i - 1, i + 1} {
			if j >= 0 && j < n {
				line.Col, line.Val = append(line.Col, int32(j)), append(line.Val, 1)
			}
		}
		line.RowPtr = append(line.RowPtr, len(line.Col))
	}
	w, islands := withIslands(line, slices.Repeat([]int{size}, count)...)
	places := mat.NewDense(w.NumRows, 2, nil)
	for i := range n { // eight times as long as wide
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		places.SetRow(i, []float64{8 * cos, sin})
	}
	for _, nodes := range islands {
		for k, i := range nodes {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / size)
			places.SetRow(i, []float64{.3 * cos, .3 * sin})
		}
	}
	toRim(w, places)
	for a := range islands {
		for b := range a {
			nearest := math.Inf(1)
			for _, i := range islands[a] {
				for _, j := range islands[b] {
					nearest = min(nearest, distance(places, i, j))
				}
			}
			if nearest < .02 {
				t.Errorf("islands %d and %d are %.3g apart", a, b, nearest)
			}
			x := func(k int) float64 { return places.At(islands[k][0], 0) - .3 }
			y := func(k int) float64 { return places.At(islands[k][0], 1) }
			if d := math.Hypot(x(a)-x(b), y(a)-y(b)); d < .6 {
				t.Errorf("the middles of islands %d and %d are %.3g apart, and each is 0.6 wide", a, b, d)
			}
		}
	}
}
