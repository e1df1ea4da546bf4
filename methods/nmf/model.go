package nmf

import (
	"cmp"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"gonum.org/v1/gonum/mat"
)

// Model is a finished factorisation. The package comment says how scale and order of the topics are
// fixed.
type Model struct {
	Placer            // the topics; it places new documents
	W      *mat.Dense // n×k: coefficients of the documents, at least 0

	// Labels are the topics of the largest coefficients, ties to the lower; Unplaced lists the
	// documents whose coefficients are all zero, which have label 0.
	Labels   []int
	Unplaced []int

	// Objective is ½‖X − W·H‖² of the weighted X. History has it at the start and after each
	// iteration.
	Objective float64
	History   []float64
	// KKT is the norm of the projected gradient at the end relative to the gradient's at the start,
	// for the scaling of (W, H) that the solver works in; Converged says that it met the solver's
	// rule to stop.
	KKT        float64
	Converged  bool
	Iterations int // of the run that won
	Restart    int // its number, from 0

	// Weights multiply the rows of X; nil without weighting.
	Weights []float64

	sizes []int // documents of all ranks with each topic as their largest coefficient above zero
}

// newModel scales the factors of a run, orders its topics and spreads them over the whole matrix.
func newModel(r *run, restart int) *Model {
	p, k := r.p, r.w.k
	square := p.scale * p.scale
	m := &Model{
		Placer: Placer{H: mat.NewDense(k, p.m, nil), TermSums: p.termSums}, W: mat.NewDense(p.n, k, nil),
		Objective: square * r.objective(), History: slices.Clone(r.history),
		KKT: r.kkt, Converged: r.converged, Iterations: r.iterations, Restart: restart,
		Weights: p.weights,
	}
	for i := range m.History {
		m.History[i] *= square
	}
	length := make([]float64, k)
	for i := range r.b.f.Rows {
		for j, v := range r.b.f.Data[i*r.b.f.Stride:][:k] {
			length[j] = math.Hypot(length[j], v)
		}
	}
	for i := range r.a.f.Rows {
		row := m.W.RawRowView(p.row(i))
		for j, v := range r.a.f.Data[i*r.a.f.Stride:][:k] {
			row[j] = v * length[j] * p.scale
		}
	}
	rank := byFallingSize(p.share, m.W)
	row := make([]float64, k)
	for i := range p.n {
		to := m.W.RawRowView(i)
		copy(row, to)
		for j, v := range row {
			to[rank[j]] = v
		}
	}
	for j := range k {
		if length[j] == 0 {
			continue
		}
		to := m.H.RawRowView(rank[j])
		for i := range r.b.f.Rows {
			to[p.col(i)] = r.b.f.Data[i*r.b.f.Stride+j] / length[j]
		}
	}
	m.label(p.share)
	return m
}

// zeroModel is the factorisation of a matrix without entries: all zero, and exact.
func zeroModel(p *problem, opt Options) *Model {
	m := &Model{
		Placer: Placer{H: mat.NewDense(opt.Dims, p.m, nil), TermSums: p.termSums}, W: mat.NewDense(p.n, opt.Dims, nil),
		History: []float64{0}, Converged: true, Weights: p.weights,
	}
	m.label(p.share)
	opt.Observer.Warnf(stage, "The matrix has no entry above zero; so have its factors.")
	return m
}

// label sets Labels, Unplaced and the sizes.
func (m *Model) label(share *ranks.Share) {
	var sizes []int
	m.Labels, sizes = assign(m.W)
	m.sizes = ranks.Counts(share, sizes)
	for i, l := range m.Labels {
		if l < 0 {
			m.Labels[i] = 0
			m.Unplaced = append(m.Unplaced, i)
		}
	}
}

// assign returns each row's largest coefficient, the lower on a tie and -1 if all are zero, and how
// many have each.
func assign(w *mat.Dense) (labels, sizes []int) {
	_, k := w.Dims()
	labels, sizes = rows.Largest(w), make([]int, k)
	for i, j := range labels {
		if w.At(i, j) == 0 {
			labels[i] = -1
			continue
		}
		sizes[j]++
	}
	return labels, sizes
}

// byFallingSize returns the new number of each topic, by the documents of all ranks: large ones
// first, ties by the first document.
func byFallingSize(share *ranks.Share, w *mat.Dense) (rank []int) {
	labels, sizes := assign(w)
	first := make([]float64, len(sizes)) // negative: the largest is the lowest row
	for j := range first {
		first[j] = math.Inf(-1)
	}
	for i, j := range slices.Backward(labels) {
		if j >= 0 {
			first[j] = -float64(share.First() + i)
		}
	}
	sizes = ranks.Counts(share, sizes)
	ranks.Largest(share, first)
	order := indices.By(len(sizes), func(a, b int) int {
		return cmp.Or(cmp.Compare(sizes[b], sizes[a]), cmp.Compare(first[b], first[a]))
	})
	rank = make([]int, len(sizes))
	for now, j := range order {
		rank[j] = now
	}
	return rank
}

// empty counts the topics that are no document's largest.
func (m *Model) empty() int {
	empty := 0
	for _, size := range m.sizes {
		if size == 0 {
			empty++
		}
	}
	return empty
}
