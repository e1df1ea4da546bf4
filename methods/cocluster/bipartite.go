package cocluster

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/vecmath"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/lsi"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// bipartite is the graph of documents and terms: its degrees.
type bipartite struct {
	documents []float64 // sum of each document's weights
	terms     []float64 // sum of each term's weights
}

// newBipartite adds up rows and columns. Errors (fs.ErrInvalid): a weight below 0, and sums that
// overflow.
func newBipartite(in *method.Input) (*bipartite, error) {
	n, terms := in.X.Dims()
	b := &bipartite{make([]float64, n), make([]float64, terms)}
	row := make([]float64, terms)
	for i := range n {
		cols, vals := entries(in.X, i, row)
		for k, v := range vals {
			j := k
			if cols != nil {
				j = int(cols[k])
			}
			if v < 0 {
				return nil, invalid.Errorf("document %s has the weight %g in column %d: co-clustering takes weights of at least 0", in.ID(i), v, j+1)
			}
			b.documents[i] += v
			b.terms[j] += v
		}
	}
	for _, sums := range [][]float64{b.documents, b.terms} {
		if math.IsInf(slices.Max(sums), 1) {
			return nil, invalid.Errorf("the weights of a document or a term sum to infinity: divide the data by a constant")
		}
	}
	if slices.Max(b.terms) == 0 {
		return nil, invalid.Errorf("all weights are 0, and there is nothing to cluster: give another ‹weighting›, or other documents")
	}
	return b, nil
}

// entries are the stored entries of row i: columns and values of a sparse one, all values of a
// dense one, for which columns is nil and row has room.
func entries(x mat.Matrix, i int, row []float64) (columns []int32, values []float64) {
	if s, ok := x.(*sparse.CSR); ok {
		return s.Row(i)
	}
	return nil, mat.Row(row, i, x)
}

// scaled returns D₁^-½ A D₂^-½, a copy of the rows. O(entries).
func (b *bipartite) scaled(x mat.Matrix) mat.Matrix {
	r, c := vecmath.InverseRoots(b.documents), vecmath.InverseRoots(b.terms)
	if s, ok := x.(*sparse.CSR); ok {
		return s.Scale(r, c)
	}
	out := mat.DenseCopyOf(x)
	for i, ri := range r { // Apply in place would take a second copy
		row := out.RawRowView(i)
		for j, v := range row {
			row[j] = v * ri * c[j]
		}
	}
	return out
}

// nontrivial returns the right singular vectors after the first, as rows. Where several singular
// values are 1, the graph is in parts, and the vectors are turned so that the one that is left out
// is D₂^½ 1, which gives everything the same coordinate. O(parts²·terms).
func (b *bipartite) nontrivial(m *lsi.Model) *mat.Dense {
	k, p := m.Components.Dims()
	v := mat.DenseCopyOf(m.Components)
	parts := 0
	for parts < k && m.Singular[parts] > 1-1e-7 {
		parts++
	}
	// w are the coordinates of D₂^½ 1 in the vectors of value 1; a reflection takes the first vector
	// there.
	w, length := make([]float64, parts), 0.0
	for j := range w {
		for t, d := range b.terms {
			w[j] += math.Sqrt(d) * v.At(j, t)
		}
		length += w[j] * w[j]
	}
	if parts > 1 && length > 0 {
		reflect(v, w, math.Sqrt(length))
	}
	return v.Slice(min(1, k), k, 0, p).(*mat.Dense)
}

// reflect applies the Householder reflection that takes w, of a length, to the first axis, to the
// first rows of v.
func reflect(v *mat.Dense, w []float64, length float64) {
	u := slices.Clone(w)
	u[0] += math.Copysign(length, w[0])
	norm := 0.0
	for _, x := range u {
		norm += x * x
	}
	_, p := v.Dims()
	for t := range p {
		s := 0.0
		for j, x := range u {
			s += x * v.At(j, t)
		}
		s *= 2 / norm
		for j, x := range u {
			v.Set(j, t, v.At(j, t)-s*x)
		}
	}
}

// placer keeps what gives documents their coordinates: D₂^-½ V Σ^-1. A coordinate of the singular
// value 0 is 0.
func (b *bipartite) placer(v *mat.Dense, singular []float64) *Placer {
	p := &Placer{Components: mat.DenseCopyOf(v)}
	scale := vecmath.InverseRoots(b.terms)
	k, _ := p.Components.Dims()
	for j := range k {
		row := p.Components.RawRowView(j)
		by := 0.0
		if s := singular[j]; s > 0 {
			by = 1 / s
		}
		for t := range row {
			row[t] *= scale[t] * by
		}
	}
	return p
}

// coordinates returns the coordinates of terms with weights, D₂^-½ V, and which terms these are,
// ascending.
func (b *bipartite) coordinates(v *mat.Dense) (y *mat.Dense, list []int) {
	for t, d := range b.terms {
		if d > 0 {
			list = append(list, t)
		}
	}
	k, _ := v.Dims()
	y = mat.NewDense(len(list), max(1, k), nil)
	for at, t := range list {
		for j := range k {
			y.Set(at, j, v.At(j, t)/math.Sqrt(b.terms[t]))
		}
	}
	return y, list
}

// topics lists the terms of each cluster by their share of all weights of its terms, the largest
// first.
func (b *bipartite) topics(names []string, list, cluster []int, k int) [][]method.Weight {
	out, total := make([][]method.Weight, k), make([]float64, k)
	for at, t := range list {
		total[cluster[at]] += b.terms[t]
	}
	for at, t := range list {
		w := method.Weight{Column: t, Weight: b.terms[t] / total[cluster[at]], Term: termName(names, t)}
		out[cluster[at]] = append(out[cluster[at]], w)
	}
	for c, terms := range out {
		slices.SortStableFunc(terms, func(a, b method.Weight) int { return cmp.Compare(b.Weight, a.Weight) })
		out[c] = terms[:min(len(terms), topTerms)]
	}
	return out
}

// transform returns coordinates of rows: a D₂^-½ V Σ^-1 / Σ_t a_t; rows without weights are at the
// origin. 2·entries·r flops.
func (p *Placer) transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	y, err := project(ctx, x, p.Components)
	if err != nil {
		return nil, err
	}
	n, terms := x.Dims()
	row := make([]float64, terms)
	for i := range n {
		_, vals := entries(x, i, row)
		sum := 0.0
		for _, v := range vals {
			sum += v
		}
		if sum == 0 {
			continue
		}
		for j, v := range y.RawRowView(i) {
			y.Set(i, j, v/sum)
		}
	}
	return rows.MaybeNormalized(y, p.NormalizeRows), nil
}
