package leiden

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// TestMergeFindsPlanted: the nine parts, merged to three groups, are the three planted ones.
func TestMergeFindsPlanted(t *testing.T) {
	w, groups, parts := nested(7)
	into := must.Get(Merge(t.Context(), w, parts, 9, 3))(t)
	of := make([]int, len(parts))
	for i, p := range parts {
		of[i] = into[p]
	}
	if s, err := metrics.Score(groups, of); err != nil || s.ARI != 1 {
		t.Fatalf("ARI %v with the planted groups (%v)", s.ARI, err)
	}
	if !slices.IsSorted(into[:3]) || into[0] != 0 {
		t.Errorf("groups are not numbered in the order of their first: %v", into)
	}
}

// TestMergeIsGreedy: each merger is the one of all pairs after which the modularity, by its literal
// formula, is largest.
func TestMergeIsGreedy(t *testing.T) {
	for seed := range uint64(5) {
		w, _, _ := nested(seed)
		rng := rand.New(rand.NewPCG(seed, 2))
		of := make([]int, w.NumRows)
		for i := range of {
			if of[i] = rng.IntN(12); i < 12 {
				of[i] = i
			}
		}
		before := slices.Clone(of)
		for k := 11; k >= 1; k-- {
			into := must.Get(Merge(t.Context(), w, of, 12, k))(t)
			after := make([]int, len(of))
			for i, g := range of {
				after[i] = into[g]
			}
			best := -1.0
			for a := range k + 1 {
				for b := range a {
					tried := slices.Clone(before)
					for i, g := range tried {
						if g == a {
							tried[i] = b
						}
					}
					best = max(best, Modularity(w, tried, 1))
				}
			}
			if got := Modularity(w, after, 1); got < best-1e-12 || slices.Max(into) != k-1 {
				t.Fatalf("seed %d, %d groups: modularity %v, %v by the best pair; groups up to %d", seed, k, got, best, slices.Max(into))
			}
			before = after
		}
	}
}
