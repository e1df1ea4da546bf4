package graph

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var background = context.Background()

// drawPoints draws points with small integer coordinates: many ties, copies and zero rows.
func drawPoints(t *rapid.T) *mat.Dense {
	n := rapid.IntRange(2, 40).Draw(t, "n")
	d := rapid.IntRange(1, 6).Draw(t, "d")
	x := mat.NewDense(n, d, nil)
	for i := range n {
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0: // a zero row
		case 1: // a copy
			x.SetRow(i, x.RawRowView(rapid.IntRange(0, i).Draw(t, "of")))
		default:
			for j := range d {
				x.Set(i, j, float64(rapid.IntRange(-2, 3).Draw(t, "v")))
			}
		}
	}
	return x
}

// bruteForce ranks all other rows of every row by the definition; exact on dyadic numbers.
func bruteForce(x *mat.Dense, k int) *KNN {
	n, _ := x.Dims()
	g := &KNN{N: n, K: k}
	for i := range n {
		type other struct {
			j        int32
			d2, prod float64
		}
		var all []other
		for j := range n {
			if j == i {
				continue
			}
			o := other{j: int32(j)}
			for c, a := range x.RawRowView(i) {
				b := x.RawRowView(j)[c]
				o.d2 += (a - b) * (a - b)
				o.prod += a * b
			}
			all = append(all, o)
		}
		slices.SortFunc(all, func(a, b other) int { return cmp.Or(cmp.Compare(a.d2, b.d2), cmp.Compare(a.j, b.j)) })
		for _, o := range all[:k] {
			g.Index, g.Dist2, g.Dot = append(g.Index, o.j), append(g.Dist2, o.d2), append(g.Dot, o.prod)
		}
	}
	return g
}

func equalKNN(a, b *KNN) bool {
	return a.N == b.N && a.K == b.K && slices.Equal(a.Index, b.Index) && slices.Equal(a.Dist2, b.Dist2) && slices.Equal(a.Dot, b.Dot)
}

func csr(t interface{ Fatal(...any) }, x mat.Matrix) *sparse.CSR {
	a, err := sparse.FromMatrix(x)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Multiples of one half, for which every way of computing is exact: lists equal brute force with
// all ties, sparse and dense, shifted from the origin or not.
func TestNearestIsBruteForce(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		x := drawPoints(t)
		scale := rapid.SampledFrom([]float64{1, 0.5, 0.375, 0x1p-20}).Draw(t, "scale")
		shift := rapid.SampledFrom([]float64{0, 0, 1, 1 << 20}).Draw(t, "shift")
		x.Apply(func(_, _ int, v float64) float64 { return v*scale + shift }, x)
		n, _ := x.Dims()
		k := rapid.IntRange(1, n-1).Draw(t, "k")
		want := bruteForce(x, k)
		got, err := Nearest(background, x, k, nil)
		if err != nil {
			t.Fatal(err)
		}
		// Dot products of shifted halves round: each code path has its own order of summation.
		if !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Dist2, want.Dist2) {
			t.Fatalf("dense: got %v %v\nwant %v %v", got.Index, got.Dist2, want.Index, want.Dist2)
		}
		if shift != 0 {
			return
		}
		if !slices.Equal(got.Dot, want.Dot) {
			t.Fatalf("dense dot: got %v, want %v", got.Dot, want.Dot)
		}
		m, err := newSparseRows(csr(t, x), 0)
		if err != nil {
			t.Fatal(err)
		}
		m.tile = rapid.SampledFrom([]int{1, 3, 16, 64}).Draw(t, "tile")
		h := newHeaps(n, k, m.unit)
		if err := m.nearest(background, h, newTicker(nil, n)); err != nil {
			t.Fatal(err)
		}
		tiled, _ := h.lists(background, m.loop, m.measure)
		if !equalKNN(tiled, want) {
			t.Fatalf("sparse in tiles of %d: got %+v\nwant %+v", m.tile, tiled, want)
		}
		if got, err = Nearest(background, m.x, k, nil); err != nil || !equalKNN(got, want) {
			t.Fatalf("sparse: got %+v %v\nwant %+v", got, err, want)
		}
	})
}

// unitRows have four entries ±1/2: length exactly 1, dot products exact and with many ties.
func unitRows(n, d int, rng *rand.Rand) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range n {
		if i > 0 && rng.IntN(6) == 0 {
			x.SetRow(i, x.RawRowView(rng.IntN(i)))
			continue
		}
		for _, j := range rng.Perm(d)[:4] {
			x.Set(i, j, 0.5-float64(rng.IntN(4)/3))
		}
	}
	return x
}

func TestNearestUnitRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 60 {
		n := 2 + rng.IntN(150)
		k := 1 + rng.IntN(min(n-1, 20))
		x := unitRows(n, 4+rng.IntN(40), rng)
		m, _ := newSparseRows(csr(t, x), 0)
		if !m.unit {
			t.Fatal("rows of length 1 are not seen as such")
		}
		got, err := Nearest(background, m.x, k, nil)
		if want := bruteForce(x, k); err != nil || !equalKNN(got, want) {
			t.Fatalf("n %d k %d: got %+v %v\nwant %+v", n, k, got, err, want)
		}
	}
}

// Blocks of rows over several tiles, in groups and one by one, complete and incomplete.
func TestNearestInTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{63, 64, 65, 127, 131, 200, 333} {
		x := documents(n, 60, rng)
		want := bruteForce(x.ToDense(), 7)
		for _, tile := range []int{50, 64, 128, 4096} {
			m, _ := newSparseRows(x, 0)
			m.tile = tile
			h := newHeaps(n, 7, m.unit)
			if err := m.nearest(background, h, newTicker(nil, n)); err != nil {
				t.Fatal(err)
			}
			if got, _ := h.lists(background, m.loop, m.measure); !equalKNN(got, want) {
				t.Fatalf("%d rows in tiles of %d: not the lists of brute force", n, tile)
			}
		}
	}
}

// Normalised counts: lengths are 1 up to rounding only. Copies are at distance 0 exactly, documents
// without a common term tie at √2 by lower index, and every other list follows 2−2a·b with dot
// products summed in order of columns.
func TestNearestNormalizedDocuments(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	x := documents(300, 200, rng).NormalizeRows()
	n, k := x.NumRows, 12
	g, err := Nearest(background, x, k, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := x.ToDense()
	for i := range n {
		dots := make([]float64, n)
		order := make([]int32, 0, n-1)
		for j := range n {
			for c := range 200 {
				dots[j] += d.At(i, c) * d.At(j, c)
			}
			if slices.Equal(d.RawRowView(i), d.RawRowView(j)) {
				dots[j] = 2
			}
			if j != i {
				order = append(order, int32(j))
			}
		}
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(2-2*dots[a], 2-2*dots[b]) })
		index, dist2, dot := g.Row(i)
		if !slices.Equal(index, order[:k]) {
			t.Fatalf("row %d: got %v, want %v", i, index, order[:k])
		}
		for c, j := range index {
			switch {
			case dots[j] == 2 && dist2[c] != 0:
				t.Fatalf("copies %d and %d are %v apart", i, j, dist2[c])
			case dots[j] != 2 && (dot[c] != dots[j] || dist2[c] != 2-2*dots[j]):
				t.Fatalf("rows %d and %d: dot %v, distance² %v, want dot %v", i, j, dot[c], dist2[c], dots[j])
			}
		}
	}
}

// documents draws counts with a few frequent and many rare columns, and copies of documents.
func documents(n, terms int, rng *rand.Rand) *sparse.CSR {
	b := sparse.NewBuilder(n, terms)
	var earlier [][][2]int
	for i := range n {
		var doc [][2]int
		if i > 0 && rng.IntN(10) == 0 {
			doc = earlier[rng.IntN(i)]
		} else {
			for range 1 + rng.IntN(12) {
				doc = append(doc, [2]int{int(float64(terms) * math.Pow(rng.Float64(), 3)), 1 + rng.IntN(4)})
			}
		}
		earlier = append(earlier, doc)
		for _, e := range doc {
			b.Add(i, e[0], float64(e[1]))
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x
}

// Two tight clusters a million apart: ‖a‖²+‖b‖²−2a·b has no correct digit there.
func TestNearestSurvivesCancellation(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	x := mat.NewDense(700, 5, nil) // more than one tile
	for i := range 700 {
		for j := range 5 {
			x.Set(i, j, float64(i%2<<20)+float64(rng.IntN(64))*0x1p-24)
		}
	}
	want := bruteForce(x, 6)
	got, err := Nearest(background, x, 6, nil)
	if err != nil || !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Dist2, want.Dist2) {
		t.Errorf("dense: %v", err)
	}
	got, err = Nearest(background, csr(t, x), 6, nil)
	if err != nil || !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Dist2, want.Dist2) {
		t.Errorf("sparse: %v", err)
	}
}

// Continuous data with both searches: every listed distance is at most the true k-th distance.
func TestNearestContinuous(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, d := range []int{1, 7, 130} {
		n, k := 600, 9 // two tiles
		x := mat.NewDense(n, d, nil)
		x.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, x)
		want := bruteForce(x, k)
		for _, m := range []mat.Matrix{x, csr(t, x)} {
			got, err := Nearest(background, m, k, nil)
			if err != nil || !slices.Equal(got.Index, want.Index) {
				t.Fatalf("%T, %d dimensions: lists differ from brute force (%v)", m, d, err)
			}
			for c, v := range got.Dist2 {
				if math.Abs(v-want.Dist2[c]) > 1e-13*float64(d+10)*(1+v) || math.Abs(got.Dot[c]-want.Dot[c]) > 1e-13*float64(d+10) {
					t.Fatalf("%T: distance² %v, want %v", m, v, want.Dist2[c])
				}
			}
		}
	}
}

func TestNearestAtAnyThreads(t *testing.T) {
	defer native.SetThreads(native.Threads())
	rng := rand.New(rand.NewPCG(8, 8))
	docs := documents(900, 300, rng)
	points := mat.NewDense(600, 20, nil)
	points.Apply(func(_, _ int, _ float64) float64 { return float64(rng.IntN(3)) * 0.1 }, points)
	for name, x := range map[string]mat.Matrix{"counts": docs, "unit": docs.NormalizeRows(), "dense": points} {
		native.SetThreads(1)
		want, err := Nearest(background, x, 10, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{2, 3} {
			native.SetThreads(threads)
			for range 3 {
				if got, err := Nearest(background, x, 10, nil); err != nil || !equalKNN(got, want) {
					t.Errorf("%s with %d threads: another result (%v)", name, threads, err)
				}
			}
		}
	}
}

// Every kind of matrix that lists its entries uses the sparse search, others use the dense one;
// both agree.
func TestNearestKindsOfMatrix(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 8))
	a := documents(40, 30, rng)
	want := bruteForce(a.ToDense(), 5)
	for _, m := range []mat.Matrix{a, a.ToBowman(), a.ToBowman().ToCOO(), a.Transpose().T(), a.ToDense(), a.ToDense().T().T(), mat.Transpose{Matrix: a.Transpose().ToDense()}} {
		if got, err := Nearest(background, m, 5, nil); err != nil || !equalKNN(got, want) {
			t.Errorf("%T: another result (%v)", m, err)
		}
	}
}

// Directions so close to each other that all their dot products round to 1 or a neighbouring
// number: distances still rank them.
func TestNearestNearCopiesOfUnitRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 3))
	n, k := 60, 8
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		angle := 0.6 + 1e-7*float64(rng.IntN(1000))
		x.SetRow(i, []float64{math.Cos(angle), math.Sin(angle)})
	}
	m, _ := newSparseRows(csr(t, x), 0)
	got, err := Nearest(background, m.x, k, nil)
	want := bruteForce(x, k)
	if err != nil || !m.unit || !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Dist2, want.Dist2) {
		t.Errorf("unit %v, %v: got %v\nwant %v", m.unit, err, got.Index, want.Index)
	}
}

// Rows among points: a copy has its place, the first of equal points, and any other row has none.
func TestSame(t *testing.T) {
	points := mat.NewDense(4, 2, []float64{1, 2, 0, 0, 3, 4, 3, 4})
	rows := mat.NewDense(4, 2, []float64{3, 4, 1, 3, 0, 0, 1, 2})
	for _, threads := range []int{1, 3} {
		native.SetThreads(threads)
		got, err := Same(background, rows, points, nil)
		if err != nil || !slices.Equal(got, []int{2, -1, 1, 0}) {
			t.Errorf("%v, %v", got, err)
		}
	}
	native.SetThreads(0)
}
