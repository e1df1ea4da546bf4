package exact

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Multiples of one half, for which every way of computing is exact: lists equal brute force with
// all ties, sparse and dense, shifted from the origin or not.
func TestNearestIsBruteForce(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		x := graphtest.DrawPoints(t)
		scale := rapid.SampledFrom([]float64{1, 0.5, 0.375, 0x1p-20}).Draw(t, "scale")
		shift := rapid.SampledFrom([]float64{0, 0, 1, 1 << 20}).Draw(t, "shift")
		x.Apply(func(_, _ int, v float64) float64 { return v*scale + shift }, x)
		n, _ := x.Dims()
		k := rapid.IntRange(1, n-1).Draw(t, "k")
		want := bruteLists(x, k)
		got, err := nearestAlone(background, x, k)
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
		m := must.Get(newSparseRows(graphtest.CSR(t, x), 0))(t)
		m.tile = rapid.SampledFrom([]int{1, 3, 16, 64}).Draw(t, "tile")
		h := newHeaps(n, k, m.unit)
		must.Do(t, m.nearest(background, h, NewTicker(nil, n)))
		tiled, _ := h.lists(background, m.loop, m.measure)
		if !equalLists(tiled, want) {
			t.Fatalf("sparse in tiles of %d: got %+v\nwant %+v", m.tile, tiled, want)
		}
		if got, err = nearestAlone(background, m.x, k); err != nil || !equalLists(got, want) {
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
		m, _ := newSparseRows(graphtest.CSR(t, x), 0)
		if !m.unit {
			t.Fatal("rows of length 1 are not seen as such")
		}
		got, err := nearestAlone(background, m.x, k)
		if want := bruteLists(x, k); err != nil || !equalLists(got, want) {
			t.Fatalf("n %d k %d: got %+v %v\nwant %+v", n, k, got, err, want)
		}
	}
}

// Blocks of rows over several tiles, in groups and one by one, complete and incomplete.
func TestNearestInTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{63, 64, 65, 127, 131, 200, 333} {
		x := graphtest.Documents(n, 60, rng)
		want := bruteLists(x.ToDense(), 7)
		for _, tile := range []int{50, 64, 128, 4096} {
			m, _ := newSparseRows(x, 0)
			m.tile = tile
			h := newHeaps(n, 7, m.unit)
			must.Do(t, m.nearest(background, h, NewTicker(nil, n)))
			if got, _ := h.lists(background, m.loop, m.measure); !equalLists(got, want) {
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
	x := graphtest.Documents(300, 200, rng).NormalizeRows()
	n, k := x.NumRows, 12
	g := must.Get(nearestAlone(background, x, k))(t)
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

// Two tight clusters a million apart: ‖a‖²+‖b‖²−2a·b has no correct digit there.
func TestNearestSurvivesCancellation(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	x := mat.NewDense(700, 5, nil) // more than one tile
	for i := range 700 {
		for j := range 5 {
			x.Set(i, j, float64(i%2<<20)+float64(rng.IntN(64))*0x1p-24)
		}
	}
	want := bruteLists(x, 6)
	got, err := nearestAlone(background, x, 6)
	if err != nil || !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Dist2, want.Dist2) {
		t.Errorf("dense: %v", err)
	}
	got, err = nearestAlone(background, graphtest.CSR(t, x), 6)
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
		want := bruteLists(x, k)
		for _, m := range []mat.Matrix{x, graphtest.CSR(t, x)} {
			got, err := nearestAlone(background, m, k)
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
	docs := graphtest.Documents(900, 300, rng)
	points := mat.NewDense(600, 20, nil)
	points.Apply(func(_, _ int, _ float64) float64 { return float64(rng.IntN(3)) * 0.1 }, points)
	for name, x := range map[string]mat.Matrix{"counts": docs, "unit": docs.NormalizeRows(), "dense": points} {
		native.SetThreads(1)
		want := must.Get(nearestAlone(background, x, 10))(t)
		for _, threads := range []int{2, 3} {
			native.SetThreads(threads)
			for range 3 {
				if got, err := nearestAlone(background, x, 10); err != nil || !equalLists(got, want) {
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
	a := graphtest.Documents(40, 30, rng)
	want := bruteLists(a.ToDense(), 5)
	for _, m := range []mat.Matrix{a, a.ToBowman(), a.ToBowman().ToCOO(), a.Transpose().T(), a.ToDense(), a.ToDense().T().T(), mat.Transpose{Matrix: a.Transpose().ToDense()}} {
		if got, err := nearestAlone(background, m, 5); err != nil || !equalLists(got, want) {
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
	m, _ := newSparseRows(graphtest.CSR(t, x), 0)
	got, err := nearestAlone(background, m.x, k)
	want := bruteLists(x, k)
	if err != nil || !m.unit || !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Dist2, want.Dist2) {
		t.Errorf("unit %v, %v: got %v\nwant %v", m.unit, err, got.Index, want.Index)
	}
}

// The error of rows whose squared length overflows names the first of them, however the rows are
// divided among threads.
func TestFirstOverflow(t *testing.T) {
	defer native.SetThreads(0)
	b := sparse.NewBuilder(5*normRows, 2)
	for i := range 5 * normRows {
		b.Add(i, i%2, 1)
	}
	for _, i := range []int{normRows + 3, normRows + 4, 3 * normRows, 5*normRows - 1} {
		b.Add(i, i%2, 1e200)
	}
	x := must.Get(b.Build())(t)
	for _, threads := range []int{1, 4} {
		native.SetThreads(threads)
		_, err := newSparseRows(x, 0)
		if want := checkNorm(normRows+3, math.Inf(1)); err == nil || err.Error() != want.Error() {
			t.Errorf("%d threads: %v, not %v", threads, err, want)
		}
	}
}
