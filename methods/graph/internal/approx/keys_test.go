package approx

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/countdown"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// shuffled numbers n rows at random.
func shuffled(n int, rng *rand.Rand) []int32 {
	order := exact.InOrder(n)
	rng.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// The kernels in assembly have the bits of those in Go, and the dot products are those in float64
// up to their rounding.
func TestSparseKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	x := graphtest.Stories(300, 10, 900, 60, rng)
	x.Val[5] = -x.Val[5]
	order := shuffled(300, rng)
	p, traits, err := exact.TeamPoints(ranks.Alone{}, x, nil)
	if err != nil || !traits.Unit || !traits.Negative {
		t.Fatal(traits, err)
	}
	m := p.Measurer()
	open := m.Scratch()
	kind := rowKind{sparse: true, traits: traits, counts: countTerms(x)}
	if kind.start() >= 0 {
		t.Error("negative entries need lists that take negative keys")
	}
	kind.ready()
	k := must.Get(newSparseKeys(background, x, order, kind.counts, kind.terms))(t)
	w, all := k.Scratch(), exact.InOrder(300)
	keys, again := make([]float32, 300), make([]float32, 300)
	for i := range int32(300) {
		k.keys(i, all, keys, w)
		if slices.ContainsFunc(w.row, func(v float32) bool { return v != 0 }) {
			t.Fatalf("row %d stays open", i)
		}
		for _, b := range k.blocks(i) {
			for l, term := range b.Term {
				if b.Val[l] != 0 {
					w.row[term] = b.Val[l]
				}
			}
		}
		sparseProductsGo(k.first, k.block, w.row, all, again)
		clear(w.row)
		m.Open(int(order[i]), open)
		for j, key := range keys {
			if math.Float32bits(key) != math.Float32bits(again[j]) {
				t.Fatalf("rows %d and %d: %v in assembly, %v in Go", i, j, key, again[j])
			}
			// Terms of one row are missing from the product of the row and itself.
			if want := m.Inner(int(order[i]), int(order[j]), open); i != int32(j) && math.Abs(float64(key)-want) > 1e-6 {
				t.Fatalf("rows %d and %d: %v, not %v", i, j, key, want)
			}
		}
		m.Close(int(order[i]), open)
	}
}

func TestDenseKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	for _, d := range []int{33, 64, 100, 784} {
		x := graphtest.Blobs(90, d, rng)
		kind := rowKind{largest: largestNorm(x), mean: meanOf(x)}
		e := exactKeys{x: x, measure: kind.traits.Measurer(x), order: shuffled(90, rng), scale: kind.scale()}
		k := must.Get(newDenseKeys(background, e, kind.mean))(t)
		all := exact.InOrder(90)
		keys, again, exact := make([]float32, 90), make([]float32, 90), make([]float32, 90)
		for i := range int32(90) {
			k.keys(i, all, keys, nil)
			e.keys(i, all, exact, e.Scratch())
			denseDistancesGo(k.rows, k.steps, int(i), all, again)
			for j, key := range keys {
				if math.Float32bits(key) != math.Float32bits(again[j]) {
					t.Fatalf("%d columns, rows %d and %d: %v in assembly, %v in Go", d, i, j, key, again[j])
				}
				if math.Abs(float64(key-exact[j])) > 1e-5 || exact[j] < -4 {
					t.Fatalf("%d columns, rows %d and %d: %v, not %v", d, i, j, key, exact[j])
				}
			}
		}
	}
}

// Lengths at the ends of the range of float64 have keys that are numbers and keep the order.
func TestKeysOfExtremeLengths(t *testing.T) {
	for _, unit := range []float64{1e-160, 1e-20, 1, 1e150} {
		for _, d := range []int{2, 40} {
			x := mat.NewDense(5, d, nil)
			for i := range 5 {
				x.Set(i, d-1, float64(i*i)*unit)
			}
			kind := rowKind{largest: largestNorm(x), mean: meanOf(x)}
			k := must.Get(kind.keyer(background, x, kind.traits.Measurer(x), exact.InOrder(5)))(t)
			keys := make([]float32, 4)
			k.keys(0, exact.InOrder(5)[1:], keys, k.Scratch())
			for j, key := range keys {
				if !(key < 0) || key < -8 || j > 0 && key >= keys[j-1] {
					t.Errorf("%v, %d columns: keys %v", unit, d, keys)
				}
			}
		}
	}
}

func TestRankCounts(t *testing.T) {
	counts := []int32{3, 0, 7, 1, 3, 2, 7}
	if n := rankCounts(counts, 2); n != 5 || !slices.Equal(counts, []int32{2, -1, 0, -1, 3, 4, 1}) {
		t.Errorf("%d, %v", n, counts)
	}
	if n := rankCounts(nil, 1); n != 0 {
		t.Error(n)
	}
	if none := []int32{0, 0}; rankCounts(none, 1) != 0 || none[0] != -1 {
		t.Error(none)
	}
}

// The lists are the best candidates under a total order, whatever the order of arrival, and keep
// the higher one of two keys of a pair.
func TestNearListsInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 3))
	type offer struct {
		j   int32
		key float32
	}
	for range 200 {
		var offers []offer
		best := map[int32]float32{}
		for range 40 {
			o := offer{int32(rng.IntN(15)), float32(rng.IntN(9))}
			offers = append(offers, o)
			if o.key > 0 {
				best[o.j] = max(best[o.j], o.key)
			}
		}
		var want []offer
		for j, key := range best {
			want = append(want, offer{j, key})
		}
		slices.SortFunc(want, func(a, b offer) int {
			if ahead(a.key, a.j, b.key, b.j) {
				return -1
			}
			return 1
		})
		want = want[:min(6, len(want))]
		rng.Shuffle(len(offers), func(a, b int) { offers[a], offers[b] = offers[b], offers[a] })
		l := newNearLists(3, 6, 0)
		for _, o := range offers {
			l.offer(1, o.j, o.key)
		}
		keys, index := l.row(1)
		if len(keys) != len(want) {
			t.Fatalf("%d candidates, not %d", len(keys), len(want))
		}
		for c, o := range want {
			if keys[c] != o.key || index[c] != o.j {
				t.Fatalf("place %d: %d with %v, not %v", c, index[c], keys[c], o)
			}
		}
	}
}

// The joins of a row are its list and the rows in whose lists it is, ascending, each once; the
// transpose has every pair from the other side with the same mark.
func TestJoins(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 4))
	const n, width = 40, 5
	l := newNearLists(n, width, 0)
	for range 400 {
		if i, j := int32(rng.IntN(n)), int32(rng.IntN(n)); i != j {
			l.offer(i, j, rng.Float32())
		}
		if rng.IntN(300) == 0 {
			l.tried = slices.Clone(l.index)
		}
	}
	fresh := l.fresh()
	search := &search{near: l, places: ranks.NewShare(ranks.Alone{}, n)}
	ptr, reversed := search.reversed(fresh)
	g := must.Get(l.joined(background, fresh, ptr, reversed))(t)
	back := g.transposed(n)
	for p, fresh := range l.fresh() {
		if fresh && l.index[p] >= 0 {
			t.Error("entries that are tried remain fresh")
		}
	}
	for i := range n {
		own := map[int]bool{} // the mark of each member
		_, list := l.row(i)
		for c, j := range list {
			own[int(j)] = fresh[i*width+c]
		}
		reverse := 0
		for v := range n {
			_, other := l.row(v)
			if c := slices.Index(other, int32(i)); c >= 0 {
				reverse++
				if reverse <= width {
					own[v] = own[v] || fresh[v*width+c]
				}
			}
		}
		got := g.of(uint32(i))
		if !slices.IsSorted(got) || reverse <= width && len(got) != len(own) {
			t.Fatalf("row %d: %v, of %v", i, got, own)
		}
		for _, e := range got {
			if mark, ok := own[int(e>>1)]; reverse <= width && (!ok || mark != (e&1 == 1)) {
				t.Errorf("row %d: entry %d, fresh %d; members %v", i, e>>1, e&1, own)
			}
			if !slices.Contains(back.of(e>>1), uint32(i)<<1|e&1) {
				t.Errorf("%d is in the joins of %d, which the transpose lacks", e>>1, i)
			}
		}
	}
}

// Cells may differ by rounding in the key of a pair. Whether a candidate that was tried leaves the
// list before its higher key comes, or not, changes nothing.
func TestFreshInAnyOrder(t *testing.T) {
	low := float32(0.5)
	high := math.Nextafter32(math.Nextafter32(low, 1), 1)
	var want []bool
	for _, offers := range [][]int32{{7, 6}, {6, 7}} {
		l := newNearLists(9, 2, 0)
		l.offer(0, 5, 0.9)
		l.offer(0, 6, low)
		l.tried = slices.Clone(l.index)
		for _, j := range offers {
			l.offer(0, j, map[int32]float32{6: high, 7: math.Nextafter32(low, 1)}[j])
		}
		if _, index := l.row(0); !slices.Equal(index, []int32{5, 6}) {
			t.Errorf("the list is %v", index)
		}
		if got := l.fresh()[:2]; want != nil && !slices.Equal(got, want) || got[1] {
			t.Errorf("marks %v after the offers %v", got, offers)
		}
		want = l.fresh()[:2]
	}
}

// Rows of many shapes: nearly all neighbours are found, and the lists equal Nearest's where they
// hold the same rows.
func TestApproximateShapes(t *testing.T) {
	defer native.SetThreads(native.Threads())
	rng := rand.New(rand.NewPCG(8, 5))
	docs := graphtest.Stories(2500, 30, 1500, 40, rng)
	counts := &sparse.CSR{NumRows: docs.NumRows, NumCols: docs.NumCols, RowPtr: docs.RowPtr, Col: docs.Col, Val: make([]float64, docs.NNZ())}
	signed := &sparse.CSR{NumRows: docs.NumRows, NumCols: docs.NumCols, RowPtr: docs.RowPtr, Col: docs.Col, Val: slices.Clone(docs.Val)}
	for p := range counts.Val {
		counts.Val[p] = float64(1 + p%4)
		if p%3 == 0 {
			signed.Val[p] = -signed.Val[p]
		}
	}
	var twice []int // every document three times
	for i := range 2400 {
		twice = append(twice, i/3)
	}
	for _, c := range []struct {
		name string
		x    mat.Matrix
		k    int
	}{
		{"counts", counts, 8}, {"signed", signed, 8}, {"copies", docs.SelectRows(twice), 8},
		{"wide points", graphtest.Blobs(2500, 60, rng), 8}, {"one neighbour", docs, 1}, {"many neighbours", docs, 120},
	} {
		want := must.Get(exact.Nearest(background, ranks.Alone{}, c.x, nil, c.k, nil))(t)
		got, recall, err := approximated(background, c.x, c.k, 200, 2)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for i := range want.N {
			_, exact, _ := want.Row(i)
			index, dist2, dot := got.Row(i)
			for r, j := range index {
				if int(j) == i || slices.Contains(index[:r], j) || r > 0 && dist2[r] < dist2[r-1] {
					t.Fatalf("%s, row %d: %v at %v", c.name, i, index, dist2)
				}
				if dist2[r] <= exact[c.k-1] {
					found++
				}
				if at := slices.Index(want.Index[i*c.k:(i+1)*c.k], j); at >= 0 && (want.Dist2[i*c.k+at] != dist2[r] || want.Dot[i*c.k+at] != dot[r]) {
					t.Fatalf("%s, rows %d and %d: d² %v and dot product %v, not %v and %v", c.name, i, j, dist2[r], dot[r],
						want.Dist2[i*c.k+at], want.Dot[i*c.k+at])
				}
			}
		}
		whole := float64(found) / float64(len(want.Index))
		if whole < 0.93 || math.Abs(recall-whole) > 0.03 {
			t.Errorf("%s: recall %.4f on the sample, %.4f on all", c.name, recall, whole)
		}
		t.Logf("%s: recall %.4f on the sample, %.4f on all", c.name, recall, whole)
		native.SetThreads(3)
		again, _, err := approximated(background, c.x, c.k, 200, 2)
		if err != nil || !reflect.DeepEqual(got, again) {
			t.Errorf("%s: three threads find other neighbours (%v)", c.name, err)
		}
		native.SetThreads(1)
	}
}

// Documents without a common term have the lowest rows behind their neighbours, as in Nearest.
func TestApproximateOfStrangers(t *testing.T) {
	const n = 600
	b := sparse.NewBuilder(n, n)
	for i := range n {
		b.Add(i, i/2, 1) // pairs
	}
	x := must.Get(b.Build())(t)
	want := must.Get(exact.Nearest(background, ranks.Alone{}, x, nil, 4, nil))(t)
	got, recall, err := approximated(background, x, 4, 50, 1)
	if err != nil {
		t.Fatal(err)
	}
	alike := 0
	for i := range n {
		if slices.Equal(got.Index[4*i:4*i+4], want.Index[4*i:4*i+4]) {
			alike++
		}
	}
	if alike < n*9/10 || recall < 0.95 {
		t.Errorf("%d of %d lists equal Nearest's; recall %v", alike, n, recall)
	}
}

// A cancelled search ends with the error of its context at any stage.
func TestApproximateCancelled(t *testing.T) {
	x := graphtest.Stories(1500, 20, 500, 40, rand.New(rand.NewPCG(8, 6)))
	for looks := int64(1); ; looks *= 2 {
		_, _, err := approximated(countdown.New(background, looks), x, 8, 200, 3)
		if err == nil {
			if looks < 64 {
				t.Errorf("no error after %d looks at the context", looks)
			}
			return
		}
		if err != context.Canceled {
			t.Fatal(err)
		}
	}
}

var background = context.Background()
