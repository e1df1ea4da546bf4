package lle

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// Weights returns for each row of x the weights that reconstruct it from those rows of from that
// near lists: k entries per row, of sum 1. reg is the share of the local Gram matrix's trace that
// is added to its diagonal, above 0.
//
// Cost: k²·d + k³/3 flops per row, d the columns (of sparse rows, those in which a neighbour or
// the point has an entry). Errors: values that overflow, and the context's.
func Weights(ctx context.Context, x, from mat.Matrix, near *graph.KNN, reg float64) (*sparse.CSR, error) {
	rows, columns := from.Dims()
	n, k := near.N, near.K
	w := &sparse.CSR{NumRows: n, NumCols: rows, RowPtr: make([]int, n+1), Col: make([]int32, n*k), Val: make([]float64, n*k)}
	for i := range n {
		w.RowPtr[i+1] = (i + 1) * k
	}
	const grain = 16
	locals := make([]*local, parallel.Workers(n, grain))
	a, b := reader(x), reader(from)
	err := parallel.For(ctx, n, grain, func(worker, lo, hi int) error {
		if locals[worker] == nil {
			locals[worker] = newLocal(k, columns)
		}
		l := locals[worker]
		for i := lo; i < hi; i++ {
			index, _, _ := near.Row(i)
			if !l.solve(a, b, i, index, reg) {
				return invalid.At(i, -1, "the weights of {} overflow: scale the data down or take a larger regularization")
			}
			copy(l.order, index)
			slices.Sort(l.order)
			for c, j := range index {
				at, _ := slices.BinarySearch(l.order, j)
				w.Col[i*k+at], w.Val[i*k+at] = j, l.weight[c]
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return w, nil
}

// entries visits the entries of a row, zeros of dense rows included.
type entries func(i int, visit func(j int32, v float64))

func reader(x mat.Matrix) entries {
	if stored, err := sparse.Stored(x); err == nil {
		x = stored
	}
	switch x := x.(type) {
	case *sparse.CSR:
		return func(i int, visit func(j int32, v float64)) {
			cols, vals := x.Row(i)
			for k, j := range cols {
				visit(j, vals[k])
			}
		}
	case *mat.Dense:
		return func(i int, visit func(j int32, v float64)) {
			for j, v := range x.RawRowView(i) {
				visit(int32(j), v)
			}
		}
	}
	return reader(mat.DenseCopyOf(x))
}

// local is the memory for one point's problem.
type local struct {
	k      int
	place  []int32   // by column its place among those met, −1 if it was not met
	met    []int32   // the columns met
	z      []float64 // k rows of len(met) and more: neighbours less the point
	gram   []float64 // k×k, upper triangle
	factor []float64
	weight []float64
	order  []int32
}

func newLocal(k, columns int) *local {
	l := &local{k: k, place: make([]int32, columns), gram: make([]float64, k*k), factor: make([]float64, k*k), weight: make([]float64, k), order: make([]int32, k)}
	for j := range l.place {
		l.place[j] = -1
	}
	return l
}

// solve leaves the weights of point i in l.weight.
func (l *local) solve(x, from entries, i int, index []int32, reg float64) bool {
	meet := func(j int32, _ float64) {
		if l.place[j] < 0 {
			l.place[j] = int32(len(l.met))
			l.met = append(l.met, j)
		}
	}
	x(i, meet)
	for _, j := range index {
		from(int(j), meet)
	}
	width := len(l.met)
	l.z = slices.Grow(l.z[:0], l.k*width)[:l.k*width]
	clear(l.z)
	for c, j := range index {
		row := l.z[c*width : (c+1)*width]
		from(int(j), func(j int32, v float64) { row[l.place[j]] = v })
		x(i, func(j int32, v float64) { row[l.place[j]] -= v })
	}
	for _, j := range l.met {
		l.place[j] = -1
	}
	l.met = l.met[:0]
	trace := 0.0
	for a := range l.k {
		for b := a; b < l.k; b++ {
			sum := 0.0
			q := l.z[b*width : (b+1)*width]
			for c, v := range l.z[a*width : (a+1)*width] {
				sum += v * q[c]
			}
			l.gram[a*l.k+b] = sum
		}
		trace += l.gram[a*l.k+a]
	}
	for a := range l.weight {
		l.weight[a] = 1 / float64(l.k)
	}
	if trace == 0 {
		return true // all neighbours are copies
	}
	if math.IsInf(trace, 1) || math.IsNaN(trace) {
		return false
	}
	return l.normalise(trace, reg)
}

// normalise solves (G/trace + reg·I)·w = 1 and scales w to the sum 1. The matrix has its
// eigenvalues in [reg, 1 + reg], so it is positive definite unless reg is of the size of
// rounding; it then gets more.
func (l *local) normalise(trace, reg float64) bool {
	for a := range l.gram {
		l.gram[a] /= trace
	}
	factor := l.factor
	for ; reg < 1e6; reg *= 10 {
		copy(factor, l.gram)
		for a := range l.k {
			factor[a*l.k+a] += reg
		}
		t, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Upper, N: l.k, Stride: l.k, Data: factor})
		if !ok {
			continue
		}
		for a := range l.weight {
			l.weight[a] = 1
		}
		lapack64.Potrs(t, blas64.General{Rows: l.k, Cols: 1, Stride: 1, Data: l.weight})
		sum := 0.0
		for _, v := range l.weight {
			sum += v
		}
		good := sum > 0 && !math.IsInf(sum, 1) // 1ᵀ(G+rI)⁻¹1 is positive
		for a := range l.weight {
			l.weight[a] /= sum
			good = good && !math.IsNaN(l.weight[a]) && !math.IsInf(l.weight[a], 0)
		}
		if good {
			return true
		}
	}
	return false
}
