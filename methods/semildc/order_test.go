package semildc

import (
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// TestOrderDoesNotMatter: documents in another order and classes by other numbers give the same
// clustering, in that order and by those numbers. Label propagation is left out: of equally near
// neighbours its graph takes the ones with lower numbers.
func TestOrderDoesNotMatter(t *testing.T) {
	counts, truth := texts(t, 90, 3, 20, 30, 0.2, 5)
	known := draw(t, truth, 0.1, 5)
	rng := rand.New(rand.NewPCG(5, 1))
	for _, opt := range []Options{{}, {SoftLabels: Hard}, {Reduction: Raw}, {SoftLabels: Hard, Reduction: Raw}} {
		m := must.Get(Fit(ctx, counts, nil, known, 3, opt))(t)
		for range 5 {
			order, number := rng.Perm(90), rng.Perm(3)
			moved := make([]int, 90)
			for to, from := range order {
				if moved[to] = -1; known[from] >= 0 {
					moved[to] = number[known[from]]
				}
			}
			got := must.Get(Fit(ctx, counts.SelectRows(order), nil, moved, 3, opt))(t)
			for to, from := range order {
				if got.Labels[to] != number[m.Labels[from]] {
					t.Fatalf("%+v: document %d is in class %d, in another order in %d", opt, from, number[m.Labels[from]], got.Labels[to])
				}
			}
		}
	}
}
