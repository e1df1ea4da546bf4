package leiden

import (
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
)

// Likenesses by hand: of four groups the last two are the most alike, and a group with too few
// nodes has no part.
func TestLikenessByHand(t *testing.T) {
	net := &network{ptr: []int{0, 2, 4, 7, 9, 10}, col: []int32{1, 2, 0, 2, 0, 1, 3, 2, 4, 3}, val: []float64{2, 1, 2, 1, 1, 1, 6, 6, 1, 1}, degree: []float64{10, 10, 20, 20, 5}}
	total := 65.
	got, smaller := likenessOf(net, []int{100, 100, 100, 100, 2}, 1, total)
	want := []float64{1, 2. / 100 * total, 6. / 400 * total, 2. / 800 * total}
	if len(got) != 4 || smaller != 20./60 {
		t.Fatalf("%v, the smaller %v", got, smaller)
	}
	for i, w := range want {
		if math.Abs(got[i]-w) > 1e-12 {
			t.Errorf("step %d: %v, not %v", i, got[i], w)
		}
	}
	if got, smaller := likenessOf(net, []int{1000, 1, 1, 1, 1}, 1, total); !slices.Equal(got, []float64{1}) || smaller != 0 {
		t.Errorf("one group is large enough: %v, the smaller %v", got, smaller)
	}
}

// Likenesses are those of the groups, by their literal formula over all pairs of nodes, and fall.
func TestLikenessOfNestedGroups(t *testing.T) {
	for seed := range uint64(4) {
		w, groups, _ := nested(seed)
		l := must.Get(FindLevels(t.Context(), must.Get(graph.FromAffinity(w))(t), Search{Seed: seed}))(t)
		if most := len(l.Finest.Sizes); len(l.Likeness) != most {
			t.Fatalf("seed %d: %d likenesses of %d groups", seed, len(l.Likeness), most)
		}
		for i := 2; i < len(l.Likeness); i++ {
			if l.Likeness[i] > l.Likeness[i-1]+1e-12 {
				t.Errorf("seed %d: %v rises", seed, l.Likeness)
			}
		}
		if got, want := l.Likeness[len(l.Likeness)-2:], mostAlike(w, groups); math.Abs(got[0]-want) > 1e-9 && math.Abs(got[1]-want) > 1e-9 {
			t.Errorf("seed %d: %v, and %v of the planted groups", seed, got, want)
		}
	}
}

// mostAlike is the largest likeness of two of the planted groups.
func mostAlike(w *sparse.CSR, of []int) float64 {
	k := 1 + slices.Max(of)
	between, degree, total := make([]float64, k*k), make([]float64, k), 0.0
	for i := range w.NumRows {
		for e := w.RowPtr[i]; e < w.RowPtr[i+1]; e++ {
			between[of[i]*k+of[w.Col[e]]] += w.Val[e]
			degree[of[i]] += w.Val[e]
			total += w.Val[e]
		}
	}
	most := 0.0
	for a := range k {
		for b := range a {
			most = max(most, between[a*k+b]*total/(degree[a]*degree[b]))
		}
	}
	return most
}
