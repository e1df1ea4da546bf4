package approx

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"gonum.org/v1/gonum/mat"
)

// wholeRows makes rows of whole numbers with the largest length that short keys take.
func wholeRows(n, d int, rng *rand.Rand) *mat.Dense {
	z := mat.NewDense(n, d, nil)
	for i := range n {
		row := z.RawRowView(i)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		if i%5 == 0 { // all of the length in one value
			clear(row)
			row[i%d] = float64(1 - i%2*2)
		}
		length := mat.Norm(z.RowView(i), 2)
		for j := range row {
			row[j] = float64(int(row[j] / length * shortLength))
		}
	}
	return z
}

// All kernels compute the squared distances of whole numbers, the longest rows included.
func TestShortKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 2))
	for _, d := range []int{1, 16, 33, 130} {
		const n = 45
		z, order := wholeRows(n, d, rng), shuffled(n, rng)
		k := must.Get(newShortKeys(background, z, order))(t)
		want := func(i, j int) float64 {
			return -exact.SquaredDistance(z.RawRowView(int(order[i])), z.RawRowView(int(order[j])))
		}
		got, w := make([]float32, n), k.Scratch()
		pool, padded := &cellPool{}, 48
		pool.load(k, exact.InOrder(n), padded)
		tile := make([]int32, ownRows*padded)
		for i := range n {
			k.keys(int32(i), exact.InOrder(n), got, w)
			products := make([]int32, n)
			shortProductsGo(k.rows, k.steps, i, exact.InOrder(n), products)
			for j := range n {
				if float64(got[j]) != float64(float32(want(i, j))) || products[j] != w.shorts[j] {
					t.Fatalf("%d columns, rows %d and %d: %v, not %v", d, i, j, got[j], want(i, j))
				}
			}
			if i%ownRows != 0 {
				continue
			}
			width := k.steps * shortStep
			for name, kernel := range map[string]func(own []int16, ownNorm2 []int32, steps int, packed []int16, norm2 []int32, count int, out []int32){
				"go": shortTileGo, "chosen": shortTile, "second": secondTile,
			} {
				clear(tile)
				kernel(pool.own[i*width:], pool.norm2[i:], k.steps, pool.packed, pool.norm2, padded, tile)
				for r := i; r < min(i+ownRows, n); r++ {
					for j := range n {
						if key := tile[(r-i)*padded+j]; float64(key) != want(r, j) {
							t.Fatalf("%s, %d columns, rows %d and %d: %d, not %v", name, d, r, j, key, want(r, j))
						}
					}
				}
			}
		}
	}
}

// What bounds a list and passes it is the same in assembly and in Go.
func TestShortSelection(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 3))
	for _, blocks := range []int{1, 2, 7, 16} {
		keys := make([]int32, blocks*blockLanes)
		for c := range keys {
			keys[c] = -rng.Int32N(50)
		}
		for _, group := range []int{1, 3, 20} {
			tops := groupTops(keys, group, []int32{5})
			if want := groupTopsGo(keys, group, []int32{5}); !slices.Equal(tops, want) {
				t.Errorf("%d blocks, groups of %d: %v, not %v", blocks, group, tops, want)
			}
			sorted := slices.Clone(tops)
			slices.SortFunc(sorted, func(a, b int32) int { return int(b - a) })
			for c := 1; c <= len(tops); c++ {
				least := largest(slices.Clone(tops), c)
				if least != sorted[c-1] {
					t.Fatalf("the %d-th largest of %v is not %d", c, tops, least)
				}
				passed := atLeast(keys, least, nil)
				if want := atLeastGo(keys, least, nil); !slices.Equal(passed, want) || len(passed) < c-1 { // one top is no key
					t.Fatalf("%d keys of %d or more: %v, not %v", len(passed), least, passed, want)
				}
			}
		}
	}
}

// A cell's lists are the lists of all pairs, at any floor that the lists have already.
func TestShortCell(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 4))
	const n, width = 333, 9
	z := wholeRows(n, 40, rng)
	for i := range 40 { // copies and ties
		z.SetRow(300-i, z.RawRowView(i))
	}
	k := must.Get(newShortKeys(background, z, exact.InOrder(n)))(t)
	got, want := newNearLists(n, width, (&rowKind{}).start()), newNearLists(n, width, (&rowKind{}).start())
	keys, w := make([]float32, n), k.Scratch()
	for i := range int32(n) {
		k.keys(i, exact.InOrder(n), keys, w)
		for j, key := range keys {
			if int32(j) != i {
				want.offer(i, int32(j), key)
			}
		}
	}
	for range 2 { // the second time with full lists
		must.Do(t, k.within(background, exact.InOrder(n), got.floors(), got, w))
		if !reflect.DeepEqual(got.index, want.index) || !reflect.DeepEqual(got.key, want.key) {
			t.Fatal("another list than by all pairs")
		}
	}
}
