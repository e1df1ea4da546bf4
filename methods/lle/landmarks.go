package lle

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// pencilBytes is the memory of the dense eigenproblem of l landmarks: both matrices, copies, and
// LAPACK's.
func pencilBytes(l int) int64 { return memory.Bytes(5*8, l, l) }

// carried solves for the embedding among those that landmarks span. ZᵀMZ is the Gram matrix of R
// = (I − W)Z, both sparse: at most (k+1)·k_Z entries per row and their square of multiply-adds,
// then 14·l³ flops for the dense pencil.
func (m *Model) carried(ctx context.Context) (*mat.Dense, error) {
	n, l := m.Weights.NumRows, m.opt.Landmarks
	if err := memory.Need(ctx, pencilBytes(l), "give fewer ‹landmarks›", "the dense eigenproblem of %s", words.Counted(l, "landmark")); err != nil {
		return nil, err
	}
	at := rand.New(rand.NewPCG(m.opt.Seed, 0x6c6c65)).Perm(n)[:l]
	slices.Sort(at)
	for _, i := range at {
		m.Landmarks = append(m.Landmarks, m.kept[i])
	}
	z, err := m.reconstruction(ctx, at)
	if err != nil {
		return nil, err
	}
	a, err := gram(ctx, residual(m.Weights, z))
	if err != nil {
		return nil, err
	}
	b, err := gram(ctx, z)
	if err != nil {
		return nil, err
	}
	literalA, literalB := slices.Clone(a.Data), slices.Clone(b.Data)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	k := min(m.opt.Dims+1, l)
	values, v, err := native.Default().SymDefEig(a, b, native.EigRange{First: 0, Count: k}, true)
	if err != nil {
		return nil, invalid.Errorf("the landmarks' reconstructions are dependent (%v): take fewer landmarks or another seed", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// The constant is Z·1 with eigenvalue 0, first but for ties.
	y := mat.NewDense(n, k, nil)
	z.MulBlock(y.RawMatrix(), v)
	drop := constant(y)
	out := mat.NewDense(n, m.opt.Dims, nil)
	for j, to := 0, 0; j < k; j++ {
		if j == drop {
			continue
		}
		m.Values = append(m.Values, max(0, values[j]))
		m.Residuals = append(m.Residuals, pencilResidual(literalA, literalB, v, j, values[j]))
		for i := range n {
			out.Set(i, to, y.At(i, j)*math.Sqrt(float64(n)))
		}
		to++
	}
	eigen.CanonicalSigns(out)
	m.Stats = eigen.Stats{Solver: eigen.Dense, Why: "the pencil of the landmarks"}
	return out, nil
}

// constant is the column that lies nearest to the direction of ones.
func constant(y *mat.Dense) int {
	n, k := y.Dims()
	best, largest := 0, -1.0
	for j := range k {
		sum := 0.0
		for i := range n {
			sum += y.At(i, j)
		}
		if math.Abs(sum) > largest {
			best, largest = j, math.Abs(sum)
		}
	}
	return best
}

// pencilResidual is ‖Av − λBv‖/‖v‖ of column j.
func pencilResidual(a, b []float64, v blas64.General, j int, value float64) float64 {
	l := v.Rows
	x := make([]float64, l)
	norm, sum := 0.0, 0.0
	for i := range l {
		x[i] = v.Data[i*v.Stride+j]
		norm += x[i] * x[i]
	}
	for i := range l {
		r := 0.0
		for c, t := range x {
			r += (a[i*l+c] - value*b[i*l+c]) * t
		}
		sum += r * r
	}
	return math.Sqrt(sum / norm)
}

// reconstruction is Z: every point from its nearest landmarks, a landmark from itself.
func (m *Model) reconstruction(ctx context.Context, at []int) (*sparse.CSR, error) {
	landmarks := rows.Select(m.x, at)
	near, err := graph.NearestAmong(ctx, m.x, landmarks, min(m.opt.LandmarkNeighbors, len(at)), m.opt.Observer)
	if err != nil {
		return nil, err
	}
	z, err := Weights(ctx, m.x, landmarks, near, m.opt.Ridge)
	if err != nil {
		return nil, err
	}
	place := make([]int32, m.Weights.NumRows)
	for i := range place {
		place[i] = -1
	}
	for c, i := range at {
		place[i] = int32(c)
	}
	out := &sparse.CSR{NumRows: z.NumRows, NumCols: z.NumCols, RowPtr: make([]int, z.NumRows+1)}
	for i, c := range place {
		cols, vals := z.Row(i)
		if c >= 0 {
			cols, vals = []int32{c}, []float64{1}
		}
		out.Col, out.Val = append(out.Col, cols...), append(out.Val, vals...)
		out.RowPtr[i+1] = len(out.Col)
	}
	return out, nil
}

// residual is (I − W)Z.
func residual(w, z *sparse.CSR) *sparse.CSR {
	out := &sparse.CSR{NumRows: z.NumRows, NumCols: z.NumCols, RowPtr: make([]int, z.NumRows+1)}
	sum, met := make([]float64, z.NumCols), make([]bool, z.NumCols)
	var list []int32
	add := func(i int, factor float64) {
		cols, vals := z.Row(i)
		for k, c := range cols {
			if !met[c] {
				met[c] = true
				list = append(list, c)
			}
			sum[c] += factor * vals[k]
		}
	}
	for i := range w.NumRows {
		list = list[:0]
		add(i, 1)
		cols, vals := w.Row(i)
		for k, j := range cols {
			add(int(j), -vals[k])
		}
		slices.Sort(list)
		for _, c := range list {
			out.Col, out.Val = append(out.Col, c), append(out.Val, sum[c])
			sum[c], met[c] = 0, false
		}
		out.RowPtr[i+1] = len(out.Col)
	}
	return out
}

// gram is AᵀA, both triangles. Row c adds up, over the rows of A that have an entry in column c,
// that entry times the row.
func gram(ctx context.Context, a *sparse.CSR) (blas64.Symmetric, error) {
	l, t := a.NumCols, a.Transpose()
	g := blas64.Symmetric{Uplo: blas.Upper, N: l, Stride: l, Data: make([]float64, l*l)}
	err := parallel.For(ctx, l, 4, func(_, lo, hi int) error {
		for c := lo; c < hi; c++ {
			row := g.Data[c*l : (c+1)*l]
			of, factor := t.Row(c)
			for k, i := range of {
				cols, vals := a.Row(int(i))
				for p, j := range cols {
					row[j] += factor[k] * vals[p]
				}
			}
		}
		return nil
	})
	return g, err
}
