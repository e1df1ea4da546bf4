package geodesic

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// FromPoints returns the neighbour graph of the rows of x (graph.Build: k nearest or within ε, with
// its rules) with the Euclidean length of each edge. The weight in opt is ignored. Costs and errors
// are as for graph.Build.
func FromPoints(ctx context.Context, x mat.Matrix, opt graph.Options) (*sparse.CSR, error) {
	opt.Weight, opt.HeatWidth = graph.Binary, 0
	g, err := graph.Build(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	return Lengths(ctx, x, g.W)
}

// Lengths returns the Euclidean distances between rows of x along the edges of a pattern, whose row
// and column numbers are rows of x. A symmetric n×n pattern gives a graph of lengths that is
// symmetric bit for bit. The sum Σ(a−b)² is computed directly, O(columns) per edge. Errors: shapes
// that do not fit, a distance that is not finite, and the error of ctx.
func Lengths(ctx context.Context, x mat.Matrix, pattern *sparse.CSR) (*sparse.CSR, error) {
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	return CrossLengths(ctx, x, x, pattern)
}

// CrossLengths is Lengths between rows of x, the pattern's row numbers, and rows of y, its column
// numbers.
func CrossLengths(ctx context.Context, x, y mat.Matrix, pattern *sparse.CSR) (*sparse.CSR, error) {
	n, d := x.Dims()
	m, e := y.Dims()
	if pattern.NumRows != n || pattern.NumCols != m || d != e {
		return nil, invalid.Errorf("a %d × %d pattern does not fit %d points of %d values and %d points of %d", pattern.NumRows, pattern.NumCols, n, d, m, e)
	}
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	if y, err = sparse.Stored(y); err != nil {
		return nil, err
	}
	dist2 := between(x, y)
	out := &sparse.CSR{NumRows: n, NumCols: m, RowPtr: slices.Clone(pattern.RowPtr), Col: slices.Clone(pattern.Col), Val: make([]float64, len(pattern.Val))}
	err = parallel.For(ctx, n, 64, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			for k := out.RowPtr[i]; k < out.RowPtr[i+1]; k++ {
				v := math.Sqrt(dist2(i, int(out.Col[k])))
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return invalid.Errorf("the distance between points %d and %d (counted from 0) is %v: scale the data down, or look for values that are not finite", i, out.Col[k], v)
				}
				out.Val[k] = v
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// between returns the squared distance of a row of x and a row of y.
func between(x, y mat.Matrix) func(i, j int) float64 {
	a, isSparse := x.(*sparse.CSR)
	b, bothSparse := y.(*sparse.CSR)
	if isSparse && bothSparse {
		return func(i, j int) float64 {
			ac, av := a.Row(i)
			bc, bv := b.Row(j)
			sum := 0.0
			for p, q := 0, 0; p < len(ac) || q < len(bc); {
				var diff float64
				switch {
				case q == len(bc) || p < len(ac) && ac[p] < bc[q]:
					diff = av[p]
					p++
				case p == len(ac) || bc[q] < ac[p]:
					diff = bv[q]
					q++
				default:
					diff = av[p] - bv[q]
					p++
					q++
				}
				sum += diff * diff
			}
			return sum
		}
	}
	dense := func(m mat.Matrix) *mat.Dense {
		switch m := m.(type) {
		case *mat.Dense:
			return m
		case *sparse.CSR:
			return m.ToDense()
		}
		return mat.DenseCopyOf(m)
	}
	da := dense(x)
	db := da
	if x != y {
		db = dense(y)
	}
	return func(i, j int) float64 {
		sum := 0.0
		q := db.RawRowView(j)
		for c, v := range da.RawRowView(i) {
			diff := v - q[c]
			sum += diff * diff
		}
		return sum
	}
}

// Union makes an undirected graph from directed edges. It has an edge if either direction has one,
// with the smaller of the two lengths.
func Union(edges *sparse.CSR) *sparse.CSR {
	t := edges.Transpose()
	out := &sparse.CSR{NumRows: edges.NumRows, NumCols: edges.NumCols, RowPtr: make([]int, edges.NumRows+1),
		Col: make([]int32, 0, 2*len(edges.Col)), Val: make([]float64, 0, 2*len(edges.Val))}
	for i := range edges.NumRows {
		ac, av := edges.Row(i)
		bc, bv := t.Row(i)
		for p, q := 0, 0; p < len(ac) || q < len(bc); {
			switch {
			case q == len(bc) || p < len(ac) && ac[p] < bc[q]:
				out.Col, out.Val = append(out.Col, ac[p]), append(out.Val, av[p])
				p++
			case p == len(ac) || bc[q] < ac[p]:
				out.Col, out.Val = append(out.Col, bc[q]), append(out.Val, bv[q])
				q++
			default:
				out.Col, out.Val = append(out.Col, ac[p]), append(out.Val, min(av[p], bv[q]))
				p++
				q++
			}
		}
		out.RowPtr[i+1] = len(out.Col)
	}
	return out
}

// Components labels the connected components of a graph of lengths like sparse.CSR.Components,
// except that edges of length 0 also connect.
func Components(lengths *sparse.CSR) (label []int32, count int) {
	ones := make([]float64, len(lengths.Val))
	for k := range ones {
		ones[k] = 1
	}
	pattern := &sparse.CSR{NumRows: lengths.NumRows, NumCols: lengths.NumCols, RowPtr: lengths.RowPtr, Col: lengths.Col, Val: ones}
	return pattern.Components()
}
