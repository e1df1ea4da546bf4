package leiden

import (
	"cmp"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/sparse"
)

// Modularity is Σ_c (w_c/2m − γ (K_c/2m)²) of groups of the nodes of a symmetric graph w, where w_c
// are the weights inside group c, both ways, K_c the degrees of its nodes, and 2m all weights
// (Reichardt and Bornholdt 2006; Newman and Girvan 2004 for γ = 1). It lies below 1; 0 without
// edges. Labels are below the number of nodes. O(edges).
func Modularity(w *sparse.CSR, labels []int, gamma float64) float64 {
	inside, mass := make([]float64, w.NumRows), make([]float64, w.NumRows)
	total := 0.0
	for i, c := range labels {
		cols, vals := w.Row(i)
		for e, j := range cols {
			mass[c] += vals[e]
			if labels[j] == c {
				inside[c] += vals[e]
			}
		}
	}
	for _, m := range mass {
		total += m
	}
	if total == 0 {
		return 0
	}
	q := 0.0
	for c, m := range mass {
		q += inside[c]/total - gamma*(m/total)*(m/total)
	}
	return q
}

// ordered are labels by falling size of their groups, then by the first nodes, with the sizes.
func ordered(of []int32, k int) (labels, sizes []int) {
	count, first := make([]int, k), make([]int, k)
	for v := len(of) - 1; v >= 0; v-- {
		count[of[v]]++
		first[of[v]] = v
	}
	order := indices.By(k, func(a, b int) int { return cmp.Or(count[b]-count[a], first[a]-first[b]) })
	number := make([]int, k)
	for to, c := range order {
		number[c] = to
		sizes = append(sizes, count[c])
	}
	labels = make([]int, len(of))
	for v, c := range of {
		labels[v] = number[c]
	}
	return labels, sizes
}
