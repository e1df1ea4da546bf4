package leiden

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/sparse"
	"pgregory.net/rapid"
)

// nested makes a graph of three groups of three parts of 20 nodes each: edges are likely inside a
// part, rare inside a group and very rare between groups.
func nested(seed uint64) (w *sparse.CSR, groups, parts []int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	n := 180
	b := sparse.NewBuilder(n, n)
	for i := range n {
		groups, parts = append(groups, i%3), append(parts, i%9)
		for j := range i {
			p := 0.004
			if i%9 == j%9 {
				p = 0.6
			} else if i%3 == j%3 {
				p = 0.05
			}
			if rng.Float64() < p {
				b.Add(i, j, 1)
				b.Add(j, i, 1)
			}
		}
	}
	w, err := b.Build()
	if err != nil {
		panic(err)
	}
	return w, groups, parts
}

// perNode are the groups of the nodes.
func perNode(t *Tree, l *Level) []int {
	of := make([]int, len(t.Leaf))
	for i, leaf := range t.Leaf {
		of[i] = l.Of[leaf]
	}
	return of
}

// TestTreeFindsPlanted: around the groups, the level of nine is the parts; around the parts, the
// level of three is the groups.
func TestTreeFindsPlanted(t *testing.T) {
	w, groups, parts := nested(7)
	for _, c := range []struct {
		around, want []int
		k            int
	}{{groups, parts, 9}, {parts, groups, 3}} {
		tree := must.Get(FindTree(t.Context(), w, c.around, 3, nil))(t)
		s, err := metrics.Score(c.want, perNode(tree, tree.At(c.k)))
		if err != nil || s.ARI < 0.999 {
			t.Fatalf("%d groups: adjusted Rand index %v, %v", c.k, s, err)
		}
	}
}

// TestTreeIsNested: every level splits one group of the one before, none into fewer than five nodes
// below the level that was given, which comes back as it was.
func TestTreeIsNested(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		k := rapid.IntRange(1, min(n, 6)).Draw(t, "k")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		b := sparse.NewBuilder(n, n)
		for range rapid.IntRange(0, 4*n).Draw(t, "edges") {
			if i, j := rng.IntN(n), rng.IntN(n); i != j {
				w := rng.ExpFloat64()
				b.Add(i, j, w)
				b.Add(j, i, w)
			}
		}
		labels := make([]int, n)
		for i := range labels {
			labels[i] = rng.IntN(k)
		}
		w := must.Get(b.Build())(t)
		tree := must.Get(FindTree(context.Background(), w, labels, 1, nil))(t)
		if !slices.Equal(perNode(tree, tree.At(tree.Groups)), labels) {
			t.Fatal("the clusters that were given are no level")
		}
		before := make([]int, n)
		for k := 1; k <= tree.Most(); k++ {
			l := tree.At(k)
			of := perNode(tree, l)
			within, sizes := map[int]int{}, map[int]int{}
			for i, c := range of {
				sizes[c]++
				if at, ok := within[c]; ok && at != before[i] {
					t.Fatalf("group %d of %d is in two groups of the level before", c, k)
				}
				within[c] = before[i]
			}
			if len(sizes) != k {
				t.Fatalf("%d groups, not %d", len(sizes), k)
			}
			for c, size := range sizes {
				if l.Sizes[c] != size || k > tree.Groups && size < leastPart && size != countOf(before, within[c]) {
					t.Fatalf("a group of %d (said %d) at %d groups", size, l.Sizes[c], k)
				}
				in, all := 0.0, 0.0
				for i := range n {
					cols, vals := w.Row(i)
					for e, j := range cols {
						if of[i] == c {
							if all += vals[e]; of[j] == c {
								in += vals[e]
							}
						}
					}
				}
				if want := in / all; all > 0 && math.Abs(l.Inside[c]-want) > 1e-9 {
					t.Fatalf("share inside %v, literally %v", l.Inside[c], want)
				}
			}
			before = of
		}
	})
}

func countOf(of []int, c int) int {
	count := 0
	for _, d := range of {
		if d == c {
			count++
		}
	}
	return count
}

func TestTreeRefuses(t *testing.T) {
	w, groups, _ := nested(1)
	for _, labels := range [][]int{nil, groups[:10], slices.Repeat([]int{-1}, len(groups)), slices.Repeat([]int{1 << 20}, len(groups))} {
		if _, err := FindTree(t.Context(), w, labels, 0, nil); !errors.Is(err, fs.ErrInvalid) {
			t.Fatalf("%d labels: %v", len(labels), err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := FindTree(ctx, w, groups, 0, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}
