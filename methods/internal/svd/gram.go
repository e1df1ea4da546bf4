package svd

import (
	"context"
	"sort"

	"github.com/eigenmap/eigenmap/internal/parallel"
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
// vector; scratch memory is the length of the longer side for each vector of the block.
type gramOperator struct{ m *Matrix }

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
	q := max(m.Rows, m.Cols)
	t := blas64.General{Rows: q, Cols: x.Cols, Stride: x.Cols, Data: m.scratch(&m.block, q*x.Cols)}
	// The solver checks the context between products.
	ctx := context.Background()
	if _, byRows := m.side(); byRows {
		_ = m.MulT(ctx, t, x)
		_ = m.Mul(ctx, dst, t)
	} else {
		_ = m.Mul(ctx, t, x)
		_ = m.MulT(ctx, dst, t)
	}
}

// gram computes the smaller Gram matrix, its upper triangle. Dense data: n·d·p flops in syrk.
// Sparse data: one multiply-add for each pair of entries in the rows of the longer side, Σ_t df_t²
// for A·Aᵀ with the document frequencies df.
func (m *Matrix) gram(ctx context.Context) (blas64.Symmetric, error) {
	p, byRows := m.side()
	g := blas64.Symmetric{N: p, Stride: p, Uplo: blas.Upper, Data: make([]float64, p*p)}
	var err error
	switch {
	case m.a == nil && byRows:
		err = m.colPanels(ctx, func(_ int, x blas64.General) { native.Default().Syrk(blas.NoTrans, 1, x, 1, g) })
	case m.a == nil:
		err = m.rowPanels(ctx, func(_ int, x blas64.General) { native.Default().Syrk(blas.Trans, 1, x, 1, g) })
	case byRows:
		err = m.sparseGram(ctx, g, m.a, m.at)
	default:
		err = m.sparseGram(ctx, g, m.at, m.a)
	}
	return g, err
}

// sparseGram sets g = a·at, centred if the data are.
func (m *Matrix) sparseGram(ctx context.Context, g blas64.Symmetric, a, at *sparse.CSR) error {
	// take is the amount that centring subtracts from entry (i, j).
	take := func(i, j int) float64 { return 0 }
	if m.centre {
		n := float64(m.Rows)
		sums := m.at.RowSums() // column sums of A
		if a == m.at {
			take = func(i, j int) float64 { return sums[i] * sums[j] / n }
		} else {
			r, all := make([]float64, m.Rows), 0.0 // means of the rows of A·Aᵀ, and of all entries
			m.a.MulVec(r, sums)
			for i := range r {
				r[i] /= n
				all += r[i] / n
			}
			take = func(i, j int) float64 { return r[i] + r[j] - all }
		}
	}
	return parallel.For(ctx, g.N, 16, func(_, lo, hi int) error {
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
			if m.centre {
				for j := i; j < g.N; j++ {
					row[j] -= take(i, j)
				}
			}
		}
		return nil
	})
}

// eigenpairs are eigenpairs of the Gram matrix, descending.
type eigenpairs struct {
	values  []float64
	vectors blas64.General // p×len(values)
}

// solveGram solves the Gram matrix with LAPACK: the k largest pairs, or all of them if k is 0.
func (m *Matrix) solveGram(ctx context.Context, k int) (eigenpairs, error) {
	g, err := m.gram(ctx)
	if err != nil {
		return eigenpairs{}, err
	}
	var r native.EigRange
	if k > 0 && k < g.N {
		r = native.EigRange{First: g.N - k, Count: k}
	}
	return native.Abandonable(ctx, func() (eigenpairs, error) {
		// On one thread: the bits of a wide factorisation depend on the number of threads.
		defer native.Parallel()()
		values, vectors, err := native.Default().SymEig(g, r, true)
		if err != nil {
			return eigenpairs{}, err
		}
		return eigenpairs{values, vectors}.reversed(len(values)), nil
	})
}

// reversed returns the last count pairs in reversed order: the largest first.
func (e eigenpairs) reversed(count int) eigenpairs {
	all := len(e.values)
	out := eigenpairs{values: make([]float64, count), vectors: newBlock(e.vectors.Rows, count)}
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
	return eigenpairs{e.values[:count], columns(e.vectors, 0, count)}
}
