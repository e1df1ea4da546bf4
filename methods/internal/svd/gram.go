package svd

import (
	"context"
	"slices"
	"sort"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// side returns the order of the smaller Gram matrix, and whether that is A·Aᵀ.
func (m *Matrix) side() (p int, byRows bool) {
	return min(m.Rows, m.Cols), m.Rows <= m.Cols
}

// gramOperator is the smaller Gram matrix as an operator: A·(Aᵀ·x) or Aᵀ·(A·x). 4·nnz flops per
// vector; scratch memory is the length of the longer side for each vector of the block, of sparse
// data with no more rows than columns for at most 16 of them. Ranks that divide the rows of A
// divide its vectors too; a product sends 8·d bytes per vector, and twice as many if they are
// divided by columns.
type gramOperator struct{ m *Matrix }

var _ eigen.RowsDivided = gramOperator{}

// Rows implements eigen.RowsDivided.
func (g gramOperator) Rows() *ranks.Share { return g.m.division() }

// division divides the vectors of the smaller Gram matrix.
func (m *Matrix) division() *ranks.Share {
	if _, byRows := m.side(); byRows {
		return m.share
	}
	return m.columns
}

// whole returns the rows of all ranks of a block of which x has this rank's; with one rank x.
func whole(share *ranks.Share, x blas64.General) blas64.General {
	if !share.Divided() {
		return x
	}
	return blas64.General{Rows: share.Total(), Cols: x.Cols, Stride: max(1, x.Cols), Data: ranks.GatherFloats(share, panel.Clone(x).Data)}
}

// part returns the rows that this rank has of a block of all; with one rank x.
func part(share *ranks.Share, x blas64.General) blas64.General {
	if !share.Divided() {
		return x
	}
	return panel.Rows(x, share.First(), share.First()+share.Own())
}

func (g gramOperator) Dims() (r, c int) {
	p, _ := g.m.side()
	return p, p
}

// Hash implements eigen.Hashed.
func (g gramOperator) Hash(h *store.Hasher) {
	m := g.m
	h.Text("gram")
	if m.a != nil {
		h.Matrix(m.a)
	} else {
		var x mat.Dense
		x.SetRawMatrix(m.x)
		h.Matrix(&x)
	}
	h.Value(m.centre)
	h.Floats(m.Mean)
	h.Floats(m.shift)
	h.Floats([]float64{m.Scale})
}

func (g gramOperator) MulBlock(dst, x blas64.General) {
	m := g.m
	_, byRows := m.side()
	q := m.own
	if byRows {
		q = m.Cols
	}
	// The solver checks the context between products.
	ctx := context.Background()
	if byRows {
		step := m.step(x.Cols)
		for lo := 0; lo < x.Cols; lo += step {
			hi := min(lo+step, x.Cols)
			t := m.longBlock(q, hi-lo)
			_ = m.MulT(ctx, t, columns(x, lo, hi))
			_ = m.Mul(ctx, columns(dst, lo, hi), t)
		}
		return
	}
	t := m.longBlock(q, x.Cols)
	all := dst
	if m.columns.Divided() {
		all = panel.New(m.Cols, x.Cols)
	}
	_ = m.Mul(ctx, t, whole(m.columns, x))
	_ = m.MulT(ctx, all, t)
	if m.columns.Divided() {
		copyRows(dst, part(m.columns, all))
	}
}

// gram computes the smaller Gram matrix, its upper triangle, on every rank. Dense data: n·d·p flops
// in syrk. Sparse data: one multiply-add for each pair of entries in the rows of the longer side,
// Σ_t df_t² for A·Aᵀ with the document frequencies df. A rank multiplies its rows for Aᵀ·A and its
// columns for A·Aᵀ, and receives 8·p² bytes.
func (m *Matrix) gram(ctx context.Context) (blas64.Symmetric, error) {
	p, byRows := m.side()
	g := blas64.Symmetric{N: p, Stride: p, Uplo: blas.Upper, Data: make([]float64, p*p)}
	var err error
	switch t := m; {
	case m.a == nil && byRows:
		t = m.turned()
		err = t.colPanels(ctx, func(_ int, x blas64.General) { native.Default().Syrk(blas.NoTrans, 1, x, 1, g) })
	case m.a == nil:
		err = m.rowPanels(ctx, func(_ int, x blas64.General) { native.Default().Syrk(blas.Trans, 1, x, 1, g) })
	case byRows:
		t = m.turned()
		err = m.sparseGram(ctx, g, t.a, t.at, t.at.RowSums())
	default:
		err = m.sparseGram(ctx, g, m.at, m.a, m.sum(m.at.RowSums()))
	}
	if m.a == nil {
		m.sum(g.Data)
	}
	return g, err
}

// sparseGram sets g to the sum over the ranks of a·at, centred if the data are. sums has the sums
// of the columns of A that the product needs: the columns of at if a has the rows, else all.
func (m *Matrix) sparseGram(ctx context.Context, g blas64.Symmetric, a, at *sparse.CSR, sums []float64) error {
	err := parallel.For(ctx, g.N, 16, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			row := g.Data[i*g.Stride:][:g.N]
			cols, vals := a.Row(i)
			for k, t := range cols {
				js, ws := at.Row(int(t))
				from := sort.Search(len(js), func(s int) bool { return int(js[s]) >= i })
				v := vals[k]
				for s := from; s < len(js); s++ {
					row[js[s]] += v * ws[s]
				}
			}
		}
		return nil
	})
	m.sum(g.Data)
	if !m.centre || err != nil {
		return err
	}
	// take is the amount that centring subtracts from entry (i, j).
	n := float64(m.Rows)
	take := func(i, j int) float64 { return sums[i] * sums[j] / n }
	if _, byRows := m.side(); byRows {
		r, all := make([]float64, m.Rows), 0.0 // means of the rows of A·Aᵀ, and of all entries
		a.MulVec(r, sums)
		m.sum(r)
		for i := range r {
			r[i] /= n
			all += r[i] / n
		}
		take = func(i, j int) float64 { return r[i] + r[j] - all }
	}
	return parallel.For(ctx, g.N, 16, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			row := g.Data[i*g.Stride:][:g.N]
			for j := i; j < g.N; j++ {
				row[j] -= take(i, j)
			}
		}
		return nil
	})
}

// eigenpairs are eigenpairs of the Gram matrix, descending.
type eigenpairs struct {
	values  []float64
	vectors blas64.General // the rows that are here of p×len(values)
	// gram is the upper triangle of AᵀA of dense rows, on every rank; else empty.
	gram blas64.Symmetric
}

// solveGram solves the Gram matrix with LAPACK, on every rank: the k largest pairs, or all of them
// if k is 0.
func (m *Matrix) solveGram(ctx context.Context, k int) (eigenpairs, error) {
	ctx, stopped := m.share.Watch(ctx)
	g, err := m.gram(ctx)
	if err != nil {
		return eigenpairs{}, err
	}
	if err := stopped(); err != nil {
		return eigenpairs{}, err
	}
	var kept blas64.Symmetric
	if _, byRows := m.side(); m.a == nil && !byRows {
		kept = g
		kept.Data = slices.Clone(g.Data) // SymEig overwrites g
	}
	var r native.EigRange
	if k > 0 && k < g.N {
		r = native.EigRange{First: g.N - k, Count: k}
	}
	pairs, err := native.Abandonable(ctx, func() (eigenpairs, error) {
		// On one thread: the bits of a wide factorisation depend on the number of threads.
		defer native.Parallel()()
		values, vectors, err := native.Default().SymEig(g, r, true)
		if err != nil {
			return eigenpairs{}, err
		}
		return eigenpairs{values: values, vectors: vectors}.reversed(len(values)), nil
	})
	if err = ranks.Agree(m.share, err); err != nil {
		return pairs, err
	}
	// Other processors may have rounded otherwise.
	m.share.Share(pairs.values)
	m.share.Share(pairs.vectors.Data)
	pairs.vectors, pairs.gram = part(m.division(), pairs.vectors), kept
	return pairs, stopped()
}

// reversed returns the last count pairs in reversed order: the largest first.
func (e eigenpairs) reversed(count int) eigenpairs {
	all := len(e.values)
	out := eigenpairs{values: make([]float64, count), vectors: panel.New(e.vectors.Rows, count)}
	for j := range count {
		out.values[j] = e.values[all-1-j]
	}
	for i := range e.vectors.Rows {
		from := e.vectors.Data[i*e.vectors.Stride:][:all]
		to := out.vectors.Data[i*out.vectors.Stride:][:count]
		for j := range to {
			to[j] = from[all-1-j]
		}
	}
	return out
}

// first returns the view of the first count pairs.
func (e eigenpairs) first(count int) eigenpairs {
	return eigenpairs{e.values[:count], columns(e.vectors, 0, count), e.gram}
}
