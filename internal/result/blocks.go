package result

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// Blocks joins what became of the documents of several blocks, in their order. The zero value has
// none.
type Blocks struct{ all Run }

// Add adds the block whose documents are numbered from first on, of n in all.
func (b *Blocks) Add(part *Run, first, n int) {
	r := &b.all
	r.Labels, r.Second = put(r.Labels, part.Labels, first, n), put(r.Second, part.Second, first, n)
	r.Distance, r.Confidence = put(r.Distance, part.Distance, first, n), put(r.Confidence, part.Confidence, first, n)
	r.Orders, r.Novelty = put(r.Orders, part.Orders, first, n), put(r.Novelty, part.Novelty, first, n)
	r.Unlike = put(r.Unlike, part.Unlike, first, n)
	r.Embedding, r.Map, r.Posterior = putRows(r.Embedding, part.Embedding, first, n), putRows(r.Map, part.Map, first, n), putRows(r.Posterior, part.Posterior, first, n)
	for _, i := range part.Isolated {
		r.Isolated = append(r.Isolated, first+i)
	}
	for _, i := range part.known {
		r.known = append(r.known, first+i)
	}
	if part.Found == nil {
		return
	}
	if r.Found == nil {
		found := *part.Found
		found.Certainty, found.Sizes = method.Certainty{}, make([]int, len(part.Sizes))
		r.Found, r.Classes = &found, part.Classes
	}
	for k, size := range part.Sizes {
		r.Found.Sizes[k] += size
	}
}

// Into gives a run what the blocks have.
func (b *Blocks) Into(r *Run) {
	a := &b.all
	r.Labels, r.Second, r.Distance, r.Confidence, r.Orders = a.Labels, a.Second, a.Distance, a.Confidence, a.Orders
	r.Novelty, r.Unlike = a.Novelty, a.Unlike
	r.Embedding, r.Map, r.Posterior, r.Isolated, r.known, r.Classes = a.Embedding, a.Map, a.Posterior, a.Isolated, a.known, a.Classes
	if r.Found = a.Found; r.Found != nil {
		r.Found.Labels, r.Found.Posterior, r.Sizes = a.Labels, a.Posterior, a.Found.Sizes
	}
}

// PlacedBytes are the bytes of what becomes of n documents, of a run that has it of some.
func PlacedBytes(of *Run, n int) int64 {
	numbers := 7 // what Run has of each document beside the rows of matrices
	for _, m := range []*mat.Dense{of.Embedding, of.Map, of.Posterior} {
		if m != nil {
			_, d := m.Dims()
			numbers += d
		}
	}
	return memory.Bytes(8, n, numbers)
}

// put copies the numbers of a block to their places among all n; nil for nil.
func put[T any](all, part []T, first, n int) []T {
	if part == nil || len(part) == n {
		return part
	}
	if all == nil {
		all = make([]T, n)
	}
	copy(all[first:], part)
	return all
}

// putRows is put of the rows of a matrix.
func putRows(all, part *mat.Dense, first, n int) *mat.Dense {
	if part == nil {
		return all
	}
	rows, d := part.Dims()
	if rows == n {
		return part
	}
	if all == nil {
		all = mat.NewDense(n, d, nil)
	}
	for i := range rows {
		copy(all.RawRowView(first+i), part.RawRowView(i))
	}
	return all
}
